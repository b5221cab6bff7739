// SPDX-License-Identifier: Apache-2.0

/// Writes the elements of a `ComponentReader` one by one (RFC 5545 §3.4).
///
/// Calendars of any size are rewritten in the memory of their largest component:
///
/// ```swift
/// var output: [UInt8] = []
/// var writer = StreamSerializer(Serializer(form: .canonical))
/// while let element = reader.next() { writer.write(element, to: &output) }
/// // Write the output somewhere, remove it, and go on; in the end:
/// writer.finish(to: &output)
/// ```
///
/// In canonical form, everything that is in memory at the same time is sorted: each component, and
/// the properties of a calendar before its components. The components of the calendar keep their
/// order, and so do later properties.
public struct StreamSerializer: Sendable {
  /// The maximum number of calendar properties that are held back for sorting.
  private static let propertyLimit = 10_000

  private let serializer: Serializer
  private var writer = CanonicalWriter()
  private var isCalendarOpen = false
  /// The calendar properties that are held back for sorting.
  private var properties: [Property] = []
  /// Whether only the BEGIN line of the calendar has been written.
  private var isAtStart = false

  /// Creates a stream serializer.
  public init(_ serializer: Serializer = Serializer()) {
    self.serializer = serializer
  }

  /// Appends an element, or holds it back for sorting; diagnostics are not written.
  public mutating func write(_ element: ReaderElement, to bytes: inout [UInt8]) {
    switch element {
    case .calendarBegan: beginCalendar(to: &bytes)
    case .property(let property): write(property, to: &bytes)
    case .component(let component): write(component, to: &bytes)
    case .calendarEnded: endCalendar(to: &bytes)
    case .diagnostic: break
    }
  }

  /// Begins a calendar (RFC 5545 §3.4), after ending an open one.
  public mutating func beginCalendar(to bytes: inout [UInt8]) {
    endCalendar(to: &bytes)
    ComponentLines.all.writeBegin(.calendar, to: &bytes)
    isCalendarOpen = true
    isAtStart = true
  }

  /// Appends a property of the calendar, or holds it back for sorting.
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

  /// Appends components of the calendar that were serialized in the same form.
  package mutating func write(serialized components: [UInt8], to bytes: inout [UInt8]) {
    writeProperties(&bytes)
    bytes += components
  }

  /// Ends the calendar if one is open.
  public mutating func endCalendar(to bytes: inout [UInt8]) {
    writeProperties(&bytes)
    guard isCalendarOpen else { return }
    ComponentLines.all.writeEnd(.calendar, to: &bytes)
    isCalendarOpen = false
  }

  /// Ends the stream, and the calendar if one is open.
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
  /// Returns consecutive components as bytes.
  package func bytes(of components: [Component]) -> [UInt8] {
    var bytes: [UInt8] = []
    var canonical = CanonicalWriter()
    for component in components {
      if form == .canonical {
        canonical.write(component, to: &bytes)
      } else {
        write(component, to: &bytes)
      }
    }
    return bytes
  }

  /// Returns the stream as bytes: the parts outside of any calendar, then the calendars.
  public func bytes(of stream: CalendarStream) -> [UInt8] {
    var bytes: [UInt8] = []
    for property in stream.strays.properties { write(property, to: &bytes) }
    for component in stream.strays.components { write(component, to: &bytes) }
    for calendar in stream.calendars { write(calendar, to: &bytes) }
    return bytes
  }
}
