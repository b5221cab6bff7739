// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A recurrence rule (RFC 5545 §3.3.10, the RECUR type, with RFC 7529).
///
/// Lists are sorted and free of duplicates, so that rules with equivalent parts compare equal.
///
/// ```swift
/// let rule = try RecurrenceRule(parsing: "FREQ=MONTHLY;BYDAY=-1FR;COUNT=10")
/// rule.byDay.first?.ordinal   // -1
/// rule.description            // "FREQ=MONTHLY;COUNT=10;BYDAY=-1FR"
/// ```
///
/// ## Topics
///
/// ### Reading and writing
/// - ``init(parsing:)-(String)``
/// - ``parse(leniently:)-(String)``
/// - ``description``
///
/// ### Frequency and end
/// - ``frequency``
/// - ``interval``
/// - ``until-swift.property``
/// - ``count``
///
/// ### Times in a period
/// - ``byMonth``
/// - ``byDay``
/// - ``effect(of:)``
public struct RecurrenceRule: Hashable, Sendable {
  /// The UNTIL part: the latest time of an instance, inclusive.
  public enum Until: Hashable, Sendable, CustomStringConvertible {
    /// A date, for rules whose start is a date.
    case date(CivilDate)
    /// A wall-clock time, for rules whose start is floating.
    case local(CivilDateTime)
    /// A time in UTC, for all other rules.
    case utc(CivilDateTime)

    /// The value in RRULE syntax.
    public var description: String {
      switch self {
      case .date(let date): date.description
      case .local(let value): value.description
      case .utc(let value): "\(value)Z"
      }
    }
  }

  /// The SKIP part: the replacement for dates that do not exist (RFC 7529 §4.1).
  public enum Skip: String, Hashable, Sendable, CaseIterable {
    /// The date is omitted.
    case omit = "OMIT"
    /// The last existing date before it is used.
    case backward = "BACKWARD"
    /// The first existing date after it is used.
    case forward = "FORWARD"
  }

  /// The frequency.
  public internal(set) var frequency: Frequency
  /// The latest time of an instance, if limited.
  public internal(set) var until: Until?
  /// The number of instances, at least 1, if limited.
  public internal(set) var count: Int?
  /// The number of periods from one repetition to the next, at least 1.
  public internal(set) var interval = 1
  /// The seconds of a minute, from 0 through 60.
  public internal(set) var bySecond: [Int] = []
  /// The minutes of an hour, from 0 through 59.
  public internal(set) var byMinute: [Int] = []
  /// The hours of a day, from 0 through 23.
  public internal(set) var byHour: [Int] = []
  /// The days of a week, month or year.
  public internal(set) var byDay: [WeekdayNumber] = []
  /// The days of a month, from 1 through 31 or from -31 through -1.
  public internal(set) var byMonthDay: [Int] = []
  /// The days of a year, from 1 through 366 or from -366 through -1.
  public internal(set) var byYearDay: [Int] = []
  /// The weeks of a year, from 1 through 53 or from -53 through -1.
  public internal(set) var byWeekNo: [Int] = []
  /// The months of a year.
  public internal(set) var byMonth: [MonthNumber] = []
  /// The positions of the selected times in a period, from 1 through 366 or from -366 through -1.
  public internal(set) var bySetPos: [Int] = []
  /// The first day of a week: the WKST part.
  public internal(set) var weekStart = Weekday.monday
  /// The calendar of the rule, or nil for the Gregorian calendar of RFC 5545.
  ///
  /// It is in upper case, such as `HEBREW`. The rule does not check whether the calendar exists.
  public internal(set) var rscale: String?
  /// The replacement for dates that do not exist.
  public internal(set) var skip = Skip.omit

  /// Creates a rule that repeats in every period without end.
  public init(_ frequency: Frequency) {
    self.frequency = frequency
  }

  /// The parts of the rule, without those that have default values.
  public var parts: Set<RulePart> {
    var parts: Set<RulePart> = [.freq]
    // Formatting the values would take longer than starting an expansion.
    let others: [(RulePart, Bool)] = [
      (.rscale, rscale?.isEmpty == false), (.until, until != nil), (.count, count != nil),
      (.interval, interval != 1), (.bySecond, !bySecond.isEmpty), (.byMinute, !byMinute.isEmpty),
      (.byHour, !byHour.isEmpty), (.byDay, !byDay.isEmpty), (.byMonthDay, !byMonthDay.isEmpty),
      (.byYearDay, !byYearDay.isEmpty), (.byWeekNo, !byWeekNo.isEmpty),
      (.byMonth, !byMonth.isEmpty), (.bySetPos, !bySetPos.isEmpty),
      (.wkst, weekStart != .monday), (.skip, skip != .omit),
    ]
    for (part, isThere) in others where isThere { parts.insert(part) }
    return parts
  }

  /// Returns the effect of a BY part in this rule.
  ///
  /// - Parameter part: The part; the rule need not contain it.
  /// - Returns: The effect by the table of RFC 5545 §3.3.10; nil if it is not a BY part.
  public func effect(of part: RulePart) -> RuleEffect? { part.effect(in: frequency, with: parts) }

  /// Whether a weekly rule has the same instances in weeks that start on either of two days.
  ///
  /// A rule with an interval, or with positions, treats its weekdays week by week (RFC 5545 §3.3.10).
  /// Two first days are equivalent if they have the weekdays in the same order.
  package func isSame(inWeeksFrom one: Weekday, as other: Weekday) -> Bool {
    guard interval > 1 || !bySetPos.isEmpty else { return true }
    func order(from start: Weekday) -> [Weekday] {
      let days = Weekday.allCases.drop { $0 != start } + Weekday.allCases.prefix { $0 != start }
      return days.filter { day in byDay.contains { $0.weekday == day } }
    }
    return order(from: one) == order(from: other)
  }
}

extension RecurrenceRule: CustomStringConvertible {
  /// The canonical text, without parts that have default values.
  ///
  /// The parts are in the order of RFC 5545 §3.3.10, after RSCALE as in RFC 7529.
  public var description: String {
    written.map { "\($0.part.rawValue)=\($0.value)" }.joined(separator: ";")
  }

  /// The parts in the canonical text, in the order of the RFC.
  var written: [(part: RulePart, value: String)] {
    let values: [(RulePart, String)] = [
      (.rscale, rscale ?? ""),
      (.freq, frequency.rawValue),
      (.until, until?.description ?? ""),
      (.count, count.map(String.init) ?? ""),
      (.interval, interval == 1 ? "" : String(interval)),
      (.bySecond, list(bySecond)),
      (.byMinute, list(byMinute)),
      (.byHour, list(byHour)),
      (.byDay, list(byDay)),
      (.byMonthDay, list(byMonthDay)),
      (.byYearDay, list(byYearDay)),
      (.byWeekNo, list(byWeekNo)),
      (.byMonth, list(byMonth)),
      (.bySetPos, list(bySetPos)),
      (.wkst, weekStart == .monday ? "" : weekStart.description),
      (.skip, skip == .omit ? "" : skip.rawValue),
    ]
    return values.filter { !$0.1.isEmpty }
  }

  private func list(_ values: [some CustomStringConvertible]) -> String {
    values.map(\.description).joined(separator: ",")
  }
}

/// The FREQ part of a rule (RFC 5545 §3.3.10).
public enum Frequency: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Every second, or every INTERVAL seconds.
  case secondly = "SECONDLY"
  /// Every minute, or every INTERVAL minutes.
  case minutely = "MINUTELY"
  /// Every hour, or every INTERVAL hours.
  case hourly = "HOURLY"
  /// Every day, or every INTERVAL days.
  case daily = "DAILY"
  /// Every week, or every INTERVAL weeks.
  case weekly = "WEEKLY"
  /// Every month, or every INTERVAL months.
  case monthly = "MONTHLY"
  /// Every year, or every INTERVAL years.
  case yearly = "YEARLY"

  /// Whether the left frequency has the shorter period.
  public static func < (left: Frequency, right: Frequency) -> Bool { left.place < right.place }

  /// The column in the table of RFC 5545 §3.3.10, from 0 through 6.
  var place: Int {
    switch self {
    case .secondly: 0
    case .minutely: 1
    case .hourly: 2
    case .daily: 3
    case .weekly: 4
    case .monthly: 5
    case .yearly: 6
    }
  }
}

/// A BYDAY value: a weekday, or the n-th weekday of a month or year (RFC 5545 §3.3.10).
public struct WeekdayNumber: Hashable, Sendable, CustomStringConvertible {
  /// The ordinal, from 1 through 53 or from -53 through -1; nil for all such weekdays.
  ///
  /// Negative ordinals count from the end.
  public let ordinal: Int?
  /// The day of the week.
  public let weekday: Weekday

  /// Creates a BYDAY value such as `-1FR`.
  ///
  /// - Parameters:
  ///   - weekday: The day of the week.
  ///   - ordinal: The ordinal, or nil for all such weekdays.
  public init(_ weekday: Weekday, ordinal: Int? = nil) {
    self.ordinal = ordinal
    self.weekday = weekday
  }

  /// The value in BYDAY syntax, such as `MO` or `-1FR`.
  public var description: String { (ordinal.map(String.init) ?? "") + weekday.description }
}

/// A value of a BYMONTH part (RFC 5545 §3.3.10), which may be a leap month (RFC 7529 §4.2).
public struct MonthNumber: Hashable, Sendable, CustomStringConvertible {
  /// The number of the month, from 1 through 12, or 13 outside the Gregorian calendar.
  public let number: Int
  /// Whether this is the leap month that follows the month with that number.
  public let isLeap: Bool

  /// Creates a month.
  ///
  /// - Parameters:
  ///   - number: The number of the month.
  ///   - isLeap: Whether it is the leap month with that number.
  public init(_ number: Int, isLeap: Bool = false) {
    self.number = number
    self.isLeap = isLeap
  }

  /// The value in BYMONTH syntax, such as `12` or `5L`.
  public var description: String { "\(number)\(isLeap ? "L" : "")" }
}
