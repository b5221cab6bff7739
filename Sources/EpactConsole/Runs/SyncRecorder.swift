// SPDX-License-Identifier: Apache-2.0

import CalendarSync
package import Epact
package import Logging
import Synchronization

/// Shows the events of running syncs, and collects the details for the JSON output.
///
/// It is a class because the engine reports events while the command waits for it.
package final class SyncRecorder: Sendable {
  /// The details and the progress that a sync has reported so far.
  private struct Recording: Sendable {
    var details: SyncDetails
    var progress: RunProgress

    init(isDryRun: Bool, ofMirror isMirror: Bool) {
      details = SyncDetails(isDryRun: isDryRun, ofMirror: isMirror)
      progress = RunProgress(isDryRun: isDryRun)
    }
  }

  /// The text of the events.
  package let page: SyncPage
  let console: Console
  private let log: Logger
  let machine: Machine
  private let recordings = Mutex<[String: Recording]>([:])
  private let calendarChanges = Mutex(CalendarChanges())
  /// The results of syncs that could not reach their server; nil if each is shown at once.
  private let unreached: Mutex<[SyncResult]?>

  /// Creates a recorder.
  ///
  /// - Parameters:
  ///   - page: The text of the events.
  ///   - console: The console.
  ///   - log: The log of internal steps.
  ///   - machine: The clock.
  ///   - joinsOutages: Whether syncs that cannot reach one server are shown together, by
  ///     `showOutages()`.
  package init(
    _ page: SyncPage, _ console: Console, _ log: Logger, _ machine: Machine,
    joinsOutages: Bool = false
  ) {
    unreached = Mutex(joinsOutages ? [] : nil)
    (self.page, self.console) = (page, console)
    (self.log, self.machine) = (log, machine)
  }

  /// Shows an event of a set of syncs.
  package func record(_ event: SyncSetEvent) {
    calendarChanges.withLock { $0.record(event) }
    if case .ended(let result) = event {
      console.progress(nil)
      if keep(result) { return }
    }
    console.write(page.messages(about: event))
    if case .running(let sync, let event) = event { record(event, of: sync) }
  }

  /// The calendars that were created or renamed, or are gone.
  package var calendars: JSONValue { calendarChanges.withLock { $0.json } }

  /// The report of a sync that has ended.
  package func report(_ result: SyncResult) -> SyncReport {
    page.report(result, recordings.withLock { $0[result.name]?.details })
  }

  /// Shows one error for each server that could not be reached.
  ///
  /// - Parameter names: The names of the syncs in their order; they end in any order.
  package func showOutages(_ names: [String] = []) {
    let held = unreached.withLock { results in
      defer { results = [] }
      return results ?? []
    }
    let places = Dictionary(names.enumerated().map { ($1, $0) }) { first, _ in first }
    let results = held.sorted { places[$0.name, default: 0] < places[$1.name, default: 0] }
    for outage in ServerOutage.find(in: results) {
      guard let error = outage.result.error else { continue }
      console.complain(page.failure(error).prefixed(outage.syncs.joined(separator: ", ")))
    }
  }

  /// Keeps a result until the outages are shown; returns false if it is to be shown at once.
  private func keep(_ result: SyncResult) -> Bool {
    guard result.unreachableServer != nil else { return false }
    return unreached.withLock { results in
      results?.append(result)
      return results != nil
    }
  }

  private func update<Value>(
    _ sync: String, _ change: (inout sending Recording) -> sending Value
  ) -> sending Value {
    let new = Recording(isDryRun: page.isDryRun, ofMirror: page.mirrors.contains(sync))
    return recordings.withLock { change(&$0[sync, default: new]) }
  }

  private func record(_ event: SyncEvent, of sync: String) {
    log(event, ofMirror: page.mirrors.contains(sync))
    // Only the JSON output uses the details, and there may be many.
    guard page.output != .json else { return update(sync) { $0.details.record(event) } }
    let now = machine.stopwatch()
    if let progress = update(sync, { $0.progress.step(after: event, at: now) }) {
      console.progress(ProgressLine(progress, of: sync))
    }
  }

  private func log(_ event: SyncEvent, ofMirror isMirror: Bool) {
    switch event {
    case .done(let operation):
      log.info(
        "\(operation.verb) \(operation.title)",
        metadata: [
          "uid": "\(operation.uid)", "reason": "\(operation.reason.words(ofMirror: isMirror))",
        ])
    case .property(let change, .done) where page.output == .json || !change.isDecidedByPolicy:
      guard let place = change.target?.place else { break }
      log.info("set \(change.property.rawValue) of the calendar \(place)")
    default: break
    }
  }
}
