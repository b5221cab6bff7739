// SPDX-License-Identifier: Apache-2.0

/// A bar for a terminal, in as many columns as there are; words alone where the end is not known.
package struct ProgressLine: Sendable, Hashable {
  /// The narrowest bar that tells anything.
  private static let narrowest = 8
  /// The widest bar.
  private static let widest = 30

  private let title: String
  private let activity: String
  private let done: Int
  private let total: Int

  /// Creates a line about something of which so much is done.
  package init(title: String, activity: String, done: Int, total: Int) {
    self.title = title
    self.activity = activity
    self.done = max(0, min(done, total))
    self.total = max(0, total)
  }

  /// The line in at most so many columns.
  package func text(columns: Int) -> String {
    let words = "\(SafeText.escaped(title)): \(activity)"
    guard total > 0 else { return DisplayWidth.of(words) < columns ? words : "" }
    let numbers = "\(Count.grouped(done))/\(Count.grouped(total))"
    // One column stays free: a terminal that is full to the last begins a new line.
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
