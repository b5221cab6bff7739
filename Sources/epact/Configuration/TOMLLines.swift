// SPDX-License-Identifier: Apache-2.0

/// The lines in which the keys of a TOML document stand, which the parser does not tell.
///
/// It scans a document that was parsed before, and so is known to be well formed: headers, keys up to
/// the equals sign, and just enough of the values to know where they end. A key that it does not
/// find has the line of the table around it.
package struct TOMLLines {
  private var lines: [[String]: Int] = [:]
  private var arrayCounts: [[String]: Int] = [:]

  /// Scans a document.
  package init(_ text: String) {
    var scanner = Scanner(bytes: Array(text.utf8))
    var table: [String] = []
    while scanner.skipToNextEntry() {
      let line = scanner.line
      if scanner.take("[") {
        let isArray = scanner.take("[")
        table = resolve(scanner.key(), isArray: isArray)
        note(table, at: line)
        scanner.skipLine()
      } else {
        note(table + scanner.key(), at: line)
        scanner.skipValue()
      }
    }
  }

  /// The line of a key, given by its path; an element of an array of tables is its index.
  package func line(of path: [String]) -> Int? {
    var path = path
    while !path.isEmpty {
      if let line = lines[path] { return line }
      path.removeLast()
    }
    return nil
  }

  /// Notes where a key is, and the tables above it that come to be by its mere mention.
  private mutating func note(_ path: [String], at line: Int) {
    var path = path
    while !path.isEmpty, lines[path] == nil {
      lines[path] = line
      path.removeLast()
    }
  }

  /// The path that a header means: a part that names an array of tables means its last element.
  private mutating func resolve(_ header: [String], isArray: Bool) -> [String] {
    var path: [String] = []
    for (index, part) in header.enumerated() {
      path.append(part)
      if isArray, index == header.count - 1 {
        arrayCounts[path, default: 0] += 1
      }
      if let count = arrayCounts[path] { path.append(String(count - 1)) }
    }
    return path
  }
}

extension TOMLLines {
  /// A position in a document, and how to get on from it.
  private struct Scanner {
    let bytes: [UInt8]
    var index = 0
    var line = 1

    init(bytes: [UInt8]) {
      self.bytes = bytes
    }

    private var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    private mutating func advance() {
      if current == UInt8(ascii: "\n") { line += 1 }
      index += 1
    }

    private func hasPrefix(_ text: StaticString) -> Bool {
      let wanted = Array("\(text)".utf8)
      return bytes[min(index, bytes.count)...].starts(with: wanted)
    }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard current == UInt8(ascii: character) else { return false }
      advance()
      return true
    }

    mutating func skipLine() {
      while let byte = current, byte != UInt8(ascii: "\n") { advance() }
    }

    /// Skips blanks and comments; tells whether a header or a key follows.
    mutating func skipToNextEntry() -> Bool {
      while let byte = current {
        switch byte {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
          advance()
        case UInt8(ascii: "#"): skipLine()
        default: return true
        }
      }
      return false
    }

    /// Reads a dotted key up to the equals sign or the bracket after it.
    mutating func key() -> [String] {
      var parts: [String] = []
      var part: [UInt8] = []
      while let byte = current {
        switch byte {
        case UInt8(ascii: "="), UInt8(ascii: "]"), UInt8(ascii: "\n"):
          parts.append(String(decoding: part, as: UTF8.self))
          return parts
        case UInt8(ascii: "."):
          parts.append(String(decoding: part, as: UTF8.self))
          part = []
          advance()
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): advance()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): part += quoted()
        default:
          part.append(byte)
          advance()
        }
      }
      parts.append(String(decoding: part, as: UTF8.self))
      return parts
    }

    /// Skips a value, over as many lines as it has.
    mutating func skipValue() {
      var depth = 0
      while let byte = current {
        switch byte {
        case UInt8(ascii: "\n") where depth == 0: return
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          advance()
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          depth -= 1
          advance()
        case UInt8(ascii: "#"): skipLine()
        case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = quoted()
        default: advance()
        }
      }
    }

    /// Reads a string in single or double quotes, of one line or of several.
    private mutating func quoted() -> [UInt8] {
      guard let quote = current else { return [] }
      let isLong = hasPrefix("\"\"\"") || hasPrefix("'''")
      let closing = [UInt8](repeating: quote, count: isLong ? 3 : 1)
      for _ in closing { advance() }
      var content: [UInt8] = []
      while let byte = current {
        if bytes[index...].starts(with: closing) {
          for _ in closing { advance() }
          // A string of several lines may end in quotes of its own: `""""`.
          while isLong, take(Unicode.Scalar(quote)) {}
          return content
        }
        if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { advance() }
        if let byte = current { content.append(byte) }
        advance()
      }
      return content
    }
  }
}
