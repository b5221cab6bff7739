// SPDX-License-Identifier: Apache-2.0

/// Writes components as jCal, the JSON form of iCalendar (RFC 7265).
///
/// ```swift
/// let json = JCalWriter().bytes(of: calendar)
/// // ["vcalendar",[["version",{},"text","2.0"]],[["vevent",[["summary",{},"text","Tea"]],[]]]]
/// ```
///
/// One component after the other can be written, so that no whole calendar has to be in memory.
///
/// What jCal cannot hold is lost, and nothing else: folds, the case of names, escapes and quotes that
/// were not needed, a VALUE parameter that says what is so without it, bytes that are not UTF-8 (which
/// become U+FFFD), and lines that are no content lines. A value that is not of its type is written as
/// it stands, under the type `unknown`; its VALUE parameter then stays where parameters are, which
/// RFC 7265 has no word for.
public struct JCalWriter: Hashable, Sendable {
  /// Creates a writer.
  public init() {}

  /// The component as JSON, without a line end.
  public func bytes(of component: Component) -> [UInt8] {
    var json = JSONBuilder()
    Self.write(component, to: &json)
    return json.bytes
  }

  /// Appends a component with all that is nested in it (RFC 7265 §3.3).
  public func write(_ component: Component, to bytes: inout [UInt8]) {
    bytes += self.bytes(of: component)
  }

  /// Appends a property (RFC 7265 §3.4); nothing if the line is no content line.
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
