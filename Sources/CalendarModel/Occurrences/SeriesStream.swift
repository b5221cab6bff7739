// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// The occurrences of a stretch of a series that one component describes, in order, in a range.
///
/// Instances come from the recurrence set by when they would have started. What moves them, an override
/// for all later ones (RFC 5545 §3.2.13) or the day on which a reminder is due, keeps their order
/// but for what a change of the clocks makes of it; those are held back until nothing earlier can come.
struct SeriesStream: Sendable {
  /// What is the same for all occurrences of a stretch.
  struct Stretch: Sendable {
    /// What describes the occurrences.
    let part: SeriesPart
    /// The clock of the series, by which recurrence identifiers are told.
    let clock: SeriesClock
    /// Whether instances have identifiers.
    let isRecurring: Bool
    /// From which original start on, and before which, in seconds on the clock of the set.
    let keys: Range<Int64>
    /// How many seconds later than by the series it is, on the wall; nil if it is not moved at all.
    let shift: Int64?
    /// The lengths of periods by their places among the single dates (RFC 5545 §3.8.5.2).
    let periods: [Int: Extent]
    let instances: RecurrenceInstances
  }

  /// How far a change of the clocks can move a start, in seconds: a zone may skip a whole day.
  private static let reach: Int64 = 100_000

  let stretch: Stretch
  private let range: Range<Instant>
  private var iterator: RecurrenceInstances.Iterator
  private let passedLimit: Int
  /// Occurrences that were moved, in order, from `firstHeld` on.
  private var held: [Occurrence] = []
  private var firstHeld = 0
  /// Nothing that is still to come starts before this.
  private var floor = Int64.min
  private var hasEnded = false
  /// Whether the search was given up, so that occurrences may be missing.
  private(set) var isTruncated = false

  init(_ stretch: Stretch, range: Range<Instant>, passedLimit: Int) {
    self.stretch = stretch
    self.range = range
    self.passedLimit = max(1, passedLimit)
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
    // The first moment of the year 1, before which nothing is.
    return overflow ? -62_135_596_800 : max(difference, -62_135_596_800)
  }

  private var isInOrder: Bool { stretch.shift == nil && !stretch.part.isPlacedByEnd }

  /// The next occurrence, or nil if there is none in the range.
  mutating func next() -> Occurrence? {
    if isInOrder { return nextOfSeries() }
    // Every round takes an occurrence of the series, which ends with the range.
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

  /// The next occurrence in the order of the series.
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
      let reach = isInOrder ? 0 : Self.reach
      guard start.instant.secondsSinceEpoch - reach < range.upperBound.secondsSinceEpoch else {
        break
      }
      let occurrence = occurrence(of: instance, at: start)
      // A period may be due before what started earlier.
      let earliest = stretch.periods.isEmpty ? occurrence.start : start
      floor = earliest.instant.secondsSinceEpoch - reach
      if occurrence.touches(range) { return occurrence }
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

  /// When an instance starts; nil if that is not in the years 1 through 9999.
  private func start(of instance: RecurrenceInstance) -> OccurrenceTime? {
    guard let shift = stretch.shift else {
      guard let instant = instance.instant else { return stretch.clock.day(instance.local.date) }
      return stretch.clock.time(at: instant)
    }
    return instance.local.adding(seconds: shift).map(stretch.part.clock.time(of:))
  }
}
