// SPDX-License-Identifier: Apache-2.0

public import CivilTime

extension RecurrenceRule {
  /// Creates a rule from its parts.
  ///
  /// ```swift
  /// try RecurrenceRule(.monthly, count: 10, byDay: [WeekdayNumber(.friday, ordinal: -1)])
  /// ```
  ///
  /// - Parameters:
  ///   - frequency: The frequency.
  ///   - until: The latest time of an instance.
  ///   - count: The number of instances; not together with `until`.
  ///   - interval: The number of periods from one repetition to the next.
  ///   - bySecond: The seconds of a minute.
  ///   - byMinute: The minutes of an hour.
  ///   - byHour: The hours of a day.
  ///   - byDay: The days of a week, month or year.
  ///   - byMonthDay: The days of a month.
  ///   - byYearDay: The days of a year.
  ///   - byWeekNo: The weeks of a year.
  ///   - byMonth: The months of a year.
  ///   - bySetPos: The positions of the selected times in a period.
  ///   - weekStart: The first day of a week.
  ///   - rscale: The calendar of the rule.
  ///   - skip: The replacement for dates that do not exist; only with `rscale`.
  /// - Throws: `RecurrenceRuleIssue` if the RFC does not allow the rule; its offset refers to the
  ///   rule's ``description``.
  public init(
    _ frequency: Frequency, until: Until? = nil, count: Int? = nil, interval: Int = 1,
    bySecond: [Int] = [], byMinute: [Int] = [], byHour: [Int] = [], byDay: [WeekdayNumber] = [],
    byMonthDay: [Int] = [], byYearDay: [Int] = [], byWeekNo: [Int] = [],
    byMonth: [MonthNumber] = [], bySetPos: [Int] = [], weekStart: Weekday = .monday,
    rscale: String? = nil, skip: Skip = .omit
  ) throws(RecurrenceRuleIssue) {
    var draft = RecurrenceRule(frequency)
    draft.until = until
    draft.count = count
    draft.interval = interval
    draft.bySecond = bySecond
    draft.byMinute = byMinute
    draft.byHour = byHour
    draft.byDay = byDay
    draft.byMonthDay = byMonthDay
    draft.byYearDay = byYearDay
    draft.byWeekNo = byWeekNo
    draft.byMonth = byMonth
    draft.bySetPos = bySetPos
    draft.weekStart = weekStart
    draft.rscale = rscale
    draft.skip = skip
    // The rule is parsed from its text, so that both ways of creation accept the same rules.
    self = try RecurrenceRule(parsing: draft.description)
    guard self.rscale == rscale?.uppercased() else {
      throw RecurrenceRuleIssue(
        .malformedValue, at: 0, expected: "the name of a calendar", found: quoted(rscale ?? ""),
        section: "RFC 7529 §4")
    }
  }
}
