// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The instances of a rule, found one by one in strictly increasing order.
///
/// It goes from period to period, and in each over the chosen days and the times on them. A period is
/// a number, the days of one are bits, and the times are found beforehand, so that nothing is
/// allocated for an instance.
public struct RuleIterator: IteratorProtocol, Sendable {
  /// Why there are no more instances.
  public enum Ending: Hashable, Sendable {
    /// There were as many as COUNT says.
    case count
    /// The next one would be after UNTIL.
    case until
    /// The next one would be after the year 9999, or after what the calendar of the rule can tell.
    case lastDate
    /// It is proved that the rule never happens again.
    case neverAgain
    /// The search was given up; there may be more (``RecurrenceOptions/searchLimit``).
    case searchLimit
  }

  let plan: RulePlan
  /// The times of a chosen day or stride.
  private let offsets: [Int32]
  /// Why there are no more instances, or nil as long as there may be.
  public internal(set) var ending: Ending?
  /// Whether the search was given up, so that instances may be missing.
  public var isTruncated: Bool { ending == .searchLimit }

  /// Nothing is given that is not after this second.
  var last: Int64
  /// What is before this second is counted, but not given.
  var floor: Int64
  /// How many more instances COUNT allows.
  var remaining: Int
  /// How many places were tried since the last instance.
  var tries = 0
  /// How many instances were counted that are before the floor.
  private var counted = 0

  /// The second of the chosen day or stride, to which the times are added.
  var anchor: Int64 = 0
  private var offsetIndex: Int
  /// The next stride's second, the next week's first day, the next month or the next year.
  var place: Int64 = 0
  /// The distance of places.
  let step: Int64
  /// The place at which the search since the last instance began.
  var searchStart: Int64 = 0
  /// How many places it takes until the rule does again what it did before.
  let cycle: Int64

  /// The day that the first bit of the period stands for.
  var base = 0
  /// The days of the period that are still to come; of a year, those of one word of ``bits``.
  var word: UInt64 = 0
  var wordIndex = 0
  var wordCount = 1
  /// The days of a year.
  var bits = DayBits()
  /// The days of the years that were looked at last.
  var shapes: YearShapes
  var year: ChosenYear?
  /// The year and the place of the next month, in calendars other than the Gregorian one.
  var scaledMonth: (year: CalendarYear, index: Int)?
  /// The times of the period that BYSETPOS chooses.
  var picked: [Int64] = []
  var pickedIndex = 0

  init(_ plan: RulePlan, from floor: Int64) {
    self.plan = plan
    offsets = plan.positions.isEmpty ? plan.offsets : [0]
    offsetIndex = offsets.count
    last = plan.start - 1
    self.floor = floor
    remaining = plan.count ?? .max
    step = plan.step
    cycle = plan.cycle
    shapes = YearShapes(plan.days, calendar: plan.calendar)
    if plan.isEmpty { ending = .neverAgain }
    move(to: plan.start)
  }

  /// The next instance, or nil if there is none; ``ending`` then tells why.
  public mutating func next() -> CivilDateTime? {
    nextSecond().flatMap(CivilDateTime.init(wallSeconds:))
  }

  /// The next instance, in wall seconds since 1970-01-01T00:00:00.
  mutating func nextSecond() -> Int64? {
    while ending == nil {
      while offsetIndex < offsets.count {
        let second = anchor + Int64(offsets[offsetIndex])
        offsetIndex += 1
        guard second > last else { continue }
        guard second <= plan.end else {
          ending = plan.ending
          return nil
        }
        last = second
        searchStart = place
        remaining -= 1
        if remaining == 0 { ending = .count }
        tries = 0
        if second >= floor { return second }
        guard ending == nil, count() else { return nil }
      }
      guard findAnchor() else { return nil }
      offsetIndex = 0
    }
    return nil
  }

  /// Notes that an instance was counted that nobody asked for; false if that was the last one.
  private mutating func count() -> Bool {
    counted += 1
    guard counted > plan.countLimit else { return true }
    ending = .searchLimit
    return false
  }

  /// Notes that a place was tried in vain; false if that was the last one.
  mutating func spend(_ cost: Int = 1) -> Bool {
    tries += cost
    guard tries > plan.searchLimit else { return true }
    ending = .searchLimit
    return false
  }

  /// Goes to the next chosen day or stride.
  private mutating func findAnchor() -> Bool {
    if case .strides = plan.periods { return findStride() }
    guard plan.positions.isEmpty else { return findPicked() }
    while word == 0 {
      wordIndex += 1
      if wordIndex < wordCount {
        word = bits[wordIndex]
      } else {
        guard findPeriod() else { return false }
      }
    }
    let day = base + wordIndex << 6 + word.trailingZeroBitCount
    word &= word &- 1
    anchor = Int64(day) * 86_400
    return true
  }
}
