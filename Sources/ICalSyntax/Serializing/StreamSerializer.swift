// SPDX-License-Identifier: Apache-2.0

/// Writes what a `ComponentReader` finds, element by element (RFC 5545 §3.4).
///
/// Calendars of any size are rewritten in the memory of their largest component:
///
/// ```swift
/// var writer = StreamSerializer(Serializer(form: .canonical))
/// while let element = reader.next() { writer.write(element, to: &bytes) }
/// // … write the bytes somewhere, remove them, and go on; in the end:
/// writer.finish(to: &bytes)
/// ```
///
/// In the canonical form, everything that is known at once is sorted: each component, and the properties
/// of a calendar that stand before its components. The components of the calendar stay in their order,
/// and so do properties that follow them.
public struct StreamSerializer: Sendable {
  /// The most properties of a calendar that are kept in order to be sorted.
  private static let propertyLimit = 10_000

  private let serializer: Serializer
  private var writer = CanonicalWriter()
  private var isCalendarOpen = false
  /// Properties of the calendar that are to be sorted.
  private var properties: [Property] = []
  /// Whether nothing has been written of the calendar but its BEGIN line.
  private var isAtStart = false

  /// Creates a serializer of streams.
  public init(_ serializer: Serializer = Serializer()) {
    self.serializer = serializer
  }

  /// Appends an element, or keeps it until its place is known; diagnostics are not written.
  public mutating func write(_ element: ReaderElement, to bytes: inout [UInt8]) {
    switch element {
    case .calendarBegan: beginCalendar(to: &bytes)
    case .property(let property): write(property, to: &bytes)
    case .component(let component): write(component, to: &bytes)
    case .calendarEnded: endCalendar(to: &bytes)
    case .diagnostic: break
    }
  }

  /// Begins a calendar (RFC 5545 §3.4), and ends one that is still open.
  public mutating func beginCalendar(to bytes: inout [UInt8]) {
    endCalendar(to: &bytes)
    ComponentLines.all.writeBegin(.calendar, to: &bytes)
    isCalendarOpen = true
    isAtStart = true
  }

  /// Appends a property of the calendar, or keeps it until its place is known.
  public mutating func write(_ property: Property, to bytes: inout [UInt8]) {
    guard serializer.form == .canonical else { return serializer.write(property, to: &bytes) }
    guard isAtStart else { return writer.write(property, to: &bytes) }
    properties.append(property)
    if properties.count == Self.propertyLimit { writeProperties(&bytes) }
  }

  /// Appends a component of the calendar.
  public mutating func write(_ component: Component, to bytes: inout [UInt8]) {
    writeProperties(&bytes)
    if serializer.form == .canonical {
      writer.write(component, to: &bytes)
    } else {
      serializer.write(component, to: &bytes)
    }
  }

  /// Ends the calendar, if one is open.
  public mutating func endCalendar(to bytes: inout [UInt8]) {
    writeProperties(&bytes)
    guard isCalendarOpen else { return }
    ComponentLines.all.writeEnd(.calendar, to: &bytes)
    isCalendarOpen = false
  }

  /// Ends a calendar that is still open.
  public mutating func finish(to bytes: inout [UInt8]) {
    endCalendar(to: &bytes)
  }

  private mutating func writeProperties(_ bytes: inout [UInt8]) {
    isAtStart = false
    guard !properties.isEmpty else { return }
    writer.writeAll(PropertyList(properties), to: &bytes)
    properties = []
  }
}

extension Serializer {
  /// The stream as bytes: what stands outside of any calendar, then the calendars.
  public func bytes(of stream: CalendarStream) -> [UInt8] {
    var bytes: [UInt8] = []
    for property in stream.strays.properties { write(property, to: &bytes) }
    for component in stream.strays.components { write(component, to: &bytes) }
    for calendar in stream.calendars { write(calendar, to: &bytes) }
    return bytes
  }
}
