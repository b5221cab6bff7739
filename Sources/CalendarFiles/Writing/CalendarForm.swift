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
  /// One JSON object a line for each component, with columns of a fixed type.
  case lean(RowSchema<ComponentRow>)

  /// Whether two definitions of a TZID have two names in the output.
  ///
  /// A lean row names its file instead, so that the rows of a file do not depend on the files before it.
  var distinguishesZones: Bool {
    if case .lean = self { false } else { isTable }
  }

  /// Whether the format is a table of components, without calendars.
  private var isTable: Bool {
    switch self {
    case .iCalendar, .canonical, .jCal: false
    case .ndjson, .csv, .lean: true
    }
  }

  /// Creates the writer of the format.
  ///
  /// - Parameter outline: What is known of the calendars that follow; only for jCal.
  /// - Returns: The writer.
  func makeWriter(outline: JCalOutline? = nil) -> any CalendarWriter {
    switch self {
    case .iCalendar: return LinesWriter(Serializer(lineEnds: .refolded))
    case .canonical: return LinesWriter(Serializer(form: .canonical))
    case .jCal: return JCalDocumentWriter(outline)
    case .ndjson, .lean: return RowsWriter()
    case .csv(let isSafe):
      var header: [UInt8] = []
      CSVWriter(isSafeForSpreadsheets: isSafe).writeHeader(to: &header)
      return RowsWriter(header: header)
    }
  }

  /// Encodes consecutive components of a calendar in a file, on any thread.
  typealias Encoder = @Sendable (_ components: [Component], _ file: String) -> [UInt8]

  /// The function that encodes components.
  func makeEncoder() -> Encoder {
    switch self {
    case .iCalendar:
      let serializer = Serializer(lineEnds: .refolded)
      return { components, _ in serializer.bytes(of: components) }
    case .canonical:
      let serializer = Serializer(form: .canonical)
      return { components, _ in serializer.bytes(of: components) }
    case .jCal:
      let writer = JCalWriter()
      return { components, _ in joined(components, by: ",\n") { writer.write($0, to: &$1) } }
    case .ndjson:
      let writer = NDJSONWriter()
      return { components, _ in rows(of: components) { writer.write($0, to: &$1) } }
    case .lean(let schema):
      return { components, file in
        rows(of: components) { schema.write(ComponentRow(of: $0, in: file), to: &$1) }
      }
    case .csv(let isSafe):
      let writer = CSVWriter(isSafeForSpreadsheets: isSafe)
      return { components, _ in rows(of: components) { writer.write($0, to: &$1) } }
    }
  }
}

/// Rows or lines, one for each component except time zone definitions.
private func rows(
  of components: [Component], _ write: (Component, inout [UInt8]) -> Void
) -> [UInt8] {
  var bytes: [UInt8] = []
  for component in components where component.name != .timeZone { write(component, &bytes) }
  return bytes
}

/// Components with a separator between them.
private func joined(
  _ components: [Component], by separator: String, _ write: (Component, inout [UInt8]) -> Void
) -> [UInt8] {
  var bytes: [UInt8] = []
  for (index, component) in components.enumerated() {
    if index > 0 { bytes += separator.utf8 }
    write(component, &bytes)
  }
  return bytes
}

/// Writes calendars in one format, incrementally and in the order of the input.
protocol CalendarWriter: Sendable {
  /// Whether the format can represent malformed content lines.
  var keepsMalformedLines: Bool { get }
  /// Whether the calendars were as the outline says; true without an outline.
  var isConsistent: Bool { get }
  /// Begins a calendar.
  mutating func begin()
  /// Writes a property of the calendar.
  mutating func write(_ property: Property)
  /// Writes consecutive components of the calendar, as the encoder of the format returns them.
  mutating func write(encoded components: [UInt8])
  /// Ends the calendar.
  mutating func end()
  /// Ends the output.
  mutating func finish()
  /// Returns the bytes that were completed since the last call.
  mutating func takeBytes() -> [UInt8]
}

extension CalendarWriter {
  var isConsistent: Bool { true }
}

extension [UInt8] {
  /// Appends bytes; an empty array takes them without a copy.
  mutating func append(moving bytes: consuming [UInt8]) {
    if isEmpty { self = bytes } else { self += bytes }
  }

  /// Returns all bytes, and leaves none.
  mutating func takeAll() -> [UInt8] {
    var taken: [UInt8] = []
    swap(&taken, &self)
    return taken
  }
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
  mutating func write(encoded components: [UInt8]) {
    stream.write(serialized: components, to: &bytes)
  }
  mutating func end() { stream.endCalendar(to: &bytes) }
  mutating func finish() {}
  mutating func takeBytes() -> [UInt8] { bytes.takeAll() }
}

/// Writes rows or lines, one for each component except time zone definitions.
private struct RowsWriter: CalendarWriter {
  let keepsMalformedLines = false
  private var bytes: [UInt8]

  init(header: [UInt8] = []) {
    bytes = header
  }

  mutating func begin() {}
  mutating func write(_ property: Property) {}
  mutating func write(encoded components: [UInt8]) { bytes.append(moving: components) }
  mutating func end() {}
  mutating func finish() {}
  mutating func takeBytes() -> [UInt8] { bytes.takeAll() }
}
