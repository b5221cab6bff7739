// SPDX-License-Identifier: Apache-2.0

/// Arranges events of several days in rows below a line of days.
///
///     days   Mon    Tue    Wed
///     row 1  Trip ━━━━━━━━━━━━
///     row 2         Fair   Run
///
/// Content on consecutive days is in one row, and is written once. Everything else is in the first
/// free row of its day.
package struct DayBars<Content: Hashable> {
  /// A bar: the same content on consecutive days.
  package struct Bar {
    package let content: Content
    /// The index of the first day.
    package let first: Int
    /// The number of days.
    package fileprivate(set) var count: Int
  }

  /// The rows, each with its bars in the order of the days.
  package private(set) var rows: [[Bar]] = []

  /// Arranges the contents of consecutive days.
  ///
  /// - Parameter days: The contents of each day, in order; a content occurs once a day.
  package init(_ days: [[Content]]) {
    var places: [Content: Int] = [:]
    for (day, contents) in days.enumerated() {
      let kept = places.filter { contents.contains($0.key) }
      var taken = Set(kept.values)
      places = kept
      for content in contents {
        if let row = kept[content] {
          rows[row][rows[row].count - 1].count += 1
          continue
        }
        let row = (0...rows.count).first { !taken.contains($0) } ?? rows.count
        taken.insert(row)
        places[content] = row
        if row == rows.count { rows.append([]) }
        rows[row].append(Bar(content: content, first: day, count: 1))
      }
    }
  }

  /// The text of a bar: a title, and a line over the other days.
  ///
  /// - Parameters:
  ///   - title: The escaped title.
  ///   - bar: The bar.
  ///   - width: The width of a day in columns; the days are separated by one column.
  /// - Returns: The text, which fills the days.
  static func text(_ title: String, of bar: Bar, width: Int) -> String {
    let whole = bar.count * (width + 1) - 1
    let text = DisplayWidth.truncated(title, to: whole)
    let rest = whole - DisplayWidth.of(text)
    guard bar.count > 1, rest > 1 else { return DisplayWidth.padded(text, to: whole) }
    return text + " " + String(repeating: "━", count: rest - 1)
  }
}
