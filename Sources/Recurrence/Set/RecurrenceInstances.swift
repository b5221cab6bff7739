// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The instances of a ``RecurrenceSet``, merged lazily in order of time.
public struct RecurrenceInstances: Sequence, Sendable {
  /// A single date of the set, or its start.
  struct Addition: Sendable {
    let moment: Moment
    let source: RecurrenceInstance.Source
  }

  let clock: KeyClock
  /// Whether the start is a date.
  private let hasDates: Bool
  let rules: [RuleStream]
  let exclusionRules: [RuleStream]
  /// The start and the single dates, in order.
  let additions: [Addition]
  /// The excluded keys, in order.
  private(set) var excludedKeys: [Int64]
  /// The excluded whole days, since 1970-01-01.
  private(set) var excludedDays: Set<Int>
  /// The maximum number of consecutive excluded moments before the search stops.
  let searchLimit: Int
  /// The earliest requested key.
  private(set) var floor = Int64.min

  init(of set: RecurrenceSet) throws(ExpansionError) {
    let clock = KeyClock(set.clock)
    self.clock = clock
    searchLimit = Swift.max(1, set.options.searchLimit)
    rules = try RecurrenceInstances.streams(set.rules, of: set, clock: clock)
    exclusionRules = try RecurrenceInstances.streams(set.exclusionRules, of: set, clock: clock)
    var additions = set.dates.enumerated().map { index, moment in
      Addition(moment: clock.key(of: moment), source: .date(index))
    }
    let isStartGiven = set.rules.isEmpty || set.options.startOutsideRule == .include
    if isStartGiven, !set.endsBeforeStart {
      let start = Moment(key: clock.key(of: set.start), wall: set.start.wallSeconds)
      additions.insert(Addition(moment: start, source: .start), at: 0)
    }
    // The sort is stable, so that the start precedes equal moments.
    self.additions = additions.sorted { $0.moment.key < $1.moment.key }
    hasDates = set.clock == .date
    excludedKeys = []
    excludedDays = []
    exclude(set.excludedDates)
  }

  private mutating func exclude(_ moments: [RecurrenceMoment]) {
    for moment in moments {
      if case .date(let date) = moment, !hasDates {
        excludedDays.insert(date.dayNumber)
      } else {
        excludedKeys.append(clock.key(of: moment).key)
      }
    }
    excludedKeys.sort()
  }

  /// Returns the same instances with additional exclusions.
  ///
  /// - Parameter moments: The excluded moments, as in ``RecurrenceSet/excludedDates``.
  /// - Returns: The remaining instances.
  public func excluding(_ moments: [RecurrenceMoment]) -> RecurrenceInstances {
    guard !moments.isEmpty else { return self }
    var copy = self
    copy.exclude(moments)
    return copy
  }

  private static func streams(
    _ rules: [RecurrenceRule], of set: RecurrenceSet, clock: KeyClock
  ) throws(ExpansionError) -> [RuleStream] {
    var streams: [RuleStream] = []
    for rule in rules { streams.append(try RuleStream(rule, of: set, clock: clock)) }
    return streams
  }

  /// Returns the same instances without those before an instant.
  ///
  /// - Parameter instant: The earliest requested moment. If the start is floating or a date, this
  ///   is the time on a clock in UTC.
  /// - Returns: The instances from that moment on; earlier ones are not iterated.
  public func starting(at instant: Instant) -> RecurrenceInstances {
    var copy = self
    copy.floor = instant.secondsSinceEpoch
    return copy
  }

  /// Returns the same instances without those before a time on the start's clock.
  ///
  /// - Parameter time: The earliest requested time.
  /// - Returns: The instances from that time on; earlier ones are not iterated.
  public func starting(at time: CivilDateTime) -> RecurrenceInstances {
    var copy = self
    copy.floor = clock.key(of: time)
    return copy
  }

  /// Creates an iterator that starts at the first requested instance.
  public func makeIterator() -> Iterator { Iterator(self, from: floor) }
}
