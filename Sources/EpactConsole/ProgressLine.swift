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
