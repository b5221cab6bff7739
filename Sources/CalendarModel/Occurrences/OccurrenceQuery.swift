// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// A query for the occurrences of items in a range of time.
///
/// ```swift
/// var query = OccurrenceQuery(
///   in: november, viewer: try database.rules(named: "Europe/Berlin"), zones: resolver)
/// for item in items { query.add(item) }
/// for occurrence in query.occurrences() { print(occurrence.start.rfc3339, occurrence.uid) }
/// ```
///
/// An occurrence is included if it intersects the range, even if it starts before the range. Both
/// ends are exclusive. An occurrence with zero duration is included if it is at or after the start
/// of the range and before its end.
///
/// Dates and floating times are in the viewer's time zone (RFC 5545 §3.3.4, §3.3.5): an all-day
/// event starts at the beginning of the day in that zone.
///
/// The query stores the components of an item only if it recurs or intersects the range.
///
/// ## Topics
///
/// ### Queries
/// - ``init(in:viewer:zones:options:)``
/// - ``add(_:source:)``
/// - ``add(components:timeZones:source:)``
/// - ``occurrences()``
///
/// ### Results
/// - ``Occurrence``
/// - ``Occurrences``
/// - ``findings``
public struct OccurrenceQuery: ComponentQuery {
  /// The requested range.
  public let range: Range<Instant>
  /// The choices where the RFC is ambiguous.
  public let options: OccurrenceOptions
  private var zones: ZoneTable
  private var lastSource: Int?
  private var list: FindingList
  private var singles: [Occurrence] = []
  private var stretches: [SeriesStream.Stretch] = []

  /// Creates a query.
  ///
  /// - Parameters:
  ///   - range: The range of time; its end is exclusive.
  ///   - viewer: The viewer's time zone.
  ///   - zones: The resolver of TZIDs.
  ///   - options: The choices where the RFC is ambiguous.
  public init(
    in range: Range<Instant>, viewer: ZoneRules, zones: ZoneResolver,
    options: OccurrenceOptions = OccurrenceOptions()
  ) {
    self.range = range
    self.options = options
    self.zones = ZoneTable(resolver: zones, viewer: viewer)
    list = FindingList(limit: options.findingLimit)
  }

  /// Findings about the added items, such as unreadable values and overrides without an instance.
  public var findings: [OccurrenceFinding] { list.findings }

  /// Adds an item.
  ///
  /// - Parameters:
  ///   - item: The item.
  ///   - source: A number chosen by the caller; occurrences and findings contain it to identify
  ///     their source.
  public mutating func add(_ item: CalendarItem, source: Int = 0) {
    zones.beginSource()
    add(components: item.components, timeZones: item.timeZones, source: source)
    lastSource = nil
  }

  /// Adds the components of one item.
  ///
  /// - Parameters:
  ///   - components: All components with the same UID and kind, in any order.
  ///   - timeZones: The VTIMEZONE components of the source. They must be the same for all items
  ///     that are added consecutively from one source.
  ///   - source: A number chosen by the caller; occurrences and findings contain it to identify
  ///     their source.
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

  /// The occurrences of the added items, computed on demand.
  public func occurrences() -> Occurrences {
    Occurrences(range: range, options: options, singles: singles, stretches: stretches)
  }
}
