// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Swift source whose comments and literals are blanked out, so that a search finds only code.
///
/// Every character outside of code becomes a space; lines and columns stay where they are. Code in an
/// interpolation `\(…)` stays code.
struct SwiftCode: Sendable {
  let lines: [String]
  /// The lines with nothing but the literals, in their quotation marks.
  let literals: [String]

  /// The code of each text that a rule has asked for, because several rules ask for all files.
  private static let known = Mutex<[String: SwiftCode]>([:])

  /// The code of a text.
  static func of(_ text: String) -> SwiftCode {
    if let code = known.withLock({ $0[text] }) { return code }
    let code = SwiftCode(text)
    known.withLock { $0[text] = code }
    return code
  }

  private enum Context {
    /// Code; how many parentheses are open since an interpolation began.
    case code(parentheses: Int)
    case string(hashes: Int, isLong: Bool)
  }

  init(_ text: String) {
    var scanner = Scanner(characters: Array(text.unicodeScalars))
    scanner.scan()
    lines = Self.lines(of: scanner.output)
    literals = Self.lines(of: scanner.literals)
  }

  private static func lines(of scalars: [Unicode.Scalar]) -> [String] {
    String(String.UnicodeScalarView(scalars))
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }

  private struct Scanner {
    let characters: [Unicode.Scalar]
    var output: [Unicode.Scalar] = []
    var literals: [Unicode.Scalar] = []
    var index = 0
    var contexts: [Context] = [.code(parentheses: 0)]

    init(characters: [Unicode.Scalar]) {
      self.characters = characters
    }

    mutating func scan() {
      while index < characters.count {
        switch contexts.last ?? .code(parentheses: 0) {
        case .code(let parentheses): scanCode(parentheses)
        case .string(let hashes, let isLong): scanString(hashes, isLong)
        }
      }
    }

    private func starts(_ text: String, at place: Int) -> Bool {
      var place = place
      for scalar in text.unicodeScalars {
        guard place < characters.count, characters[place] == scalar else { return false }
        place += 1
      }
      return true
    }

    private mutating func keep() {
      output.append(characters[index])
      literals.append(characters[index] == "\n" ? "\n" : " ")
      index += 1
    }

    private mutating func blank(_ count: Int = 1, isLiteral: Bool = false) {
      for character in characters[index..<min(index + count, characters.count)] {
        let blank: Unicode.Scalar = character == "\n" ? "\n" : " "
        output.append(blank)
        literals.append(isLiteral ? character : blank)
      }
      index += count
    }

    private mutating func scanCode(_ parentheses: Int) {
      if starts("//", at: index) {
        while index < characters.count, characters[index] != "\n" { blank() }
      } else if starts("/*", at: index) {
        scanBlockComment()
      } else if let opening = openingQuote() {
        blank(opening.length, isLiteral: true)
        contexts.append(.string(hashes: opening.hashes, isLong: opening.isLong))
      } else if characters[index] == "(" {
        setParentheses(parentheses + 1)
        keep()
      } else if characters[index] == ")" {
        if parentheses == 0, contexts.count > 1 {
          contexts.removeLast()
        } else {
          setParentheses(max(0, parentheses - 1))
        }
        keep()
      } else {
        keep()
      }
    }

    private mutating func setParentheses(_ count: Int) {
      contexts[contexts.count - 1] = .code(parentheses: count)
    }

    private mutating func scanBlockComment() {
      var depth = 0
      repeat {
        if starts("/*", at: index) {
          depth += 1
          blank(2)
        } else if starts("*/", at: index) {
          depth -= 1
          blank(2)
        } else {
          blank()
        }
      } while depth > 0 && index < characters.count
    }

    private func openingQuote() -> (hashes: Int, isLong: Bool, length: Int)? {
      var hashes = 0
      while index + hashes < characters.count, characters[index + hashes] == "#" { hashes += 1 }
      guard starts("\"", at: index + hashes) else { return nil }
      let isLong = starts("\"\"\"", at: index + hashes)
      return (hashes, isLong, hashes + (isLong ? 3 : 1))
    }

    private mutating func scanString(_ hashes: Int, _ isLong: Bool) {
      let marks = String(repeating: "#", count: hashes)
      let closing = (isLong ? "\"\"\"" : "\"") + marks
      if starts(closing, at: index) {
        blank(closing.unicodeScalars.count, isLiteral: true)
        contexts.removeLast()
      } else if starts("\\\(marks)(", at: index) {
        blank(hashes + 1)
        keep()
        contexts.append(.code(parentheses: 0))
      } else if starts("\\\(marks)", at: index) {
        blank(hashes + 2, isLiteral: true)
      } else if characters[index] == "\n", !isLong {
        contexts.removeLast()
        keep()
      } else {
        blank(isLiteral: true)
      }
    }
  }
}
