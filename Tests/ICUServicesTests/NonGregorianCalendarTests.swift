// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Recurrence
import TestSupport
import Testing

@Suite struct NonGregorianCalendarTests {
  /// A calendar, and its new years in 2026, 2027 and 2028.
  struct NewYears: CustomTestStringConvertible {
    let name: String
    let days: [String]

    init(_ name: String, _ days: String...) { (self.name, self.days) = (name, days) }

    var testDescription: String { name }
  }

  static let newYears = [
    NewYears("CHINESE", "20260217", "20270207", "20280126"),
    NewYears("DANGI", "20260217", "20270207", "20280127"),
    NewYears("HEBREW", "20260912", "20271002", "20280921"),
    NewYears("ETHIOPIC", "20260911", "20270912", "20280911"),
    NewYears("ETHIOPIC-AMETE-ALEM", "20260911", "20270912", "20280911"),
    NewYears("ETHIOAA", "20260911", "20270912", "20280911"),
    NewYears("COPTIC", "20260911", "20270912", "20280911"),
    NewYears("ISLAMIC", "20260616", "20270605", "20280525"),
    NewYears("ISLAMIC-CIVIL", "20260617", "20270606", "20280525"),
    NewYears("ISLAMICC", "20260617", "20270606", "20280525"),
    NewYears("ISLAMIC-UMALQURA", "20260616", "20270606", "20280525"),
    NewYears("ISLAMIC-TBLA", "20260616", "20270605", "20280524"),
    NewYears("ISLAMIC-RGSA", "20260616", "20270605", "20280525"),
    NewYears("PERSIAN", "20260321", "20270321", "20280320"),
    NewYears("INDIAN", "20260322", "20270322", "20280321"),
    NewYears("JAPANESE", "20260101", "20270101", "20280101"),
    NewYears("BUDDHIST", "20260101", "20270101", "20280101"),
    NewYears("ROC", "20260101", "20270101", "20280101"),
    NewYears("GREGORY", "20260101", "20270101", "20280101"),
  ]

  private static let calendars = NonGregorianCalendar.all()

  private static func options() -> RecurrenceOptions {
    var options = RecurrenceOptions()
    options.calendars = calendars
    return options
  }

  @Test("A year starts when it does", arguments: newYears)
  func startsYears(_ example: NewYears) throws {
    let rule = try RecurrenceRule(
      parsing: "RSCALE=\(example.name);FREQ=YEARLY;BYMONTH=1;BYMONTHDAY=1")
    let expansion = try Expansion(
      of: rule, from: CivilDate(parsing: "20260101"), options: Self.options())
    #expect(expansion.texts(3, asDates: true) == example.days)
  }

  @Test("RFC 7529 §4.3", arguments: try Example.read("recurrence/rfc7529.txt"))
  func rfc7529(_ example: Example) throws {
    let expansion = try Expansion(
      try #require(example.rules.first), from: example.start, zone: example.zone,
      options: example.options(calendars: Self.calendars))
    #expect(expansion.texts(example.expected.count, asDates: true) == example.expected)
  }

  @Test("Years follow each other without a gap, and know their days")
  func years() throws {
    for calendar in Self.calendars {
      for text in ["00010601", "10661014", "15820901", "19970902", "20261121", "99981201"] {
        let day = try CivilDate(parsing: text).dayNumber
        let message: Comment = "\(calendar.name) at \(text)"
        let year = try #require(calendar.year(containingDay: day), message)
        #expect(year.firstDay <= day && day < year.firstDay + year.length, message)
        #expect(calendar.year(year.number) == year, message)
        let next = try #require(calendar.year(year.number + 1), message)
        #expect(next.firstDay == year.firstDay + year.length, message)
        #expect(calendar.year(containingDay: next.firstDay)?.number == year.number + 1, message)
        #expect(calendar.year(containingDay: next.firstDay - 1)?.number == year.number, message)
        let months = year.months
        #expect(Set(months.map(\.number)).count == months.count && months.count >= 12, message)
      }
    }
  }

  @Test("Leap months have the numbers of RFC 7529 §4.2")
  func leapMonths() throws {
    func months(_ name: String, at text: String) throws -> String {
      let calendar = try #require(Self.calendars.first { $0.name == name })
      let year = calendar.year(containingDay: try CivilDate(parsing: text).dayNumber)
      return try #require(year).months.map { "\($0.number)" }.joined(separator: " ")
    }
    #expect(try months("HEBREW", at: "20240301") == "1 2 3 4 5 5L 6 7 8 9 10 11 12")
    #expect(try months("HEBREW", at: "20250301") == "1 2 3 4 5 6 7 8 9 10 11 12")
    // 2025 had a leap sixth month, 2023 a leap second one.
    #expect(try months("CHINESE", at: "20250801") == "1 2 3 4 5 6 6L 7 8 9 10 11 12")
    #expect(try months("CHINESE", at: "20230801") == "1 2 2L 3 4 5 6 7 8 9 10 11 12")
    #expect(try months("CHINESE", at: "20260801") == "1 2 3 4 5 6 7 8 9 10 11 12")
    #expect(try months("COPTIC", at: "20260801") == "1 2 3 4 5 6 7 8 9 10 11 12 13")
  }

  @Test("The Chinese and the Korean calendar keep their years apart in one process")
  func lunarCalendars() throws {
    let calendars = try ["CHINESE", "DANGI", "CHINESE"].map { name in
      try #require(NonGregorianCalendar.all().first { $0.name == name })
    }
    // The new moon of January 2028 is at 15:12 UTC: before midnight in Beijing, after it in Seoul.
    for (calendar, newYear) in zip(calendars, ["20280126", "20280127", "20280126"]) {
      let day = try CivilDate(parsing: newYear).dayNumber
      let year = try #require(calendar.year(containingDay: day))
      #expect(calendar.year(year.number)?.firstDay == day)
      for number in year.number - 120...year.number + 70 {
        let layout = try #require(calendar.year(number))
        #expect(layout.months.first?.number == MonthNumber(1))
        #expect(calendar.year(number + 1)?.firstDay == layout.firstDay + layout.length)
      }
    }
  }

  @Test("What is no day, no year and no calendar is nil")
  func limits() {
    for calendar in Self.calendars {
      #expect(calendar.year(containingDay: .max) == nil)
      #expect(calendar.year(containingDay: .min) == nil)
      #expect(calendar.year(.max) == nil)
      #expect(calendar.year(1_000_000) == nil)
    }
    #expect(!Self.calendars.contains { $0.name == "KLINGON" })
  }

  @Test("Many threads may ask the same calendar at once")
  func threads() async throws {
    let calendars = NonGregorianCalendar.all()
    let chinese = try #require(calendars.first { $0.name == "CHINESE" })
    let expected = (4700...4720).map { Self.calendars[0].year($0) }
    let found = await withTaskGroup(of: [CalendarYear?].self) { group in
      for _ in 0..<4 { group.addTask { (4700...4720).map { chinese.year($0) } } }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(found.count == 4)
    #expect(found.allSatisfy { $0 == expected })
  }
}
