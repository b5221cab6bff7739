// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The selected days of years, cached by the shape of the year.
///
/// A Gregorian year starts on one of seven weekdays and may be a leap year. The same applies to its
/// neighbours, whose days belong to its weeks. This yields 28 shapes, and a rule selects the same
/// days in all years of one shape. Other calendars compute each year again.
struct YearShapes: Sendable {
  private let choice: DayChoice
  /// The calendar, or nil for the Gregorian one.
  private let calendar: (any CalendarSystem)?
  private let isGregorian: Bool
  /// The days by shape; empty until first used.
  private var shapes: [DayBits?] = []

  init(_ choice: DayChoice, calendar: (any CalendarSystem)?) {
    self.choice = choice
    self.calendar = calendar
    isGregorian = calendar == nil
  }

  /// The selected days of a year, or nil if the calendar does not support the year.
  mutating func year(_ number: Int) -> ChosenYear? {
    if !isGregorian, let calendar { return year(number, in: calendar) }
    guard 0...10_000 ~= number else { return nil }
    let firstDay = CivilDate.dayNumber(year: number, month: 1, day: 1)
    let isLeap = CivilDate.isLeapYear(number)
    var shape = DayBits.weekday(ofDay: firstDay)
    if isLeap { shape |= 8 }
    if CivilDate.isLeapYear(number - 1) { shape |= 16 }
    if CivilDate.isLeapYear(number + 1) { shape |= 32 }
    if shapes.isEmpty { shapes = Array(repeating: nil, count: 64) }
    let base = firstDay - ChosenYear.margin
    let length = isLeap ? 366 : 365
    if let days = shapes[shape] {
      return ChosenYear(number: number, base: base, length: length, days: days)
    }
    guard let year = year(number, in: GregorianCalendar()) else { return nil }
    shapes[shape] = year.days
    return year
  }

  /// The selected days of the year that contains a day, or nil if the calendar has no such year.
  mutating func year(containingDay day: Int) -> ChosenYear? {
    if !isGregorian, let calendar {
      return calendar.year(containingDay: day).flatMap { year($0.number) }
    }
    return CivilDate(dayNumber: day).flatMap { year($0.year) }
  }

  private func year(_ number: Int, in calendar: some CalendarSystem) -> ChosenYear? {
    guard let years = YearNeighbourhood(number, in: calendar, for: choice) else { return nil }
    return ChosenYear(
      number: number, base: years.year.firstDay - ChosenYear.margin, length: years.year.length,
      days: choice.days(in: years))
  }
}
