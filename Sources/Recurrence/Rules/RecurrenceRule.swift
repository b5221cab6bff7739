// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A rule by which something repeats (RFC 5545 §3.3.10, the RECUR type, with RFC 7529).
///
/// Lists are kept in order and without repetitions, so that rules that say the same with the same
/// parts are equal.
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
/// - ``parse(leniently:)``
/// - ``description``
///
/// ### How often and how long
/// - ``frequency``
/// - ``interval``
/// - ``until-swift.property``
/// - ``count``
///
/// ### Which times of a period
/// - ``byMonth``
/// - ``byDay``
/// - ``effect(of:)``
public struct RecurrenceRule: Hashable, Sendable {
  /// The last moment of a rule: its UNTIL part, which is part of the repetition itself.
  public enum Until: Hashable, Sendable, CustomStringConvertible {
    /// A day, for rules whose start is one.
    case date(CivilDate)
    /// A time on the wall clock, for rules whose start has no zone.
    case local(CivilDateTime)
    /// A time in UTC, for all others.
    case utc(CivilDateTime)

    /// The value as it is written.
    public var description: String {
      switch self {
      case .date(let date): date.description
      case .local(let value): value.description
      case .utc(let value): "\(value)Z"
      }
    }
  }

  /// What becomes of a date that does not exist in a month or year: the SKIP part (RFC 7529 §4.1).
  public enum Skip: String, Hashable, Sendable, CaseIterable {
    /// It is left out.
    case omit = "OMIT"
    /// The last date before it is taken.
    case backward = "BACKWARD"
    /// The first date after it is taken.
    case forward = "FORWARD"
  }

  /// How often the rule repeats.
  public internal(set) var frequency: Frequency
  /// The last moment at which it does, if it has one.
  public internal(set) var until: Until?
  /// How many times it does, at least 1, if that is limited.
  public internal(set) var count: Int?
  /// Every how many periods it does, at least 1.
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
  /// Which of the times in a period, from 1 through 366 or from -366 through -1.
  public internal(set) var bySetPos: [Int] = []
  /// The day on which weeks start: the WKST part.
  public internal(set) var weekStart = Weekday.monday
  /// The calendar in which the rule is reckoned, or nil for the Gregorian one of RFC 5545.
  ///
  /// It is in upper case, such as `HEBREW`; whether there is such a calendar is not checked here.
  public internal(set) var rscale: String?
  /// What becomes of dates that do not exist.
  public internal(set) var skip = Skip.omit

  /// Creates a rule that repeats in every period, for ever.
  public init(_ frequency: Frequency) {
    self.frequency = frequency
  }

  /// The parts that the rule has, but for those that say what is so without them.
  public var parts: Set<RulePart> {
    var parts: Set<RulePart> = [.freq]
    // The texts of the values would take longer than all of an expansion's beginning.
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

  /// What a part that starts with BY does in this rule.
  ///
  /// - Parameter part: The part, whether the rule has it or not.
  /// - Returns: The effect by the table of RFC 5545 §3.3.10; nil if the part does not start with BY.
  public func effect(of part: RulePart) -> RuleEffect? { part.effect(in: frequency, with: parts) }
}

extension RecurrenceRule: CustomStringConvertible {
  /// The canonical text: the parts in the order of RFC 5545 §3.3.10, without those that say what is so
  /// without them, and RSCALE in front, as RFC 7529 writes it.
  public var description: String {
    written.map { "\($0.part.rawValue)=\($0.value)" }.joined(separator: ";")
  }

  /// The parts that are written, in the order of the RFC.
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
