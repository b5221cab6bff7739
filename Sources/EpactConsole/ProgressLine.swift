// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
import Epact

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

/// A progress bar for the available columns; only text if the total is unknown.
package struct ProgressLine: Sendable, Hashable {
  /// The minimum width of a bar.
  private static let narrowest = 8
  /// The maximum width of a bar.
  private static let widest = 30

  private let title: String
  private let activity: String
  private let done: Int
  private let total: Int

  /// Creates a line for a number of completed steps.
  package init(title: String, activity: String, done: Int, total: Int) {
    self.title = title
    self.activity = activity
    self.done = max(0, min(done, total))
    self.total = max(0, total)
  }

  /// Creates the line of a step of a sync.
  package init(_ progress: SyncProgress, of sync: String) {
    let activity =
      switch progress.phase {
      case .reading: "reading"
      case .fetching: "fetching"
      case .writing: "writing"
      }
    self.init(title: sync, activity: activity, done: progress.done, total: progress.total)
  }

  /// The line, within a number of columns.
  package func text(columns: Int) -> String {
    let words = "\(SafeText.escaped(title)): \(activity)"
    guard total > 0 else { return DisplayWidth.of(words) < columns ? words : "" }
    let numbers = "\(Count.grouped(done))/\(Count.grouped(total))"
    // One column stays free, because a terminal may wrap a full line.
    let room = columns - 1 - DisplayWidth.of(words) - numbers.count - 4
    guard room >= Self.narrowest else {
      let short = "\(activity) \(numbers)"
      return DisplayWidth.of(short) < columns ? short : ""
    }
    let width = min(room, Self.widest)
    let filled = done * width / total
    let bar = String(repeating: "#", count: filled) + String(repeating: "-", count: width - filled)
    return "\(words) [\(bar)] \(numbers)"
  }
}
