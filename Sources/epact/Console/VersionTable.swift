// SPDX-License-Identifier: Apache-2.0

/// Versions of things side by side, in columns that are as wide as what stands in them.
struct VersionTable {
  /// One thing, with the lines of each version.
  struct Row {
    /// What stands before the title.
    let mark: String
    let title: String
    let cells: [[String]]
  }

  /// The most columns of a cell; the rest of a long line stands below it.
  private static let widthLimit = 36
  private static let gap = "  "

  private let heads: [String]
  private let rows: [Row]

  /// Creates a table; the first head is that of the titles.
  init(heads: [String], rows: [Row]) {
    self.heads = heads
    self.rows = rows
  }

  /// The lines of the table.
  var lines: [ConsoleText] {
    let cells = rows.map { row in
      row.cells.map { lines in lines.flatMap { Self.wrapped(SafeText.escaped($0)) } }
    }
    let titles = rows.map { "\($0.mark) \($0.title)" }
    var widths = [([heads[0]] + titles).map(DisplayWidth.of).max() ?? 0]
    for column in 1..<heads.count {
      let texts = [heads[column]] + cells.flatMap { $0[column - 1] }
      widths.append(texts.map(DisplayWidth.of).max() ?? 0)
    }
    var lines = [Self.line(heads, widths, .dim)]
    for (row, cells) in zip(titles, cells) {
      for index in 0..<(cells.map(\.count).max() ?? 0) {
        let texts = cells.map { index < $0.count ? $0[index] : index == 0 ? "–" : "" }
        lines.append(Self.line([index == 0 ? row : ""] + texts, widths, nil))
      }
    }
    return lines
  }

  private static func line(
    _ texts: [String], _ widths: [Int], _ style: ConsoleText.Style?
  ) -> ConsoleText {
    let padded = zip(texts, widths).map { DisplayWidth.padded($0, to: $1) }
    var text = padded.joined(separator: gap)
    while text.hasSuffix(" ") { text.removeLast() }
    return ConsoleText(text, style)
  }

  private static func wrapped(_ text: String) -> [String] {
    var lines: [String] = []
    var line = ""
    for character in text {
      if DisplayWidth.of(line + String(character)) > widthLimit {
        lines.append(line)
        line = ""
      }
      line.append(character)
    }
    return lines + [line]
  }
}
