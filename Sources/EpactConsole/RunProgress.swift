// SPDX-License-Identifier: Apache-2.0

package import CalendarSync

/// The progress of a running sync, from its events, for a progress bar.
package struct RunProgress: Sendable {
  private let isDryRun: Bool
  private var clock = ProgressClock()
  /// The number of planned and of finished operations.
  private var planned = 0
  private var finished = 0

  /// Creates the progress of a run, or of a dry run, which carries out nothing.
  package init(isDryRun: Bool) {
    self.isDryRun = isDryRun
  }

  /// Takes an event at a time in seconds.
  ///
  /// - Returns: The progress to draw; nil if the drawn one is recent enough.
  package mutating func step(after event: SyncEvent, at time: Double) -> SyncProgress? {
    guard let progress = progress(after: event), clock.isDue(progress, at: time) else { return nil }
    return progress
  }

  private mutating func progress(after event: SyncEvent) -> SyncProgress? {
    switch event {
    case .progress(let progress): return progress
    case .done, .deferred, .failed: finished += 1
    case .planned(let plan):
      guard !isDryRun, plan.objection == nil else { return nil }
      planned += plan.operations.count(where: \.isChange)
    default: return nil
    }
    guard planned > 0 else { return nil }
    return SyncProgress(.writing, done: min(finished, planned), total: planned)
  }
}

/// Limits redrawing of the progress bar: at phase changes, and otherwise ten times a second.
private struct ProgressClock: Sendable {
  /// The minimum time between two updates, in seconds.
  private static let interval = 0.1

  private var phase: SyncProgress.Phase?
  private var drawnAt = -Double.infinity

  /// Whether to draw a step at a time in seconds.
  mutating func isDue(_ progress: SyncProgress, at time: Double) -> Bool {
    guard
      progress.phase != phase || progress.done == progress.total
        || time - drawnAt >= Self.interval
    else { return false }
    phase = progress.phase
    drawnAt = time
    return true
  }
}
