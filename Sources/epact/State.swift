// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync
import Glibc

/// Everything that is remembered between runs.
typealias LedgerStore = GrantStore & Ledger

/// The folder in which the program keeps what files of calendars cannot hold: the ledger and its lock.
struct State: Sendable {
  private let folder: String
  private let isReadOnly: Bool
  private let machine: Dependencies

  /// Finds the state of a person; the folder is made unless nothing is to be written.
  ///
  /// - Throws: `Failure` if it cannot be made.
  init(machine: Dependencies, isReadOnly: Bool) throws(Failure) {
    self.machine = machine
    self.isReadOnly = isReadOnly
    folder = ConfigurationFile.stateFolder(machine)
    if !isReadOnly { try Self.make(folder) }
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
  /// - Throws: `StoreError`.
  func openLedger() throws(StoreError) -> any LedgerStore {
    let path = folder + "/ledger.sqlite"
    return isReadOnly ? try LedgerDatabase(reading: path) : try LedgerDatabase(path: path)
  }

  /// Makes a folder and those above it, for nobody but their owner.
  private static func make(_ path: String) throws(Failure) {
    var current = ""
    for part in path.split(separator: "/") {
      current += "/" + part
      guard unsafe mkdir(current, 0o700) != 0, errno != EEXIST else { continue }
      let error = SystemError()
      // A folder that is there but not ours to make one in, as /, is no reason to stop.
      if error.code == EACCES || error.code == EROFS, current != path { continue }
      throw Failure(.nothingDone, "cannot make the folder \(current): \(error)")
    }
  }
}
