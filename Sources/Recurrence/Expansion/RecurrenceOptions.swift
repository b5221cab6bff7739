// SPDX-License-Identifier: Apache-2.0

/// Choices where RFC 5545 leaves the meaning of a rule open.
///
/// The defaults follow the majority of programs and RFC 8984 §4.3.3; the article
/// <doc:OpenQuestions> explains them.
public struct RecurrenceOptions: Sendable {
  /// The months that `FREQ=YEARLY;BYMONTHDAY=…` selects without BYMONTH.
  public enum YearlyMonthDays: Hashable, Sendable {
    /// The month of the start, as for other missing rule parts.
    case monthOfStart
    /// Every month, which is another reading of the table in RFC 5545 §3.3.10.
    case everyMonth
  }

  /// The days that `FREQ=YEARLY;BYWEEKNO=…` selects without BYDAY.
  public enum WeekNumberDays: Hashable, Sendable {
    /// The weekday of the start, as for other missing rule parts.
    case weekdayOfStart
    /// All seven days.
    case wholeWeek
  }

  /// The handling of an instance whose local time falls in a gap of its zone.
  public enum SkippedTimes: Hashable, Sendable {
    /// It uses the offset before the gap, so that 02:30 becomes 03:30 (RFC 5545 §3.3.5).
    case shift
    /// It is omitted and not counted (RFC 5545 §3.3.10).
    case omit
  }

  /// The handling of a start that no rule generates.
  public enum StartOutsideRule: Hashable, Sendable {
    /// It is the first instance; COUNT does not count it.
    case include
    /// It is omitted, unless a rule or RDATE generates it.
    case omit
  }

  /// The months for BYMONTHDAY in yearly rules.
  public var yearlyMonthDays = YearlyMonthDays.monthOfStart
  /// The days for BYWEEKNO.
  public var weekNumberDays = WeekNumberDays.weekdayOfStart
  /// The handling of times in a gap.
  public var skippedTimes = SkippedTimes.shift
  /// The handling of a start that no rule generates.
  public var startOutsideRule = StartOutsideRule.include
  /// Additional calendars for rules with RSCALE (RFC 7529).
  public var calendars: [any CalendarSystem] = []
  /// The maximum number of consecutive tries that find no instance, at least 1.
  ///
  /// After that many tries the expansion stops and reports that it is truncated. Only rules that do
  /// not provably end within that many tries reach the limit. Where COUNT requires counting the
  /// instances before the first requested one, and no formula gives their number, 40 times as many
  /// instances are counted: ten million, in a fraction of a second.
  public var searchLimit = 250_000
  /// The number of instances that may be counted for each allowed try.
  static let countedPerTry = 40

  /// Creates the default options.
  public init() {}

  /// The calendar of a rule, or nil if it is not available.
  func calendar(of rule: RecurrenceRule) -> (any CalendarSystem)? {
    guard let name = rule.rscale else { return GregorianCalendar() }
    return calendars.first { $0.name == name }
      ?? (GregorianCalendar.names.contains(name) ? GregorianCalendar() : nil)
  }
}
