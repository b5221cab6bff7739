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
    /// How many more things take place, which are only counted.
    let rest: Int
  }

  /// How many things that go on at a time are kept; more of them, as of a rule that gives one each second,
  /// are only counted.
  static let limit = 10_000

  private let viewer: ZoneRules
  private let range: Range<Instant>
  private(set) var occurrences: Occurrences.Iterator
  private var following: Occurrence?
  /// What began and is not over.
  private var active: [Occurrence] = []
  /// How many of what is only counted go on.
  private var rest = 0
  /// How many of those end with a day, by its number.
  private var restEnds: [Int: Int] = [:]
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
      guard start < range.upperBound, !active.isEmpty || following != nil || rest > 0 else {
        return nil
      }
      while let occurrence = following, occurrence.interval.lowerBound < end {
        if active.count < Self.limit { active.append(occurrence) } else { count(occurrence) }
        following = occurrences.next()
      }
      date = end > start ? day.adding(days: 1) : nil
      let today = Swift.max(start, range.lowerBound)..<Swift.min(end, range.upperBound)
      let entries = active.compactMap {
        AgendaEntry($0, on: day, from: start, to: end, within: today, viewer)
      }
      active.removeAll { $0.interval.upperBound <= end }
      let counted = rest
      rest -= restEnds.removeValue(forKey: day.dayNumber) ?? 0
      guard !entries.isEmpty || counted > 0 else { continue }
      return Day(date: day, entries: AgendaEntry.marked(entries), rest: counted)
    }
    return nil
  }

  private mutating func count(_ occurrence: Occurrence) {
    guard let last = AgendaEntry.lastDay(of: occurrence, viewer) else { return }
    rest += 1
    restEnds[last.dayNumber, default: 0] += 1
  }

  private func start(of date: CivilDate?) -> Instant {
    viewer.instant(of: CivilDateTime(date ?? .last, .midnight))
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

  /// What an occurrence is on a day, or nil if it does not take place on it.
  init?(
    _ occurrence: Occurrence, on day: CivilDate, from start: Instant, to end: Instant,
    within today: Range<Instant>, _ viewer: ZoneRules
  ) {
    let interval = occurrence.interval
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
    number = day.dayNumber - first.date.dayNumber + 1
    count = lastDay.dayNumber - first.date.dayNumber + 1
  }

  /// The last day on which an occurrence takes place; nil outside the years 1 through 9999.
  static func lastDay(of occurrence: Occurrence, _ viewer: ZoneRules) -> CivilDate? {
    let interval = occurrence.interval
    guard let first = viewer.civil(at: interval.lowerBound),
      let last = viewer.civil(at: interval.upperBound)
    else { return nil }
    return last.time == .midnight && last.date > first.date
      ? last.date.adding(days: -1) ?? last.date : last.date
  }

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
