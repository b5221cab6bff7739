// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import TestSupport
import Testing

/// Series with several rules, and with rules that exclude, in two parts.
@Suite("Series that are split")
struct SeriesSplitTests {
  private static let range =
    Instant(utc: wall("20260101T000000"))..<Instant(utc: wall("20280101T000000"))

  private static let resolver = ZoneResolverTests.resolver

  /// When the occurrences of some items start, in UTC.
  private static func starts(_ items: [CalendarItem?]) throws -> [Instant] {
    var query = OccurrenceQuery(
      in: range, viewer: try resolver.rules(of: resolver.resolve("UTC")),
      zones: resolver)
    for item in items.compactMap(\.self) { query.add(item) }
    return query.occurrences().map(\.start.instant)
  }

  private static func item(_ lines: [String]) throws -> CalendarItem {
    try ItemEditorTests.item(["BEGIN:VEVENT", "UID:1"] + lines + ["END:VEVENT"])
  }

  private static func split(_ item: CalendarItem, at start: Instant) throws -> EditedItem {
    let time = EventTime.utc(try #require(start.civil()))
    return try ItemEditorTests.editor.edit(item, .future(from: time), ItemEditorTests.rename)
  }

  struct Row: CustomTestStringConvertible {
    let name: String
    let lines: [String]
    var testDescription: String { name }
  }

  private static let monday = "DTSTART;TZID=Europe/Vienna:20260302T090000"

  static let rows = [
    Row(name: "two weekdays", lines: [monday, "RRULE:FREQ=WEEKLY", "RRULE:FREQ=WEEKLY;BYDAY=WE"]),
    Row(
      name: "each with a COUNT",
      lines: [monday, "RRULE:FREQ=WEEKLY;COUNT=9", "RRULE:FREQ=DAILY;BYDAY=TH;COUNT=7"]),
    Row(
      name: "one that ends before the other",
      lines: [
        monday, "RRULE:FREQ=DAILY;COUNT=3", "RRULE:FREQ=MONTHLY;BYMONTHDAY=15;COUNT=6",
      ]),
    Row(
      name: "another hour of another day",
      lines: [monday, "RRULE:FREQ=WEEKLY;COUNT=8", "RRULE:FREQ=WEEKLY;BYDAY=FR;BYHOUR=14;COUNT=8"]),
    Row(
      name: "every other week, and days between",
      lines: [monday, "RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=9", "RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=9"]),
    Row(
      name: "a day of the month and one of the year",
      lines: [monday, "RRULE:FREQ=MONTHLY;COUNT=12", "RRULE:FREQ=YEARLY;BYMONTH=5,9;COUNT=4"]),
    Row(
      name: "a day of some months, and of the start's month",
      lines: [monday, "RRULE:FREQ=MONTHLY;COUNT=9", "RRULE:FREQ=YEARLY"]),
    Row(
      name: "days, without a zone",
      lines: [
        "DTSTART;VALUE=DATE:20260302", "RRULE:FREQ=WEEKLY;UNTIL=20260801",
        "RRULE:FREQ=MONTHLY;BYDAY=-1FR;UNTIL=20260801", "EXDATE;VALUE=DATE:20260316",
      ]),
    Row(
      name: "a rule that excludes",
      lines: [monday, "RRULE:FREQ=DAILY;COUNT=60", "EXRULE:FREQ=WEEKLY;BYDAY=SA,SU"]),
    Row(
      name: "a rule that excludes every other week, with a COUNT",
      lines: [monday, "RRULE:FREQ=WEEKLY;COUNT=20", "EXRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=6"]),
    Row(
      name: "rules, dates and what excludes",
      lines: [
        monday, "RRULE:FREQ=WEEKLY;BYDAY=MO,TH;COUNT=20", "RRULE:FREQ=MONTHLY;BYMONTHDAY=1;COUNT=5",
        "RDATE;TZID=Europe/Vienna:20260328T110000,20260704T110000",
        "EXDATE;TZID=Europe/Vienna:20260309T090000,20260601T090000",
        "EXRULE:FREQ=MONTHLY;BYDAY=2MO",
      ]),
  ]

  @Test("At whichever occurrence, both parts together take place as the whole did", arguments: rows)
  func everyOccurrence(_ row: Row) throws {
    let item = try Self.item(row.lines)
    let whole = try Self.starts([item])
    #expect(whole.count > 8)
    for start in whole.dropFirst().prefix(20) {
      let edited = try Self.split(item, at: start)
      #expect(try Self.starts([edited.item, edited.successor]) == whole, "at \(start)")
      #expect(try Self.starts([edited.item]) == whole.filter { $0 < start }, "before \(start)")
    }
  }

  @Test("Rules say what the new start does not imply, and are listed where they lose their rhythm")
  func written() throws {
    func rules(_ item: CalendarItem?) -> [String] {
      (ItemEditorTests.lines(item).first ?? []).filter {
        $0.hasPrefix("RRULE") || $0.hasPrefix("RDATE")
      }
    }
    let weekdays = try Self.item([
      Self.monday, "RRULE:FREQ=WEEKLY;COUNT=9", "RRULE:FREQ=WEEKLY;BYDAY=WE;COUNT=9",
    ])
    let edited = try Self.split(weekdays, at: Instant(utc: wall("20260311T080000")))
    #expect(
      rules(edited.item) == ["RRULE:FREQ=WEEKLY;COUNT=1;BYDAY=WE", "RRULE:FREQ=WEEKLY;COUNT=2"])
    #expect(
      rules(edited.successor) == [
        "RRULE:FREQ=WEEKLY;COUNT=8;BYDAY=WE", "RRULE:FREQ=WEEKLY;UNTIL=20260427T070000Z;BYDAY=MO",
      ])
    let listed = try Self.item([
      Self.monday, "RRULE:FREQ=WEEKLY;BYDAY=WE", "RRULE:FREQ=WEEKLY;INTERVAL=2;COUNT=4",
    ])
    let other = try Self.split(listed, at: Instant(utc: wall("20260311T080000")))
    #expect(
      rules(other.successor) == [
        "RDATE;TZID=Europe/Vienna:20260316T090000", "RDATE;TZID=Europe/Vienna:20260330T090000",
        "RDATE;TZID=Europe/Vienna:20260413T090000",
        "RRULE:FREQ=WEEKLY;BYDAY=WE",
      ])
  }

  @Test("A rule without end that would lose its rhythm is told, and nothing is written")
  func unsupported() throws {
    let item = try Self.item([
      Self.monday, "RRULE:FREQ=WEEKLY;BYDAY=WE", "RRULE:FREQ=WEEKLY;INTERVAL=2",
    ])
    let error = #expect(throws: EditError.self) {
      try Self.split(item, at: Instant(utc: wall("20260311T080000")))
    }
    #expect(error?.code == .unsupported)
    #expect(error?.message.contains("FREQ=WEEKLY;INTERVAL=2") == true)
  }
}
