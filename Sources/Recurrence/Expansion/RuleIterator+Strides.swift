// SPDX-License-Identifier: Apache-2.0

import CivilTime

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
