// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The calendar of RFC 5545, used for all years, also for those before it was introduced.
public struct GregorianCalendar: CalendarSystem {
  /// The number of days after which all dates fall on the same weekdays again.
  static let cycleInDays = 146_097
  /// The number of years in that cycle.
  static let cycleInYears = 400

  /// The names by which RSCALE may mean it, which are CLDR's.
  ///
  /// Calendars that only count its years from another one, or by eras, have the same months and days,
  /// and rules say nothing of years.
  static let names: Set<String> = ["GREGORIAN", "GREGORY", "BUDDHIST", "JAPANESE", "ROC"]

  /// Creates the calendar.
  public init() {}

  /// The name that RSCALE gives it.
  public var name: String { "GREGORIAN" }

  /// The layout of a year from -1 through 10001; the weeks of the first and last dates reach there.
  public func year(_ number: Int) -> CalendarYear? {
    guard -1...10_001 ~= number else { return nil }
    return CalendarYear(
      number: number, firstDay: CivilDate.dayNumber(year: number, month: 1, day: 1),
      months: (1...12).map {
        CalendarMonth(MonthNumber($0), length: CivilDate.daysInMonth($0, of: number))
      })
  }

  /// The layout of the year that a day lies in, from 0001-01-01 through 9999-12-31.
  public func year(containingDay day: Int) -> CalendarYear? {
    CivilDate(dayNumber: day).flatMap { year($0.year) }
  }
}
