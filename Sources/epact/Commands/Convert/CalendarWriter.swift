// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Writes calendars in one form, part by part, in the order of the stream that they come from.
protocol CalendarWriter: Sendable {
  /// Whether a line that is no content line can be written.
  var keepsMalformedLines: Bool { get }
  /// Begins a calendar.
  mutating func begin()
  /// Writes a property of the calendar.
  mutating func write(_ property: Property)
  /// Writes a component of the calendar.
  mutating func write(_ component: Component)
  /// Ends the calendar.
  mutating func end()
  /// Ends everything.
  mutating func finish()
  /// What was written since the last time, as far as it can be handed out.
  mutating func takeBytes() -> [UInt8]
}

/// Writes iCalendar (RFC 5545): with every line folded anew, or in the canonical form.
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

/// Writes rows or lines, one for each component but the definitions of time zones.
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
