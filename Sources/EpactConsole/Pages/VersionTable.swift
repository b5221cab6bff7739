// SPDX-License-Identifier: Apache-2.0

import Epact

/// A table of versions side by side, or one below the other if the columns are too narrow.
package struct VersionTable {
  /// A row with the lines of each version.
  package struct Row {
    /// Whether the row is marked as a conflict.
    let isMarked: Bool
    let title: String
    let cells: [[String]]

    /// Creates a row.
    package init(isMarked: Bool, title: String, cells: [[String]]) {
      self.isMarked = isMarked
      self.title = SafeText.escaped(title)
      self.cells = cells.map { $0.map(SafeText.escaped) }
    }

    fileprivate var mark: ConsoleText { isMarked ? "\("!", .yellow) " : "  " }

    /// The wrapped lines of a version; a dash if it is empty.
    fileprivate func lines(of version: Int, width: Int) -> [String] {
      let lines = cells[version].flatMap { TextWrapping.lines(of: $0, width: width) }
      return lines.isEmpty ? ["–"] : lines
    }
  }

  /// The maximum width of a cell if the number of columns is unknown.
  private static let widestCell = 36
  /// The minimum readable width of a cell.
  private static let narrowestCell = 18
  private static let gap = 2

  private let heads: [String]
  private let rows: [Row]
  private let columns: Int?

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - heads: The titles of the versions.
  ///   - rows: The rows.
  ///   - columns: The maximum number of columns of a line; nil if unlimited.
  package init(heads: [String], rows: [Row], columns: Int?) {
    self.heads = heads
    self.rows = rows
    self.columns = columns
  }

  /// The lines of the table.
  package var lines: [ConsoleText] {
    let titleWidth = 2 + (rows.map { DisplayWidth.of($0.title) }.max() ?? 0)
    let gaps = heads.count * Self.gap
    var cellWidth = Self.widestCell
    if let columns {
      cellWidth = share(of: columns - titleWidth - gaps)
      guard cellWidth >= Self.narrowestCell else { return stacked(in: columns) }
    }
    let widths = heads.indices.map { width(of: $0, atMost: cellWidth) }
    let head = Self.joined(
      [String(repeating: " ", count: titleWidth)] + heads, [titleWidth] + widths)
    return [ConsoleText(head, .dim)] + rows.flatMap { sideBySide($0, titleWidth, widths) }
  }

  /// The maximum width of a cell that fits all versions; unlimited if all of them fit.
  ///
  /// Narrow versions keep their width, and wide versions share the rest equally.
  private func share(of room: Int) -> Int {
    var room = room
    var wide = heads.indices.map { width(of: $0, atMost: .max) }
    while !wide.isEmpty {
      let share = room / wide.count
      let small = wide.filter { $0 <= share }
      if small.isEmpty { return share }
      room -= small.reduce(0, +)
      wide.removeAll { $0 <= share }
    }
    return .max
  }

  /// The width of a version, in columns.
  private func width(of version: Int, atMost limit: Int) -> Int {
    let texts = rows.flatMap { $0.lines(of: version, width: limit) }
    return ([heads[version]] + texts).map(DisplayWidth.of).max() ?? 0
  }

  private func sideBySide(_ row: Row, _ titleWidth: Int, _ widths: [Int]) -> [ConsoleText] {
    let cells = widths.enumerated().map { row.lines(of: $0.offset, width: $0.element) }
    return (0..<(cells.map(\.count).max() ?? 0)).map { index in
      let texts = cells.map { index < $0.count ? $0[index] : "" }
      let title = index == 0 ? row.title : ""
      let line = ConsoleText(Self.joined([title] + texts, [titleWidth - 2] + widths))
      return (index == 0 ? row.mark : "  ") + line
    }
  }

  /// The versions of each row, one below the other.
  private func stacked(in columns: Int) -> [ConsoleText] {
    let label = heads.map(DisplayWidth.of).max() ?? 0
    let room = max(Self.narrowestCell, columns - label - 2 * Self.gap - 2)
    return rows.flatMap { row in
      [row.mark + ConsoleText(row.title)]
        + heads.enumerated().flatMap { version, head in
          row.lines(of: version, width: room).enumerated().map { index, text in
            let name = DisplayWidth.padded(index == 0 ? head : "", to: label)
            return "    \(name, .dim)  \(text)"
          }
        }
    }
  }

  private static func joined(_ texts: [String], _ widths: [Int]) -> String {
    let padded = zip(texts, widths).map { DisplayWidth.padded($0, to: $1) }
    var text = padded.joined(separator: String(repeating: " ", count: gap))
    while text.hasSuffix(" ") { text.removeLast() }
    return text
  }
}
