// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// An output format for calendars.
public enum CalendarForm: Hashable, Sendable {
  /// iCalendar (RFC 5545), with CRLF line ends and lines folded at 75 octets.
  case iCalendar
  /// iCalendar in canonical form, for comparison.
  case canonical
  /// jCal, iCalendar as JSON (RFC 7265).
  case jCal
  /// One JSON object a line for each component.
  case ndjson
  /// One row for each component (RFC 4180).
  ///
  /// With `isSafe`, an apostrophe precedes text that a spreadsheet would take for a formula.
  case csv(isSafe: Bool)

  /// Creates the writer of the format.
  func makeWriter() -> any CalendarWriter {
    switch self {
    case .iCalendar: return LinesWriter(Serializer(lineEnds: .refolded))
    case .canonical: return LinesWriter(Serializer(form: .canonical))
    case .jCal: return JCalDocumentWriter()
    case .ndjson:
      let writer = NDJSONWriter()
      return RowsWriter { component, bytes in writer.write(component, to: &bytes) }
    case .csv(let isSafe):
      let writer = CSVWriter(isSafeForSpreadsheets: isSafe)
      var header: [UInt8] = []
      writer.writeHeader(to: &header)
      return RowsWriter(header: header) { component, bytes in writer.write(component, to: &bytes) }
    }
  }
}

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
private struct LinesWriter: CalendarWriter {
  let keepsMalformedLines = true
  private var stream: StreamSerializer
  private var bytes: [UInt8] = []

  init(_ serializer: Serializer) {
    stream = StreamSerializer(serializer)
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
private struct RowsWriter: CalendarWriter {
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

/// Writes jCal (RFC 7265): a single calendar as such, several ones in an array.
///
/// A calendar is buffered until it is complete, because its properties come first in jCal. The
/// first calendar is buffered until it is known whether it is the only one.
private struct JCalDocumentWriter: CalendarWriter {
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
