// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// The occurrences of a part of a series in a range, in order; one component describes them.
///
/// Instances come from the recurrence set in the order of their original starts. An override for
/// all later occurrences (RFC 5545 §3.2.13), or the due date of a reminder, shifts them. Shifts
/// preserve the order except around offset changes. Therefore shifted occurrences are held until no
/// earlier one can follow.
struct SeriesStream: Sendable {
  /// The common properties of a stretch's occurrences.
  struct Stretch: Sendable {
    /// The part of the series that describes the occurrences.
    let part: SeriesPart
    /// The clock of the series, for recurrence identifiers.
    let clock: SeriesClock
    /// Whether instances have recurrence identifiers.
    let isRecurring: Bool
    /// The range of original starts, in seconds on the clock of the recurrence set.
    let keys: Range<Int64>
    /// The shift from the original start, in wall-clock seconds; nil without a shift.
    let shift: Int64?
    /// The extents of periods, by their index among the RDATE values (RFC 5545 §3.8.5.2).
    let periods: [Int: Extent]
    let instances: RecurrenceInstances
  }

  /// The maximum shift by an offset change, in seconds: a zone can skip a whole day.
  private static let reach: Int64 = 100_000
  /// The maximum time from the beginning of a due day, in any zone, to a start on that day.
  private static let dueReach: Int64 = 200_000

  let stretch: Stretch
  private let range: Range<Instant>
  private var iterator: RecurrenceInstances.Iterator
  private let passedLimit: Int
  /// The number of further occurrences up to the limit.
  private var remaining: Int
  /// The held occurrences, in order from index `firstHeld`.
  private var held: [Occurrence] = []
  private var firstHeld = 0
  /// The lower bound for the starts of later occurrences.
  private var floor = Int64.min
  private var hasEnded = false
  /// Whether the search was stopped at a limit, so that occurrences may be missing.
  private(set) var isTruncated = false

  init(_ stretch: Stretch, range: Range<Instant>, options: OccurrenceOptions) {
    self.stretch = stretch
    self.range = range
    passedLimit = max(1, options.passedLimit)
    remaining = max(1, options.occurrenceLimit)
    let longest = stretch.periods.values.reduce(stretch.part.extent.longest) {
      max($0, $1.longest)
    }
    let isExact = stretch.shift == nil && !stretch.clock.isDate
    let slack = longest + (stretch.shift ?? 0) + (isExact ? 0 : Self.reach)
    let lower = max(Self.saturating(range.lowerBound, minus: slack), stretch.keys.lowerBound)
    iterator = stretch.instances.starting(at: Instant(secondsSinceEpoch: lower)).makeIterator()
  }

  private static func saturating(_ instant: Instant, minus seconds: Int64) -> Int64 {
    let (difference, overflow) = instant.secondsSinceEpoch.subtractingReportingOverflow(seconds)
    // The first second of the year 1.
    return overflow ? -62_135_596_800 : max(difference, -62_135_596_800)
  }

  private var isInOrder: Bool { stretch.shift == nil && !stretch.part.isPlacedByEnd }

  /// Returns the next occurrence, or nil if there is none in the range.
  mutating func next() -> Occurrence? {
    if isInOrder { return nextOfSeries() }
    // Each iteration consumes an occurrence of the series, which ends with the range.
    while !hasEnded {
      if firstHeld < held.count, held[firstHeld].start.instant.secondsSinceEpoch < floor { break }
      guard let occurrence = nextOfSeries() else { break }
      hold(occurrence)
    }
    guard firstHeld < held.count else { return nil }
    firstHeld += 1
    return held[firstHeld - 1]
  }

  private mutating func hold(_ occurrence: Occurrence) {
    if firstHeld > 64, firstHeld > held.count / 2 {
      held.removeFirst(firstHeld)
      firstHeld = 0
    }
    var place = held.count
    while place > firstHeld, Occurrence.precedes(occurrence, held[place - 1]) == true { place -= 1 }
    held.insert(occurrence, at: place)
  }

  /// Returns the next occurrence in the order of the series.
  private mutating func nextOfSeries() -> Occurrence? {
    var passed = 0
    while !hasEnded {
      guard let instance = iterator.next() else {
        isTruncated = iterator.isTruncated
        break
      }
      let key = instance.instant?.secondsSinceEpoch ?? instance.local.wallSeconds
      guard key >= stretch.keys.lowerBound else { continue }
      guard key < stretch.keys.upperBound, let start = start(of: instance) else { break }
      let reach =
        isInOrder ? 0 : stretch.part.extent.endClock == nil ? Self.reach : Self.dueReach
      guard start.instant.secondsSinceEpoch - reach < range.upperBound.secondsSinceEpoch else {
        break
      }
      let occurrence = occurrence(of: instance, at: start)
      // A period can be due before an occurrence that started earlier.
      let earliest = stretch.periods.isEmpty ? occurrence.start : start
      floor = earliest.instant.secondsSinceEpoch - reach
      if occurrence.touches(range) {
        guard remaining > 0 else {
          isTruncated = true
          break
        }
        remaining -= 1
        return occurrence
      }
      passed += 1
      guard passed < passedLimit else {
        isTruncated = true
        break
      }
    }
    hasEnded = true
    return nil
  }

  private func occurrence(of instance: RecurrenceInstance, at start: OccurrenceTime) -> Occurrence {
    var extent: Extent?
    if case .date(let index) = instance.source, stretch.shift == nil {
      extent = stretch.periods[index]
    }
    guard stretch.isRecurring else {
      return stretch.part.occurrence(at: start, recurrenceID: nil, extent: extent)
    }
    let id =
      instance.instant.flatMap(stretch.clock.time(at:)) ?? stretch.clock.time(of: instance.local)
    return stretch.part.occurrence(at: start, recurrenceID: id, extent: extent)
  }

  /// Returns the start of an instance; nil outside the years 1 through 9999.
  private func start(of instance: RecurrenceInstance) -> OccurrenceTime? {
    guard let shift = stretch.shift else {
      guard let instant = instance.instant else { return stretch.clock.day(instance.local.date) }
      return stretch.clock.time(at: instant)
    }
    return instance.local.adding(seconds: shift).map(stretch.part.clock.time(of:))
  }
}

/// The clock of a component's times, with the rules of its zone.
struct SeriesClock: Hashable, Sendable {
  /// The form of the times (RFC 5545 §3.3.4 and §3.3.5).
  enum Form: Hashable, Sendable {
    case date, floating, utc
    case zoned(tzID: String)
  }

  let form: Form
  /// The rules of the zone; for dates and floating times, of the viewer's time zone.
  let rules: ZoneRules

  /// Whether the clock has dates only.
  var isDate: Bool { form == .date }

  /// The corresponding clock for the expansion of rules.
  ///
  /// Floating times are expanded in the viewer's time zone, so that gaps and repeated hours
  /// preserve the chronological order.
  var recurrenceClock: RecurrenceClock {
    switch form {
    case .date: .date
    case .utc: .utc
    case .floating, .zoned: .zone(rules)
    }
  }

  /// Returns the time at an instant, or nil outside the years 1 through 9999.
  func time(at instant: Instant) -> OccurrenceTime? {
    guard let wall = rules.civil(at: instant) else { return nil }
    return OccurrenceTime(eventTime(wall), instant)
  }

  /// Returns the occurrence time for a wall-clock time; for a clock of dates, the start of the day.
  func time(of wall: CivilDateTime) -> OccurrenceTime {
    if isDate { return day(wall.date) }
    let instant = rules.instant(of: wall)
    return time(at: instant) ?? OccurrenceTime(eventTime(wall), instant)
  }

  /// Returns the occurrence time for the start of a day.
  func day(_ date: CivilDate) -> OccurrenceTime {
    OccurrenceTime(.date(date), start(of: date))
  }

  /// Returns the instant at which a day starts.
  func start(of date: CivilDate) -> Instant { rules.instant(of: CivilDateTime(date, .midnight)) }

  /// Returns the instant at a duration after a time (RFC 5545 §3.3.6).
  func instant(of time: OccurrenceTime, adding duration: CivilDuration) -> Instant? {
    guard duration.nominalDays != 0 else {
      return time.instant.adding(seconds: duration.exactSeconds)
    }
    return rules.instant(of: time.time.wallTime, adding: duration)
  }

  private func eventTime(_ wall: CivilDateTime) -> EventTime {
    switch form {
    case .date: .date(wall.date)
    case .floating: .floating(wall)
    case .utc: .utc(wall)
    case .zoned(let tzID): .zoned(wall, tzID: tzID)
    }
  }
}
