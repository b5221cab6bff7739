// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A calendar system that RSCALE can name (RFC 7529 §4).
///
/// The Gregorian calendar is built in. Callers add other calendars through
/// ``RecurrenceOptions/calendars``. A calendar only has to provide the layout of its years; the
/// expansion derives the rules of RFC 5545 and RFC 7529 from it.
public protocol CalendarSystem: Sendable {
  /// The RSCALE name in upper case, such as `HEBREW`.
  var name: String { get }

  /// Returns the layout of a year.
  ///
  /// - Parameter number: The number of the year; consecutive years have consecutive numbers.
  /// - Returns: The layout, or nil if the calendar does not support the year.
  func year(_ number: Int) -> CalendarYear?

  /// Returns the layout of the year that contains a day.
  ///
  /// - Parameter day: The number of days since 1970-01-01.
  /// - Returns: The layout, or nil if the calendar does not support the year.
  func year(containingDay day: Int) -> CalendarYear?
}

/// The layout of a calendar year: its months and days.
public struct CalendarYear: Hashable, Sendable {
  /// The number of the year.
  public let number: Int
  /// The first day, as the number of days since 1970-01-01.
  public let firstDay: Int
  /// The months in order, at least one.
  public let months: [CalendarMonth]
  /// The number of days in the year.
  public let length: Int

  /// The maximum number of days in a year.
  public static let greatestLength = 390
  /// The maximum number of days in a month.
  public static let greatestMonthLength = 32

  /// Creates the layout of a year, or returns nil if it has no months or is too long.
  ///
  /// - Parameters:
  ///   - number: The number of the year.
  ///   - firstDay: The first day, as the number of days since 1970-01-01.
  ///   - months: The months in order, each of 1 through ``greatestMonthLength`` days.
  public init?(number: Int, firstDay: Int, months: [CalendarMonth]) {
    let length = months.reduce(0) { $0 + min($1.length, CalendarYear.greatestLength) }
    guard !months.isEmpty, length <= CalendarYear.greatestLength,
      months.allSatisfy({ 1...CalendarYear.greatestMonthLength ~= $0.length })
    else { return nil }
    self.number = number
    self.firstDay = firstDay
    self.months = months
    self.length = length
  }

  /// Whether a day lies in the year.
  func contains(day: Int) -> Bool { day >= firstDay && day - firstDay < length }

  /// The index of the month that contains a day, and the day of that month, from 1.
  func place(ofDay day: Int) -> (month: Int, day: Int) {
    var rest = day - firstDay
    for (index, month) in months.enumerated() {
      if rest < month.length { return (index, rest + 1) }
      rest -= month.length
    }
    return (months.count - 1, months[months.count - 1].length)
  }

  /// The number of days before the month at an index.
  func days(beforeMonth index: Int) -> Int { months[..<index].reduce(0) { $0 + $1.length } }
}

/// A month of a year.
public struct CalendarMonth: Hashable, Sendable {
  /// The number that BYMONTH uses for the month.
  public let number: MonthNumber
  /// The number of days in the month.
  public let length: Int

  /// Creates a month.
  ///
  /// - Parameters:
  ///   - number: The number that BYMONTH uses for the month.
  ///   - length: The number of days in the month.
  public init(_ number: MonthNumber, length: Int) {
    self.number = number
    self.length = length
  }
}

/// The calendar of RFC 5545, applied to all years, including those before its introduction.
public struct GregorianCalendar: CalendarSystem {
  /// The number of days after which the calendar and its weekdays repeat.
  static let cycleInDays = 146_097
  /// The number of years in that cycle.
  static let cycleInYears = 400

  /// The RSCALE values that select this calendar, as CLDR names them.
  ///
  /// Some calendars differ from the Gregorian one only in the numbering of years or in eras. They
  /// have the same months and days, and rules do not refer to year numbers.
  static let names: Set<String> = ["GREGORIAN", "GREGORY", "BUDDHIST", "JAPANESE", "ROC"]

  /// Creates the calendar.
  public init() {}

  /// The RSCALE name.
  public var name: String { "GREGORIAN" }

  /// Returns the layout of a year from -1 through 10001, which the first and last weeks can reach.
  public func year(_ number: Int) -> CalendarYear? {
    guard -1...10_001 ~= number else { return nil }
    return CalendarYear(
      number: number, firstDay: CivilDate.dayNumber(year: number, month: 1, day: 1),
      months: (1...12).map {
        CalendarMonth(MonthNumber($0), length: CivilDate.daysInMonth($0, of: number))
      })
  }

  /// Returns the layout of the year that contains a day, from 0001-01-01 through 9999-12-31.
  public func year(containingDay day: Int) -> CalendarYear? {
    CivilDate(dayNumber: day).flatMap { year($0.year) }
  }
}
