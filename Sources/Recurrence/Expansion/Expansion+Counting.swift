// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// An index of every 64th instance of a rule with COUNT, for fast seeking.
struct InstanceIndex: Sendable {
  private static let distance = 64
  /// The maximum number of instances that are iterated to build the index.
  private static let limit = 1_000_000

  /// Instances 0, 64, 128 and so on, in wall-clock seconds.
  private var seconds: [Int64] = []

  init(_ iterator: RuleIterator) {
    var iterator = iterator
    var number = 0
    while number < InstanceIndex.limit, let second = iterator.nextSecond() {
      if number % InstanceIndex.distance == 0 { seconds.append(second) }
      number += 1
    }
  }

  /// Moves an iterator to the last indexed instance at or before its floor.
  func move(_ iterator: inout RuleIterator) {
    var (low, high) = (0, seconds.count)
    while low < high {
      let middle = (low + high) / 2
      if seconds[middle] <= iterator.floor { low = middle + 1 } else { high = middle }
    }
    guard low > 1 else { return }
    iterator.move(to: seconds[low - 1])
    iterator.last = seconds[low - 1] - 1
    iterator.remaining -= (low - 1) * InstanceIndex.distance
  }
}

extension RuleIterator {
  /// Seeks to the period that contains a second, and deducts the earlier instances from COUNT.
  mutating func skip(to second: Int64, instancesInPeriod count: Int) {
    let periods = plan.period(at: second)
    guard periods > 0 else { return }
    // The first period may contain instances before the start, which do not count.
    var first = self
    first.floor = plan.start
    first.move(to: plan.start)
    let firstEnd = plan.end(ofPeriod: 0)
    var used = 0
    while used < count, let instance = first.nextSecond(), instance < firstEnd { used += 1 }
    let (rest, isTooMany) = Int(periods - 1).multipliedReportingOverflow(by: count)
    guard !isTooMany, used < remaining, rest < remaining - used else {
      ending = .count
      return
    }
    remaining -= used + rest
    move(to: second)
  }
}

extension RulePlan {
  /// The number of instances in each period after the first, if it is constant.
  var instancesInPeriod: Int? {
    guard isGregorian, days.skip == .omit else { return nil }
    let daysInPeriod: Int
    switch periods {
    case .strides:
      guard !isLimited else { return nil }
      return offsets.count
    case .weeks:
      guard days.months.isEmpty else { return nil }
      daysInPeriod = days.weekdays.nonzeroBitCount
    case .months:
      guard days.months.isEmpty, let count = daysInMonth else { return nil }
      daysInPeriod = count
    case .years:
      guard days.yearDays.isEmpty, days.weekNumbers.isEmpty, !days.months.isEmpty,
        let count = daysInMonth
      else { return nil }
      daysInPeriod = count * days.months.count
    }
    let count = daysInPeriod * offsets.count
    guard !positions.isEmpty else { return count }
    let places = positions.map { $0 > 0 ? $0 - 1 : count + $0 }
    return Set(places.filter { 0..<count ~= $0 }).count
  }

  /// The number of selected days in each month, if it is constant.
  ///
  /// Every month has 28 days and four of each weekday. Days counted from both ends may coincide in
  /// some months, so such rules have no constant number.
  private var daysInMonth: Int? {
    if days.hasMonthDays {
      guard !days.hasWeekdays else { return nil }
      if days.monthDaysFromEnd.isEmpty {
        return days.monthDays < 1 << 29 ? days.monthDays.nonzeroBitCount : nil
      }
      let isInAll = days.monthDays == 0 && days.monthDaysFromEnd.allSatisfy { $0 <= 28 }
      return isInAll ? days.monthDaysFromEnd.count : nil
    }
    guard days.weekdays == 0, !days.numberedWeekdays.isEmpty else { return nil }
    let isInAll =
      days.numberedWeekdays.allSatisfy { 1...4 ~= $0.number }
      || days.numberedWeekdays.allSatisfy { -4 ... -1 ~= $0.number }
    return isInAll ? days.numberedWeekdays.count : nil
  }

  /// The first second after a period.
  func end(ofPeriod number: Int64) -> Int64 {
    let next = firstPlace + number * step
    switch periods {
    case .strides(let unit): return next + unit
    case .weeks: return (next + 7) * 86_400
    case .months:
      let (year, month) = (Int(next / 12), Int(next % 12) + 1)
      return Int64(
        CivilDate.dayNumber(year: year, month: month, day: 1)
          + CivilDate.daysInMonth(month, of: year)) * 86_400
    case .years:
      return Int64(CivilDate.dayNumber(year: Int(next) + 1, month: 1, day: 1)) * 86_400
    }
  }
}
