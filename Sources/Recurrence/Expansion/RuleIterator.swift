// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// An iterator over the instances of a rule, in strictly increasing order.
///
/// It iterates over the periods, the selected days of each, and the times of each day. A period is
/// a number, its days are bits, and the times are computed in advance, so that an instance needs no
/// allocation.
public struct RuleIterator: IteratorProtocol, Sendable {
  /// The reason why the iteration ended.
  public enum Ending: Hashable, Sendable {
    /// COUNT is exhausted.
    case count
    /// The next instance would be after UNTIL.
    case until
    /// The next instance would be after the year 9999, or outside the range of the rule's calendar.
    case lastDate
    /// The rule provably has no further instance.
    case neverAgain
    /// The search was stopped; there may be more (``RecurrenceOptions/searchLimit``).
    case searchLimit
  }

  let plan: RulePlan
  /// The times in a selected day or stride.
  private let offsets: [Int32]
  /// The reason why the iteration ended, or nil while there may be more instances.
  public internal(set) var ending: Ending?
  /// Whether the search was stopped, so that instances may be missing.
  public var isTruncated: Bool { ending == .searchLimit }

  /// The previous instance; later ones must be greater.
  var last: Int64
  /// The first second to return; earlier instances are only counted.
  var floor: Int64
  /// The number of instances that COUNT still allows.
  var remaining: Int
  /// The number of tries since the last instance.
  var tries = 0
  /// The number of instances that were counted before the floor.
  private var counted = 0

  /// The start of the selected day or stride, to which the times are added.
  var anchor: Int64 = 0
  private var offsetIndex: Int
  /// The next period: a stride's second, a week's first day, a month or a year.
  var place: Int64 = 0
  /// The difference between the places of consecutive periods.
  let step: Int64
  /// The place where the search since the last instance began.
  var searchStart: Int64 = 0
  /// The distance in places after which the rule repeats itself.
  let cycle: Int64

  /// The day of the period's first bit.
  var base = 0
  /// The remaining days of the period; in a year, those of one word of ``bits``.
  var word: UInt64 = 0
  var wordIndex = 0
  var wordCount = 1
  /// The selected days of a year.
  var bits = DayBits()
  /// The cached days of recent years.
  var shapes: YearShapes
  var year: ChosenYear?
  /// The next month as a year and an index, in calendars other than the Gregorian one.
  var scaledMonth: (year: CalendarYear, index: Int)?
  /// The times of the period that BYSETPOS selects.
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

  /// Returns the next instance, or nil if there is none; ``ending`` then has the reason.
  public mutating func next() -> CivilDateTime? {
    nextSecond().flatMap(CivilDateTime.init(wallSeconds:))
  }

  /// Returns the next instance, in wall-clock seconds since 1970-01-01T00:00:00.
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

  /// Counts an instance before the floor, and returns false if the limit is exceeded.
  private mutating func count() -> Bool {
    counted += 1
    guard counted > plan.countLimit else { return true }
    ending = .searchLimit
    return false
  }

  /// Counts a try without result, and returns false if the limit is exceeded.
  mutating func spend(_ cost: Int = 1) -> Bool {
    tries += cost
    guard tries > plan.searchLimit else { return true }
    ending = .searchLimit
    return false
  }

  /// Advances to the next selected day or stride.
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

extension RuleIterator {
  /// Advances to the next stride that all parts allow, or sets `ending` and returns false.
  ///
  /// A part that excludes a stride also provides the next moment that it allows, and the search
  /// jumps there. A second of a year is therefore found as fast as a day.
  mutating func findStride() -> Bool {
    var second = place
    while true {
      guard second <= plan.end else {
        ending = plan.ending
        return false
      }
      guard plan.isLimited else { break }
      guard second - searchStart <= cycle else {
        ending = .neverAgain
        return false
      }
      guard spend() else { return false }
      guard let allowed = allowedSecond(from: second) else {
        ending = ending ?? .lastDate
        return false
      }
      if allowed == second { break }
      second = stride(from: allowed)
    }
    place = second + step
    anchor = plan.isDate ? Int64(RulePlan.day(of: second)) * 86_400 : second
    return true
  }

  /// The first allowed moment at or after a second, or a later moment from which to try again.
  private mutating func allowedSecond(from second: Int64) -> Int64? {
    let day = RulePlan.day(of: second)
    if plan.days.isLimited {
      guard let found = chosenDay(from: day) else { return nil }
      if found > day { return Int64(found) * 86_400 }
    }
    guard plan.times.isLimited else { return second }
    let midnight = Int64(day) * 86_400
    guard let time = plan.times.first(from: Int(second - midnight)) else {
      return midnight + 86_400
    }
    return midnight + Int64(time)
  }

  /// The first stride that starts at or after a second.
  private func stride(from second: Int64) -> Int64 {
    let origin = plan.origin
    return origin - RulePlan.floorDivision(origin - second, by: step) * step
  }

  /// The first selected day at or after a day, or nil if there is none.
  mutating func chosenDay(from day: Int) -> Int? {
    if year?.contains(day: day) != true { year = shapes.year(containingDay: day) }
    var from = day
    var years = 0
    while let year {
      if let place = year.days.first(from: from - year.base),
        place < ChosenYear.margin + year.length
      {
        return year.base + place
      }
      years += 1
      if plan.isGregorian, years > GregorianCalendar.cycleInYears {
        ending = .neverAgain
        return nil
      }
      guard spend(plan.isGregorian ? 1 : RuleIterator.calendarCost) else { return nil }
      self.year = year.number < 10_000 || !plan.isGregorian ? shapes.year(year.number + 1) : nil
      from = year.firstDay + year.length
      guard Int64(from) * 86_400 <= plan.end else { return from }
    }
    return nil
  }

  /// Whether a day is selected.
  mutating func isChosen(_ day: Int) -> Bool {
    if year?.contains(day: day) != true { year = shapes.year(containingDay: day) }
    guard let year else { return false }
    return year.days.first(from: day - year.base) == day - year.base
  }
}
