// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The instances of one rule in a recurrence, in strictly increasing order of their keys.
///
/// Each wall-clock time is resolved separately, so that an instance in a gap moves no other one.
/// Times inside a gap map to keys among those after it, and are sorted in.
struct RuleStream: Sendable {
  private let expansion: Expansion
  private var iterator: RuleIterator
  private var clock: KeyClock
  private let skippedTimes: RecurrenceOptions.SkippedTimes
  /// The last key that UNTIL allows.
  private let lastKey: Int64
  /// The number of instances that COUNT allows, if counted here because those in gaps do not count.
  private let count: Int?
  private var remaining: Int
  /// The earliest requested key.
  private var floor = Int64.min
  /// The number of moments that were skipped since the last returned one.
  private var passed = 0
  private(set) var isTruncated = false

  /// The moments near a gap, in order, and the index of the next one.
  private var sorted: [Moment] = []
  private var sortedIndex = 0
  /// A wall-clock second that was read from the rule but comes after the sorted moments.
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

  /// Seeks to the first moment with this key or a later one.
  mutating func start(at key: Int64) {
    guard key > .min else { return }
    floor = key
    // If instances in gaps do not count, all instances must be iterated to apply COUNT.
    guard count == nil,
      let time = CivilDateTime(wallSeconds: clock.firstWallSecond(ofKey: key))
    else { return }
    iterator = expansion.starting(at: time).makeIterator()
  }

  /// Returns the next moment, or nil if there is none.
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

  /// Returns the next moment, including those before the floor and after UNTIL.
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

  /// Sorts the moments inside a gap together with those after it that may have the same keys.
  ///
  /// - Parameters:
  ///   - first: The first moment inside the gap.
  ///   - length: The length of the gap in seconds, at most a day.
  /// - Returns: The earliest of the moments.
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
    // Of moments with the same key, the one whose wall-clock time exists is kept.
    moments.sort { ($0.key, $1.wall) < ($1.key, $0.wall) }
    sorted.removeAll(keepingCapacity: true)
    for moment in moments where moment.key != sorted.last?.key { sorted.append(moment) }
    sortedIndex = 1
    return sorted[0]
  }
}

/// Merges the instances of several rules in order of time.
///
/// Most sets have one rule or very few. The heap is for sets of many rules, which are then not
/// compared for each instance.
struct MergedStreams: Sendable {
  private var streams: [RuleStream]
  /// The next moment of each stream, with the key `.max` if it has ended.
  private var heads: [Moment]
  /// The numbers of the streams as a heap, ordered by the next moment and then by number.
  private var heap: [Int]
  /// The first of the streams with the earliest moment.
  private(set) var earliest = 0
  /// The key of the earliest moment, or `.max` if all have ended.
  private(set) var earliestKey = Int64.max

  init(_ streams: [RuleStream], from floor: Int64) {
    self.streams = streams
    heads = []
    heads.reserveCapacity(streams.count)
    for index in streams.indices {
      self.streams[index].start(at: floor)
      heads.append(self.streams[index].next() ?? MergedStreams.end)
    }
    heap = Array(streams.indices)
    for place in stride(from: heap.count / 2 - 1, through: 0, by: -1) { siftDown(from: place) }
    findEarliest()
  }

  private static let end = Moment(key: .max, wall: .max)

  /// Whether all streams have ended.
  var hasEnded: Bool { earliestKey == .max }

  /// Whether the search of any rule was stopped.
  var isTruncated: Bool { streams.contains { $0.isTruncated } }

  /// Removes and returns the earliest moment.
  mutating func next() -> Moment? {
    guard earliestKey != .max else { return nil }
    let moment = heads[earliest]
    heads[earliest] = streams[earliest].next() ?? MergedStreams.end
    if heap.count > 1 { siftDown(from: 0) }
    findEarliest()
    return moment
  }

  private mutating func findEarliest() {
    guard let first = heap.first else { return }
    (earliest, earliestKey) = (first, heads[first].key)
  }

  private mutating func siftDown(from place: Int) {
    var place = place
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2] where child < heap.count {
        if precedes(heap[child], heap[least]) { least = child }
      }
      guard least != place else { return }
      heap.swapAt(place, least)
      place = least
    }
  }

  private func precedes(_ left: Int, _ right: Int) -> Bool {
    let (leftKey, rightKey) = (heads[left].key, heads[right].key)
    return leftKey == rightKey ? left < right : leftKey < rightKey
  }
}
