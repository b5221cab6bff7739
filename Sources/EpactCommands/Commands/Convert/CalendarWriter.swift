// SPDX-License-Identifier: Apache-2.0

import Epact
import ICalSyntax

/// Writes calendars in one format, incrementally and in the order of the input.
protocol CalendarWriter: Sendable {
  /// Whether the format can represent malformed content lines.
  var keepsMalformedLines: Bool { get }
  /// Begins a calendar.
  mutating func begin()
  /// Writes a property of the calendar.
  mutating func write(_ property: Property)
  /// Writes a component of the calendar.
  mutating func write(_ component: Component)
  /// Ends the calendar.
  mutating func end()
  /// Ends the output.
  mutating func finish()
  /// Returns the bytes that were completed since the last call.
  mutating func takeBytes() -> [UInt8]
}

/// Writes iCalendar (RFC 5545), with refolded lines or in canonical form.
struct LinesWriter: CalendarWriter {
  let keepsMalformedLines = true
  private var stream: StreamSerializer
  private var bytes: [UInt8] = []

  init(isCanonical: Bool = false) {
    stream = StreamSerializer(
      isCanonical ? Serializer(form: .canonical) : Serializer(lineEnds: .refolded))
  }

  mutating func begin() { stream.beginCalendar(to: &bytes) }
  mutating func write(_ property: Property) { stream.write(property, to: &bytes) }
  mutating func write(_ component: Component) { stream.write(component, to: &bytes) }
  mutating func end() { stream.endCalendar(to: &bytes) }
  mutating func finish() {}

  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}

/// Writes rows or lines, one for each component except time zone definitions.
struct RowsWriter: CalendarWriter {
  let keepsMalformedLines = false
  private let row: @Sendable (Component, inout [UInt8]) -> Void
  private var bytes: [UInt8]

  init(header: [UInt8] = [], row: @escaping @Sendable (Component, inout [UInt8]) -> Void) {
    bytes = header
    self.row = row
  }

  mutating func begin() {}
  mutating func write(_ property: Property) {}
  mutating func write(_ component: Component) {
    if component.name != .timeZone { row(component, &bytes) }
  }
  mutating func end() {}
  mutating func finish() {}

  mutating func takeBytes() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }
}
