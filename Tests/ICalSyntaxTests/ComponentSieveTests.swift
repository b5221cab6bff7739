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

  private static func sieve() throws -> ComponentSieve {
    ComponentSieve(days: try CivilDate(parsing: "20260501")...CivilDate(parsing: "20260531"))
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
      let bytes = Array((fault + event).map { $0 + "\n" }.joined().utf8)
      var sieve = try Self.sieve()
      let found = sieve.sift(bytes, isLast: true)
      #expect(found == Array(fault.map { $0 + "\n" }.joined().utf8), "\(fault)")
    }
    var sieve = try Self.sieve()
    let cutOff = Array("BEGIN:VEVENT\nDTSTART:20260401T090000".utf8)
    #expect(sieve.sift(cutOff, isLast: true) == cutOff)
  }

  @Test("A component that is too long to be held back is let through, in pieces")
  func longComponent() throws {
    let line = "ATTACH:" + String(repeating: "a", count: 100_000) + "\r\n"
    let text =
      "BEGIN:VEVENT\r\nDTSTART:20260401T090000\r\n" + String(repeating: line, count: 30)
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

  @Test("Two components of one UID are told, however it is folded")
  func tornItems() throws {
    func torn(_ dropped: String, _ kept: String) throws -> Bool {
      let text =
        "BEGIN:VEVENT\n\(dropped)\nDTSTART:20260401T090000\nEND:VEVENT\n"
        + "BEGIN:VEVENT\n\(kept)\nDTSTART:20260510T090000\nEND:VEVENT\n"
      var sieve = try Self.sieve()
      _ = sieve.sift(Array(text.utf8), isLast: true)
      #expect(sieve.droppedCount == 1)
      return sieve.hasTornItems
    }
    #expect(try torn("UID:a", "UID:a"))
    #expect(try torn("UID:ab", "UID:a\n b"))
    #expect(try !torn("UID:a", "UID:b"))
    #expect(try !torn("X:1", "X:2"))
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
