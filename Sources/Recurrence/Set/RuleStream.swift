// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// What one rule gives in a recurrence, as moments in strictly increasing order of their keys.
///
/// Each time on the wall is resolved by itself, so that an instance in a gap of the clocks moves no
/// other one. Times from within a gap fall among those after it; they are sorted in.
struct RuleStream: Sendable {
  private let expansion: Expansion
  private var iterator: RuleIterator
  private var clock: KeyClock
  private let skippedTimes: RecurrenceOptions.SkippedTimes
  /// The last key that UNTIL allows.
  private let lastKey: Int64
  /// How many instances COUNT allows, if they have to be counted here: those in gaps do not count.
  private let count: Int?
  private var remaining: Int
  /// The first key that is asked for.
  private var floor = Int64.min
  /// How many moments were passed over since the last one that was given.
  private var passed = 0
  private(set) var isTruncated = false

  /// Moments near a gap, in order, and the next of them.
  private var sorted: [Moment] = []
  private var sortedIndex = 0
  /// A wall second that was taken from the rule, but belongs behind the sorted moments.
  private var held: Int64?

  init(_ rule: RecurrenceRule, of set: RecurrenceSet, clock: KeyClock) throws(ExpansionError) {
    var rule = rule
    var count: Int?
    var hasZone = false
    if case .zone = set.clock {
      hasZone = true
      if set.options.skippedTimes == .omit { (count, rule.count) = (rule.count, nil) }
    }
    if case .utc(let until)? = rule.until, hasZone {
      lastKey = until.wallSeconds
    } else {
      lastKey = .max
    }
    expansion = try Expansion(of: rule, from: set.start, clock: set.clock, options: set.options)
    iterator = expansion.makeIterator()
    self.clock = clock
    skippedTimes = set.options.skippedTimes
    self.count = count
    remaining = count ?? .max
  }

  /// Goes to the first moment of a key or a later one.
  mutating func start(at key: Int64) {
    guard key > .min else { return }
    floor = key
    // If the gaps do not count, it takes all instances to know how many did.
    guard count == nil,
      let time = CivilDateTime(wallSeconds: clock.firstWallSecond(ofKey: key))
    else { return }
    iterator = expansion.starting(at: time).makeIterator()
  }

  /// The next moment, or nil if there is none.
  mutating func next() -> Moment? {
    while let moment = nextOfAll() {
      guard moment.key <= lastKey, remaining > 0 else { return nil }
      remaining -= 1
      if moment.key >= floor {
        passed = 0
        return moment
      }
      passed += 1
      guard passed <= expansion.plan.countLimit else {
        isTruncated = true
        return nil
      }
    }
    isTruncated = iterator.isTruncated
    return nil
  }

  /// The next moment, also before the floor and after UNTIL.
  private mutating func nextOfAll() -> Moment? {
    if sortedIndex < sorted.count {
      sortedIndex += 1
      return sorted[sortedIndex - 1]
    }
    while let wall = nextWallSecond() {
      if let offset = clock.steadyOffset(of: wall) { return Moment(key: wall - offset, wall: wall) }
      switch clock.resolve(wall) {
      case .unique(let offset), .fold(let offset, _):
        return Moment(key: wall - Int64(offset.seconds), wall: wall)
      case .gap(let before, let after):
        guard skippedTimes == .shift else { continue }
        let moment = Moment(key: wall - Int64(before.seconds), wall: wall)
        return sort(after: moment, gap: Int64(after.seconds) - Int64(before.seconds))
      }
    }
    return nil
  }

  private mutating func nextWallSecond() -> Int64? {
    if let held {
      self.held = nil
      return held
    }
    return iterator.nextSecond()
  }

  /// Sorts the moments from within a gap and those after it that may have the same keys.
  ///
  /// - Parameters:
  ///   - first: The first moment from within the gap.
  ///   - length: The length of the gap in seconds, at most a day.
  /// - Returns: The first of the moments.
  private mutating func sort(after first: Moment, gap length: Int64) -> Moment {
    var moments = [first]
    while let wall = iterator.nextSecond() {
      guard wall < first.wall + 2 * length else {
        held = wall
        break
      }
      let offset = Int64(clock.resolve(wall).offset.seconds)
      moments.append(Moment(key: wall - offset, wall: wall))
    }
    // Of those with one key the time that the clocks really show comes last on the wall.
    moments.sort { ($0.key, $1.wall) < ($1.key, $0.wall) }
    sorted.removeAll(keepingCapacity: true)
    for moment in moments where moment.key != sorted.last?.key { sorted.append(moment) }
    sortedIndex = 1
    return sorted[0]
  }
}
