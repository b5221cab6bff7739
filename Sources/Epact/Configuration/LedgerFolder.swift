// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
package import CalendarStore
package import CalendarSync
import Glibc

/// All data that is stored between runs.
package typealias LedgerStore = AccessLog & AccountLedger & GrantStore & Ledger & ProjectionKeyStore
  & RunHistory

/// The folder of the program's own data, with the lock of runs and the ledger, unless the configuration has a
/// database for it.
package struct LedgerFolder: Sendable {
  /// The absolute path of the folder.
  package let path: String
  /// Whether nothing may be written.
  package let isReadOnly: Bool
  private let machine: Machine

  /// The absolute path of the ledger, if it is a file.
  var file: String { path + "/ledger.sqlite" }

  /// Takes a folder; opens and creates nothing.
  ///
  /// - Parameters:
  ///   - machine: The machine with the folders, the place of the ledger and the clock.
  ///   - isReadOnly: Whether nothing may be written.
  package init(machine: Machine, isReadOnly: Bool) {
    self.machine = machine
    self.isReadOnly = isReadOnly
    path = if case .folder(let path) = machine.ledger { path } else { machine.stateFolder }
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

  /// Calls `body` with the lock held, and with the ledger for runs of syncs.
  ///
  /// In a database, the ledger has a lease as long, which keeps the syncs of other machines away.
  ///
  /// - Throws: `StoreError` with the code `locked` if another run has the lock, or another machine the
  ///   lease; errors of `body`.
  package func whileRunning<Result>(
    _ activity: String, keeping historyDays: Int,
    _ body: (LedgerDatabase) async throws -> Result
  ) async throws -> Result {
    try await whileLocked(for: activity) {
      let ledger = try open(historyDays, taking: lease)
      defer { ledger.release() }
      return try await body(ledger)
    }
  }

  /// The lease of a run.
  ///
  /// One for a hosted account does not wait: it would keep other accounts waiting.
  private var lease: LedgerLease {
    if case .hosted = machine.ledger { .ofThisProcess(patience: 0) } else { .ofThisProcess() }
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
    if let database = try database() { return try LedgerDatabase(reading: database) }
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
    try open(historyDays, taking: nil)
  }

  private func open(
    _ historyDays: Int, taking lease: LedgerLease?
  ) throws(StoreError) -> LedgerDatabase {
    if let database = try database() {
      return isReadOnly
        ? try LedgerDatabase(reading: database)
        : try LedgerDatabase(at: database, taking: lease, historyDays: historyDays)
    }
    let file = try trustedFile()
    return isReadOnly
      ? try LedgerDatabase(reading: file) : try LedgerDatabase(path: file, historyDays: historyDays)
  }

  /// Whether other machines may use the ledger, too.
  var isShared: Bool { (try? database()) != nil }

  /// The names by which the user's syncs know items; the ledger is opened for each lookup.
  var knownNames: KnownNames {
    KnownNames(opening: { () throws(StoreError) in
      if let database = try database() { return try LedgerDatabase(reading: database) }
      return try LedgerDatabase(reading: file)
    })
  }

  /// The database of the ledger; nil if it is the file.
  ///
  /// - Throws: `StoreError` if the configuration does not say which.
  private func database() throws(StoreError) -> PostgreSQLPlace? {
    switch machine.ledger {
    case .folder: return nil
    case .hosted(let hosted): return hosted.database
    case .configured: break
    }
    let configuration = ConfigurationFile(machine: machine)
    do {
      return try configuration.ledgerSettings()?.place(on: machine)
    } catch {
      throw StoreError(
        code: .misconfigured, path: configuration.path,
        message: EpactError(describing: error).message)
    }
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
  /// The names by which the user's syncs know items, for files with the same UID.
  package var knownNames: KnownNames { LedgerFolder(machine: self, isReadOnly: true).knownNames }

  /// The names in a ledger, which need not be the user's.
  func knownNames(in ledger: any LedgerStore) -> KnownNames {
    (ledger as? LedgerDatabase)?.knownNames ?? knownNames
  }
}
