// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// When somebody is busy (RFC 5545 §3.6.4).
@Suite("Busy time") struct FreeBusyTests {
  /// Components, and the FREEBUSY properties that they make on 5 January 2026 in Berlin.
  struct Row: CustomTestStringConvertible {
    let name: String
    let components: [[String]]
    var allDayBlocks = true
    let expected: [String]

    var testDescription: String { name }
  }

  private static func event(_ start: Int, _ end: Int, _ lines: String...) -> [String] {
    func time(_ hour: Int) -> String { "20260105T\(hour < 10 ? "0" : "")\(hour)0000Z" }
    return ["VEVENT", "UID:\(start)-\(end)", "DTSTART:\(time(start))", "DTEND:\(time(end))"] + lines
  }

  /// A VAVAILABILITY with one AVAILABLE from hour to hour, in UTC.
  private static func office(_ start: Int, _ end: Int, _ lines: String...) -> [String] {
    func time(_ hour: Int) -> String { "20260105T\(hour < 10 ? "0" : "")\(hour)0000Z" }
    return ["VAVAILABILITY", "UID:\(start)-\(end)"] + lines + [
      "BEGIN:AVAILABLE", "UID:a", "DTSTART:\(time(start))", "DTEND:\(time(end))", "END:AVAILABLE",
    ]
  }

  static let rows = [
    Row(
      name: "events, and what touches becomes one",
      components: [
        event(10, 11), event(8, 9), event(9, 10), event(13, 14),
      ],
      expected: [
        "FREEBUSY:20260105T080000Z/20260105T110000Z", "FREEBUSY:20260105T130000Z/20260105T140000Z",
      ]),
    Row(
      name: "what takes no time, is transparent or is cancelled does not count",
      components: [
        event(8, 8), event(9, 10, "TRANSP:TRANSPARENT"), event(11, 12, "STATUS:CANCELLED"),
        ["VTODO", "UID:t", "DTSTART:20260105T080000Z", "DUE:20260105T180000Z"],
        ["VJOURNAL", "UID:j", "DTSTART:20260105T080000Z"],
      ], expected: []),
    Row(
      name: "what is tentative yields to what is certain",
      components: [event(8, 12, "STATUS:TENTATIVE"), event(9, 10), event(11, 14)],
      expected: [
        "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260105T080000Z/20260105T090000Z",
        "FREEBUSY:20260105T090000Z/20260105T100000Z",
        "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260105T100000Z/20260105T110000Z",
        "FREEBUSY:20260105T110000Z/20260105T140000Z",
      ]),
    Row(
      name: "the user's answers count, and those of others do not",
      components: [
        event(8, 9, "ATTENDEE;PARTSTAT=DECLINED:MAILTO:Me@Example.net"),
        event(10, 11, "ATTENDEE;PARTSTAT=TENTATIVE:mailto:me@example.net"),
        event(12, 13, "ATTENDEE;PARTSTAT=DECLINED:mailto:ana@example.net"),
        event(16, 17, "ATTENDEE;EMAIL=me@example.net;PARTSTAT=DECLINED:urn:uuid:1234"),
        event(14, 15, "ATTENDEE;PARTSTAT=ACCEPTED:mailto:me@example.net"),
      ],
      expected: [
        "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260105T100000Z/20260105T110000Z",
        "FREEBUSY:20260105T120000Z/20260105T130000Z", "FREEBUSY:20260105T140000Z/20260105T150000Z",
      ]),
    Row(
      name: "a day blocks as the RFC says, within the range",
      components: [["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105"]],
      expected: ["FREEBUSY:20260105T060000Z/20260105T230000Z"]),
    Row(
      name: "a day does not block if so chosen, unless it says so",
      components: [["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105"]], allDayBlocks: false,
      expected: []),
    Row(
      name: "a day that says that it blocks",
      components: [["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "TRANSP:OPAQUE"]],
      allDayBlocks: false, expected: ["FREEBUSY:20260105T060000Z/20260105T230000Z"]),
    Row(
      name: "a series with an exclusion",
      components: [
        event(8, 9, "RRULE:FREQ=HOURLY;INTERVAL=2;COUNT=3", "EXDATE:20260105T100000Z")
      ],
      expected: [
        "FREEBUSY:20260105T080000Z/20260105T090000Z", "FREEBUSY:20260105T120000Z/20260105T130000Z",
      ]),
    Row(
      name: "busy time that is told counts as it says",
      components: [
        event(9, 10),
        [
          "VFREEBUSY", "UID:f", "FREEBUSY:20260105T080000Z/PT90M,20260105T150000Z/20260105T160000Z",
          "FREEBUSY;FBTYPE=busy-unavailable:20260105T093000Z/20260105T110000Z",
          "FREEBUSY;FBTYPE=FREE:20260105T103000Z/20260105T120000Z",
          "FREEBUSY;FBTYPE=X-AWAY:20260105T170000Z/PT1H", "FREEBUSY:20260105T180000Z/-PT1H",
        ],
      ],
      expected: [
        "FREEBUSY:20260105T080000Z/20260105T093000Z",
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T093000Z/20260105T110000Z",
        "FREEBUSY;FBTYPE=FREE:20260105T110000Z/20260105T120000Z",
        "FREEBUSY:20260105T150000Z/20260105T160000Z", "FREEBUSY:20260105T170000Z/20260105T180000Z",
      ]),
  ]

  static let availabilities = [
    Row(
      name: "an availability without an end, and its exceptions",
      components: [
        [
          "VAVAILABILITY", "UID:v", "DTSTART;TZID=Europe/Berlin:20260101T000000",
          "BEGIN:AVAILABLE", "UID:a", "DTSTART;TZID=Europe/Berlin:20260101T090000",
          "DTEND;TZID=Europe/Berlin:20260101T120000", "RRULE:FREQ=DAILY", "STATUS:CANCELLED",
          "END:AVAILABLE",
          "BEGIN:AVAILABLE", "UID:a", "RECURRENCE-ID;TZID=Europe/Berlin:20260106T090000",
          "DTSTART;TZID=Europe/Berlin:20260105T160000",
          "DTEND;TZID=Europe/Berlin:20260105T170000", "END:AVAILABLE",
        ], event(9, 10),
      ],
      expected: [
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T060000Z/20260105T080000Z",
        "FREEBUSY:20260105T090000Z/20260105T100000Z",
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T110000Z/20260105T150000Z",
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T160000Z/20260106T060000Z",
      ]),
    Row(
      name: "an availability counts from its start to its end, by its type",
      components: [
        office(
          8, 9, "BUSYTYPE:busy-tentative", "DTSTART:20260105T070000Z", "DURATION:PT3H"),
        office(12, 13, "BUSYTYPE:BUSY", "DTSTART:20260105T110000Z", "DTEND:20260105T140000Z"),
        office(
          16, 17, "BUSYTYPE:X-AWAY", "DTSTART:20260105T160000Z", "DTEND:20260105T180000Z"),
      ],
      expected: [
        "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260105T070000Z/20260105T080000Z",
        "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260105T090000Z/20260105T100000Z",
        "FREEBUSY:20260105T110000Z/20260105T120000Z",
        "FREEBUSY:20260105T130000Z/20260105T140000Z",
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T170000Z/20260105T180000Z",
      ]),
    Row(
      name: "of several availabilities the one with the higher priority counts",
      components: [
        office(8, 9, "DTSTART:20260105T060000Z", "DTEND:20260105T160000Z"),
        office(
          10, 11, "PRIORITY:1", "BUSYTYPE:BUSY", "DTSTART:20260105T070000Z",
          "DTEND:20260105T120000Z"),
        office(11, 13, "PRIORITY:9", "DTSTART:20260105T110000Z", "DTEND:20260105T140000Z"),
      ],
      expected: [
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T060000Z/20260105T070000Z",
        "FREEBUSY:20260105T070000Z/20260105T100000Z",
        "FREEBUSY:20260105T110000Z/20260105T120000Z",
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T130000Z/20260105T160000Z",
      ]),
    Row(
      name: "of availabilities of one priority both have to say free",
      components: [
        office(7, 10, "DTSTART:20260105T060000Z", "DTEND:20260105T110000Z"),
        office(9, 11, "DTSTART:20260105T060000Z", "DTEND:20260105T110000Z"),
      ],
      expected: [
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T060000Z/20260105T090000Z",
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T100000Z/20260105T110000Z",
      ]),
    Row(
      name: "of availabilities of one priority BUSY counts before BUSY-UNAVAILABLE",
      components: [
        office(7, 8, "DTSTART:20260105T060000Z", "DTEND:20260105T090000Z"),
        office(7, 9, "BUSYTYPE:BUSY", "DTSTART:20260105T060000Z", "DTEND:20260105T100000Z"),
        office(
          10, 11, "BUSYTYPE:BUSY-TENTATIVE", "DTSTART:20260105T080000Z", "DTEND:20260105T120000Z"),
      ],
      expected: [
        "FREEBUSY:20260105T060000Z/20260105T070000Z",
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T080000Z/20260105T090000Z",
        "FREEBUSY:20260105T090000Z/20260105T100000Z",
        "FREEBUSY;FBTYPE=BUSY-TENTATIVE:20260105T110000Z/20260105T120000Z",
      ]),
    Row(
      name: "of two availabilities of one UID the later revision counts",
      components: [
        office(
          7, 8, "SEQUENCE:2", "DTSTART:20260105T060000Z", "DTEND:20260105T090000Z"),
        office(
          7, 8, "SEQUENCE:1", "DTSTART:20260105T060000Z", "DTEND:20260105T190000Z"),
      ],
      expected: [
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T060000Z/20260105T070000Z",
        "FREEBUSY;FBTYPE=BUSY-UNAVAILABLE:20260105T080000Z/20260105T090000Z",
      ]),
  ]

  @Test(arguments: rows + availabilities) func row(_ row: Row) throws {
    let test = OccurrenceCase(
      name: row.name, components: row.components, from: "20260105T060000Z", to: "20260106T060000Z",
      expected: [])
    let query = try test.query()
    var freeBusy = FreeBusy(in: query.range)
    freeBusy.allDayBlocks = row.allDayBlocks
    freeBusy.user = [CalendarAddress("mailto:me@example.net")]
    for occurrence in query.occurrences() { freeBusy.add(occurrence) }
    let calendar = try CalendarStream(parsing: test.bytes()).calendars[0]
    for component in calendar.components(named: .freeBusy) { freeBusy.add(component) }
    var availability = Availability(
      in: query.range, viewer: try OccurrenceCase.database.rules(named: "Europe/Berlin"),
      zones: OccurrenceCase.resolver)
    for component in calendar.components { availability.add(component) }
    freeBusy.add(availability.periods)
    let component = freeBusy.component(stamp: Instant(secondsSinceEpoch: 0))
    let found = component.properties(named: .freeBusy).map { property in
      let type = property[.freeBusyType].map { ";FBTYPE=\($0)" } ?? ""
      return "FREEBUSY\(type):\(property.rawValue)"
    }
    #expect(found == row.expected)
  }

  @Test("The component is valid, and has the same UID for the same busy time")
  func component() throws {
    let test = OccurrenceCase(
      name: "", components: [Self.event(8, 9)], from: "20260105T060000Z", to: "20260106T060000Z",
      expected: [])
    let query = try test.query()
    var freeBusy = FreeBusy(in: query.range)
    for occurrence in query.occurrences() { freeBusy.add(occurrence) }
    let first = freeBusy.component(stamp: Instant(secondsSinceEpoch: 0))
    let second = freeBusy.component(stamp: Instant(secondsSinceEpoch: 60))
    #expect(first[.uid]?.text == second[.uid]?.text)
    #expect(text(first).contains("DTSTART:20260105T060000Z\r\nDTEND:20260106T060000Z\r\n"))
    let bytes = calendar(text(first).split(separator: "\r\n").map(String.init))
    #expect(FileChecker.diagnostics(for: bytes.span).isEmpty)
  }
}
