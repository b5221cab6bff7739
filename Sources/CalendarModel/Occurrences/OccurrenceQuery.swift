// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax
public import Recurrence

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
  private var table: ZoneTable
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
    table = ZoneTable(resolver: zones, viewer: viewer)
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
    table.beginSource()
    add(components: item.components, timeZones: item.timeZones, source: source)
    lastSource = nil
  }

  /// The resolver of TZIDs.
  public var zones: ZoneResolver { table.resolver }

  /// Begins another calendar of a source, with its own time zones (RFC 5545 §3.6.5).
  public mutating func beginCalendar() { table.beginSource() }

  /// Adds the components of one item.
  ///
  /// - Parameters:
  ///   - components: All components with the same UID and kind, in any order.
  ///   - timeZones: The VTIMEZONE components of the calendar. They must be the same for all items
  ///     that are added consecutively from one calendar.
  ///   - source: A number chosen by the caller; occurrences and findings contain it to identify
  ///     their source.
  public mutating func add(
    components: [Component], timeZones: [Component] = [], source: Int = 0
  ) {
    let builder = build(
      components, timeZones, in: range, source: source, isNewSource: source != lastSource)
    lastSource = source
    take(builder.singles, builder.stretches, builder.diagnostics, source: source)
  }

  /// Converts the components of one item.
  mutating func build(
    _ components: [Component], _ timeZones: [Component], in range: Range<Instant>, source: Int,
    isNewSource: Bool
  ) -> SeriesBuilder {
    if isNewSource { table.beginSource() }
    var builder = SeriesBuilder(
      options: options, range: range, source: source, definitions: timeZones,
      zones: table.handOver())
    builder.add(components)
    table = builder.zones
    return builder
  }

  /// Adds what the components of one item give.
  mutating func take(
    _ singles: [Occurrence], _ stretches: [SeriesStream.Stretch], _ diagnostics: [Diagnostic],
    source: Int
  ) {
    list.add(diagnostics, source: source)
    self.singles += singles
    self.stretches += stretches
  }

  /// The occurrences of the added items, computed on demand.
  public func occurrences() -> Occurrences {
    Occurrences(range: range, options: options, singles: singles, stretches: stretches)
  }
}

/// A query for occurrences or busy time, to which the components of items are added.
public protocol ComponentQuery: Sendable {
  /// The findings about the added items.
  var findings: [OccurrenceFinding] { get }
  /// The resolver of TZIDs.
  var zones: ZoneResolver { get }

  /// Begins another calendar of a source, with its own time zones (RFC 5545 §3.6.5).
  mutating func beginCalendar()

  /// Adds the components of one item.
  ///
  /// - Parameters:
  ///   - components: All components with the same UID and kind, in any order.
  ///   - timeZones: The VTIMEZONE components of the calendar. They must be the same for all items
  ///     that are added consecutively from one calendar.
  ///   - source: A number chosen by the caller; results and findings contain it to identify their
  ///     source.
  mutating func add(components: [Component], timeZones: [Component], source: Int)
}

/// The choices where the RFC leaves occurrences undefined, and the limits of searches.
public struct OccurrenceOptions: Sendable {
  /// The time of a reminder's occurrence.
  public enum ReminderPlace: Hashable, Sendable, CaseIterable {
    /// From its start until its due time (RFC 4791 §9.9); at one of them if the other is missing.
    case span
    /// At its due time, or at its start if it has no due time.
    case due
    /// At its start, or at its due time if it has no start.
    case start
  }

  /// The time of reminders' occurrences.
  public var reminders = ReminderPlace.span
  /// Whether cancelled occurrences (STATUS:CANCELLED) are included.
  ///
  /// By default they are omitted: a cancelled override removes its occurrence from the series (RFC
  /// 5546 §3.2.5), and a cancelled main component removes all occurrences.
  public var includesCancelled = false
  /// The options for rules, with the available calendars of RFC 7529.
  public var recurrence = RecurrenceOptions()
  /// The maximum number of consecutive instances of a series outside the range; at least 1.
  ///
  /// At the limit the search of the series ends with a finding. Only long events that recur
  /// frequently reach it: all instances that started before the range may extend into it.
  public var passedLimit = 250_000
  /// The maximum number of occurrences of a series in the range; at least 1.
  ///
  /// At the limit the series ends with a finding. Occurrences are computed on demand, so that only
  /// callers that collect all of them need a limit. By default there is none.
  public var occurrenceLimit = Int.max
  /// The maximum number of findings per query; at least 1.
  public var findingLimit = 1000

  /// Creates the default options.
  public init() {}
}

/// A finding about a source of a query.
public struct OccurrenceFinding: Hashable, Sendable {
  /// The number of the source, as passed to `OccurrenceQuery.add`.
  public let source: Int
  /// The diagnostic.
  public let diagnostic: Diagnostic
}

extension DiagnosticCode {
  /// An override has no instance in its series; it is kept as an occurrence.
  public static let orphanOverride = DiagnosticCode(rawValue: "occurrence.orphan")
  /// An override without a series has a rule, which is expanded.
  public static let recurringOverride = DiagnosticCode(rawValue: "occurrence.recurring-override")
  /// The rules of a series end before its start, so that it has no instances.
  public static let endedSeries = DiagnosticCode(rawValue: "occurrence.ended")
  /// A rule cannot be expanded, so that only the start and the single dates remain.
  public static let unusableRule = DiagnosticCode(rawValue: "occurrence.rule")
  /// The search for occurrences was stopped at a limit, so that some may be missing.
  public static let truncatedSeries = DiagnosticCode(rawValue: "occurrence.truncated")
}

/// Findings, up to a limit.
struct FindingList: Sendable {
  private(set) var findings: [OccurrenceFinding] = []
  let limit: Int

  init(limit: Int) {
    self.limit = max(1, limit)
  }

  mutating func add(_ diagnostics: some Sequence<Diagnostic>, source: Int) {
    for diagnostic in diagnostics where findings.count < limit {
      findings.append(OccurrenceFinding(source: source, diagnostic: diagnostic))
    }
  }
}
