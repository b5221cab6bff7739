// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension RuleIterator {
  /// Goes to the next stride that no part takes away, or says why there is none.
  ///
  /// A part that takes a stride away tells the next moment at which it does not, and the strides up to
  /// there are passed over in one step: a second of a year is found as fast as a day.
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

  /// The first moment from a second on that no part takes away.
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

  /// The first stride that starts at a second or after it.
  private func stride(from second: Int64) -> Int64 {
    let origin = plan.origin
    return origin - RulePlan.floorDivision(origin - second, by: step) * step
  }

  /// The first chosen day from a day on, or nil if there is none.
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

  /// Whether a day is chosen.
  mutating func isChosen(_ day: Int) -> Bool {
    if year?.contains(day: day) != true { year = shapes.year(containingDay: day) }
    guard let year else { return false }
    return year.days.first(from: day - year.base) == day - year.base
  }
}
