// SPDX-License-Identifier: Apache-2.0

/// Versions of things side by side, in columns that are as wide as what stands in them; one below the other
/// where there is not enough room for that.
package struct VersionTable {
  /// One thing, with the lines of each version.
  package struct Row {
    /// Whether it is the one that matters.
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

    /// The lines of a version, each at most so wide; a dash if it says nothing.
    fileprivate func lines(of version: Int, width: Int) -> [String] {
      let lines = cells[version].flatMap { VersionTable.wrapped($0, to: width) }
      return lines.isEmpty ? ["–"] : lines
    }
  }

  /// The most columns of a cell where nobody says how many there are.
  private static let widestCell = 36
  /// The fewest columns of a cell in which text can still be read.
  private static let narrowestCell = 18
  private static let gap = 2

  private let heads: [String]
  private let rows: [Row]
  private let columns: Int?

  /// Creates a table.
  ///
  /// - Parameters:
  ///   - heads: What the versions are.
  ///   - rows: The things.
  ///   - columns: How many columns a line may have; nil for as many as it takes.
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

  /// How wide a cell may be if all versions are to have room: as wide as it likes, or an equal part of what
  /// the versions leave that need less.
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

  /// The columns that a version takes.
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

  /// The versions of each thing one below the other.
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

  /// A text in lines that are at most so wide, broken at spaces where there are any.
  private static func wrapped(_ text: String, to width: Int) -> [String] {
    guard DisplayWidth.of(text) > width else { return [text] }
    var lines: [String] = []
    var line = ""
    for character in text {
      line.append(character)
      guard DisplayWidth.of(line) > width else { continue }
      // A space near the end; a word that takes half a line is broken anywhere.
      let space = line.lastIndex(of: " ")
      if let space, DisplayWidth.of(String(line[..<space])) * 2 >= width {
        lines.append(String(line[..<space]))
        line = String(line[line.index(after: space)...])
      } else {
        lines.append(String(line.dropLast()))
        line = String(character)
      }
    }
    return line.isEmpty ? lines : lines + [line]
  }
}
