// SPDX-License-Identifier: Apache-2.0

package import CalendarStore
import CalendarSync
import Synchronization

// What follows a run of syncs: the metrics, and the hooks of the configuration.

extension SyncSet {
  /// Writes the metrics of a run; does nothing without a path in the configuration.
  ///
  /// The calendars of an account that was not listed are no syncs of the run, but still exist.
  ///
  /// - Throws: `StoreError`.
  package func writeMetrics(of result: Result) async throws(StoreError) {
    guard let path = result.configuration.metrics else { return }
    var names = result.configuration.syncNames
    let known = Set(names)
    let failed = Set(result.syncs.filter { $0.error != nil }.map(\.name))
    names += configuration.syncs
      .filter { !known.contains($0.name) && failed.contains($0.account ?? "") }.map(\.name)
    let successes = await lastSuccesses()
    try MetricsFile(path: path).write(result.syncs, syncs: names, knowing: successes)
  }

  /// Runs the `on-change` command for each sync of a run that changed items here.
  ///
  /// - Returns: The errors of the command.
  package func runHooks(for changes: SyncChangeLog, of result: Result) -> [EpactError] {
    let configuration = result.configuration
    guard let words = configuration.onChange else { return [] }
    return configuration.syncs.compactMap { sync in
      guard let made = changes[sync.name], made.isLocal else { return nil }
      let path = configuration.calendars[sync.calendar]?.path
      do throws(EpactError) {
        try Hook("on-change", words: words, machine: machine).run(
          ["EPACT_SYNC": sync.name], input: made.json(of: sync, path: path).serialized() + "\n")
        return nil
      } catch {
        return error
      }
    }
  }
}

extension Configuration {
  /// Runs the `on-failure` command; does nothing without one.
  ///
  /// - Parameters:
  ///   - syncs: The names of the failed syncs; empty if none could run.
  ///   - status: The exit status.
  ///   - message: The error and its remedy.
  ///   - machine: The machine with the environment.
  /// - Throws: `EpactError` if the command is not trusted or fails.
  package func runFailureHook(
    for syncs: String, status: Int, message: String, on machine: Machine
  ) throws(EpactError) {
    guard let words = onFailure else { return }
    try Hook("on-failure", words: words, machine: machine).run([
      "EPACT_SYNC": syncs, "EPACT_STATUS": String(status), "EPACT_MESSAGE": message,
    ])
  }
}

/// The changes of running syncs, for the `on-change` command.
///
/// It is a class because the engine reports events while the caller waits for it.
package final class SyncChangeLog: Sendable {
  private let isOn: Bool
  private let changes = Mutex<[String: SyncChanges]>([:])

  /// Creates an empty log, which records nothing unless it is on.
  package init(isOn: Bool) {
    self.isOn = isOn
  }

  /// Adds what an event says.
  package func record(_ event: SyncSetEvent) {
    guard isOn, case .running(let sync, let event) = event else { return }
    changes.withLock { $0[sync, default: SyncChanges()].record(event) }
  }

  /// The changes of a sync; nil if there are none.
  subscript(sync: String) -> SyncChanges? { changes.withLock { $0[sync] } }
}
