// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Testing

@Suite("Dates for people") struct LocalizedDatesTests {
  /// A locale, and what it makes of 2026-04-01T16:30:00.
  static let rows: [(locale: String, date: String, month: String, time: String, first: Weekday)] = [
    ("en_GB", "Wednesday, 1 April 2026", "April 2026", "16:30", .monday),
    ("en_US", "Wednesday, April 1, 2026", "April 2026", "4:30 PM", .sunday),
    ("de_DE", "Mittwoch, 1. April 2026", "April 2026", "16:30", .monday),
    ("fr-FR", "mercredi 1 avril 2026", "avril 2026", "16:30", .monday),
    ("ja_JP", "2026年4月1日水曜日", "2026年4月", "16:30", .sunday),
    ("sv_SE", "onsdag 1 april 2026", "april 2026", "16:30", .monday),
    ("th_TH", "วันพุธที่ 1 เมษายน 2026", "เมษายน 2026", "16:30", .sunday),
    ("ar_EG", "الأربعاء، ١ أبريل ٢٠٢٦", "أبريل ٢٠٢٦", "٤:٣٠ م", .saturday),
  ]

  @Test func languages() throws {
    let wall = try CivilDateTime(parsing: "20260401T163000")
    for row in Self.rows {
      var dates = try LocalizedDates(locale: row.locale)
      #expect(try dates.text(wall.date, .weekdayAndDate) == row.date)
      #expect(try dates.text(wall, .month) == row.month)
      // Newer data has a narrow no-break space before AM and PM.
      let time = try dates.text(wall, .time).replacing("\u{202F}", with: " ")
      #expect(time.hasPrefix(row.time), "\(row.locale)")
      #expect(dates.firstWeekday == row.first, "\(row.locale)")
    }
  }

  @Test func intervals() throws {
    var dates = try LocalizedDates(locale: "en_GB")
    let start = try CivilDateTime(parsing: "20260401T163000")
    let evening = try CivilDateTime(parsing: "20260401T173000")
    let later = try CivilDateTime(parsing: "20260403T120000")
    #expect(try dates.interval(from: start, to: evening, .time).contains("16:30"))
    #expect(try dates.interval(from: start, to: evening, .time).contains("17:30"))
    let days = try dates.interval(from: start, to: later, .shortDate)
    #expect(days.contains("Wed") && days.contains("Fri") && days.contains("3"))
    #expect(try dates.interval(from: start, to: start, .month) == "April 2026")
  }

  @Test func everyStyleIsWritten() throws {
    var dates = try LocalizedDates(locale: "de")
    let wall = try CivilDateTime(parsing: "20260401T163000")
    for style in LocalizedDates.Style.allCases {
      #expect(try !dates.text(wall, style).isEmpty)
    }
    #expect(try dates.text(wall, .weekday) == "Mittwoch")
    #expect(try dates.text(wall, .monthName) == "April")
  }

  @Test func datesBeforeTheGregorianCalendarAreGregorian() throws {
    var dates = try LocalizedDates(locale: "en_GB")
    let date = try CivilDate(parsing: "10660101")
    #expect(date.weekday == .monday)
    #expect(try dates.text(date, .weekdayAndDate) == "Monday, 1 January 1066")
    #expect(try dates.text(.last, .shortDate) == "Fri, 31 Dec 9999")
  }

  @Test func unknownLanguagesAreWrittenAllTheSame() throws {
    var dates = try LocalizedDates(locale: "xx_YY")
    #expect(try !dates.text(CivilDate(parsing: "20260401"), .weekdayAndDate).isEmpty)
  }
}
