// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The instances of a ``RecurrenceSet``, merged one by one in the order of time.
public struct RecurrenceInstances: Sequence, Sendable {
  /// A single date of the set, or its start.
  struct Addition: Sendable {
    let moment: Moment
    let source: RecurrenceInstance.Source
  }

  let clock: KeyClock
  /// Whether the start is a day.
  private let hasDates: Bool
  let rules: [RuleStream]
  let exclusionRules: [RuleStream]
  /// The start and the single dates, in order.
  let additions: [Addition]
  /// The keys that are taken out, in order.
  private(set) var excludedKeys: [Int64]
  /// The days that are taken out whole, since 1970-01-01.
  private(set) var excludedDays: Set<Int>
  /// How many moments that are taken out are passed over in a row before the search is given up.
  let searchLimit: Int
  /// The first key that is asked for.
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
    // Sorting keeps the order of equals, so that of the same moments the start comes first.
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

  /// The same instances without some more of them.
  ///
  /// - Parameter moments: What is taken out, as ``RecurrenceSet/excludedDates`` takes it out.
  /// - Returns: The instances that are left.
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

  /// The same instances without those before a point in time.
  ///
  /// - Parameter instant: The first moment that is asked for. If the start is floating or a day, it is
  ///   what a clock in UTC shows then.
  /// - Returns: The instances from there on; those before are not walked over.
  public func starting(at instant: Instant) -> RecurrenceInstances {
    var copy = self
    copy.floor = instant.secondsSinceEpoch
    return copy
  }

  /// The same instances without those before a time on the clock of the start.
  ///
  /// - Parameter time: The first time that is asked for.
  /// - Returns: The instances from there on; those before are not walked over.
  public func starting(at time: CivilDateTime) -> RecurrenceInstances {
    var copy = self
    copy.floor = clock.key(of: time)
    return copy
  }

  /// Starts at the first instance that is asked for.
  public func makeIterator() -> Iterator { Iterator(self, from: floor) }
}
