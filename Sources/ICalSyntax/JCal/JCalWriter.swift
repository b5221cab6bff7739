// SPDX-License-Identifier: Apache-2.0

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
    bytes += self.bytes(of: component)
  }

  /// Appends a property (RFC 7265 §3.4), or nothing if the line is not a content line.
  public func write(_ property: Property, to bytes: inout [UInt8]) {
    var json = JSONBuilder()
    Self.write(property, to: &json)
    bytes += json.bytes
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
    guard property.isWellFormed else { return }
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
