// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Glibc

/// All data that is stored between runs.
typealias LedgerStore = AccessLog & GrantStore & Ledger & RunHistory

/// The folder of the program's own data: the ledger and its lock.
struct State: Sendable {
  private let folder: String
  private let isReadOnly: Bool
  private let machine: Dependencies

  /// Creates the state of a user; opens and creates nothing.
  init(machine: Dependencies, isReadOnly: Bool) {
    self.machine = machine
    self.isReadOnly = isReadOnly
    folder = ConfigurationFile.stateFolder(machine)
  }

  /// Calls `body` with the lock held, unless the state is read-only.
  ///
  /// - Throws: `StoreError` with the code `locked` if another run has the lock; errors of `body`.
  func whileLocked<Result>(
    for activity: String, _ body: () async throws -> Result
  ) async throws -> Result {
    guard !isReadOnly else { return try await body() }
    let lock = try StoreLock.acquire(folder + "/lock", for: activity, since: machine.timeOfDay())
    let result = try await body()
    extendLifetime(lock)
    return result
  }

  /// Whether the process that took the lock still exists, so that a run may be in progress.
  var isBusy: Bool {
    guard var file = try? InputStream(path: folder + "/lock"),
      let note = try? file.readAll(limit: 256)
    else { return false }
    let words = String(decoding: note, as: UTF8.self).split(separator: " ")
    guard words.count > 1, let process = pid_t(words[1]), process > 0 else { return false }
    return kill(process, 0) == 0 || errno == EPERM
  }

  /// A remark about an empty ledger, or nil.
  ///
  /// After a loss of the state, the first unattended run fails because no access is granted.
  func remark(on ledger: any LedgerStore) async throws -> ConsoleText? {
    // Imports need no grant, and are no evidence of an earlier state.
    let syncs = try await ledger.runs(of: nil).filter { $0.binding?.isImport != true }
    guard try await ledger.grants().isEmpty, syncs.isEmpty else { return nil }
    return
      "The ledger in \(folder) is new, and grants are kept there alone. On a restored machine, bring that folder back from a backup, or grant access once more; the next sync then pairs what both sides hold by UID, and deletes nothing."
  }

  /// Opens the ledger.
  ///
  /// - Parameter historyDays: The number of days for which runs with changes are kept.
  /// - Returns: The ledger.
  /// - Throws: `StoreError`.
  func openLedger(historyDays: Int = 30) throws(StoreError) -> any LedgerStore {
    let path = folder + "/ledger.sqlite"
    return isReadOnly
      ? try LedgerDatabase(reading: path) : try LedgerDatabase(path: path, historyDays: historyDays)
  }
}
