// SPDX-License-Identifier: Apache-2.0

/// Conversion of articles, which are written in a part of Markdown: headings, paragraphs, lists,
/// tables and blocks of code.
extension ManualPage {
  /// Adds an article; its title is omitted.
  mutating func add(markdown text: String) {
    add("Sh DESCRIPTION")
    var isFirst = true
    var rest = text.split(separator: "\n", omittingEmptySubsequences: false)[...]
    while let line = rest.first {
      if line.allSatisfy(\.isWhitespace) || line.hasPrefix("# ") {
        rest.removeFirst()
      } else if line.hasPrefix("#") {
        rest.removeFirst()
        let title = line.drop { $0 == "#" }.dropFirst()
        add("Ss \(Self.escaped(Self.plain(title)))")
        isFirst = true
      } else if line.hasPrefix("```") {
        rest.removeFirst()
        let lines = rest.prefix { !$0.hasPrefix("```") }
        rest = rest.dropFirst(lines.count + 1)
        add(literal: lines)
        isFirst = false
      } else {
        let lines = Self.block(&rest)
        if line.hasPrefix("|") {
          add(table: lines)
        } else if line.hasPrefix("- ") {
          add(list: lines)
        } else {
          if !isFirst { add("Pp") }
          add(words: Self.plain(lines.joined(separator: " ")))
        }
        isFirst = false
      }
    }
  }

  /// Takes the lines up to a blank line.
  private static func block(_ rest: inout ArraySlice<Substring>) -> [Substring] {
    let lines = Array(rest.prefix { !$0.allSatisfy(\.isWhitespace) })
    rest = rest.dropFirst(lines.count)
    return lines
  }

  /// A table becomes a list whose tags are the first column.
  private mutating func add(table lines: [Substring]) {
    let rows = lines.map { line in
      line.dropFirst().dropLast(line.hasSuffix("|") ? 1 : 0).split(separator: "|")
        .map { Self.plain($0) }
    }
    guard let titles = rows.first else { return }
    add("Bl -tag -width Ds")
    for row in rows.dropFirst(2) {
      add("It \(Self.escaped(Self.quoted(row.first ?? "")))")
      for (title, cell) in zip(titles, row).dropFirst() where !cell.isEmpty {
        add(words: title == "meaning" ? cell + "." : "\(title): \(cell).")
      }
    }
    add("El")
  }

  private mutating func add(list lines: [Substring]) {
    add("Bl -bullet")
    var item = ""
    for line in lines {
      if line.hasPrefix("- ") {
        if !item.isEmpty { add(item: item) }
        item = String(line.dropFirst(2))
      } else {
        item += " " + line.drop { $0 == " " }
      }
    }
    add(item: item)
    add("El")
  }

  private mutating func add(item: String) {
    add("It")
    add(words: Self.plain(item[...]))
  }

  /// The text without the marks of code, links and emphasis.
  private static func plain(_ text: some StringProtocol) -> String {
    var result = String(text).replacing(/\[([^\]]*)\]\([^)]*\)/) { "\($0.1)" }
    result = result.replacing("**", with: "").replacing("`", with: "")
    return result.split(separator: " ").joined(separator: " ")
  }

  /// An argument of a request, in which commas and dots are no delimiters.
  private static func quoted(_ text: String) -> String {
    "\"" + text.replacing("\"", with: "\"\"") + "\""
  }
}
