// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact

/// The displayed contents of the days of a month: the number of occurrences and the first titles.
///
/// Occurrences are counted and not kept, because a rule may have one every second.
struct MonthDays {
  /// The displayed contents of a day.
  struct Day {
    /// The number of occurrences.
    fileprivate(set) var count = 0
    /// The first titles of whole-day occurrences, and of the others.
    private var whole: [String] = []
    private var others: [String] = []

    /// The first titles: whole-day occurrences, then the others by start.
    var titles: ArraySlice<String> { (whole + others).prefix(MonthDays.titleLimit) }

    fileprivate mutating func add(_ entry: AgendaEntry) {
      count += 1
      let title = { SafeText.escaped(entry.occurrence.title) }
      if entry.isWholeDay {
        if whole.count < MonthDays.titleLimit { whole.append(title()) }
      } else if others.count < MonthDays.titleLimit {
        others.append(title())
      }
    }
  }

  /// The maximum number of titles of a day.
  static let titleLimit = 3

  /// The days of the month with their intervals, in order.
  private let spans: [(date: CivilDate, interval: Range<Instant>)]
  private let range: Range<Instant>
  private let viewer: ZoneRules
  /// The days with occurrences.
  private(set) var days: [CivilDate: Day] = [:]
  /// The index of the first day that ends after the start of the latest occurrence.
  private var firstOpen = 0

  /// Creates the empty days of a range, from its first day.
  init(in range: Range<Instant>, from first: CivilDate, viewer: ZoneRules) {
    self.range = range
    self.viewer = viewer
    var spans: [(date: CivilDate, interval: Range<Instant>)] = []
    var start = viewer.instant(of: CivilDateTime(first, .midnight))
    var date = first
    while start < range.upperBound, let next = date.adding(days: 1) {
      let end = viewer.instant(of: CivilDateTime(next, .midnight))
      if start < end { spans.append((date, start..<end)) }
      (date, start) = (next, max(start, end))
    }
    self.spans = spans
  }

  /// Adds an occurrence, which must not start before the previous one.
  mutating func add(_ occurrence: Occurrence) {
    let interval = occurrence.interval
    while firstOpen < spans.count, spans[firstOpen].interval.upperBound <= interval.lowerBound {
      firstOpen += 1
    }
    for (date, span) in spans[firstOpen...] {
      let entry = AgendaEntry(
        occurrence, on: date, from: span.lowerBound, to: span.upperBound,
        within: span.clamped(to: range), viewer)
      if let entry { days[date, default: Day()].add(entry) }
      if interval.upperBound <= span.upperBound { return }
    }
  }
}
