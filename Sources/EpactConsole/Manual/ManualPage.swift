// SPDX-License-Identifier: Apache-2.0

/// A page of the manual in the language mdoc, as mandoc and groff read it.
package struct ManualPage: Sendable {
  /// The maximum number of bytes of a line of text.
  private static let width = 76

  /// The name without the section.
  package let name: String
  /// The section, from 1 through 8.
  package let section: Int
  /// The source of the page.
  package private(set) var text: String

  /// Begins a page.
  ///
  /// - Parameters:
  ///   - name: The name without the section.
  ///   - section: The section, from 1 through 8.
  ///   - summary: The summary; a full stop at its end is dropped.
  ///   - date: The date, such as `November 25, 2026`.
  init(_ name: String, section: Int, summary: String, date: String) {
    self.name = name
    self.section = section
    text = """
      .Dd \(date)
      .Dt \(name.uppercased()) \(section)
      .Os
      .Sh NAME
      .Nm \(name)
      .Nd \(Self.escaped(summary.hasSuffix(".") ? String(summary.dropLast()) : summary))

      """
  }

  /// The name of the file.
  package var fileName: String { "\(name).\(section)" }

  /// Adds a request, such as `.Sh EXAMPLES`; its arguments are escaped already.
  mutating func add(_ request: String) {
    text += ".\(request)\n"
  }

  /// Adds running text, with each sentence on lines of its own.
  mutating func add(words text: String) {
    var line = ""
    for word in text.split(whereSeparator: \.isWhitespace) {
      if !line.isEmpty, line.utf8.count + word.utf8.count >= Self.width { end(&line) }
      line += line.isEmpty ? String(word) : " " + word
      if word.trimmingSuffix(while: { ")”\"'`".contains($0) }).last.map({ ".!?".contains($0) })
        == true
      {
        end(&line)
      }
    }
    if !line.isEmpty { end(&line) }
  }

  /// Adds lines that are printed as they are.
  mutating func add(literal lines: some Sequence<Substring>) {
    add("Bd -literal -offset indent")
    for line in lines { text += Self.escaped(String(line)) + "\n" }
    add("Ed")
  }

  /// Adds paragraphs of plain text; lines that begin with two spaces are printed as they are.
  mutating func add(paragraphs text: String) {
    var isFirst = true
    for block in Self.blocks(of: text) {
      if block.isLiteral {
        add(literal: Self.outdented(block.lines))
      } else {
        if !isFirst { add("Pp") }
        add(words: block.lines.joined(separator: " "))
      }
      isFirst = false
    }
  }

  private mutating func end(_ line: inout String) {
    text += Self.escaped(line) + "\n"
    line = ""
  }

  /// Text that no request and no escape sequence is recognized in.
  ///
  /// A hyphen is one of a command, and not of a word; characters beyond ASCII have their code.
  static func escaped(_ text: String) -> String {
    var result = text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" : ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
      }
    }
    return result
  }

  // MARK: Blocks

  /// A paragraph, or lines that are printed as they are.
  private struct Block {
    var lines: [Substring]
    let isLiteral: Bool
  }

  /// The blocks of plain text, which blank lines separate.
  private static func blocks(of text: String) -> [Block] {
    var blocks: [Block] = []
    var isNew = true
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      guard !line.allSatisfy(\.isWhitespace) else {
        isNew = true
        continue
      }
      let isLiteral = line.hasPrefix("  ")
      if !isNew, let last = blocks.indices.last, blocks[last].isLiteral == isLiteral {
        blocks[last].lines.append(line)
      } else {
        blocks.append(Block(lines: [line], isLiteral: isLiteral))
      }
      isNew = false
    }
    return blocks
  }

  private static func outdented(_ lines: [Substring]) -> [Substring] {
    let depth = lines.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { $0.dropFirst(depth) }
  }
}

extension Substring {
  fileprivate func trimmingSuffix(while predicate: (Character) -> Bool) -> Substring {
    var rest = self
    while let last = rest.last, predicate(last) { rest.removeLast() }
    return rest
  }
}

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
