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
  ///   - frequency: How often the rule repeats.
  ///   - until: The last moment at which it does.
  ///   - count: How many times it does; not together with `until`.
  ///   - interval: Every how many periods it does.
  ///   - bySecond: The seconds of a minute.
  ///   - byMinute: The minutes of an hour.
  ///   - byHour: The hours of a day.
  ///   - byDay: The days of a week, month or year.
  ///   - byMonthDay: The days of a month.
  ///   - byYearDay: The days of a year.
  ///   - byWeekNo: The weeks of a year.
  ///   - byMonth: The months of a year.
  ///   - bySetPos: Which of the times in a period.
  ///   - weekStart: The day on which weeks start.
  ///   - rscale: The calendar in which the rule is reckoned.
  ///   - skip: What becomes of dates that do not exist; only with `rscale`.
  /// - Throws: `RecurrenceRuleIssue` if the RFC does not allow such a rule; its offset is the one in
  ///   the rule's ``description``.
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
    // Read back from its text, so that what may be made is what may be read.
    self = try RecurrenceRule(parsing: draft.description)
    guard self.rscale == rscale?.uppercased() else {
      throw RecurrenceRuleIssue(
        .malformedValue, at: 0, expected: "the name of a calendar", found: quoted(rscale ?? ""),
        section: "RFC 7529 §4")
    }
  }
}
