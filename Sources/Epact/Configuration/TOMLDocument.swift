// SPDX-License-Identifier: Apache-2.0

import TOMLKit

/// A value of a TOML document.
indirect enum TOMLNode: Sendable, Hashable {
  case string(String)
  case integer(Int)
  case bool(Bool)
  case array([TOMLNode])
  case table([String: TOMLNode])
  /// A value of a type that no key has: a date, a time, or a floating-point number.
  case other(type: String)

  /// Parses a document.
  ///
  /// - Throws: `TOMLParseError` with the position of the first error.
  static func parse(_ text: String) throws -> [String: TOMLNode] {
    members(of: try TOMLTable(string: text))
  }

  /// The type in messages.
  var typeName: String {
    switch self {
    case .string: "a string"
    case .integer: "an integer"
    case .bool: "true or false"
    case .array: "an array"
    case .table: "a table"
    case .other(let type): "a \(type)"
    }
  }

  private static func members(of table: TOMLTable) -> [String: TOMLNode] {
    var result: [String: TOMLNode] = [:]
    for key in table.keys {
      result[key] = table[key].map(TOMLNode.init)
    }
    return result
  }

  private init(_ value: any TOMLValueConvertible) {
    if let text = value.string {
      self = .string(text)
    } else if let number = value.int {
      self = .integer(number)
    } else if let flag = value.bool {
      self = .bool(flag)
    } else if let array = value.array {
      self = .array(array.map(TOMLNode.init))
    } else if let table = value.table {
      self = .table(Self.members(of: table))
    } else {
      self = .other(type: value.type.description)
    }
  }
}

/// The lines of the keys in a TOML document, which the parser does not provide.
///
/// The scanner requires a well-formed document. It reads headers, keys up to the equals sign, and
/// just enough of the values to find their ends. A key that it does not find has the line of the
/// enclosing table.
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

  /// The line of a key path; the path of an element in an array of tables contains its index.
  package func line(of path: [String]) -> Int? {
    var path = path
    while !path.isEmpty {
      if let line = lines[path] { return line }
      path.removeLast()
    }
    return nil
  }

  /// Records the line of a key, and of the parent tables that it creates implicitly.
  private mutating func note(_ path: [String], at line: Int) {
    var path = path
    while !path.isEmpty, lines[path] == nil {
      lines[path] = line
      path.removeLast()
    }
  }

  /// The path of a header; the name of an array of tables denotes its last element.
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
  /// A position in a document.
  struct Scanner {
    let bytes: [UInt8]
    private(set) var index = 0
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

    mutating func skipBlanks() {
      while let byte = current, byte == 0x20 || byte == 0x09 { advance() }
    }

    mutating func skipLine() {
      while let byte = current, byte != UInt8(ascii: "\n") { advance() }
    }

    /// Skips blanks and comments; returns whether a header or a key follows.
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

    /// Reads a dotted key up to the following equals sign or bracket.
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

    /// Skips a value, which may have several lines, and the rest of its last line.
    ///
    /// - Returns: The end of the value, before any blanks and a comment.
    @discardableResult
    mutating func skipValue() -> Int {
      var depth = 0
      var end = index
      while let byte = current {
        switch byte {
        case UInt8(ascii: "\n") where depth == 0: return end
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
          advance()
          continue
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          advance()
        case UInt8(ascii: "]"), UInt8(ascii: "}"):
          depth -= 1
          advance()
        case UInt8(ascii: "#"):
          skipLine()
          continue
        case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = quoted()
        default: advance()
        }
        end = index
      }
      return end
    }

    /// Reads a single-line or multi-line string in single or double quotes.
    private mutating func quoted() -> [UInt8] {
      guard let quote = current else { return [] }
      let isLong = hasPrefix("\"\"\"") || hasPrefix("'''")
      let closing = [UInt8](repeating: quote, count: isLong ? 3 : 1)
      for _ in closing { advance() }
      var content: [UInt8] = []
      while let byte = current {
        if bytes[index...].starts(with: closing) {
          for _ in closing { advance() }
          // A multi-line string may end with additional quotes: `""""`.
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

extension TOMLLines {
  /// The maximum depth of the values of a document.
  ///
  /// A table inside of a table needs memory of the stack in the parser and in its callers.
  static let depthLimit = 64

  /// The line of the first key or value that is nested too deeply; nil if there is none.
  ///
  /// Dots of keys, brackets and braces count. The document need not be well-formed.
  static func lineOfDeepValue(in text: String) -> Int? {
    var scanner = Scanner(bytes: Array(text.utf8))
    // The depths around the open brackets and braces.
    var outer: [Int] = []
    var depth = 0
    while let byte = scanner.next() {
      switch byte {
      case UInt8(ascii: "."): depth += 1
      case UInt8(ascii: "["), UInt8(ascii: "{"):
        outer.append(depth)
        depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = outer.popLast() ?? 0
      case UInt8(ascii: ","): depth = (outer.last ?? -1) + 1
      case UInt8(ascii: "\n") where outer.isEmpty: depth = 0
      default: break
      }
      guard depth <= depthLimit else { return scanner.line }
    }
    return nil
  }
}

extension TOMLLines.Scanner {
  /// Reads the next byte outside of strings and comments.
  fileprivate mutating func next() -> UInt8? {
    while let byte = current {
      switch byte {
      case UInt8(ascii: "#"): skipLine()
      case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = quoted()
      default:
        advance()
        return byte
      }
    }
    return nil
  }
}
