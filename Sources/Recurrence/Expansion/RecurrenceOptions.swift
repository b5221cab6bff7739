// SPDX-License-Identifier: Apache-2.0

/// What is decided where the text of RFC 5545 leaves open what a rule means.
///
/// The defaults are what most programs do and what RFC 8984 §4.3.3 says; the article
/// <doc:OpenQuestions> has the reasons.
public struct RecurrenceOptions: Sendable {
  /// The months that `FREQ=YEARLY;BYMONTHDAY=…` means when there is no BYMONTH.
  public enum YearlyMonthDays: Hashable, Sendable {
    /// The month of the start, as for all that a rule does not say.
    case monthOfStart
    /// Every month, as the table of RFC 5545 §3.3.10 can be read.
    case everyMonth
  }

  /// The days that `FREQ=YEARLY;BYWEEKNO=…` means when there is no BYDAY.
  public enum WeekNumberDays: Hashable, Sendable {
    /// The weekday of the start, as for all that a rule does not say.
    case weekdayOfStart
    /// All seven days.
    case wholeWeek
  }

  /// What becomes of an instance at a time that the clocks of its zone skip.
  public enum SkippedTimes: Hashable, Sendable {
    /// It takes place at the offset before the gap, so that 02:30 becomes 03:30 (RFC 5545 §3.3.5).
    case shift
    /// It does not take place and is not counted (RFC 5545 §3.3.10).
    case omit
  }

  /// What becomes of a start that its rules do not give.
  public enum StartOutsideRule: Hashable, Sendable {
    /// It is the first instance, and is not counted by COUNT.
    case include
    /// It takes place only if a rule or a date gives it.
    case omit
  }

  /// The months of yearly days of the month.
  public var yearlyMonthDays = YearlyMonthDays.monthOfStart
  /// The days of numbered weeks.
  public var weekNumberDays = WeekNumberDays.weekdayOfStart
  /// What becomes of times that the clocks skip.
  public var skippedTimes = SkippedTimes.shift
  /// What becomes of a start outside of the rules.
  public var startOutsideRule = StartOutsideRule.include
  /// Calendars beside the Gregorian one, for rules with RSCALE (RFC 7529).
  public var calendars: [any CalendarSystem] = []
  /// How many places in time are tried in a row without finding an instance, before the expansion
  /// gives up and says that it is truncated; at least 1.
  ///
  /// It is reached only by rules of which nobody can prove in that time that they never happen again.
  /// Where a COUNT makes it necessary to count what comes before the first instance that is asked for,
  /// and no formula tells it, so many times 40 instances are counted: ten million, in a fraction of a
  /// second.
  public var searchLimit = 250_000
  /// How many instances may be counted for each try that may be in vain.
  static let countedPerTry = 40

  /// Creates the options that are used if nobody says otherwise.
  public init() {}

  /// The calendar of a rule, or nil if it is not at hand.
  func calendar(of rule: RecurrenceRule) -> (any CalendarSystem)? {
    guard let name = rule.rscale else { return GregorianCalendar() }
    return calendars.first { $0.name == name }
      ?? (GregorianCalendar.names.contains(name) ? GregorianCalendar() : nil)
  }
}
