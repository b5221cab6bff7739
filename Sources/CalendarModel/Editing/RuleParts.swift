// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// The parts of a rule that edits change, for the creation of a new rule.
struct RuleParts {
  private let original: RecurrenceRule
  var until: RecurrenceRule.Until?
  var count: Int?
  var bySecond: [Int]
  var byMinute: [Int]
  var byHour: [Int]
  var byDay: [WeekdayNumber]
  var byMonthDay: [Int]
  var byMonth: [MonthNumber]

  init(_ rule: RecurrenceRule) {
    original = rule
    until = rule.until
    count = rule.count
    bySecond = rule.bySecond
    byMinute = rule.byMinute
    byHour = rule.byHour
    byDay = rule.byDay
    byMonthDay = rule.byMonthDay
    byMonth = rule.byMonth
  }

  /// Makes values explicit that the rule inherited from its start, if the new start implies others.
  ///
  /// See RFC 5545 §3.3.10.
  mutating func sayWhat(_ old: CivilDateTime, impliesBut new: CivilDateTime, isDay: Bool) {
    sayDay(old.date, new.date)
    guard !isDay else { return }
    let (before, after) = (old.time, new.time)
    let frequency = original.frequency
    if byHour.isEmpty, frequency != .hourly, frequency != .minutely, frequency != .secondly,
      before.hour != after.hour
    {
      byHour = [before.hour]
    }
    if byMinute.isEmpty, frequency != .minutely, frequency != .secondly,
      before.minute != after.minute
    {
      byMinute = [before.minute]
    }
    if bySecond.isEmpty, frequency != .secondly, before.second != after.second {
      bySecond = [before.second]
    }
  }

  private mutating func sayDay(_ old: CivilDate, _ new: CivilDate) {
    let weekday = WeekdayNumber(old.weekday)
    switch original.frequency {
    case .weekly:
      if byDay.isEmpty, old.weekday != new.weekday { byDay = [weekday] }
    case .monthly:
      if byDay.isEmpty, byMonthDay.isEmpty, old.day != new.day { byMonthDay = [old.day] }
    case .yearly:
      guard byDay.isEmpty, byMonthDay.isEmpty, original.byYearDay.isEmpty else { return }
      if !original.byWeekNo.isEmpty {
        if old.weekday != new.weekday { byDay = [weekday] }
      } else if old.day != new.day || byMonth.isEmpty && old.month != new.month {
        if byMonth.isEmpty { byMonth = [MonthNumber(old.month)].compactMap { $0 } }
        byMonthDay = [old.day]
      }
    default: return
    }
  }

  /// The rule with these parts, or nil if they are invalid.
  var rule: RecurrenceRule? {
    try? RecurrenceRule(
      original.frequency, until: until, count: count, interval: original.interval,
      bySecond: bySecond, byMinute: byMinute, byHour: byHour,
      byDay: byDay, byMonthDay: byMonthDay, byYearDay: original.byYearDay,
      byWeekNo: original.byWeekNo, byMonth: byMonth, bySetPos: original.bySetPos,
      weekStart: original.weekStart, rscale: original.rscale, skip: original.skip)
  }
}
