// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime
import ICalSyntax

/// Occurrences grouped by day, in order and computed on demand.
public struct AgendaDays: Sequence, IteratorProtocol {
  /// A day with occurrences.
  public struct Day: Hashable, Sendable {
    /// The date.
    public let date: CivilDate
    /// The entries: whole-day entries first, then by start.
    public let entries: [AgendaEntry]
    /// The number of additional occurrences that are only counted.
    public let rest: Int
  }

  /// The maximum number of concurrent occurrences that are kept; the others are only counted.
  ///
  /// A rule may have an occurrence every second.
  private static let limit = 10_000

  private let viewer: ZoneRules
  private let range: Range<Instant>
  private var occurrences: ViewOccurrences
  private var following: Occurrence?
  /// The occurrences that have started but not ended.
  private var active: [Occurrence] = []
  /// The number of counted occurrences that have not ended.
  private var rest = 0
  /// The number of counted occurrences that end on a day, by day number.
  private var restEnds: [Int: Int] = [:]
  private var date: CivilDate?
  /// The user's addresses, by which declined events are recognized.
  private let user: Set<CalendarAddress>
  /// The ends of the UIDs of copies that mirrors made.
  private let copySuffixes: [String]

  /// The findings so far: series with incomplete searches, so that occurrences may be missing.
  public var findings: [OccurrenceFinding] { occurrences.findings }

  /// Groups the occurrences of a range by day in the viewer's time zone.
  public init(_ occurrences: Occurrences, in range: Range<Instant>, viewer: ZoneRules) {
    self.init(ViewOccurrences(occurrences), in: range, viewer: viewer)
  }

  /// Groups the occurrences of a view by day in the viewer's time zone.
  ///
  /// Events that the user declined, and copies of mirrors, overlap nothing.
  init(
    _ occurrences: ViewOccurrences, in range: Range<Instant>, viewer: ZoneRules,
    user: Set<CalendarAddress> = [], copySuffixes: [String] = []
  ) {
    (self.user, self.copySuffixes) = (user, copySuffixes)
    self.viewer = viewer
    self.range = range
    self.occurrences = occurrences
    following = self.occurrences.next()
    date = viewer.civil(at: range.lowerBound)?.date
  }

  /// The next day with occurrences, or nil after the last one.
  public mutating func next() -> Day? {
    // Each iteration is a day of the range; the loop ends when no occurrences remain.
    while let day = date {
      let start = viewer.instant(of: CivilDateTime(day, .midnight))
      let end = viewer.end(of: day)
      guard start < range.upperBound, !active.isEmpty || following != nil || rest > 0 else {
        return nil
      }
      while let occurrence = following, occurrence.interval.lowerBound < end {
        if active.count < Self.limit { active.append(occurrence) } else { count(occurrence) }
        following = occurrences.next()
      }
      date = end > start ? day.adding(days: 1) : nil
      let today = Swift.max(start, range.lowerBound)..<Swift.min(end, range.upperBound)
      let span = DaySpan(date: day, interval: start..<Swift.max(start, end), shown: today)
      let entries = active.compactMap { AgendaEntry($0, on: span, viewer) }
      active.removeAll { $0.interval.upperBound <= end }
      let counted = rest
      rest -= restEnds.removeValue(forKey: day.dayNumber) ?? 0
      guard !entries.isEmpty || counted > 0 else { continue }
      return Day(date: day, entries: AgendaEntry.marked(entries, where: canOverlap), rest: counted)
    }
    return nil
  }

  /// Whether an occurrence makes the user busy, and is no copy of another one.
  private func canOverlap(_ occurrence: Occurrence) -> Bool {
    FreeBusy.kind(of: occurrence, user: user) != nil
      && !copySuffixes.contains { occurrence.uid.rawValue.hasSuffix($0) }
  }

  private mutating func count(_ occurrence: Occurrence) {
    guard let last = AgendaEntry.lastDay(of: occurrence, viewer) else { return }
    rest += 1
    restEnds[last.dayNumber, default: 0] += 1
  }
}

extension ZoneRules {
  /// The end of a day; that of the last day, 9999-12-31, is 24 hours after its start.
  package func end(of day: CivilDate) -> Instant {
    if let next = day.adding(days: 1) { return instant(of: CivilDateTime(next, .midnight)) }
    let start = instant(of: CivilDateTime(day, .midnight))
    return start.adding(seconds: 86_400) ?? start
  }
}

/// A day of a view.
struct DaySpan {
  let date: CivilDate
  /// The time from midnight to midnight in the viewer's time zone.
  let interval: Range<Instant>
  /// The part of the day in the range of the view.
  let shown: Range<Instant>
}

/// An occurrence on a day.
public struct AgendaEntry: Hashable, Sendable {
  /// The occurrence.
  public let occurrence: Occurrence
  /// The start on the day; nil if the occurrence started earlier.
  public let start: TimeOfDay?
  /// The end on the day; nil if the occurrence ends later.
  public let end: TimeOfDay?
  /// The part of the occurrence on the day.
  public let interval: Range<Instant>
  /// Whether the occurrence lasts the entire day.
  public let isWholeDay: Bool
  /// The number of this day within the occurrence, from 1.
  public let number: Int
  /// The number of days of the occurrence.
  public let count: Int
  /// Whether another occurrence overlaps.
  public fileprivate(set) var overlaps = false

  /// Creates the entry of an occurrence on a day; nil if it does not take place on that day.
  init?(_ occurrence: Occurrence, on day: DaySpan, _ viewer: ZoneRules) {
    let interval = occurrence.interval
    let (today, start, end) = (day.shown, day.interval.lowerBound, day.interval.upperBound)
    let isOver =
      interval.isEmpty
      ? interval.lowerBound < today.lowerBound
      : interval.upperBound <= today.lowerBound
    guard !isOver, interval.lowerBound < today.upperBound else { return nil }
    let first = viewer.civil(at: interval.lowerBound)
    let last = viewer.civil(at: interval.upperBound)
    guard let first, let last, let lastDay = Self.lastDay(of: occurrence, viewer) else {
      return nil
    }
    self.occurrence = occurrence
    self.start = interval.lowerBound >= start ? first.time : nil
    self.end = interval.upperBound <= end ? last.time : nil
    self.interval = Swift.max(interval.lowerBound, start)..<Swift.min(interval.upperBound, end)
    isWholeDay = !interval.isEmpty && interval.lowerBound <= start && interval.upperBound >= end
    number = day.date.dayNumber - first.date.dayNumber + 1
    count = lastDay.dayNumber - first.date.dayNumber + 1
  }

  /// The last day of an occurrence; nil outside the years 1 through 9999.
  static func lastDay(of occurrence: Occurrence, _ viewer: ZoneRules) -> CivilDate? {
    let interval = occurrence.interval
    guard let first = viewer.civil(at: interval.lowerBound),
      let last = viewer.civil(at: interval.upperBound)
    else { return nil }
    return last.time == .midnight && last.date > first.date
      ? last.date.adding(days: -1) ?? last.date : last.date
  }

  /// The sorted entries of a day with overlaps marked: whole-day entries first, then by start.
  ///
  /// - Parameters:
  ///   - entries: The entries.
  ///   - canOverlap: Whether an occurrence that lasts some time, but not the entire day, counts.
  /// - Returns: The entries.
  static func marked(
    _ entries: [AgendaEntry], where canOverlap: (Occurrence) -> Bool
  ) -> [AgendaEntry] {
    var sorted = entries.filter(\.isWholeDay) + entries.filter { !$0.isWholeDay }
    let busy = sorted.indices.filter { index in
      let entry = sorted[index]
      return !entry.isWholeDay && !entry.interval.isEmpty && canOverlap(entry.occurrence)
    }
    var latest: Instant?
    for (place, index) in busy.enumerated() {
      let interval = sorted[index].interval
      if let latest, latest > interval.lowerBound { sorted[index].overlaps = true }
      latest = Swift.max(latest ?? interval.upperBound, interval.upperBound)
      if place + 1 < busy.count,
        sorted[busy[place + 1]].interval.lowerBound < interval.upperBound
      {
        sorted[index].overlaps = true
      }
    }
    return sorted
  }
}
