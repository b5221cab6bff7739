// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// Writes many items as one iCalendar object (RFC 5545 §3.4), with each time zone once.
///
/// The items go out one by one, so that memory does not grow with their number: only the names of the
/// time zones are remembered. A time zone stands before the first item that uses it. Components are
/// written as they are, byte for byte apart from line ends, which become CRLF; or in their canonical
/// form, each by itself.
///
/// ```swift
/// var export = CalendarExport()
/// try export.begin(to: sink)
/// for item in items { try export.add(item, to: sink) }
/// try export.end(to: sink)
/// ```
public struct CalendarExport: Sendable {
  /// Something that takes bytes, such as a file.
  public typealias Sink = (Span<UInt8>) throws -> Void

  /// A time zone that was written, and for which item.
  private struct Definition {
    let digest: SHA256.Digest
    let uid: UID
  }

  private let properties: [Property]
  /// Definitions of time zones by their TZIDs, for items that bring none.
  private var spareTimeZones: [String: Component] = [:]
  private var stream: StreamSerializer
  private var timeZones: [String: Definition] = [:]
  /// Time zones that items define differently; the first definition is the one that was written.
  public private(set) var diagnostics: [Diagnostic] = []

  /// The most conflicts of time zones that are reported; a calendar of conflicts says no more.
  private static let diagnosticLimit = 1000

  /// Creates an export.
  ///
  /// - Parameters:
  ///   - properties: Properties of the calendar beside VERSION and PRODID, as NAME.
  ///   - timeZones: Definitions of time zones that items use and none of them brings; each is written
  ///     before the first item that uses it.
  ///   - form: How what was not changed is written.
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

  /// Writes what stands before the first item.
  public mutating func begin(to sink: Sink) throws {
    var bytes: [UInt8] = []
    stream.beginCalendar(to: &bytes)
    stream.write(Property(.version, text: "2.0"), to: &bytes)
    stream.write(Property(.productID, text: CalendarItem.productID), to: &bytes)
    for property in properties { stream.write(property, to: &bytes) }
    try sink(bytes.span)
  }

  /// Writes an item, and before it the time zones that were not written yet.
  public mutating func add(_ item: CalendarItem, to sink: Sink) throws {
    var bytes: [UInt8] = []
    for timeZone in item.timeZones where isNew(timeZone, of: item) {
      stream.write(timeZone, to: &bytes)
    }
    if !spareTimeZones.isEmpty { writeSpareTimeZones(usedBy: item, to: &bytes) }
    for component in item.components { stream.write(component, to: &bytes) }
    try sink(bytes.span)
  }

  /// Writes what stands after the last item.
  public mutating func end(to sink: Sink) throws {
    var bytes: [UInt8] = []
    stream.endCalendar(to: &bytes)
    try sink(bytes.span)
  }

  /// Writes the time zones that an item uses and that were not written yet, in the order of their names.
  private mutating func writeSpareTimeZones(usedBy item: CalendarItem, to bytes: inout [UInt8]) {
    let names = item.components.reduce(into: Set()) { $0.formUnion($1.usedTimeZones) }
    for name in names.sorted() where timeZones[name] == nil {
      guard let timeZone = spareTimeZones.removeValue(forKey: name) else { continue }
      stream.write(timeZone, to: &bytes)
    }
  }

  /// Whether a time zone has not been written; one that was, differently, is reported.
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
