// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Testing

@Suite struct CivilDateTests {
  /// A date, its day number and its weekday.
  struct Case: CustomTestStringConvertible {
    let text: String
    let dayNumber: Int
    let weekday: Weekday

    init(_ text: String, _ dayNumber: Int, _ weekday: Weekday) {
      self.text = text
      self.dayNumber = dayNumber
      self.weekday = weekday
    }

    var testDescription: String { text }
  }

  static let cases = [
    Case("00010101", -719_162, .monday),
    Case("16000229", -135_081, .tuesday),
    Case("19000228", -25_509, .wednesday),
    Case("19000301", -25_508, .thursday),
    Case("19691231", -1, .wednesday),
    Case("19700101", 0, .thursday),
    Case("19970902", 10_106, .tuesday),
    Case("20000229", 11_016, .tuesday),
    Case("20240229", 19_782, .thursday),
    Case("99991231", 2_932_896, .friday),
  ]

  @Test("Counts days and weekdays as the calendar does", arguments: cases)
  func knownDays(_ example: Case) throws {
    let date = try CivilDate(parsing: example.text)
    #expect(date.dayNumber == example.dayNumber)
    #expect(date.weekday == example.weekday)
    #expect(CivilDate(dayNumber: example.dayNumber) == date)
    #expect(date.description == example.text)
  }

  @Test("Every day from year 1 through 9999 follows the one before")
  func everyDay() throws {
    var (year, month, day) = (1, 1, 1)
    var weekday = 0
    for number in CivilDate.first.dayNumber...CivilDate.last.dayNumber {
      guard let date = CivilDate(dayNumber: number), date.year == year, date.month == month,
        date.day == day, date.dayNumber == number, Int(date.weekday.rawValue) == weekday
      else {
        Issue.record("day \(number) is not \(year)-\(month)-\(day)")
        return
      }
      weekday = (weekday + 1) % 7
      day += 1
      if day > CivilDate.daysInMonth(month, of: year) { (month, day) = (month + 1, 1) }
      if month > 12 { (year, month) = (year + 1, 1) }
    }
    #expect(year == 10_000)
  }

  @Test("There are no days outside the calendar")
  func noSuchDay() {
    #expect(CivilDate(year: 1997, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2000, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 1997, month: 4, day: 31) == nil)
    #expect(CivilDate(year: 1997, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 1997, month: 0, day: 1) == nil)
    #expect(CivilDate(year: 1997, month: 1, day: 0) == nil)
    #expect(CivilDate(year: 0, month: 1, day: 1) == nil)
    #expect(CivilDate(year: 10_000, month: 1, day: 1) == nil)
    #expect(CivilDate(year: .max, month: .min, day: .max) == nil)
    #expect(CivilDate.daysInMonth(0, of: 1997) == 0)
  }

  @Test("Adding days stops at the ends of the calendar")
  func ends() {
    #expect(CivilDate.last.adding(days: 1) == nil)
    #expect(CivilDate.first.adding(days: -1) == nil)
    #expect(CivilDate.last.adding(days: .max) == nil)
    #expect(CivilDate.first.adding(days: .min) == nil)
    #expect(CivilDate.first.adding(days: 3_652_058) == .last)
    #expect(CivilDate(dayNumber: .max) == nil)
    #expect(CivilDate(dayNumber: .min) == nil)
  }

  @Test("Dates are ordered by the calendar")
  func order() throws {
    let dates = try ["19961231", "19970101", "19970131", "19970201"].map(CivilDate.init(parsing:))
    for (earlier, later) in zip(dates, dates.dropFirst()) { #expect(earlier < later) }
  }

  @Test("The day of the year counts the leap day")
  func dayOfYear() throws {
    #expect(try CivilDate(parsing: "19970301").dayOfYear == 60)
    #expect(try CivilDate(parsing: "19960301").dayOfYear == 61)
    #expect(try CivilDate(parsing: "19961231").dayOfYear == 366)
  }

  @Test("A weekday knows its letters and its place in any week")
  func weekdays() {
    #expect(Weekday.allCases.map(\.description) == ["MO", "TU", "WE", "TH", "FR", "SA", "SU"])
    #expect(Weekday("we") == .wednesday)
    #expect(Weekday("XX") == nil)
    #expect(Weekday.sunday.days(since: .sunday) == 0)
    #expect(Weekday.monday.days(since: .sunday) == 1)
    #expect(Weekday.saturday.days(since: .sunday) == 6)
  }
}
