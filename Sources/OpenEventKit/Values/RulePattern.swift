// SPDX-License-Identifier: Apache-2.0

import Foundation
import Recurrence

/// The arguments with which a program creates a rule.
struct RuleArguments {
  var frequency: EKRecurrenceFrequency
  var interval = 1
  var daysOfTheWeek: [EKRecurrenceDayOfWeek]?
  var daysOfTheMonth: [NSNumber]?
  var monthsOfTheYear: [NSNumber]?
  var weeksOfTheYear: [NSNumber]?
  var daysOfTheYear: [NSNumber]?
  var setPositions: [NSNumber]?
}

extension RecurrenceRule {
  /// Creates the rule that the arguments describe; it has no end.
  ///
  /// The rule ignores arguments that do not fit its frequency, and numbers out of range:
  ///
  /// | argument | frequencies | numbers |
  /// |---|---|---|
  /// | days of the week | weekly; monthly and yearly with a number | ±1…53, or 0 for every such day |
  /// | days of the month | monthly | ±1…31 |
  /// | months, weeks and days of the year | yearly | 1…12, ±1…53, ±1…366 |
  /// | set positions | with one of the others | ±1…366 |
  ///
  /// An interval below 1 counts as 1, as an INTERVAL of 0 in a file.
  init(_ arguments: RuleArguments) {
    let frequency = Frequency(arguments.frequency)
    let isYearly = frequency == .yearly
    let lists: [(part: String, values: [String])] = [
      ("BYMONTH", isYearly ? Self.numbers(arguments.monthsOfTheYear, 1...12, signed: false) : []),
      ("BYWEEKNO", isYearly ? Self.numbers(arguments.weeksOfTheYear, 1...53) : []),
      ("BYYEARDAY", isYearly ? Self.numbers(arguments.daysOfTheYear, 1...366) : []),
      (
        "BYMONTHDAY",
        frequency == .monthly ? Self.numbers(arguments.daysOfTheMonth, 1...31) : []
      ),
      ("BYDAY", Self.days(arguments.daysOfTheWeek, in: frequency)),
    ].filter { !$0.1.isEmpty }
    var text = "FREQ=\(frequency.rawValue)"
    if arguments.interval > 1 { text += ";INTERVAL=\(min(arguments.interval, Int(Int32.max)))" }
    for (part, values) in lists { text += ";\(part)=\(values.joined(separator: ","))" }
    let positions = Self.numbers(arguments.setPositions, 1...366)
    if !positions.isEmpty, !lists.isEmpty {
      text += ";BYSETPOS=\(positions.joined(separator: ","))"
    }
    self.init(lenient: text, otherwise: RecurrenceRule(frequency))
  }

  /// Parses a text that was made of valid parts.
  init(lenient text: String, otherwise rule: RecurrenceRule) {
    // The text was made of checked parts, so that it always parses.
    self = (try? RecurrenceRule.parse(leniently: text).rule) ?? rule
  }

  /// The numbers within a range.
  private static func numbers(
    _ numbers: [NSNumber]?, _ range: ClosedRange<Int>, signed: Bool = true
  ) -> [String] {
    (numbers ?? []).map(\.intValue)
      .filter { range.contains($0) || (signed && range.contains(0 &- $0)) }.map(String.init)
  }

  /// The days of the week, with numbers where the frequency has them.
  private static func days(
    _ days: [EKRecurrenceDayOfWeek]?, in frequency: Frequency
  ) -> [String] {
    guard frequency != .daily else { return [] }
    return (days ?? []).filter { -53...53 ~= $0.weekNumber }.map { day in
      let isNumbered = day.weekNumber != 0 && frequency != .weekly
      return WeekdayNumber(
        day.dayOfTheWeek.weekday, ordinal: isNumbered ? day.weekNumber : nil
      ).description
    }
  }

  /// The rule without its end.
  var pattern: RecurrenceRule {
    guard until != nil || count != nil else { return self }
    return ending(nil)
  }

  /// The rule with another end; all other parts stay, also those that EventKit does not have.
  ///
  /// - Parameter end: The text of the UNTIL or COUNT part, or nil for none.
  /// - Returns: The changed rule.
  func ending(_ end: String?) -> RecurrenceRule {
    let parts = description.split(separator: ";")
      .filter { !$0.hasPrefix("UNTIL=") && !$0.hasPrefix("COUNT=") }.map(String.init)
    return RecurrenceRule(
      lenient: (parts + (end.map { [$0] } ?? [])).joined(separator: ";"), otherwise: self)
  }
}

extension RuleArguments {
  /// The arguments that describe a rule as far as EventKit can express it.
  ///
  /// EventKit has no frequency below daily. A rule with such a frequency is described as daily.
  init(_ rule: RecurrenceRule) {
    frequency = EKRecurrenceFrequency(rule.frequency) ?? .daily
    interval = EKRecurrenceFrequency(rule.frequency) == nil ? 1 : rule.interval
    daysOfTheWeek = Self.list(rule.byDay.map { EKRecurrenceDayOfWeek($0) })
    daysOfTheMonth = Self.list(rule.byMonthDay.map { NSNumber(value: $0) })
    monthsOfTheYear = Self.list(
      rule.byMonth.filter { !$0.isLeap }.map { NSNumber(value: $0.number) })
    weeksOfTheYear = Self.list(rule.byWeekNo.map { NSNumber(value: $0) })
    daysOfTheYear = Self.list(rule.byYearDay.map { NSNumber(value: $0) })
    setPositions = Self.list(rule.bySetPos.map { NSNumber(value: $0) })
  }

  private static func list<Value>(_ values: [Value]) -> [Value]? { values.isEmpty ? nil : values }
}

extension Frequency {
  /// The frequency of a rule in EventKit.
  init(_ frequency: EKRecurrenceFrequency) {
    self =
      switch frequency {
      case .daily: .daily
      case .weekly: .weekly
      case .monthly: .monthly
      case .yearly: .yearly
      }
  }
}

extension EKRecurrenceFrequency {
  /// The frequency of a rule in a file; nil below daily.
  init?(_ frequency: Frequency) {
    switch frequency {
    case .daily: self = .daily
    case .weekly: self = .weekly
    case .monthly: self = .monthly
    case .yearly: self = .yearly
    case .secondly, .minutely, .hourly: return nil
    }
  }
}
