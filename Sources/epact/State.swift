// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Glibc

/// Everything that is remembered between runs.
typealias LedgerStore = AccessLog & GrantStore & Ledger & RunHistory

/// The folder in which the program keeps what files of calendars cannot hold: the ledger and its lock.
struct State: Sendable {
  private let folder: String
  private let isReadOnly: Bool
  private let machine: Dependencies

  /// Names the state of a person; nothing is opened or made yet.
  init(machine: Dependencies, isReadOnly: Bool) {
    self.machine = machine
    self.isReadOnly = isReadOnly
    folder = ConfigurationFile.stateFolder(machine)
  }

  /// Calls `body` while no other run can change the state, unless nothing is to be written anyway.
  ///
  /// - Throws: `StoreError` with the code `locked` if another run has the lock, or what `body` throws.
  func whileLocked<Result>(
    for activity: String, _ body: () async throws -> Result
  ) async throws -> Result {
    guard !isReadOnly else { return try await body() }
    let lock = try StoreLock.acquire(folder + "/lock", for: activity, since: machine.timeOfDay())
    let result = try await body()
    extendLifetime(lock)
    return result
  }

  /// Whether another process that took the lock is still there, and so a run may go on.
  var isBusy: Bool {
    guard var file = try? InputStream(path: folder + "/lock"),
      let note = try? file.readAll(limit: 256)
    else { return false }
    let words = String(decoding: note, as: UTF8.self).split(separator: " ")
    guard words.count > 1, let process = pid_t(words[1]), process > 0 else { return false }
    return kill(process, 0) == 0 || errno == EPERM
  }

  /// What to say of a ledger that knows nothing where something was expected of it, or nil.
  ///
  /// After a loss of the state, the first unattended run ends because nothing is granted.
  func remark(on ledger: any LedgerStore) async throws -> ConsoleText? {
    // An import needs no grant, and says nothing of what was lost.
    let syncs = try await ledger.runs(of: nil).filter { $0.binding?.isImport != true }
    guard try await ledger.grants().isEmpty, syncs.isEmpty else { return nil }
    return
      "The ledger in \(folder) is new, and grants are kept there alone. On a restored machine, bring that folder back from a backup, or grant access once more; the next sync then pairs what both sides hold by UID, and deletes nothing."
  }

  /// Opens the ledger.
  ///
  /// - Parameter historyDays: For how many days the runs that changed something are kept.
  /// - Returns: The ledger.
  /// - Throws: `StoreError`.
  func openLedger(historyDays: Int = 30) throws(StoreError) -> any LedgerStore {
    let path = folder + "/ledger.sqlite"
    return isReadOnly
      ? try LedgerDatabase(reading: path) : try LedgerDatabase(path: path, historyDays: historyDays)
  }
}
