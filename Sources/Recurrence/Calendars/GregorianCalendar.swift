// SPDX-License-Identifier: Apache-2.0

import CivilTime

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
