// SPDX-License-Identifier: Apache-2.0

/// A value of JSON output; members keep their order (RFC 8259).
package indirect enum JSONValue: Sendable, Hashable {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// A member of an object.
  package struct Member: Sendable, Hashable {
    package let name: String
    package let value: JSONValue

    /// Creates a member.
    package init(_ name: String, _ value: JSONValue) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a string, or null for nil.
  package init(_ text: String?) {
    self = text.map { .string($0) } ?? .null
  }

  /// Creates a number, or null for nil.
  package init(_ number: Int?) {
    self = number.map { .integer($0) } ?? .null
  }

  /// Creates an array of strings.
  package init(_ texts: [String]) {
    self = .array(texts.map { .string($0) })
  }

  /// The serialized value; nested objects and arrays are printed on several lines.
  package func serialized() -> String {
    var text = ""
    write(to: &text, depth: 0)
    return text
  }

  /// The serialized value on one line.
  package var line: String {
    var text = ""
    write(to: &text, depth: nil)
    return text
  }

  /// Whether the value is printed on one line.
  private var isFlat: Bool {
    switch self {
    case .array(let elements): elements.allSatisfy(\.isScalar)
    case .object(let members): members.allSatisfy(\.value.isScalar)
    default: true
    }
  }

  private var isScalar: Bool {
    switch self {
    case .array(let elements): elements.isEmpty
    case .object(let members): members.isEmpty
    default: true
    }
  }

  /// Writes the value; without a depth, on one line.
  private func write(to text: inout String, depth: Int?) {
    switch self {
    case .null: text += "null"
    case .bool(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    // JSON has no infinity and no NaN (RFC 8259 §6).
    case .number(let value): text += value.isFinite ? String(value) : "null"
    case .string(let value): Self.write(value, to: &text)
    case .array(let elements):
      write(elements, between: ("[", "]"), to: &text, depth: depth) { element, text, depth in
        element.write(to: &text, depth: depth)
      }
    case .object(let members):
      write(members, between: ("{", "}"), to: &text, depth: depth) { member, text, depth in
        Self.write(member.name, to: &text)
        text += ": "
        member.value.write(to: &text, depth: depth)
      }
    }
  }

  private func write<Element>(
    _ elements: [Element], between brackets: (String, String), to text: inout String, depth: Int?,
    body: (Element, inout String, Int?) -> Void
  ) {
    let indentation = isFlat ? nil : depth
    text += brackets.0
    for (index, element) in elements.enumerated() {
      if index > 0 { text += indentation == nil ? ", " : "," }
      if let indentation { text += "\n" + String(repeating: "  ", count: indentation + 1) }
      body(element, &text, depth.map { $0 + 1 })
    }
    if let indentation { text += "\n" + String(repeating: "  ", count: indentation) }
    text += brackets.1
  }

  /// Writes a string; characters unsafe for a terminal are written as equivalent `\uXXXX` escapes.
  private static func write(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case _ where SafeText.isUnsafe(scalar):
        // All unsafe characters are in the Basic Multilingual Plane, so that four digits are
        // sufficient.
        let digits = String(scalar.value, radix: 16, uppercase: true)
        text += "\\u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(integerLiteral value: Int) { self = .integer(value) }
  package init(booleanLiteral value: Bool) { self = .bool(value) }
  package init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  package init(dictionaryLiteral elements: (String, JSONValue)...) {
    self = .object(elements.map { Member($0.0, $0.1) })
  }
}
