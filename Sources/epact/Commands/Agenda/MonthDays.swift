// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// What a month shows of its days: how many things take place on each, and the first titles.
///
/// Occurrences are counted one by one and not kept: a rule may give one each second.
struct MonthDays {
  /// What is shown of a day.
  struct Day {
    /// How many things take place.
    fileprivate(set) var count = 0
    /// The first titles of what takes the whole day, and of the rest.
    private var whole: [String] = []
    private var others: [String] = []

    /// The first titles: what takes the whole day, then the rest by start.
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

  /// How many titles of a day are kept.
  static let titleLimit = 3

  /// The days of the month, from when until when each lasts, in order.
  private let spans: [(date: CivilDate, interval: Range<Instant>)]
  private let range: Range<Instant>
  private let viewer: ZoneRules
  /// The days on which something takes place.
  private(set) var days: [CivilDate: Day] = [:]
  /// The first day that is not over when the latest occurrence starts.
  private var firstOpen = 0

  /// Creates the empty days of a range that begins with a day.
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

  /// Counts an occurrence, which starts no earlier than those before it.
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
