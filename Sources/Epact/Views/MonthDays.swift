// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// The days of a month: the number of occurrences on each, and the first ones.
///
/// ```swift
/// let range = MonthDays.range(of: firstDay, in: berlin)
/// let request = ViewRequest(calendars, in: range, viewer: berlin)
/// let view = try CalendarView(request) { event in print(event) }
/// var month = MonthDays(in: range, from: firstDay, viewer: berlin)
/// for occurrence in view.occurrences() { month.add(occurrence) }
/// ```
///
/// Occurrences are counted and not kept, because a rule may have one every second.
public struct MonthDays: Sendable {
  /// A day with occurrences.
  public struct Day: Sendable {
    /// The number of occurrences.
    public fileprivate(set) var count = 0
    /// The first whole-day occurrences, and the first others.
    private var whole: [Occurrence] = []
    private var others: [Occurrence] = []

    private let limit: Int

    fileprivate init(limit: Int) {
      self.limit = limit
    }

    /// The first occurrences: whole-day ones, then the others by start.
    public var first: [Occurrence] { Array((whole + others).prefix(limit)) }

    fileprivate mutating func add(_ entry: AgendaEntry) {
      count += 1
      if entry.isWholeDay {
        if whole.count < limit { whole.append(entry.occurrence) }
      } else if others.count < limit {
        others.append(entry.occurrence)
      }
    }
  }

  /// The maximum number of occurrences of a day that are kept.
  private let limit: Int

  /// The range of the month that begins with a day, in a time zone.
  public static func range(of first: CivilDate, in zone: ZoneRules) -> Range<Instant> {
    let length = CivilDate.daysInMonth(first.month, of: first.year)
    let start = zone.instant(of: CivilDateTime(first, .midnight))
    return start..<max(start, zone.end(of: first.adding(days: length - 1) ?? .last))
  }

  /// The days of the month with their intervals, in order.
  private let spans: [(date: CivilDate, interval: Range<Instant>)]
  private let range: Range<Instant>
  private let viewer: ZoneRules
  /// The days with occurrences.
  public private(set) var days: [CivilDate: Day] = [:]
  /// The findings of the search for the occurrences of a view.
  package private(set) var findings: [OccurrenceFinding] = []
  /// The index of the first day that ends after the start of the latest occurrence.
  private var firstOpen = 0

  /// Creates the empty days of a range.
  ///
  /// - Parameters:
  ///   - range: The range.
  ///   - first: Its first day.
  ///   - viewer: The time zone of the days.
  ///   - limit: The maximum number of occurrences of a day that are kept, at least 1.
  public init(
    in range: Range<Instant>, from first: CivilDate, viewer: ZoneRules, keeping limit: Int = 3
  ) {
    self.limit = max(1, limit)
    self.range = range
    self.viewer = viewer
    var spans: [(date: CivilDate, interval: Range<Instant>)] = []
    var start = viewer.instant(of: CivilDateTime(first, .midnight))
    var date = first
    while start < range.upperBound {
      let end = viewer.end(of: date)
      if start < end { spans.append((date, start..<end)) }
      guard let next = date.adding(days: 1) else { break }
      (date, start) = (next, max(start, end))
    }
    self.spans = spans
  }

  /// Adds an occurrence, which must not start before the previous one.
  public mutating func add(_ occurrence: Occurrence) {
    let interval = occurrence.interval
    while firstOpen < spans.count, spans[firstOpen].interval.upperBound <= interval.lowerBound {
      firstOpen += 1
    }
    for (date, span) in spans[firstOpen...] {
      let day = DaySpan(date: date, interval: span, shown: span.clamped(to: range))
      let entry = AgendaEntry(occurrence, on: day, viewer)
      if let entry { days[date, default: Day(limit: limit)].add(entry) }
      if interval.upperBound <= span.upperBound { return }
    }
  }

  /// Counts the occurrences of a view.
  ///
  /// - Parameters:
  ///   - view: The view.
  ///   - request: The request of the view, for the range of the month.
  ///   - first: The first day of the month.
  ///   - limit: The maximum number of occurrences of a day that are kept.
  /// - Throws: `CancellationError`.
  package init(
    of view: OccurrenceView, _ request: ViewRequest, from first: CivilDate, keeping limit: Int
  ) throws {
    self.init(in: request.range, from: first, viewer: request.viewer, keeping: limit)
    var occurrences = view.occurrences()
    var count = 0
    while let occurrence = occurrences.next() {
      add(occurrence)
      count += 1
      if count % 1024 == 0 { try Task.checkCancellation() }
    }
    findings = occurrences.findings
  }
}
