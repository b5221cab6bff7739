// SPDX-License-Identifier: Apache-2.0

import CivilTime

extension RuleIterator {
  /// Seeks to the period that contains a second, or to the last one before it, in constant time.
  ///
  /// Earlier instances are neither found nor counted. Only monthly rules in a calendar other than
  /// the Gregorian one are iterated, a year at a time.
  mutating func move(to second: Int64) {
    let number = plan.period(at: second)
    place = plan.firstPlace + number * step
    searchStart = place
    if case .months = plan.periods, let calendar = plan.calendar {
      scaledMonth = month(before: second, in: calendar)
    }
  }

  /// The rule's month that contains a second, or the last one before it.
  private func month(
    before second: Int64, in calendar: some CalendarSystem
  ) -> (year: CalendarYear, index: Int)? {
    guard let start = calendar.year(containingDay: plan.startDay) else { return nil }
    let day = RulePlan.day(of: second)
    var found = (year: start, index: start.place(ofDay: plan.startDay).month)
    if plan.interval == 1 {
      // SKIP can move a day of the previous month into this one.
      guard let year = calendar.year(containingDay: day - CalendarYear.greatestMonthLength),
        year.firstDay > start.firstDay
      else { return found }
      return (year, year.place(ofDay: day - CalendarYear.greatestMonthLength).month)
    }
    // At most one iteration for each month up to the second.
    while let next = RuleIterator.month(plan.interval, after: found, in: calendar),
      next.year.firstDay + next.year.days(beforeMonth: next.index)
        + CalendarYear.greatestMonthLength
        < day
    {
      found = next
    }
    return found
  }
}

extension RulePlan {
  /// The difference between the places of consecutive periods.
  var step: Int64 {
    let interval = Int64(interval)
    return switch periods {
    case .strides(let unit): unit * interval
    case .weeks: 7 * interval
    case .months, .years: interval
    }
  }

  /// The first stride: the day, hour, minute or second that contains the start.
  var origin: Int64 {
    guard case .strides(let unit) = periods else { return start }
    return RulePlan.floorDivision(start, by: unit) * unit
  }

  /// The place of the period that contains the start.
  var firstPlace: Int64 { place(of: start) }

  /// The number of the period that contains a second, or of the last one before it; at least 0.
  func period(at second: Int64) -> Int64 {
    let number = RulePlan.floorDivision(place(of: second) - firstPlace, by: step)
    // BYWEEKNO and SKIP can select days in the following period.
    let margin: Int64 = days.skip != .omit || !days.weekNumbers.isEmpty ? 1 : 0
    return max(number - margin, 0)
  }

  /// The place of the period that contains a second, for any interval.
  private func place(of second: Int64) -> Int64 {
    let day = RulePlan.day(of: second)
    switch periods {
    case .strides(let unit):
      return RulePlan.floorDivision(second, by: unit) * unit
    case .weeks:
      return Int64(day - (DayBits.weekday(ofDay: day) - days.weekStart + 7) % 7)
    case .months:
      guard let date = CivilDate(dayNumber: day) else { return 0 }
      return Int64(date.year * 12 + date.month - 1)
    case .years:
      return Int64(calendar.map { year(of: day, in: $0) } ?? year(of: day, in: GregorianCalendar()))
    }
  }

  /// The year that contains a day; with BYWEEKNO, the year whose weeks contain it.
  private func year(of day: Int, in calendar: some CalendarSystem) -> Int {
    guard let year = calendar.year(containingDay: day) else { return 0 }
    guard !days.weekNumbers.isEmpty else { return year.number }
    if day < days.firstWeekDay(of: year) { return year.number - 1 }
    if let next = calendar.year(year.number + 1), day >= days.firstWeekDay(of: next) {
      return next.number
    }
    return year.number
  }

  // MARK: - Impossible rules and cycles

  /// Whether any part limits the strides.
  var isLimited: Bool { days.isLimited || times.isLimited }

  /// Whether the rule trivially has no instances.
  var isEmpty: Bool {
    if offsets.isEmpty { return true }
    guard case .strides = periods, times.isLimited else { return false }
    return !times.isReachable(from: origin, step: step)
  }

  /// The reason why there are no instances after ``end``.
  var ending: RuleIterator.Ending { end < RulePlan.lastSecond ? .until : .lastDate }

  /// The distance in places after which the rule repeats itself.
  ///
  /// The Gregorian calendar and its weekdays repeat every 400 years. For other calendars no cycle
  /// is known.
  var cycle: Int64 {
    guard isGregorian else { return .max }
    let days = Int64(GregorianCalendar.cycleInDays)
    let whole: Int64 =
      switch periods {
      case .strides: self.days.isLimited ? days * 86_400 : 86_400
      case .weeks: days
      case .months: Int64(GregorianCalendar.cycleInYears * 12)
      case .years: Int64(GregorianCalendar.cycleInYears)
      }
    let (cycle, isTooLong) = (whole / RulePlan.greatestCommonDivisor(whole, step))
      .multipliedReportingOverflow(by: step)
    return isTooLong ? .max : cycle
  }
}
