// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// What is dropped of a stream unread, and what is not.
@Suite("Sieve of components") struct ComponentSieveTests {
  /// The lines of a component, and whether it is dropped where May 2026 is asked for.
  static let rows: [(name: String, lines: [String], isDropped: Bool)] = [
    ("far before", ["VEVENT", "UID:a", "DTSTART:20260401T090000Z"], true),
    ("far behind", ["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260701"], true),
    ("before, and ends before", ["VEVENT", "DTSTART:20260401T0900", "DTEND:20260402T0900"], true),
    ("in the range", ["VEVENT", "UID:a", "DTSTART:20260510T090000Z"], false),
    ("near the range", ["VEVENT", "UID:a", "DTSTART:20260429T090000Z"], false),
    ("a zone in quotes", ["VEVENT", "DTSTART;TZID=\"a:20260401\":20260510T090000"], false),
    ("a zone", ["VEVENT", "DTSTART;TZID=Europe/Berlin:20260401T090000"], true),
    ("ends in the range", ["VEVENT", "DTSTART:20260401T090000", "DTEND:20260501T090000"], false),
    ("ends behind it", ["VEVENT", "DTEND:20260701T090000", "DTSTART:20260401T090000"], false),
    ("lasts into it", ["VEVENT", "DTSTART:20260401T090000", "DURATION:P30D"], false),
    ("lasts for weeks", ["VEVENT", "DTSTART:20260401T090000", "DURATION:P5W"], false),
    ("lasts for hours", ["VEVENT", "DTSTART:20260401T090000", "DURATION:PT700H"], false),
    ("lasts not so long", ["VEVENT", "DTSTART:20260401T090000", "DURATION:P2DT3H"], true),
    ("a duration that is none", ["VEVENT", "DTSTART:20260401T090000", "DURATION:long"], false),
    ("recurs", ["VEVENT", "DTSTART:20260401T090000", "RRULE:FREQ=DAILY"], false),
    ("recurs from then on", ["VEVENT", "DTSTART:20260701T090000", "RRULE:FREQ=DAILY"], true),
    ("until then", ["VEVENT", "DTSTART:20250401", "RRULE:FREQ=DAILY;UNTIL=20260420"], true),
    ("until in it", ["VEVENT", "DTSTART:20250401", "RRULE:UNTIL=20260520T10Z;FREQ=DAILY"], false),
    (
      "until, long", ["VEVENT", "DTSTART:20250401", "DTEND:20250421", "RRULE:UNTIL=20260420"], false
    ),
    (
      "until, any", ["VEVENT", "RRULE:FREQ=YEARLY;BYMONTH=5;UNTIL=20260401", "DTSTART:20200401"],
      true
    ),
    ("until, folded", ["VEVENT", "DTSTART:20250401", "RRULE:UNTIL=20260401", " 20", "X:1"], false),
    ("so often", ["VEVENT", "DTSTART:20260401", "RRULE:COUNT=5;FREQ=DAILY"], true),
    ("too often", ["VEVENT", "DTSTART:20260401", "RRULE:COUNT=30;FREQ=DAILY"], false),
    ("in steps", ["VEVENT", "DTSTART:20260401", "RRULE:COUNT=5;FREQ=DAILY;INTERVAL=9"], false),
    (
      "weekly", ["VEVENT", "DTSTART:20260101", "RRULE:freq=weekly;byday=mo,we;count=3;wkst=su"],
      true
    ),
    ("weekly, in May", ["VEVENT", "DTSTART:20260101", "RRULE:FREQ=WEEKLY;COUNT=17"], false),
    ("by month", ["VEVENT", "DTSTART:20260101", "RRULE:FREQ=DAILY;BYMONTH=5;COUNT=3"], false),
    ("yearly", ["VEVENT", "DTSTART:20250501", "RRULE:FREQ=YEARLY;COUNT=1"], false),
    ("yearly, in fall", ["VEVENT", "DTSTART:20200901T09", "RRULE:FREQ=YEARLY"], true),
    ("yearly, in its last days", ["VEVENT", "DTSTART:20200531T09", "RRULE:FREQ=YEARLY"], false),
    (
      "yearly, lasts into it",
      ["VEVENT", "DTSTART:20200401T09", "DTEND:20200502T09", "RRULE:FREQ=YEARLY"], false
    ),
    (
      "yearly, by weekday",
      ["VEVENT", "DTSTART:20200907", "RRULE:FREQ=YEARLY;BYMONTH=9;BYDAY=1MO"],
      true
    ),
    (
      "yearly, by weekday in May",
      ["VEVENT", "DTSTART:20200504", "RRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=1MO"], false
    ),
    ("yearly, any month", ["VEVENT", "DTSTART:20200901", "RRULE:FREQ=YEARLY;BYMONTHDAY=1"], false),
    (
      "yearly, by day", ["VEVENT", "DTSTART:20200901", "RRULE:FREQ=YEARLY;BYMONTHDAY=1;BYMONTH=9"],
      true
    ),
    ("yearly, for long", ["VEVENT", "DTSTART:20200901", "RRULE:FREQ=YEARLY;UNTIL=20300101"], true),
    (
      "yearly, until then", ["VEVENT", "DTSTART:20200901", "RRULE:FREQ=YEARLY;UNTIL=20260601"],
      false
    ),
    (
      "yearly, in other years", ["VEVENT", "DTSTART:20230510", "RRULE:FREQ=YEARLY;INTERVAL=2"], true
    ),
    ("every other month", ["VEVENT", "DTSTART:20260410", "RRULE:FREQ=MONTHLY;INTERVAL=2"], true),
    ("every month", ["VEVENT", "DTSTART:20260410", "RRULE:FREQ=MONTHLY"], false),
    (
      "another calendar", ["VEVENT", "DTSTART:20200901", "RRULE:RSCALE=HEBREW;FREQ=YEARLY"], false
    ),
    (
      "two starts", ["VEVENT", "DTSTART:20200901", "DTSTART:20200902", "RRULE:FREQ=YEARLY"], false
    ),
    ("two rules", ["VEVENT", "DTSTART:20250401", "RRULE:COUNT=1", "RRULE:COUNT=1"], false),
    ("no rule", ["VEVENT", "DTSTART:20250401", "RRULE:every day"], false),
    ("a rule without a start", ["VTODO", "DUE:20250401", "RRULE:FREQ=DAILY;COUNT=1"], false),
    ("a count that is none", ["VEVENT", "DTSTART:20250401", "RRULE:FREQ=DAILY;COUNT=x"], false),
    ("far off", ["VEVENT", "DTSTART:20260401", "RECURRENCE-ID;VALUE=DATE:20260402"], true),
    ("around", ["VEVENT", "DTSTART:20260401", "RECURRENCE-ID:20260701"], false),
    ("of when", ["VEVENT", "DTSTART:20260401", "RECURRENCE-ID:some day"], false),
    ("and later ones", ["VEVENT", "DTSTART:20260401", "RECURRENCE-ID;RANGE=A:20260401"], false),
    ("an override without a start", ["VEVENT", "RECURRENCE-ID:20260401"], false),
    ("recurs, in small letters", ["vevent", "dtstart:20260401T090000", "rrule:FREQ=DAILY"], false),
    ("dates", ["VEVENT", "DTSTART:20260401T090000", "RDATE:20260501T090000"], false),
    ("an override", ["VEVENT", "DTSTART:20260401T090000", "RECURRENCE-ID:20260501"], false),
    ("an event without a start", ["VEVENT", "UID:a"], false),
    ("a date that is none", ["VEVENT", "DTSTART:20260231T090000"], false),
    ("a folded date", ["VEVENT", "DTSTART:2026", " 0510T090000"], false),
    ("a folded name", ["VEVENT", "DTSTART:20260401T090000", "RRU", " LE:FREQ=DAILY"], false),
    ("a folded title", ["VEVENT", "DTSTART:20260401T090000", "SUMMARY:a", " RRULE:b"], true),
    ("a line without a name", ["VEVENT", "DTSTART:20260401T090000", "the old mill"], false),
    ("a control character", ["VEVENT", "DTSTART:20260401T090000", "SUMMARY:a\u{1B}[2J"], false),
    ("a line end of its own", ["VEVENT", "DTSTART:20260401T090000", "X:\rRRULE:a"], false),
    ("a long name", ["VEVENT", "DTSTART:20260401T09", "X-A-VERY-LONG-NAME-OF-A-LINE:b"], true),
    (
      "an alarm's duration",
      [
        "VEVENT", "DTSTART:20260401T090000", "BEGIN:VALARM", "DURATION:P90D",
        "RRULE:x", "END:VALARM",
      ], true
    ),
    ("a reminder that is due", ["VTODO", "DTSTART:20260401T090000", "DUE:20260510T090000"], false),
    ("a reminder far off", ["VTODO", "DUE;VALUE=DATE:20260401"], true),
    ("a reminder for ever", ["VTODO", "UID:a"], true),
    ("a journal entry", ["VJOURNAL", "DTSTART:20260401T090000"], true),
    ("busy time", ["VFREEBUSY", "DTSTART:20260401T090000"], false),
    ("a time zone", ["VTIMEZONE", "DTSTART:20260401T090000"], false),
  ]

  private static func sieve(keeping items: Set<UInt64> = []) throws -> ComponentSieve {
    ComponentSieve(
      days: try CivilDate(parsing: "20260501")...CivilDate(parsing: "20260531"), keeping: items)
  }

  @Test("Reminders can be kept whatever their times, for those that are overdue") func reminders()
    throws
  {
    let lines = [
      "BEGIN:VCALENDAR", "BEGIN:VTODO", "DUE:20200401T090000", "END:VTODO", "BEGIN:VEVENT",
      "DTSTART:20200401T090000", "END:VEVENT", "END:VCALENDAR",
    ]
    let bytes = Array(lines.map { "\($0)\r\n" }.joined().utf8)
    let days = try CivilDate(parsing: "20260501")...CivilDate(parsing: "20260531")
    for keepsReminders in [true, false] {
      var sieve = ComponentSieve(days: days, keepsReminders: keepsReminders)
      let text = String(decoding: sieve.sift(bytes, isLast: true), as: UTF8.self)
      #expect(text.contains("BEGIN:VTODO") == keepsReminders)
      #expect(!text.contains("BEGIN:VEVENT"))
    }
  }

  @Test("Each row, by both line ends and cut anywhere") func row() throws {
    for row in Self.rows {
      for lineEnd in ["\r\n", "\n"] {
        let name = row.lines[0]
        let component = ["BEGIN:\(name)"] + row.lines.dropFirst() + ["END:\(name)"]
        let around = ["BEGIN:VCALENDAR", "X-A:b"]
        let lines = around + component + ["X-C:d", "END:VCALENDAR"]
        let all = Array(lines.map { $0 + lineEnd }.joined().utf8)
        let rest = around + (row.isDropped ? [] : component) + ["X-C:d", "END:VCALENDAR"]
        let expected = Array(rest.map { $0 + lineEnd }.joined().utf8)
        for cut in [0, 1, 20, 45, 70] {
          var sieve = try Self.sieve()
          var found = sieve.sift(Array(all.prefix(cut)), isLast: false)
          found += sieve.sift(Array(all.dropFirst(cut)), isLast: false)
          found += sieve.sift([], isLast: true)
          #expect(found == expected, "\(row.name), cut at \(cut)")
          #expect(sieve.droppedCount == (row.isDropped ? 1 : 0))
          let last = rest.count
          #expect(sieve.lineMap.line(last) == lines.count)
          #expect(sieve.lineMap.line(2) == 2)
        }
      }
    }
  }

  @Test("What is not nested as it should be is let through")
  func structure() throws {
    let event = ["BEGIN:VEVENT", "DTSTART:20260401T090000", "END:VEVENT"]
    let faults = [
      ["BEGIN:VEVENT", "DTSTART:20260401T090000"],
      ["BEGIN:VEVENT", "DTSTART:20260401T090000", "END:VTODO"],
      ["BEGIN:VEVENT", "DTSTART:20260401T090000", "END:VCALENDAR"],
      ["END:VEVENT"], ["BEGIN:VEVENT X", "DTSTART:20260401T090000", "END:VEVENT X"],
    ]
    for fault in faults {
      func bytes(_ lines: [String]) -> [UInt8] {
        Array((["BEGIN:VCALENDAR"] + lines).map { $0 + "\n" }.joined().utf8)
      }
      var sieve = try Self.sieve()
      let found = sieve.sift(bytes(fault + event), isLast: true)
      let isOutside = fault.contains("END:VCALENDAR")
      #expect(found == bytes(isOutside ? fault + event : fault), "\(fault)")
    }
    var sieve = try Self.sieve()
    let cutOff = Array("BEGIN:VEVENT\nDTSTART:20260401T090000".utf8)
    #expect(sieve.sift(cutOff, isLast: true) == cutOff)
  }

  @Test("A component outside of a calendar is let through, so that the reader reports it")
  func outside() throws {
    let event = "BEGIN:VEVENT\r\nDTSTART:20260401T090000\r\nEND:VEVENT\r\n"
    let calendar = "BEGIN:VCALENDAR\r\n\(event)END:VCALENDAR\r\n"
    for (text, count) in [(event, 0), (calendar + event, 1), (event + calendar + calendar, 2)] {
      for length in [1, 7, 1 << 10] {
        var sieve = try Self.sieve()
        var found: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
          found += sieve.sift(Array(rest.prefix(length)), isLast: false)
          rest = rest.dropFirst(length)
        }
        found += sieve.sift([], isLast: true)
        #expect(sieve.droppedCount == count)
        let events = String(decoding: found, as: UTF8.self).split(separator: "DTSTART").count - 1
        #expect(events == 1)
      }
    }
  }

  @Test("A component that is too long to be held back is let through, in pieces")
  func longComponent() throws {
    let line = "ATTACH:" + String(repeating: "a", count: 100_000) + "\r\n"
    let text =
      "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nDTSTART:20260401T090000\r\n"
      + String(repeating: line, count: 30)
      + "END:VEVENT\r\n"
    let event = "BEGIN:VEVENT\r\nDTSTART:20260401T090000\r\nEND:VEVENT\r\n"
    var sieve = try Self.sieve()
    var found: [UInt8] = []
    var rest = Array((text + event).utf8)[...]
    while !rest.isEmpty {
      found += sieve.sift(Array(rest.prefix(65_536)), isLast: false)
      rest = rest.dropFirst(65_536)
    }
    found += sieve.sift([], isLast: true)
    #expect(found == Array(text.utf8))
    #expect(sieve.droppedCount == 1)
  }

  @Test(
    "A line over the reader's limit is kept, so that the reader reports it",
    arguments: [(true, Int.max), (false, 1 << 20)])
  func overlongLine(isEnded: Bool, length: Int) throws {
    let limit = ParserLimits().lineLength
    let start = "BEGIN:VEVENT\r\nDTSTART:20260401T090000\r\nX-A:"
    let end = isEnded ? "\r\nEND:VEVENT\r\n" : ""
    let text = Array(start.utf8) + Array(repeating: 0x61, count: limit) + Array(end.utf8)
    // In one piece and in several.
    var sieve = try Self.sieve()
    var reader = ComponentReader()
    var error: SyntaxError?
    var rest = text[...]
    do throws(SyntaxError) {
      while !rest.isEmpty {
        try reader.consume(sieve.sift(Array(rest.prefix(length)), isLast: false).span)
        rest = rest.dropFirst(length)
      }
      try reader.consume(sieve.sift([], isLast: true).span)
      try reader.finish()
    } catch let failure {
      error = failure
    }
    #expect(error?.diagnostic.code == .lineLength, "pieces of \(length) bytes")
  }

  @Test("A long line in small pieces is not read again for each", .timeLimit(.minutes(60)))
  func longLineInPieces() throws {
    var sieve = try Self.sieve()
    let piece = Array(repeating: UInt8(ascii: "a"), count: 64)
    var found = sieve.sift(Array("BEGIN:VCALENDAR\r\nX-A:".utf8), isLast: false)
    let count = 1 << 18
    for _ in 0..<count { found += sieve.sift(piece, isLast: false) }
    found += sieve.sift(Array("\r\n".utf8), isLast: true)
    #expect(found.count == 23 + count * piece.count)
  }

  @Test("Items are told that were torn apart, and kept if that is asked for")
  func tornItems() throws {
    let (far, near) = ("DTSTART:20260401T090000", "DTSTART:20260510T090000")
    let rule = "RRULE:FREQ=DAILY"
    func torn(_ dropped: String, _ kept: String, count: Int = 1) throws -> Bool {
      let events = [dropped, kept].map { "BEGIN:VEVENT\n\($0)\nEND:VEVENT\n" }
      let text = "BEGIN:VCALENDAR\n" + events.joined()
      var sieve = try Self.sieve()
      _ = sieve.sift(Array(text.utf8), isLast: true)
      #expect(sieve.droppedCount == count)
      var again = try Self.sieve(keeping: sieve.tornItems)
      let whole = again.sift(Array(text.utf8), isLast: true)
      #expect(sieve.tornItems.isEmpty || whole == Array(text.utf8))
      #expect(again.tornItems.isEmpty)
      return !sieve.tornItems.isEmpty
    }
    #expect(try torn("UID:a\n\(far)", "UID:a\n\(near)"))
    #expect(try torn("UID:ab\n\(far)", "UID:a\n b\n\(near)"))
    #expect(try !torn("UID:a\n\(far)", "UID:b\n\(near)"))
    #expect(try !torn("X:1\n\(far)", "X:2\n\(near)"))
    // An override is far off, and its series is not.
    let override = "UID:a\n\(far)\nRECURRENCE-ID:20260402T090000"
    #expect(try !torn(override, "UID:a\n\(far)\n\(rule)"))
    // Another one for the same day was moved to the days that are asked for.
    #expect(try torn(override, "UID:a\n\(near)\nRECURRENCE-ID:20260403T010000Z"))
    #expect(try !torn(override, "UID:a\n\(near)\nRECURRENCE-ID:20260410T010000Z"))
    #expect(try !torn(override, "UID:a\n\(near)\nRECURRENCE-ID:20260511T010000Z"))
    #expect(try torn(override, "UID:a\n\(far)\nRECURRENCE-ID;RANGE=THISANDFUTURE:20260401T09"))
    // The series is over, and one of its occurrences was moved.
    #expect(
      try torn("UID:a\n\(far)\n\(rule);COUNT=2", "UID:a\n\(near)\nRECURRENCE-ID:20260402T09"))
    #expect(try !torn(override, "UID:a\n\(far)\n\(rule);COUNT=2", count: 2))
  }

  @Test("Of every fixture, cut anywhere, all that is let through is what was there, in order")
  func fixtures() throws {
    for fixture in try Fixture.allCalendars() {
      var whole = try Self.sieve()
      let expected = whole.sift(fixture.bytes, isLast: true)
      var cut = try Self.sieve()
      var found: [UInt8] = []
      var rest = fixture.bytes[...]
      while !rest.isEmpty {
        found += cut.sift(Array(rest.prefix(997)), isLast: false)
        rest = rest.dropFirst(997)
      }
      found += cut.sift([], isLast: true)
      #expect(found == expected, "\(fixture.path)")
      #expect(cut.lineMap == whole.lineMap, "\(fixture.path)")
      if whole.droppedCount == 0 { #expect(found == fixture.bytes, "\(fixture.path)") }
    }
  }
}
