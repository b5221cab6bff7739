// SPDX-License-Identifier: Apache-2.0

/// A strict JSON parser (RFC 8259), for whole values or array elements.
///
/// It accepts only the grammar: no comments, trailing commas, byte order mark, lone surrogates or
/// invalid UTF-8.
package struct JSONScanner: Sendable {
  /// The maximum nesting depth of arrays and objects.
  package static let depthLimit = 64

  /// The text.
  package let bytes: [UInt8]
  /// The index of the next byte.
  var index = 0
  private var line = 1
  private var lineStart = 0

  /// Creates a scanner at the start of a text.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The position of the next byte that is not whitespace.
  package var positionOfNext: SourcePosition {
    mutating get {
      _ = peek()
      return position
    }
  }

  /// The position of the next byte.
  package var position: SourcePosition { position(at: index) }

  /// Parses a text that consists of a single value.
  ///
  /// - Throws: `JSONError` at the first invalid byte.
  package static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONNode {
    var scanner = JSONScanner(bytes)
    let node = try scanner.value(depth: 0)
    try scanner.end()
    return node
  }

  // MARK: Steps

  /// Returns the next byte that is not whitespace without consuming it; nil at the end.
  package mutating func peek() -> UInt8? {
    while index < bytes.count {
      let byte = bytes[index]
      switch byte {
      case ASCII.space, ASCII.tab: index += 1
      case ASCII.lineFeed, ASCII.carriageReturn:
        index += 1
        let isPair =
          byte == ASCII.carriageReturn && index < bytes.count && bytes[index] == ASCII.lineFeed
        if !isPair {
          line += 1
          lineStart = index
        }
      default: return byte
      }
    }
    return nil
  }

  /// Consumes a byte if it is next.
  package mutating func skip(_ byte: UInt8) -> Bool {
    guard peek() == byte else { return false }
    index += 1
    return true
  }

  /// Consumes a byte, or throws if it is not next.
  package mutating func expect(_ byte: UInt8, _ expected: String) throws(JSONError) {
    guard skip(byte) else { throw error(expected: expected) }
  }

  /// Advances to the next element of an array, after its bracket or an element.
  ///
  /// - Returns: False at the closing bracket, which is consumed.
  package mutating func nextElement(isFirst: Bool) throws(JSONError) -> Bool {
    try nextItem(isFirst: isFirst, closing: UInt8(ascii: "]"), name: "\"]\"")
  }

  /// Checks that only whitespace remains.
  package mutating func end() throws(JSONError) {
    guard peek() == nil else { throw error(expected: "the end of the text") }
  }

  private mutating func nextItem(
    isFirst: Bool, closing: UInt8, name: String
  ) throws(JSONError) -> Bool {
    if skip(closing) { return false }
    guard !isFirst else { return true }
    try expect(ASCII.comma, "\",\" or \(name)")
    if peek() == closing { throw error(expected: "a value after the comma") }
    return true
  }

  // MARK: Values

  /// Reads a value.
  ///
  /// - Throws: `JSONError` at the first invalid byte, or if the nesting is too deep.
  package mutating func value(depth: Int) throws(JSONError) -> JSONNode {
    guard let byte = peek() else { throw error(expected: "a value") }
    let position = position
    guard depth < Self.depthLimit else {
      throw JSONError(
        position: position,
        message: "expected at most \(Self.depthLimit) arrays and objects inside one another",
        reference: nil)
    }
    let content: JSONNode.Content
    switch byte {
    case UInt8(ascii: "["): content = .array(try array(depth: depth))
    case UInt8(ascii: "{"): content = .object(try object(depth: depth))
    case ASCII.quote: content = .string(try string())
    case ASCII.hyphen, 0x30...0x39: content = .number(try number())
    case UInt8(ascii: "t"): content = try word("true", .bool(true))
    case UInt8(ascii: "f"): content = try word("false", .bool(false))
    case UInt8(ascii: "n"): content = try word("null", .null)
    default: throw error(expected: "a value")
    }
    return JSONNode(content: content, position: position)
  }

  private mutating func array(depth: Int) throws(JSONError) -> [JSONNode] {
    index += 1
    var elements: [JSONNode] = []
    while try nextElement(isFirst: elements.isEmpty) {
      elements.append(try value(depth: depth + 1))
    }
    return elements
  }

  private mutating func object(depth: Int) throws(JSONError) -> [JSONNode.Member] {
    index += 1
    var members: [JSONNode.Member] = []
    while try nextItem(isFirst: members.isEmpty, closing: UInt8(ascii: "}"), name: "\"}\"") {
      guard peek() == ASCII.quote else { throw error(expected: "the name of a member") }
      let name = try string()
      try expect(ASCII.colon, "\":\"")
      members.append(JSONNode.Member(name: name, value: try value(depth: depth + 1)))
    }
    return members
  }

  private mutating func word(
    _ word: String, _ content: JSONNode.Content
  ) throws(JSONError) -> JSONNode.Content {
    for byte in word.utf8 {
      guard index < bytes.count, bytes[index] == byte else { throw error(expected: word) }
      index += 1
    }
    return content
  }

  /// Reads a number (RFC 8259 §6), and returns its source text.
  private mutating func number() throws(JSONError) -> String {
    let start = index
    if bytes[index] == ASCII.hyphen { index += 1 }
    let first = index
    try digits()
    if bytes[first] == UInt8(ascii: "0"), index > first + 1 {
      index = first
      throw error(expected: "a number without zeros in front")
    }
    if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
      index += 1
      try digits()
    }
    if index < bytes.count, bytes[index].asciiUppercased == UInt8(ascii: "E") {
      index += 1
      if index < bytes.count, bytes[index] == ASCII.hyphen || bytes[index] == UInt8(ascii: "+") {
        index += 1
      }
      try digits()
    }
    return String(decoding: bytes[start..<index], as: UTF8.self)
  }

  private mutating func digits() throws(JSONError) {
    let start = index
    while index < bytes.count, 0x30...0x39 ~= bytes[index] { index += 1 }
    guard index > start else { throw error(expected: "a digit") }
  }

  // MARK: Errors

  /// The position of a byte in the current line.
  func position(at index: Int) -> SourcePosition {
    SourcePosition(line: line, column: index - lineStart + 1)
  }

  /// Creates an error at the current position.
  func error(expected: String) -> JSONError {
    JSONError(
      position: position, message: "expected \(expected), found \(found)", reference: "RFC 8259 §2")
  }

  /// A description of the next character for messages.
  private var found: String {
    guard index < bytes.count else { return "the end of the text" }
    let length = UTF8Check.sequenceLength(bytes.span, at: index)
    let byte = bytes[index]
    guard length > 0, byte >= ASCII.space, byte != ASCII.delete else {
      return "the byte \(String(byte, radix: 16, uppercase: true))"
    }
    return "\"\(String(decoding: bytes[index..<index + length], as: UTF8.self))\""
  }

  /// The excerpt of an earlier line for a diagnostic, or nil if the line is too far back.
  package func excerpt(at position: SourcePosition) -> Excerpt? {
    var start = lineStart
    var current = line
    let furthest = max(0, start - 4096)
    while current > position.line {
      start -= 1
      if start > 0, bytes[start] == ASCII.lineFeed, bytes[start - 1] == ASCII.carriageReturn {
        start -= 1
      }
      while start > 0, bytes[start - 1] != ASCII.lineFeed, bytes[start - 1] != ASCII.carriageReturn
      {
        start -= 1
      }
      guard start > furthest || start == 0 else { return nil }
      current -= 1
    }
    var end = min(bytes.count, start + position.column - 1)
    let limit = min(bytes.count, end + 200)
    while end < limit, bytes[end] != ASCII.lineFeed, bytes[end] != ASCII.carriageReturn { end += 1 }
    return Excerpt(line: bytes.span.extracting(start..<end), column: position.column)
  }
}

/// A JSON value (RFC 8259 §3) with its position.
package struct JSONNode: Sendable {
  /// The kind and content of a value.
  package enum Content: Sendable {
    case null
    case bool(Bool)
    /// The source text of a number, so that no digit is lost.
    case number(String)
    case string(String)
    case array([JSONNode])
    /// The members, in source order.
    case object([Member])
  }

  /// A member of an object (RFC 8259 §4).
  package struct Member: Sendable {
    /// The name.
    package let name: String
    /// The value.
    package let value: JSONNode
  }

  /// The content.
  package let content: Content
  /// The position of the first byte.
  package let position: SourcePosition

  /// The text of a string, or nil for other values.
  package var text: String? {
    guard case .string(let text) = content else { return nil }
    return text
  }

  /// The elements of an array, or nil for other values.
  package var elements: [JSONNode]? {
    guard case .array(let elements) = content else { return nil }
    return elements
  }

  /// The members of an object, or nil for other values.
  package var members: [Member]? {
    guard case .object(let members) = content else { return nil }
    return members
  }

  /// The kind of the value for messages, such as `a string`.
  package var kind: String {
    switch content {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .number: "a number"
    case .string: "a string"
    case .array: "an array"
    case .object: "an object"
    }
  }
}

/// The first error in a JSON text (RFC 8259), or an exceeded limit.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The position of the error.
  package let position: SourcePosition
  /// The message, in the form `expected X, found Y`.
  package let message: String
  /// The section of RFC 8259, or nil for a limit.
  package let reference: String?

  /// The position and the message.
  package var description: String { "\(position): \(message)" }
}
