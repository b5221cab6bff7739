// SPDX-License-Identifier: Apache-2.0

import CalendarStore

/// The copy of the ledger from the file in the state folder to the database of the configuration, and
/// back.
package struct LedgerCopying: Sendable {
  /// The path of the file.
  package let file: String
  /// The account and the address of the database.
  package let database: String
  private let folder: LedgerFolder
  private let historyDays: Int

  /// Takes the places of a configuration; opens nothing.
  ///
  /// - Throws: `EpactError` if the configuration has no database for the ledger.
  package init(of configuration: Configuration, machine: Machine) throws(EpactError) {
    guard let settings = configuration.ledger else {
      throw EpactError(
        .configuration,
        "the configuration has no database for the ledger: the key \"ledger\" is missing")
    }
    folder = LedgerFolder(machine: machine.using(configuration), isReadOnly: false)
    file = folder.file
    database = "\(settings.account) in \(settings.address)"
    historyDays = configuration.historyDays
  }

  /// Copies the ledger while no sync of any machine runs.
  ///
  /// - Parameter isToFile: Whether the database is copied into the file.
  /// - Returns: The number of rows.
  /// - Throws: `EpactError` if there is no ledger to copy; `StoreError`, also if the other place has
  ///   rows. Nothing is copied then.
  package func copy(toFile isToFile: Bool) async throws -> Int {
    try await folder.whileRunning("ledger", keeping: historyDays) { ledger in
      if isToFile {
        return try LedgerDatabase(path: file, historyDays: historyDays).copyAll(of: ledger)
      }
      let source = try LedgerDatabase(reading: file)
      guard source.isStored else {
        throw EpactError(.failed, "there is no ledger at \(file)", subject: file)
      }
      return try ledger.copyAll(of: source)
    }
  }
}
