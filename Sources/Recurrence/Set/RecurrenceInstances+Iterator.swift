// SPDX-License-Identifier: Apache-2.0

import CivilTime

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
  /// How many elements satisfy a condition that holds for those of a prefix and for no others, in time
  /// that is logarithmic in the number of elements.
  fileprivate func countOfPrefix(where condition: (Element) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = low + (high - low) / 2
      if condition(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
