// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import Synchronization

/// A ledger that stays open for reading.
struct OpenLedger: Sendable {
  let database: LedgerDatabase
  /// The file that was opened.
  let version: FileVersion
}

extension CalendarLibrary {
  /// Reads the ledger by a connection that stays open until another file takes the place of the
  /// ledger.
  ///
  /// - Throws: `StoreError`; errors of the closure.
  func readLedger<Result>(
    _ body: (borrowing LedgerTransaction) throws -> Result
  ) throws -> Result {
    let folder = LedgerFolder(machine: machine, isReadOnly: true)
    do {
      return try open(in: folder).read(body)
    } catch let error as StoreError where error.code == .interrupted {
      // Opening the ledger again repairs a write that was cut off.
      openLedger.withLock { $0 = nil }
      return try open(in: folder).read(body)
    }
  }

  private func open(in folder: LedgerFolder) throws -> LedgerDatabase {
    let version = FileVersion(ofFileAt: folder.file, at: machine.now())
    return try openLedger.withLock { known in
      if let known, let version, version.isSameFile(as: known.version) { return known.database }
      let database = try folder.openForViewing()
      // An empty ledger in the place of a missing one would stay empty.
      known =
        database.isStored ? version.map { OpenLedger(database: database, version: $0) } : nil
      return database
    }
  }

  /// Opens the ledger for writing.
  ///
  /// - Throws: `LibraryError` if the configuration is invalid; `StoreError`.
  func writableLedger() throws -> LedgerDatabase {
    try LedgerFolder(machine: machine, isReadOnly: false)
      .openDatabase(historyDays: try configuration().historyDays)
  }
}
