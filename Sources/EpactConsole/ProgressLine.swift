// SPDX-License-Identifier: Apache-2.0

package import CalendarSync
import Epact

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

/// Limits redrawing of the progress bar: at phase changes, and otherwise ten times a second.
package struct ProgressClock: Sendable {
  /// The minimum time between two updates, in seconds.
  private static let interval = 0.1

  private var phase: SyncProgress.Phase?
  private var drawnAt = -Double.infinity

  /// Creates a clock; the first step is due at once.
  package init() {}

  /// Whether to draw a step at a time in seconds.
  package mutating func isDue(_ progress: SyncProgress, at time: Double) -> Bool {
    guard
      progress.phase != phase || progress.done == progress.total
        || time - drawnAt >= Self.interval
    else { return false }
    phase = progress.phase
    drawnAt = time
    return true
  }
}
