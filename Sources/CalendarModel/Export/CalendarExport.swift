// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// Writes many items as one iCalendar object (RFC 5545 §3.4), with each time zone once.
///
/// The items are written one by one, so that memory does not grow with their number: only the names
/// and digests of time zones are stored. A time zone is written before the first item that uses it.
/// Components are written byte for byte with CRLF line endings, or each in its canonical form.
///
/// ```swift
/// var export = CalendarExport()
/// try export.begin(to: sink)
/// for item in items { try export.add(item, to: sink) }
/// try export.end(to: sink)
/// ```
public struct CalendarExport: Sendable {
  /// A receiver of bytes, such as a file.
  public typealias Sink = (Span<UInt8>) throws -> Void

  /// A written time zone and the item that brought it.
  private struct Definition {
    let digest: SHA256.Digest
    let uid: UID
  }

  private let properties: [Property]
  /// The time zone definitions by TZID, for items without their own definitions.
  private var spareTimeZones: [String: Component] = [:]
  private var stream: StreamSerializer
  private var timeZones: [String: Definition] = [:]
  /// The conflicting definitions of time zones; the first definition is the one that was written.
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
  public init(
    properties: [Property] = [], timeZones: [Component] = [], form: Serializer.Form = .verbatim
  ) {
    self.properties = properties
    stream = StreamSerializer(Serializer(form: form, lineEnds: .normalized))
    for timeZone in timeZones {
      guard let name = timeZone[.tzID]?.text else { continue }
      spareTimeZones[name] = timeZone
    }
  }

  /// Writes the start of the calendar.
  public mutating func begin(to sink: Sink) throws {
    var bytes: [UInt8] = []
    stream.beginCalendar(to: &bytes)
    stream.write(Property(.version, text: "2.0"), to: &bytes)
    stream.write(Property(.productID, text: CalendarItem.productID), to: &bytes)
    for property in properties { stream.write(property, to: &bytes) }
    try sink(bytes.span)
  }

  /// Writes an item, preceded by its time zones that are not written yet.
  public mutating func add(_ item: CalendarItem, to sink: Sink) throws {
    var bytes: [UInt8] = []
    for timeZone in item.timeZones where isNew(timeZone, of: item) {
      stream.write(timeZone, to: &bytes)
    }
    if !spareTimeZones.isEmpty { writeSpareTimeZones(usedBy: item, to: &bytes) }
    for component in item.components { stream.write(component, to: &bytes) }
    try sink(bytes.span)
  }

  /// Writes the end of the calendar.
  public mutating func end(to sink: Sink) throws {
    var bytes: [UInt8] = []
    stream.endCalendar(to: &bytes)
    try sink(bytes.span)
  }

  /// Writes the unwritten time zones that an item uses but does not define, sorted by name.
  private mutating func writeSpareTimeZones(usedBy item: CalendarItem, to bytes: inout [UInt8]) {
    let names = item.components.reduce(into: Set()) { $0.formUnion($1.usedTimeZones) }
    for name in names.sorted() where timeZones[name] == nil {
      guard let timeZone = spareTimeZones.removeValue(forKey: name) else { continue }
      stream.write(timeZone, to: &bytes)
    }
  }

  /// Whether a time zone is not written yet; reports a conflict with a written definition.
  private mutating func isNew(_ timeZone: Component, of item: CalendarItem) -> Bool {
    guard let name = timeZone[.tzID]?.text else { return false }
    let digest = CanonicalForm.digest(of: timeZone)
    guard let first = timeZones[name] else {
      timeZones[name] = Definition(digest: digest, uid: item.uid)
      return true
    }
    if first.digest != digest, diagnostics.count < Self.diagnosticLimit {
      diagnostics.append(
        timeZone.diagnostic(
          .warning, .timeZoneConflict,
          "expected one definition of the time zone '\(name)', found '\(first.uid)' and "
            + "'\(item.uid)' with different ones; that of the former is written",
          reference: "RFC 5545 §3.6.5"))
    }
    return false
  }
}
