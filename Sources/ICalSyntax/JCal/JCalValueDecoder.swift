// SPDX-License-Identifier: Apache-2.0

/// Converts the JSON values of a property to its raw value (RFC 7265 §3.6).
struct JCalValueDecoder {
  /// The type, or nil if no RFC defines it.
  private let type: ValueType?
  private let typeName: String
  private let row: PropertyTable.Row?
  /// The invalid JSON node, if the conversion failed.
  private(set) var refused: JSONNode?
  /// Deviations from the syntax whose meaning is clear.
  private(set) var deviations: [(SourcePosition, String)] = []

  /// Creates a decoder for the values of a property.
  ///
  /// - Parameters:
  ///   - row: The property's row in the table.
  ///   - typeName: The jCal name of the type.
  init(row: PropertyTable.Row?, typeName: String) {
    self.row = row
    self.typeName = typeName.asciiUppercased
    type = ValueType(rawValue: self.typeName)
  }

  /// Whether the value is used unchanged, because its type is unknown.
  var isRaw: Bool { type == .unknown }

  /// The section that defines the syntax of the values.
  var reference: String { "RFC 7265 §3.6" }

  /// The parameters that iCalendar needs for this type (RFC 7265 §3.4, §3.6.1).
  var addedParameters: [Parameter] {
    var result: [Parameter] = []
    let hasDefaultType = row?.hasDefaultType ?? false
    let isSaid = type == .unknown || hasDefaultType && type == row?.valueType
    if !isSaid, !typeName.isEmpty, typeName.utf8.allSatisfy(\.isNameByte) {
      result.append(Parameter(.value, typeName))
    }
    if type == .binary { result.append(Parameter(.encoding, "BASE64")) }
    return result
  }

  /// The JSON form of a value of the type, for messages.
  var expected: String {
    switch type {
    case .boolean: "true or false"
    case .integer, .float: "a number"
    case .period: "an array of a start and an end or a duration"
    case .recurrence: "an object for a rule"
    default: "a string"
    }
  }

  /// Converts the values, or returns nil if one of them is invalid for the type.
  mutating func rawValue(of nodes: ArraySlice<JSONNode>) -> String? {
    var parts: [String] = []
    for node in nodes {
      guard let part = part(node) else {
        refused = refused ?? node
        return nil
      }
      parts.append(part)
    }
    return parts.joined(separator: row?.separator == .semicolon ? ";" : ",")
  }

  /// Converts one value; a structured value is an array of its parts.
  private mutating func part(_ node: JSONNode) -> String? {
    guard type != .period, let elements = node.elements else { return single(node) }
    var parts: [String] = []
    for element in elements {
      guard let part = list(element) else { return nil }
      parts.append(part)
    }
    return parts.joined(separator: ";")
  }

  /// Converts a part of a structured value; several values are a nested array.
  private mutating func list(_ node: JSONNode) -> String? {
    guard let elements = node.elements else { return single(node) }
    var parts: [String] = []
    for element in elements {
      guard element.elements == nil, let part = single(element) else { return nil }
      parts.append(part)
    }
    return parts.joined(separator: ",")
  }

  private mutating func single(_ node: JSONNode) -> String? {
    switch (node.content, type) {
    case (.string(let text), .text): TextEscaping.escape(text)
    case (.string(let text), .date), (.string(let text), .time), (.string(let text), .dateTime),
      (.string(let text), .utcOffset):
      basic(text, node)
    case (.array(let parts), .period): period(parts)
    // The RFC's own example has a period in a string (appendix B.2).
    case (.string(let text), .period): period(text)
    case (.object(let members), .recurrence): JCalRule.text(of: members).map { clean($0, node) }
    case (.bool(let value), .boolean): value ? "TRUE" : "FALSE"
    case (.number(let text), .integer), (.number(let text), .float): JCalNumber.iCalendar(text)
    case (.string(let text), .boolean), (.string(let text), .integer), (.string(let text), .float),
      (.string(let text), .recurrence):
      tolerate(text, node)
    case (.string(let text), _): clean(text, node)
    case (.number(let text), .unknown), (.number(let text), nil): text
    case (.bool(let value), .unknown), (.bool(let value), nil): value ? "TRUE" : "FALSE"
    default: nil
    }
  }

  private mutating func basic(_ text: String, _ node: JSONNode) -> String {
    guard let type, let basic = ExtendedFormat.basic(text, type) else {
      return tolerate(text, node)
    }
    return basic
  }

  /// Accepts a string in place of another JSON type, in iCalendar syntax.
  private mutating func tolerate(_ text: String, _ node: JSONNode) -> String {
    let form =
      switch type {
      case .date: "a date such as \"1997-09-02\""
      case .time: "a time such as \"09:00:00\""
      case .dateTime: "a date-time such as \"1997-09-02T09:00:00\""
      case .utcOffset: "an offset such as \"-05:00\""
      default: expected
      }
    deviations.append((node.position, "expected \(form), found \"\(text)\""))
    return clean(text, node)
  }

  private func period(_ parts: [JSONNode]) -> String? {
    guard parts.count == 2, let start = parts[0].text, let end = parts[1].text else { return nil }
    return period("\(start)/\(end)")
  }

  private func period(_ text: String) -> String {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false).map { part in
      ExtendedFormat.basic(String(part), .dateTime) ?? String(part)
    }
    return withoutLineEnds(parts.joined(separator: "/"))
  }

  /// Removes line breaks from a value that is used unchanged, as they would end the content line.
  private mutating func clean(_ text: String, _ node: JSONNode) -> String {
    let cleaned = withoutLineEnds(text)
    if cleaned != text {
      deviations.append(
        (node.position, "expected a value without line ends; they are written as \\n"))
    }
    return cleaned
  }

  private func withoutLineEnds(_ text: String) -> String {
    guard text.utf8.contains(where: { $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn }) else {
      return text
    }
    return text.split(omittingEmptySubsequences: false) { $0.isNewline }.joined(separator: "\\n")
  }
}
