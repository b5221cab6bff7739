// SPDX-License-Identifier: Apache-2.0

/// A page of the manual in the language mdoc, as mandoc and groff read it.
struct ManualPage: Sendable {
  /// The maximum number of bytes of a line of text.
  private static let width = 76

  /// The name without the section.
  let name: String
  /// The section, from 1 through 8.
  let section: Int
  /// The source of the page.
  private(set) var text: String

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
  var fileName: String { "\(name).\(section)" }

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
