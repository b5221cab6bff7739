// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The chosen days of years, found once for each shape that a year can have.
///
/// A Gregorian year starts on one of seven weekdays and has a leap day or not, and so have the two
/// around it, whose days belong to its weeks: 28 shapes in all. Whatever a rule chooses in a year, it
/// chooses in all years of the same shape. Other calendars are asked anew for each year.
struct YearShapes: Sendable {
  private let choice: DayChoice
  /// The calendar, or nil for the Gregorian one.
  private let calendar: (any CalendarSystem)?
  private let isGregorian: Bool
  /// The days by shape; empty until the first is needed.
  private var shapes: [DayBits?] = []

  init(_ choice: DayChoice, calendar: (any CalendarSystem)?) {
    self.choice = choice
    self.calendar = calendar
    isGregorian = calendar == nil
  }

  /// The chosen days of a year, or nil if the calendar cannot tell.
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

  /// The chosen days of the year that a day lies in, or nil if the calendar cannot tell.
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
