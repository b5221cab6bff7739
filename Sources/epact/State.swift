// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync

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
