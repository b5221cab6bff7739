// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Testing

@Suite("CalendarChecker")
struct CalendarCheckerTests {
  private func check(_ text: String) throws -> [String] {
    var reader = ComponentReader()
    var checker = CalendarChecker()
    try reader.consume(Array(text.replacing("\n", with: "\r\n").utf8).span)
    try reader.finish()
    var found: [Diagnostic] = []
    while let element = reader.next() { found += checker.check(element) }
    return found.map { "\($0.position) \($0.severity) \($0.code) \($0.message)" }
  }

  /// A calendar with one event of which these lines are part.
  private func checkEvent(_ lines: String, name: String = "VEVENT") throws -> [String] {
    try check(
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Example//EN
      BEGIN:\(name)
      UID:1
      DTSTAMP:20260101T000000Z
      \(lines)
      END:\(name)
      END:VCALENDAR

      """)
  }

  struct Case: CustomTestStringConvertible {
    let lines: String
    var component = "VEVENT"
    let found: [String]
    var testDescription: String { lines.replacing("\n", with: " ") }
  }

  static let cases: [Case] = [
    Case(lines: "DTSTART:20260101T000000Z", found: []),
    Case(
      lines: "SUMMARY:x",
      found: ["4:1 error property.missing expected DTSTART in VEVENT, found none"]),
    Case(
      lines: "DTSTART:20260101T000000Z\nSUMMARY:a\nSUMMARY:b",
      found: [
        "9:1 error property.repeated expected SUMMARY at most once in VEVENT, found another one"
      ]),
    Case(
      lines: "DTSTART:20260101T000000Z\nDTEND:20260101T010000Z\nDURATION:PT1H",
      found: ["9:1 error property.conflict expected DTEND or DURATION, found both"]),
    Case(
      lines: "DTSTART:20260101T010000Z\nDTEND:20260101T000000Z",
      found: ["8:7 error time.order expected DTEND after DTSTART, found an earlier time"]),
    Case(
      lines: "DTSTART;VALUE=DATE:20260101\nDTEND;VALUE=DATE:20260101",
      found: ["8:18 warning time.order expected DTEND after DTSTART, found the same day"]),
    Case(
      lines: "DTSTART;VALUE=DATE:20260101\nDTEND:20260102T000000Z",
      found: [
        "8:7 error time.type expected DTEND to be a DATE as DTSTART is, found a DATE-TIME"
      ]),
    Case(
      lines: "DTSTART:20260101T010000Z\nRECURRENCE-ID;VALUE=DATE:20260101",
      found: []),
    Case(
      lines: "DTSTART;TZID=Nowhere:20260101T010000",
      found: [
        "7:1 warning component.missing expected a VTIMEZONE for the time zone \"Nowhere\", found none"
      ]),
    Case(
      lines: "DTSTART;TZID=/example.org/UTC:20260101T010000Z",
      found: [
        "7:1 warning time.zone expected no TZID parameter on a UTC time, found one"
      ]),
    Case(
      lines: "DTSTART:20260101T010000Z\nPRIORITY:10",
      found: ["8:10 error value.range expected a number from 0 through 9, found 10"]),
    Case(
      lines: "DTSTART:20260101T010000Z\nGEO:91;0",
      found: [
        "8:5 error value.range expected a latitude from -90 through 90, \";\" and a longitude "
          + "from -180 through 180, found \"91;0\""
      ]),
    Case(
      lines: "DTSTART:20260101T010000Z\nTRANSP:MAYBE",
      found: ["8:8 error value.range expected OPAQUE or TRANSPARENT, found \"MAYBE\""]),
    Case(
      lines: "DURATION:PT1H", component: "VTODO",
      found: ["7:1 error property.missing expected DTSTART beside DURATION, found none"]),
    Case(
      lines: "DTSTART:20260101T010000Z\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-PT5M\nREPEAT:2\n"
        + "END:VALARM",
      found: [
        "8:1 error property.missing expected DESCRIPTION in an alarm with ACTION:DISPLAY, found none",
        "8:1 error property.missing expected DURATION and REPEAT together in VALARM, found only one",
      ]),
    Case(
      lines: "DTSTART:20260101T010000Z\nBEGIN:STANDARD\nDTSTART:20260101T000000\n"
        + "TZOFFSETFROM:+0100\nTZOFFSETTO:+0100\nEND:STANDARD",
      found: [
        "8:1 error component.misplaced expected STANDARD inside VTIMEZONE, found it inside VEVENT"
      ]),
  ]

  @Test("What does not go together is named with its place", arguments: cases)
  func namesWhatIsWrong(_ item: Case) throws {
    #expect(try checkEvent(item.lines, name: item.component) == item.found)
  }

  @Test("A calendar as a whole is checked when it ends")
  func calendar() throws {
    #expect(
      try check("BEGIN:VCALENDAR\nVERSION:1.0\nX-A:b\nEND:VCALENDAR\n") == [
        "1:1 error property.missing expected PRODID in VCALENDAR, found none",
        "2:9 error value.range expected 2.0, found \"1.0\"",
      ])
  }

  @Test("A message need not say when an event starts")
  func method() throws {
    #expect(
      try check(
        """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:x
        METHOD:CANCEL
        BEGIN:VEVENT
        UID:1
        DTSTAMP:20260101T000000Z
        ORGANIZER:mailto:ann@example.org
        SEQUENCE:1
        END:VEVENT
        END:VCALENDAR

        """
      ).isEmpty)
  }

  @Test("An override is compared with its series only if that has a start")
  func overrideOfSeriesWithoutStart() throws {
    let found = try check(
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Example//EN
      BEGIN:VTODO
      UID:1
      DTSTAMP:20260101T000000Z
      DUE:20260101T000000Z
      END:VTODO
      BEGIN:VTODO
      UID:1
      DTSTAMP:20260101T000000Z
      RECURRENCE-ID;VALUE=DATE:20260101
      END:VTODO
      END:VCALENDAR

      """)
    #expect(found == [])
  }

  @Test("Floating times within a component count for the zone of the calendar")
  func nestedFloatingTimes() throws {
    let found = try check(
      """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:-//Example//EN
      X-WR-TIMEZONE:Europe/Berlin
      BEGIN:VAVAILABILITY
      UID:1
      DTSTAMP:20260101T000000Z
      BEGIN:AVAILABLE
      UID:2
      DTSTAMP:20260101T000000Z
      DTSTART:20260101T090000
      DTEND:20260101T100000
      END:AVAILABLE
      END:VAVAILABILITY
      END:VCALENDAR

      """)
    #expect(found.count { $0.contains("found a floating time and 1 more") } == 1, "\(found)")
  }

  @Test("A calendar defines a TZID once; two definitions with other rules are an error")
  func timeZones() throws {
    func zone(_ observance: String, _ metadata: String = "") -> String {
      "BEGIN:VTIMEZONE\n\(metadata)TZID:Own\nBEGIN:STANDARD\n\(observance)END:STANDARD\nEND:VTIMEZONE\n"
    }
    func calendar(_ zones: String...) -> String {
      "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:-//Example//EN\n" + zones.joined() + "END:VCALENDAR\n"
    }
    let india = "DTSTART:16010101T000000\nTZOFFSETFROM:+0530\nTZOFFSETTO:+0530\n"
    let other = "TZOFFSETTO:+0530\nTZNAME:IST\nTZOFFSETFROM:+0530\nDTSTART:16010101T000000\n"
    let pacific = "DTSTART:16010101T000000\nTZOFFSETFROM:-0800\nTZOFFSETTO:-0800\n"
    func found(_ text: String) throws -> [String] {
      try check(text).filter { $0.contains("time-zone") || $0.contains("component.repeated") }
    }
    #expect(
      try found(calendar(zone(india), zone(pacific))) == [
        "12:1 error time-zone.conflict expected one definition of the time zone \"Own\", found another "
          + "one, with other rules than that in line 4"
      ])
    // The same rules in another order, with metadata, contradict nothing.
    let copy = zone(other, "LAST-MODIFIED:20260101T000000Z\nX-NOTE:x\n")
    #expect(try found(calendar(zone(india), copy)).allSatisfy { $0.hasPrefix("12:1 warning") })
    // Each calendar has its own definition.
    #expect(try found(calendar(zone(india)) + calendar(zone(pacific))) == [])
  }
}
