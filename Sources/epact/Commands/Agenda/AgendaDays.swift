// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax

/// Occurrences sorted into days, one day after the other.
struct AgendaDays: Sequence, IteratorProtocol {
  /// A day on which something takes place.
  struct Day {
    let date: CivilDate
    let entries: [AgendaEntry]
  }

  private let viewer: ZoneRules
  private let range: Range<Instant>
  private(set) var occurrences: Occurrences.Iterator
  private var following: Occurrence?
  /// What began and is not over.
  private var active: [Occurrence] = []
  private var date: CivilDate?

  /// Sorts the occurrences of a range by the days of whoever looks.
  init(_ occurrences: Occurrences, in range: Range<Instant>, viewer: ZoneRules) {
    self.viewer = viewer
    self.range = range
    self.occurrences = occurrences.makeIterator()
    following = self.occurrences.next()
    date = viewer.civil(at: range.lowerBound)?.date
  }

  /// The next day on which something takes place, or nil after the last one.
  mutating func next() -> Day? {
    // Every round is a day of the range, and there is nothing more once all that began is over.
    while let day = date {
      let (start, end) = (start(of: day), start(of: day.adding(days: 1)))
      guard start < range.upperBound, !active.isEmpty || following != nil else { return nil }
      while let occurrence = following, occurrence.interval.lowerBound < end {
        active.append(occurrence)
        following = occurrences.next()
      }
      date = end > start ? day.adding(days: 1) : nil
      let today = Swift.max(start, range.lowerBound)..<Swift.min(end, range.upperBound)
      let entries = active.compactMap { entry($0, on: day, from: start, to: end, within: today) }
      active.removeAll { $0.interval.upperBound <= end }
      if !entries.isEmpty { return Day(date: day, entries: AgendaEntry.marked(entries)) }
    }
    return nil
  }

  private func start(of date: CivilDate?) -> Instant {
    viewer.instant(of: CivilDateTime(date ?? .last, .midnight))
  }

  private func entry(
    _ occurrence: Occurrence, on day: CivilDate, from start: Instant, to end: Instant,
    within today: Range<Instant>
  ) -> AgendaEntry? {
    let interval = occurrence.interval
    let isOver =
      interval.isEmpty
      ? interval.lowerBound < today.lowerBound
      : interval.upperBound <= today.lowerBound
    guard !isOver, interval.lowerBound < today.upperBound else { return nil }
    let first = viewer.civil(at: interval.lowerBound)
    let last = viewer.civil(at: interval.upperBound)
    guard let first, let last else { return nil }
    let lastDay =
      last.time == .midnight && last.date > first.date
      ? last.date.adding(days: -1) ?? last.date : last.date
    return AgendaEntry(
      occurrence: occurrence, start: interval.lowerBound >= start ? first.time : nil,
      end: interval.upperBound <= end ? last.time : nil,
      interval: Swift.max(interval.lowerBound, start)..<Swift.min(interval.upperBound, end),
      isWholeDay: !interval.isEmpty && interval.lowerBound <= start && interval.upperBound >= end,
      number: day.dayNumber - first.date.dayNumber + 1,
      count: lastDay.dayNumber - first.date.dayNumber + 1)
  }
}

/// What takes place on a day.
struct AgendaEntry {
  let occurrence: Occurrence
  /// When it starts on the day; nil if it started before.
  let start: TimeOfDay?
  /// When it ends on the day; nil if it ends later.
  let end: TimeOfDay?
  /// From when until when it takes place on the day.
  let interval: Range<Instant>
  /// Whether it takes all of the day.
  let isWholeDay: Bool
  /// Which of its days it is, from 1.
  let number: Int
  /// How many days it touches.
  let count: Int
  /// Whether something else takes place at the same time.
  var overlaps = false

  /// Whether it keeps a person from something else: an event that takes time, but not whole days.
  private var isBusy: Bool {
    guard occurrence.kind == .event, !isWholeDay, !interval.isEmpty else { return false }
    return occurrence.component[.transparency]?.text.asciiUppercased
      != Transparency.transparent.rawValue
  }

  /// The entries of a day as they are shown: what takes all of it first, then by start; and marked if
  /// they overlap.
  static func marked(_ entries: [AgendaEntry]) -> [AgendaEntry] {
    var sorted = entries.filter(\.isWholeDay) + entries.filter { !$0.isWholeDay }
    let busy = sorted.indices.filter { sorted[$0].isBusy }
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
