// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension RuleIterator {
  /// Loads the days of the next non-empty period, or sets `ending` and returns false.
  mutating func findPeriod() -> Bool {
    while true {
      // A whole cycle without an instance proves that none follows.
      guard place - searchStart <= cycle else {
        ending = .neverAgain
        return false
      }
      guard spend(plan.isGregorian ? 1 : RuleIterator.calendarCost) else { return false }
      let isThere =
        switch plan.periods {
        case .strides: false
        case .weeks: takeWeek()
        case .months: plan.isGregorian ? takeMonth() : takeScaledMonth()
        case .years: takeYear()
        }
      guard isThere, Int64(base) * 86_400 <= plan.end else {
        ending = isThere ? plan.ending : .lastDate
        return false
      }
      wordIndex = 0
      if word != 0 || wordCount > 1 { return true }
    }
  }

  /// The cost, in tries, of a period in another calendar, whose years are slow to lay out.
  static let calendarCost = 100

  private mutating func takeWeek() -> Bool {
    let first = Int(place)
    place += step
    base = first
    let pattern = DayBits.pattern(weekdays: plan.days.weekdays, from: plan.days.weekStart)
    var week = pattern & 0x7F
    if !plan.days.months.isEmpty {
      for day in 0..<7 where week >> UInt64(day) & 1 == 1 {
        if !isInChosenMonth(first + day) { week &= ~(1 << UInt64(day)) }
      }
    }
    word = week
    return true
  }

  private mutating func isInChosenMonth(_ day: Int) -> Bool {
    guard plan.isGregorian else { return isChosen(day) }
    return CivilDate(dayNumber: day).map { plan.monthBits >> UInt16($0.month) & 1 == 1 } ?? false
  }

  private mutating func takeMonth() -> Bool {
    let (year, index) = (place / 12, place % 12)
    guard year <= 9999 else { return false }
    place += step
    let month = Int(index) + 1
    let first = CivilDate.dayNumber(year: Int(year), month: month, day: 1)
    base = first - 1
    guard plan.monthBits >> UInt16(month) & 1 == 1 else {
      word = 0
      return true
    }
    word = plan.days.days(
      ofMonthFrom: first, length: CivilDate.daysInMonth(month, of: Int(year)))
    return true
  }

  private mutating func takeScaledMonth() -> Bool {
    guard let (year, index) = scaledMonth, let calendar = plan.calendar else { return false }
    let month = year.months[index]
    let first = year.firstDay + year.days(beforeMonth: index)
    base = first - 1
    let isChosen = plan.days.months.isEmpty || plan.days.months.contains(month.number)
    word = isChosen ? plan.days.days(ofMonthFrom: first, length: month.length) : 0
    scaledMonth = RuleIterator.month(plan.interval, after: (year, index), in: calendar)
    return true
  }

  /// The month `count` months after another one, or nil after the last date.
  static func month(
    _ count: Int, after month: (year: CalendarYear, index: Int), in calendar: some CalendarSystem
  ) -> (year: CalendarYear, index: Int)? {
    var (year, index) = (month.year, month.index + count)
    // The last date limits the years, even if a calendar supports later ones.
    while index >= year.months.count {
      guard year.firstDay <= CivilDate.last.dayNumber, let next = calendar.year(year.number + 1)
      else { return nil }
      index -= year.months.count
      year = next
    }
    return (year, index)
  }

  private mutating func takeYear() -> Bool {
    guard place <= Int64(Int32.max), let year = shapes.year(Int(place)) else { return false }
    place += step
    base = year.base
    bits = year.days
    word = bits[0]
    wordCount = DayBits.wordCount
    return true
  }

  // MARK: - Positions

  /// Advances to the next time that BYSETPOS selects.
  mutating func findPicked() -> Bool {
    while pickedIndex >= picked.count {
      guard findPeriod() else { return false }
      pick()
    }
    anchor = picked[pickedIndex]
    pickedIndex += 1
    return true
  }

  /// Finds the selected positions among the times of the period without listing all times.
  private mutating func pick() {
    picked.removeAll(keepingCapacity: true)
    pickedIndex = 0
    let isMonth = wordCount == 1
    let times = plan.offsets.count
    let count = (isMonth ? word.nonzeroBitCount : bits.count) * times
    for position in plan.positions {
      let place = position > 0 ? position - 1 : count + position
      guard 0..<count ~= place else { continue }
      let index = times == 1 ? place : place / times
      let day = base + (isMonth ? DayBits.bit(at: index, of: word) : bits.day(at: index))
      picked.append(Int64(day) * 86_400 + Int64(plan.offsets[place - index * times]))
    }
    if picked.count > 1 { picked.sort() }
  }
}
