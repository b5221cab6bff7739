// SPDX-License-Identifier: Apache-2.0

import Epact
import ICalSyntax

/// Writes jCal (RFC 7265): a single calendar as such, several ones in an array.
///
/// A calendar is buffered until it is complete, because its properties come first in jCal. The
/// first calendar is buffered until it is known whether it is the only one.
struct JCalDocumentWriter: CalendarWriter {
  let keepsMalformedLines = false
  private let writer = JCalWriter()
  private var properties: [UInt8] = []
  private var components: [UInt8] = []
  /// The number of complete calendars.
  private var count = 0
  /// The first calendar, as long as it may be the only one.
  private var first: [UInt8]?
  private var bytes: [UInt8] = []

  mutating func begin() {
    properties = []
    components = []
  }

  mutating func write(_ property: Property) {
    guard property.isWellFormed else { return }
    if !properties.isEmpty { properties.append(UInt8(ascii: ",")) }
    writer.write(property, to: &properties)
  }

  mutating func write(_ component: Component) {
    if !components.isEmpty { components += ",\n".utf8 }
    writer.write(component, to: &components)
  }

  mutating func end() {
    var calendar = Array("[\"vcalendar\",[".utf8)
    calendar += properties
    calendar += "],[\n".utf8
    calendar += components
    calendar += "]]".utf8
    count += 1
    guard count > 1 else {
      first = calendar
      return
    }
    if let first { bytes += "[".utf8 + first }
    first = nil
    bytes += ",\n".utf8
    bytes += calendar
  }

  mutating func finish() {
    if let first { bytes += first }
    first = nil
    if count > 1 { bytes += "]".utf8 }
    if count > 0 { bytes += "\n".utf8 }
  }

  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}
