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

/// An instance of a recurrence.
public struct RecurrenceInstance: Hashable, Sendable {
  /// The source of an instance.
  public enum Source: Hashable, Sendable {
    /// The start itself.
    case start
    /// The rule at an index in ``RecurrenceSet/rules``.
    case rule(Int)
    /// The moment at an index in ``RecurrenceSet/dates``; a period has its own end.
    case date(Int)
  }

  /// The time on the start's clock, as the rule or the file specifies it; midnight for a date.
  ///
  /// It may fall in a gap of the zone; ``instant`` is then the actual time.
  public let local: CivilDateTime
  /// The instant, or nil if the start is a date or floating.
  public let instant: Instant?
  /// The source: the start takes precedence over rules, and rules over dates.
  public let source: Source
}

extension RecurrenceInstances {
  /// An iterator over the instances of a set, in order of time.
  ///
  /// It merges the rules and the single dates by their next keys, so that an instance of a set
  /// costs little more than one of its rule.
  public struct Iterator: IteratorProtocol, Sendable {
    private var rules: MergedStreams
    private var exclusionRules: MergedStreams
    private let additions: [Addition]
    private var additionIndex: Int
    /// The key of the next single date, or `.max` if there is none.
    private var additionKey = Int64.max
    private let excludedKeys: [Int64]
    private var exclusionIndex: Int
    private let excludedDays: Set<Int>
    /// Whether the set has any exclusions.
    private let hasExclusions: Bool
    private let hasInstants: Bool
    private let searchLimit: Int
    /// Whether too many consecutive moments were excluded.
    private var isGivenUp = false
    /// The key of the previous instance.
    private var last = Int64.min

    init(_ instances: RecurrenceInstances, from floor: Int64) {
      rules = MergedStreams(instances.rules, from: floor)
      exclusionRules = MergedStreams(instances.exclusionRules, from: floor)
      additions = instances.additions
      additionIndex = additions.countOfPrefix { $0.moment.key < floor }
      excludedKeys = instances.excludedKeys
      exclusionIndex = excludedKeys.countOfPrefix { $0 < floor }
      excludedDays = instances.excludedDays
      hasExclusions =
        !excludedKeys.isEmpty || !excludedDays.isEmpty || !instances.exclusionRules.isEmpty
      hasInstants = instances.clock.hasInstants
      searchLimit = instances.searchLimit
      if additionIndex < additions.count { additionKey = additions[additionIndex].moment.key }
    }

    /// Whether a search was stopped, so that the result may be incomplete.
    ///
    /// Instances may be missing, or excluded ones present (``RecurrenceOptions/searchLimit``).
    public var isTruncated: Bool {
      isGivenUp || rules.isTruncated || exclusionRules.isTruncated
    }

    /// Returns the next instance, or nil if there is none.
    public mutating func next() -> RecurrenceInstance? {
      var excluded = 0
      // Each iteration takes a moment from a list or a rule, both of which end. But one rule may
      // generate an instance every second, and another one exclude them all.
      while !isGivenUp {
        let moment: Moment
        let source: RecurrenceInstance.Source
        if additionIndex < additions.count, isAdditionNext {
          (moment, source) = (additions[additionIndex].moment, additions[additionIndex].source)
          additionIndex += 1
          additionKey =
            additionIndex < additions.count ? additions[additionIndex].moment.key : .max
        } else {
          source = .rule(rules.earliest)
          guard let found = rules.next() else { return nil }
          moment = found
        }
        guard moment.key > last else { continue }
        last = moment.key
        if hasExclusions, isExcluded(moment) {
          excluded += 1
          isGivenUp = excluded > searchLimit
          continue
        }
        guard let local = CivilDateTime(wallSeconds: moment.wall) else { continue }
        return RecurrenceInstance(
          local: local, instant: hasInstants ? Instant(secondsSinceEpoch: moment.key) : nil,
          source: source)
      }
      return nil
    }

    /// Whether the next single date comes before the next instance of a rule.
    ///
    /// For equal moments, the reported source is the start, then a rule, then a date.
    private var isAdditionNext: Bool {
      guard !rules.hasEnded, additionKey >= rules.earliestKey else { return true }
      return additionKey == rules.earliestKey && additions[additionIndex].source == .start
    }

    private mutating func isExcluded(_ moment: Moment) -> Bool {
      while exclusionIndex < excludedKeys.count, excludedKeys[exclusionIndex] < moment.key {
        exclusionIndex += 1
      }
      if exclusionIndex < excludedKeys.count, excludedKeys[exclusionIndex] == moment.key {
        return true
      }
      if !excludedDays.isEmpty, excludedDays.contains(RulePlan.day(of: moment.wall)) { return true }
      while !exclusionRules.hasEnded, exclusionRules.earliestKey <= moment.key {
        if exclusionRules.earliestKey == moment.key { return true }
        _ = exclusionRules.next()
      }
      return false
    }
  }
}

extension Array {
  /// The length of the prefix whose elements satisfy a condition that no later element satisfies.
  ///
  /// The time is logarithmic in the number of elements.
  fileprivate func countOfPrefix(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
