// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A part of a recurrence rule, in canonical order (RFC 5545 §3.3.10).
public enum RulePart: String, Hashable, Sendable, CaseIterable {
  /// The calendar of the rule (RFC 7529 §4).
  case rscale = "RSCALE"
  /// The frequency.
  case freq = "FREQ"
  /// The latest time of an instance.
  case until = "UNTIL"
  /// The number of instances.
  case count = "COUNT"
  /// The number of periods from one repetition to the next.
  case interval = "INTERVAL"
  /// The seconds of a minute.
  case bySecond = "BYSECOND"
  /// The minutes of an hour.
  case byMinute = "BYMINUTE"
  /// The hours of a day.
  case byHour = "BYHOUR"
  /// The days of a week, month or year.
  case byDay = "BYDAY"
  /// The days of a month.
  case byMonthDay = "BYMONTHDAY"
  /// The days of a year.
  case byYearDay = "BYYEARDAY"
  /// The weeks of a year.
  case byWeekNo = "BYWEEKNO"
  /// The months of a year.
  case byMonth = "BYMONTH"
  /// The positions of the selected times in a period.
  case bySetPos = "BYSETPOS"
  /// The first day of a week.
  case wkst = "WKST"
  /// The replacement for dates that do not exist (RFC 7529 §4.1).
  case skip = "SKIP"

  /// Finds a part by its name, in any case.
  init?(name: String) {
    self.init(rawValue: name.uppercased())
  }

  /// Whether this is a BY part, which selects times in a period.
  public var isBy: Bool { RulePart.effects.contains { $0.part == self } }
}

/// The effect of a BY part on the times of a period (RFC 5545 §3.3.10).
public enum RuleEffect: Hashable, Sendable {
  /// It excludes times.
  case limit
  /// It turns one time into several.
  case expand
  /// It turns one time into several: the BYDAY days in each week, month or year.
  case specialExpand(within: Frequency)
  /// It must not be used with the frequency.
  case notApplicable
}

extension RulePart {
  /// A cell of the RFC's table.
  private enum Cell {
    case limit, expand, no, note1, note2
  }

  /// The RFC's table, with rows in order of application.
  ///
  /// ```text
  /// Note 1: Limit if BYMONTHDAY is present; otherwise, special expand for MONTHLY.
  /// Note 2: Limit if BYYEARDAY or BYMONTHDAY is present; otherwise, special expand for WEEKLY if
  ///         BYWEEKNO present; otherwise, special expand for MONTHLY if BYMONTH present; otherwise,
  ///         special expand for YEARLY.
  /// ```
  private static let effects: [(part: RulePart, cells: [Cell])] = [
    // SECONDLY, MINUTELY, HOURLY, DAILY, WEEKLY, MONTHLY, YEARLY
    (.byMonth, [.limit, .limit, .limit, .limit, .limit, .limit, .expand]),
    (.byWeekNo, [.no, .no, .no, .no, .no, .no, .expand]),
    (.byYearDay, [.limit, .limit, .limit, .no, .no, .no, .expand]),
    (.byMonthDay, [.limit, .limit, .limit, .limit, .no, .expand, .expand]),
    (.byDay, [.limit, .limit, .limit, .limit, .expand, .note1, .note2]),
    (.byHour, [.limit, .limit, .limit, .expand, .expand, .expand, .expand]),
    (.byMinute, [.limit, .limit, .expand, .expand, .expand, .expand, .expand]),
    (.bySecond, [.limit, .expand, .expand, .expand, .expand, .expand, .expand]),
    (.bySetPos, [.limit, .limit, .limit, .limit, .limit, .limit, .limit]),
  ]

  /// The BY parts, in order of application.
  public static let applicationOrder: [RulePart] = effects.map(\.part)

  /// Returns the effect of a part in a rule, by the table of RFC 5545 §3.3.10.
  ///
  /// - Parameters:
  ///   - frequency: The FREQ of the rule.
  ///   - parts: The parts of the rule, on which the effect of BYDAY depends.
  /// - Returns: The effect; nil if it is not a BY part.
  public func effect(in frequency: Frequency, with parts: Set<RulePart>) -> RuleEffect? {
    guard let row = RulePart.effects.first(where: { $0.part == self }) else { return nil }
    switch row.cells[frequency.place] {
    case .limit: return .limit
    case .expand: return .expand
    case .no: return .notApplicable
    case .note1:
      return parts.contains(.byMonthDay) ? .limit : .specialExpand(within: .monthly)
    case .note2:
      if parts.contains(.byYearDay) || parts.contains(.byMonthDay) { return .limit }
      if parts.contains(.byWeekNo) { return .specialExpand(within: .weekly) }
      return .specialExpand(within: parts.contains(.byMonth) ? .monthly : .yearly)
    }
  }
}

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
