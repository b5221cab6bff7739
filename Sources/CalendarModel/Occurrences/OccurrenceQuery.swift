// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// What takes place in a range of time: items in, occurrences out.
///
/// ```swift
/// var query = OccurrenceQuery(
///   in: november, viewer: try database.rules(named: "Europe/Berlin"), zones: resolver)
/// for item in items { query.add(item) }
/// for occurrence in query.occurrences() { print(occurrence.start.rfc3339, occurrence.uid) }
/// ```
///
/// An occurrence is there if it takes place at some time in the range, also if it began before it: its
/// end is not part of it, and that of the range is not part of the range. What takes no time is there
/// if it is at the start of the range or later, and before its end.
///
/// Days and floating times are those of whoever looks (RFC 5545 §3.3.4, §3.3.5): an all-day event begins
/// with the day in their zone.
///
/// What is kept of an item are its components if it recurs or touches the range, and nothing if not.
///
/// ## Topics
///
/// ### Asking
/// - ``init(in:viewer:zones:options:)``
/// - ``add(_:source:)``
/// - ``add(components:timeZones:source:)``
/// - ``occurrences()``
///
/// ### Answers
/// - ``Occurrence``
/// - ``Occurrences``
/// - ``findings``
public struct OccurrenceQuery: ComponentQuery {
  /// The range of time that is asked for.
  public let range: Range<Instant>
  /// What is decided where the RFC leaves something open.
  public let options: OccurrenceOptions
  private var zones: ZoneTable
  private var lastSource: Int?
  private var list: FindingList
  private var singles: [Occurrence] = []
  private var stretches: [SeriesStream.Stretch] = []

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - range: The range of time; its end is not part of it.
  ///   - viewer: The zone of whoever looks.
  ///   - zones: Tells what TZIDs mean.
  ///   - options: What is decided where the RFC leaves something open.
  public init(
    in range: Range<Instant>, viewer: ZoneRules, zones: ZoneResolver,
    options: OccurrenceOptions = OccurrenceOptions()
  ) {
    self.range = range
    self.options = options
    self.zones = ZoneTable(resolver: zones, viewer: viewer)
    list = FindingList(limit: options.findingLimit)
  }

  /// What there is to say of what was added: values that cannot be read, overrides of nothing, zones
  /// that nobody knows.
  public var findings: [OccurrenceFinding] { list.findings }

  /// Adds an item.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - source: A number of the caller's by which occurrences and findings tell where they are from.
  public mutating func add(_ item: CalendarItem, source: Int = 0) {
    zones.beginSource()
    add(components: item.components, timeZones: item.timeZones, source: source)
    lastSource = nil
  }

  /// Adds the components of one item.
  ///
  /// - Parameters:
  ///   - components: All that share a UID and a kind, in any order.
  ///   - timeZones: The VTIMEZONE components of the source, which must be the same for all items that
  ///     are added from one source after the other.
  ///   - source: A number of the caller's by which occurrences and findings tell where they are from.
  public mutating func add(
    components: [Component], timeZones: [Component] = [], source: Int = 0
  ) {
    if source != lastSource { zones.beginSource() }
    lastSource = source
    var builder = SeriesBuilder(
      options: options, range: range, source: source, definitions: timeZones,
      zones: zones.handOver())
    builder.add(components)
    zones = builder.zones
    list.add(builder.diagnostics, source: source)
    singles += builder.singles
    stretches += builder.stretches
  }

  /// The occurrences of what was added, which are found when they are asked for.
  public func occurrences() -> Occurrences {
    Occurrences(range: range, options: options, singles: singles, stretches: stretches)
  }
}
