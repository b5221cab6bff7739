// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// The parts of a rule that editing changes, to make another rule of.
struct RuleParts {
  private let original: RecurrenceRule
  var until: RecurrenceRule.Until?
  var count: Int?
  var byDay: [WeekdayNumber]
  var byMonthDay: [Int]
  var byMonth: [MonthNumber]

  init(_ rule: RecurrenceRule) {
    original = rule
    until = rule.until
    count = rule.count
    byDay = rule.byDay
    byMonthDay = rule.byMonthDay
    byMonth = rule.byMonth
  }

  /// The rule of the parts, or nil if they make none.
  var rule: RecurrenceRule? {
    try? RecurrenceRule(
      original.frequency, until: until, count: count, interval: original.interval,
      bySecond: original.bySecond, byMinute: original.byMinute, byHour: original.byHour,
      byDay: byDay, byMonthDay: byMonthDay, byYearDay: original.byYearDay,
      byWeekNo: original.byWeekNo, byMonth: byMonth, bySetPos: original.bySetPos,
      weekStart: original.weekStart, rscale: original.rscale, skip: original.skip)
  }
}
