// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Writes components as jCal, the JSON form of iCalendar (RFC 7265).
///
/// ```swift
/// let json = JCalWriter().bytes(of: calendar)
/// // ["vcalendar",[["version",{},"text","2.0"]],[["vevent",[["summary",{},"text","Tea"]],[]]]]
/// ```
///
/// Components can be written one after the other, so that a whole calendar need not be in memory.
///
/// The conversion loses only what jCal cannot represent:
/// - folds, and the case of names
/// - unnecessary escapes and quotes
/// - a VALUE parameter that equals the default type
/// - bytes that are not UTF-8, which become U+FFFD
/// - lines that are not content lines
///
/// A value that does not match its type is written unchanged, with the type `unknown`. Its VALUE
/// parameter is then kept among the parameters, a case that RFC 7265 does not cover.
public struct JCalWriter: Hashable, Sendable {
  /// Creates a writer.
  public init() {}

  /// Returns the component as JSON, without a line break.
  public func bytes(of component: Component) -> [UInt8] {
    var json = JSONBuilder()
    Self.write(component, to: &json)
    return json.bytes
  }

  /// Appends a component with all nested ones (RFC 7265 §3.3).
  public func write(_ component: Component, to bytes: inout [UInt8]) {
    Self.append(to: &bytes) { Self.write(component, to: &$0) }
  }

  /// Appends a property (RFC 7265 §3.4), or nothing if the line is not a content line.
  public func write(_ property: Property, to bytes: inout [UInt8]) {
    Self.append(to: &bytes) { Self.write(property, to: &$0) }
  }

  /// Passes the bytes to a builder and back, so that they are not copied.
  private static func append(to bytes: inout [UInt8], _ body: (inout JSONBuilder) -> Void) {
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    var json = JSONBuilder(appendingTo: consume taken)
    body(&json)
    bytes = json.takeBytes()
  }

  static func write(_ component: Component, to json: inout JSONBuilder) {
    json.beginArray()
    json.string(component.name.rawName.asciiLowercased)
    json.beginArray()
    for property in component.properties { write(property, to: &json) }
    json.endArray()
    json.beginArray()
    for nested in component.components { write(nested, to: &json) }
    json.endArray()
    json.endArray()
  }

  static func write(_ property: Property, to json: inout JSONBuilder) {
    guard property.isWellFormed, !UsualJSONProperty.write(property, as: .array, to: &json) else {
      return
    }
    let values = JCalValues(of: property)
    json.beginArray()
    json.string(property.name.rawName.asciiLowercased)
    json.beginObject()
    for (name, texts) in values.parameters {
      json.name(name)
      if texts.count == 1 {
        json.string(texts[0])
      } else {
        write(texts, to: &json)
      }
    }
    json.endObject()
    json.string(values.type)
    values.write(to: &json)
    json.endArray()
  }

  private static func write(_ texts: [String], to json: inout JSONBuilder) {
    json.beginArray()
    for text in texts { json.string(text) }
    json.endArray()
  }
}

extension String {
  /// The text with its ASCII letters in lower case.
  package var asciiLowercased: String {
    String(decoding: utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

/// The jCal form of a property: its parameters, type and values (RFC 7265 §3.4 to §3.6).
package struct JCalValues {
  /// The name of the type in lower case; `unknown` if no RFC defines it.
  package let type: String
  /// The parameters to write, in the property's order and without repeated names.
  package let parameters: [(name: String, values: [String])]
  private let property: Property
  private let typed: TypedValues
  /// Whether the values do not match their type, and are written unchanged.
  private let isRaw: Bool

  /// Determines the jCal form of a property.
  package init(of property: Property) {
    self.property = property
    let declared = Self.declaredValues(of: property)
    typed = declared ?? property.typedValues
    // A type that no RFC defines is still named, and its values are written unchanged (§5.2).
    let foreign = property[.value].flatMap { Self.isForeignType($0) ? $0 : nil }
    // Without VALUE and a default type, the type is unknown (§3.5.1).
    let hasNoType =
      property[.value] == nil
      && PropertyTable.row(for: property.name).map { !$0.hasDefaultType } ?? true
    isRaw =
      foreign != nil || declared.map { Self.changes($0, property) } ?? false || hasNoType
      || typed.type == .unknown
      || typed.values.contains { if case .unknown = $0 { true } else { false } }
    type = (foreign ?? (isRaw ? "unknown" : typed.type.rawValue)).asciiLowercased
    // The type replaces VALUE, unless the type is unknown (§3.4).
    parameters = Self.merged(property.parameters) { [type, typed] parameter in
      switch parameter.name {
      case .value: type == "unknown" || !Self.isTypeName(parameter.value)
      case .encoding: typed.type != .binary || type == "unknown"
      default: true
      }
    }
  }

  /// The values by the VALUE parameter, if it names a type that the property cannot have.
  ///
  /// The type in jCal is that of the value as written, whatever the property (RFC 7265 §3.5).
  private static func declaredValues(of property: Property) -> TypedValues? {
    guard let name = property[.value], let type = ValueType(rawValue: name.asciiUppercased),
      type != .unknown, let row = PropertyTable.row(for: property.name), type != row.valueType,
      !row.alternatives.contains(type)
    else { return nil }
    var parser = ValueParser(nameIndex: nil, origin: property.origin)
    return property.withValue { parser.parse($0, declared: name) }
  }

  /// Whether a text would come back with other escapes, which another type may not have.
  private static func changes(_ typed: TypedValues, _ property: Property) -> Bool {
    guard case .text(let text)? = typed.first else { return false }
    return TextEscaping.escape(text.string) != property.rawValue
  }

  /// Whether jCal can have a parameter with this name.
  ///
  /// Lenient: names with other characters than letters, digits and hyphens are kept (RFC 7265 §3.4).
  static func isParameterName(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { byte in
        byte >= ASCII.space && byte != ASCII.delete
          && !"=:;,\"".utf8.contains(byte)
      }
  }

  /// Whether a VALUE parameter names a type that is not known.
  private static func isForeignType(_ text: String) -> Bool {
    isTypeName(text) && ValueType(rawValue: text.asciiUppercased) == nil
  }

  /// Whether a VALUE parameter can be the name of a type; otherwise jCal keeps it as a parameter.
  static func isTypeName(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy(\.isNameByte)
  }

  /// The parameters with values merged by name; JSON objects need unique names (RFC 8259 §4).
  private static func merged(
    _ parameters: [Parameter], keeping isKept: (Parameter) -> Bool
  ) -> [(name: String, values: [String])] {
    var result: [(name: String, values: [String])] = []
    var places: [String: Int] = [:]
    for parameter in parameters where isKept(parameter) {
      let name = parameter.name.rawName.asciiLowercased
      guard isParameterName(name) else { continue }
      if let place = places[name] {
        result[place].values += parameter.values
      } else {
        places[name] = result.count
        result.append((name, parameter.values))
      }
    }
    return result
  }

  /// Writes the values in sequence.
  package func write(to json: inout JSONBuilder) {
    guard !isRaw else {
      json.string(property.rawValue)
      return
    }
    let isStructured =
      PropertyTable.row(for: property.name)?.separator == .semicolon && typed.values.count > 1
    if isStructured { json.beginArray() }
    let numbers = typed.type == .float ? rawParts : []
    for (index, value) in typed.values.enumerated() {
      if index < numbers.count {
        json.literal(JCalNumber.json(numbers[index]))
      } else {
        write(value, to: &json)
      }
    }
    if isStructured { json.endArray() }
  }

  /// The parts of the raw value, so that numbers keep their digits.
  private var rawParts: [String] {
    let separator: Character =
      PropertyTable.row(for: property.name)?.separator == .semicolon ? ";" : ","
    // Lenient: a backslash before the semicolon in GEO is ignored.
    return property.rawValue.replacing("\\;", with: ";")
      .split(separator: separator, omittingEmptySubsequences: false).map(String.init)
  }

  private func write(_ value: Value, to json: inout JSONBuilder) {
    switch value {
    case .binary: json.string(property.rawValue)
    case .boolean(let value): json.boolean(value)
    case .calendarAddress(let text), .uri(let text), .text(let text), .unknown(let text):
      json.string(text.string)
    case .date(let date): json.string(ExtendedFormat.text(date))
    case .dateTime(let value, let isUTC): json.string(ExtendedFormat.text(value, isUTC: isUTC))
    case .duration(let duration): json.string(duration.description)
    case .float(let number): json.literal(String(number))
    case .integer(let number): json.literal(String(number))
    case .period(let period): Self.write(period, to: &json)
    case .recurrence: JCalRule.write(property.rawValue, to: &json)
    case .time(let time, let isUTC): json.string(ExtendedFormat.text(time, isUTC: isUTC))
    case .utcOffset(let offset): json.string(ExtendedFormat.text(offset))
    }
  }

  /// A period is an array of two (RFC 7265 §3.6.9).
  private static func write(_ period: Period, to json: inout JSONBuilder) {
    json.beginArray()
    json.string(ExtendedFormat.text(period.start, isUTC: period.isUTC))
    switch period.end {
    case .dateTime(let end, let isUTC): json.string(ExtendedFormat.text(end, isUTC: isUTC))
    case .duration(let duration): json.string(duration.description)
    }
    json.endArray()
  }
}
