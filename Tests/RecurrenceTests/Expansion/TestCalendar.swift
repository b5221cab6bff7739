// SPDX-License-Identifier: Apache-2.0

import Recurrence

/// Calendars that are simple enough to be written down here, for the examples of RFC 7529.
///
/// A calendar is a list of years, each with its first day and its months.
struct TestCalendar: CalendarSystem {
  let name: String
  private let layout: @Sendable (Int) -> CalendarYear?
  /// Some day of the year 1, as if all years had the same length; see ``year(containingDay:)``.
  private let epoch: Int

  static let all: [any CalendarSystem] = [ethiopic, hebrew, chinese]

  func year(_ number: Int) -> CalendarYear? { layout(number) }

  func year(containingDay day: Int) -> CalendarYear? {
    // A guess that may be a year off, and the neighbours.
    let guess = (day - epoch) * 10_000 / 3_652_425 + 1
    return (guess - 2...guess + 2).lazy.compactMap { layout($0) }
      .first { $0.firstDay <= day && day < $0.firstDay + $0.length }
  }

  /// Twelve months of 30 days and a thirteenth of five, or six in every fourth year.
  static let ethiopic = TestCalendar(
    name: "ETHIOPIC",
    layout: { year in
      let leap = year % 4 == 3 ? 1 : 0
      return CalendarYear(
        number: year, firstDay: -716_367 + 365 * (year - 1) + year / 4,
        months: (1...13).map { CalendarMonth(MonthNumber($0), length: $0 == 13 ? 5 + leap : 30) })
    }, epoch: -716_367)

  /// The months as RFC 7529 numbers them: Tishrei is 1, and 5L is the first Adar of a leap year.
  static let hebrew = TestCalendar(
    name: "HEBREW",
    layout: { year in
      let (first, next) = (hebrewNewYear(year), hebrewNewYear(year + 1))
      let isLeap = (7 * year + 1) % 19 < 7
      // What a common year has above or below 354 days, and a leap year above or below 384.
      let extra = next - first - (isLeap ? 384 : 354)
      var months: [CalendarMonth] = []
      for number in 1...12 {
        let length = number % 2 == 1 ? 30 : 29
        if number == 6, isLeap {
          months.append(CalendarMonth(MonthNumber(5, isLeap: true), length: 30))
        }
        let change = number == 2 && extra == 1 ? 1 : number == 3 && extra == -1 ? -1 : 0
        months.append(CalendarMonth(MonthNumber(number), length: length + change))
      }
      return CalendarYear(number: year, firstDay: first, months: months)
    }, epoch: -2_092_590)

  /// The day of the first of Tishrei: the new moon, put off as the rules of the calendar say.
  private static func hebrewNewYear(_ year: Int) -> Int {
    func elapsed(_ year: Int) -> Int {
      let months = (235 * year - 234) / 19
      let day = 29 * months + (12_084 + 13_753 * months) / 25_920
      return 3 * (day + 1) % 7 < 3 ? day + 1 : day
    }
    let (before, this, after) = (elapsed(year - 1), elapsed(year), elapsed(year + 1))
    let delay = after - this == 356 ? 2 : this - before == 382 ? 1 : 0
    return this + delay - 2_092_590
  }

  /// The years from 2013 on, with only as much truth in the months as the examples need: their number
  /// and the days of the new years.
  static let chinese = TestCalendar(
    name: "CHINESE",
    layout: { year in
      // 10 February 2013 and the new years that follow.
      let newYears = [15_746, 16_101, 16_485, 16_839, 17_194, 17_578, 17_932, 18_286]
      guard newYears.indices.dropLast().contains(year - 4650) else { return nil }
      let first = newYears[year - 4650]
      let length = newYears[year - 4649] - first
      let count = length > 360 ? 13 : 12
      let months = (1...count).map { index in
        let rest = length - 29 * count
        let isLate = count == 13 && index > 9
        return CalendarMonth(
          MonthNumber(isLate ? index - 1 : index, isLeap: isLate && index == 10),
          length: index <= rest ? 30 : 29)
      }
      return CalendarYear(number: year, firstDay: first, months: months)
    }, epoch: -1_682_600)
}
