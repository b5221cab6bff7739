// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The day parts of a rule, with missing parts derived from its start.
///
/// "Information, not contained in the rule, necessary to determine the various recurrence instance
/// start times and dates are derived from the Start Time (DTSTART)" (RFC 5545 §3.3.10).
struct RuleDefaults {
  private(set) var days = DayChoice()

  init(
    _ rule: RecurrenceRule, start: Int64, in calendar: some CalendarSystem,
    options: RecurrenceOptions
  ) throws(ExpansionError) {
    let day = RulePlan.day(of: start)
    guard let year = calendar.year(containingDay: day) else {
      throw ExpansionError.startOutsideCalendar(calendar.name)
    }
    days.months = rule.byMonth
    for monthDay in rule.byMonthDay { days.add(monthDay: monthDay) }
    days.yearDays = rule.byYearDay
    days.weekNumbers = rule.byWeekNo
    for weekday in rule.byDay { days.add(weekday) }
    days.weekStart = Int(rule.weekStart.rawValue)
    switch rule.frequency {
    case .secondly, .minutely, .hourly, .daily: break
    case .weekly:
      if !days.hasWeekdays { addWeekday(of: day) }
    case .monthly:
      days.skip = rule.skip
      if !days.hasMonthDays, !days.hasWeekdays {
        days.add(monthDay: year.place(ofDay: day).day)
      }
    case .yearly:
      days.skip = rule.skip
      addYearlyDefaults(rule, startDay: day, in: year, options: options)
    }
  }

  private mutating func addYearlyDefaults(
    _ rule: RecurrenceRule, startDay: Int, in year: CalendarYear, options: RecurrenceOptions
  ) {
    let (month, monthDay) = year.place(ofDay: startDay)
    if rule.byYearDay.isEmpty {
      if rule.byMonth.isEmpty, rule.byWeekNo.isEmpty {
        let isAsked = days.hasMonthDays && options.yearlyMonthDays == .monthOfStart
        let isNeeded = !days.hasMonthDays && !days.hasWeekdays
        if isAsked || isNeeded { days.months = [year.months[month].number] }
      }
      if !days.hasMonthDays, !days.hasWeekdays {
        if rule.byWeekNo.isEmpty {
          days.add(monthDay: monthDay)
        } else if options.weekNumberDays == .weekdayOfStart {
          addWeekday(of: startDay)
        }
      }
    }
    // "Within the month when the BYMONTH rule part is present": a month taken from the start is none.
    days.numbersWeekdaysInMonth = !rule.byMonth.isEmpty
  }

  private mutating func addWeekday(of day: Int) {
    days.weekdays |= 1 << UInt8(DayBits.weekday(ofDay: day))
  }
}
