// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// Writes many items as one iCalendar object (RFC 5545 §3.4), with each time zone once.
///
/// The items are written one by one, so that memory does not grow with their number: only the time
/// zones are stored. A time zone is written before the first item that uses it. Components are
/// written byte for byte with CRLF line endings, or each in its canonical form.
///
/// If two items define a TZID differently, it is renamed in the second one (RFC 5545 §3.2.19), so
/// that no time becomes another instant. ``diagnostics`` reports it.
///
/// ``bytes(of:properties:zones:)`` writes items that are in memory. A longer export is written to a
/// sink, item by item:
///
/// ```swift
/// import CalendarModel
///
/// func write(_ items: some Sequence<CalendarItem>, to sink: CalendarExport.Sink) throws {
///   var export = CalendarExport()
///   try export.begin(to: sink)
///   for item in items { try export.add(item, to: sink) }
///   try export.end(to: sink)
/// }
/// ```
public struct CalendarExport: Sendable {
  /// A receiver of bytes, such as a file.
  public typealias Sink = (Span<UInt8>) throws -> Void

  private let properties: [Property]
  /// The time zone definitions by TZID, for items without their own definitions.
  private var spareTimeZones: [String: Component] = [:]
  private var stream: StreamSerializer
  private var scope: ZoneScope
  /// The first item that uses each TZID.
  private var users: [String: UID] = [:]
  /// The TZIDs that items define differently, and that were renamed.
  public private(set) var diagnostics: [Diagnostic] = []

  /// The maximum number of reported conflicts; more would not be useful.
  private static let diagnosticLimit = 1000

  /// Creates an export.
  ///
  /// - Parameters:
  ///   - properties: The properties of the calendar besides VERSION and PRODID, such as NAME.
  ///   - timeZones: Definitions for time zones that the items use but do not define. Each is
  ///     written
  ///     before the first item that uses it.
  ///   - form: The form of unchanged content.
  ///   - zones: The resolver of TZIDs, to compare definitions of items.
  public init(
    properties: [Property] = [], timeZones: [Component] = [], form: Serializer.Form = .verbatim,
    zones: ZoneResolver = .system
  ) {
    self.properties = properties
    scope = ZoneScope(zones: zones)
    stream = StreamSerializer(Serializer(form: form, lineEnds: .normalized))
    for timeZone in timeZones {
      guard let name = timeZone[.tzID]?.text else { continue }
      spareTimeZones[name] = timeZone
    }
  }

  /// Writes items as one calendar.
  ///
  /// - Parameters:
  ///   - items: The items.
  ///   - properties: The properties of the calendar besides VERSION and PRODID, such as NAME.
  ///   - zones: The resolver of TZIDs, to compare definitions of items.
  /// - Returns: The bytes of the file.
  public static func bytes(
    of items: some Sequence<CalendarItem>, properties: [Property] = [],
    zones: ZoneResolver = .system
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    let sink = { (part: Span<UInt8>) in
      for index in part.indices { bytes.append(part[index]) }
    }
    var export = CalendarExport(properties: properties, zones: zones)
    export.begin(to: sink)
    for item in items { export.add(item, to: sink) }
    export.end(to: sink)
    return bytes
  }

  /// Writes the start of the calendar.
  public mutating func begin(to sink: Sink) rethrows {
    var bytes: [UInt8] = []
    stream.beginCalendar(to: &bytes)
    stream.write(Property(.version, text: "2.0"), to: &bytes)
    stream.write(Property(.productID, text: CalendarItem.productID), to: &bytes)
    for property in properties { stream.write(property, to: &bytes) }
    try sink(bytes.span)
  }

  /// Writes an item, preceded by its time zones that are not written yet.
  public mutating func add(_ item: CalendarItem, to sink: Sink) rethrows {
    var bytes: [UInt8] = []
    let components = item.components
    let adopted = scope.adopt(components, definitions: item.timeZones + spares(for: item))
    for timeZone in adopted.newDefinitions { stream.write(timeZone, to: &bytes) }
    for component in adopted.components { stream.write(component, to: &bytes) }
    for (name, new) in adopted.names.sorted(by: { $0.key < $1.key }) {
      report(name, as: new, in: item)
    }
    for component in components {
      for name in component.usedTimeZones where users[name] == nil { users[name] = item.uid }
    }
    try sink(bytes.span)
  }

  /// Writes the end of the calendar.
  public mutating func end(to sink: Sink) rethrows {
    var bytes: [UInt8] = []
    stream.endCalendar(to: &bytes)
    try sink(bytes.span)
  }

  /// The definitions for an item that does not bring its own.
  private func spares(for item: CalendarItem) -> [Component] {
    guard !spareTimeZones.isEmpty else { return [] }
    let names = item.components.usedTimeZones
    return names.compactMap { spareTimeZones[$0] }
  }

  private mutating func report(_ name: String, as new: String, in item: CalendarItem) {
    guard diagnostics.count < Self.diagnosticLimit, let component = item.components.first else {
      return
    }
    let user = users[name].map { "'\($0)'" } ?? "another item"
    diagnostics.append(
      component.diagnostic(
        .note, .timeZoneConflict,
        "expected one definition of the time zone '\(name)', found \(user) and '\(item.uid)' with "
          + "different ones; that of the latter becomes '\(new)'", reference: "RFC 5545 §3.6.5"))
  }
}
