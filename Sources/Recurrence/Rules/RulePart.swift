// SPDX-License-Identifier: Apache-2.0

/// A part of a recurrence rule, in the order in which rules are written (RFC 5545 §3.3.10).
public enum RulePart: String, Hashable, Sendable, CaseIterable {
  /// The calendar in which the rule is reckoned (RFC 7529 §4).
  case rscale = "RSCALE"
  /// How often the rule repeats.
  case freq = "FREQ"
  /// The last moment at which it does.
  case until = "UNTIL"
  /// How many times it does.
  case count = "COUNT"
  /// Every how many periods it does.
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
  /// Which of the times in a period.
  case bySetPos = "BYSETPOS"
  /// The day on which weeks start.
  case wkst = "WKST"
  /// What becomes of dates that do not exist (RFC 7529 §4.1).
  case skip = "SKIP"

  /// Finds the part of a name, in any case.
  init?(name: String) {
    self.init(rawValue: name.uppercased())
  }

  /// Whether it is one of the parts that say which times of a period are meant.
  public var isBy: Bool { RulePart.effects.contains { $0.part == self } }
}

/// What a part that starts with BY does to the times of a period (RFC 5545 §3.3.10).
public enum RuleEffect: Hashable, Sendable {
  /// It takes times away.
  case limit
  /// It makes several times of one.
  case expand
  /// It makes several times of one: those of a BYDAY part in each week, month or year.
  case specialExpand(within: Frequency)
  /// It must not be used.
  case notApplicable
}

extension RulePart {
  /// A cell of the RFC's table.
  private enum Cell {
    case limit, expand, no, note1, note2
  }

  /// The RFC's table, its rows in the order in which the parts are applied.
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

  /// The parts that start with BY, in the order in which they are applied.
  public static let applicationOrder: [RulePart] = effects.map(\.part)

  /// What a part does in a rule, by the table of RFC 5545 §3.3.10.
  ///
  /// - Parameters:
  ///   - frequency: The FREQ of the rule.
  ///   - parts: The parts that the rule has, on which BYDAY depends.
  /// - Returns: The effect; nil if the part does not start with BY.
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
