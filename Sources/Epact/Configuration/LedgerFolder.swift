// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
package import CalendarStore
package import CalendarSync
import Glibc

/// All data that is stored between runs.
package typealias LedgerStore = AccessLog & AccountLedger & GrantStore & Ledger & ProjectionKeyStore
  & RunHistory

/// The folder of the program's own data: the ledger and its lock.
package struct LedgerFolder: Sendable {
  /// The absolute path of the folder.
  package let path: String
  /// Whether nothing may be written.
  package let isReadOnly: Bool
  private let machine: Machine

  /// The absolute path of the ledger.
  var file: String { path + "/ledger.sqlite" }

  /// Takes a folder; opens and creates nothing.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the folder; nil for the user's.
  ///   - machine: The machine with the folders and the clock.
  ///   - isReadOnly: Whether nothing may be written.
  package init(path: String? = nil, machine: Machine, isReadOnly: Bool) {
    self.machine = machine
    self.isReadOnly = isReadOnly
    self.path = path ?? machine.stateFolder
  }

  /// Calls `body` with the lock held, unless it is read-only.
  ///
  /// - Throws: `StoreError` with the code `locked` if another run has the lock; errors of `body`.
  package func whileLocked<Result>(
    for activity: String, _ body: () async throws -> Result
  ) async throws -> Result {
    guard !isReadOnly else { return try await body() }
    let lock = try StoreLock.acquire(path + "/lock", for: activity, since: machine.timeOfDay())
    let result = try await body()
    extendLifetime(lock)
    return result
  }

  /// Whether the process that took the lock still exists, so that a run may be in progress.
  package var isBusy: Bool {
    guard var file = try? InputStream(path: path + "/lock"),
      let note = try? file.readAll(limit: 256)
    else { return false }
    let words = String(decoding: note, as: UTF8.self).split(separator: " ")
    guard words.count > 1, let process = pid_t(words[1]), process > 0 else { return false }
    return kill(process, 0) == 0 || errno == EPERM
  }

  /// Whether a ledger has neither grants nor runs of syncs.
  ///
  /// After a loss of the folder, the first unattended run fails because no access is granted.
  package func isNew(_ ledger: any LedgerStore) async throws -> Bool {
    // Imports and edits need no grant, and are no evidence of an earlier ledger.
    let syncs = try await ledger.runs(of: nil).filter { $0.binding?.isLocal != true }
    return try await ledger.grants().isEmpty && syncs.isEmpty
  }

  /// Opens the ledger.
  ///
  /// - Parameter historyDays: The number of days for which runs with changes are kept.
  /// - Returns: The ledger.
  /// - Throws: `StoreError`.
  package func openLedger(historyDays: Int = 30) throws(StoreError) -> any LedgerStore {
    try openDatabase(historyDays: historyDays)
  }

  /// Opens the ledger for reading, and repairs a write that was interrupted.
  ///
  /// The repair takes the interrupted transaction back, as any next writing does. A dry run does not
  /// use this.
  ///
  /// - Throws: `StoreError`.
  package func openForViewing() throws(StoreError) -> LedgerDatabase {
    let file = try trustedFile()
    do {
      return try LedgerDatabase(reading: file)
    } catch {
      guard error.code == .interrupted else { throw error }
      try LedgerDatabase(path: file).close()
      return try LedgerDatabase(reading: file)
    }
  }

  /// Opens the ledger for transactions that do not suspend; the parameter is that of `openLedger`.
  ///
  /// - Throws: `StoreError`.
  package func openDatabase(historyDays: Int = 30) throws(StoreError) -> LedgerDatabase {
    let file = try trustedFile()
    return isReadOnly
      ? try LedgerDatabase(reading: file) : try LedgerDatabase(path: file, historyDays: historyDays)
  }

  /// The path of the ledger, whose grants only the user may change.
  ///
  /// - Throws: `StoreError` with the code `noAccess` if other users can change the file or its
  ///   folders.
  private func trustedFile() throws(StoreError) -> String {
    do {
      try FileTrust(machine, isStrict: false).check(file)
      return file
    } catch {
      throw StoreError(
        code: .noAccess, path: file,
        message: "the ledger is not used, because \(error.path) \(error.reason.words)")
    }
  }
}

extension Machine {
  /// The names in a ledger, which need not be the user's.
  func knownNames(in ledger: any LedgerStore) -> KnownNames {
    (ledger as? LedgerDatabase)?.knownNames ?? knownNames
  }
}
