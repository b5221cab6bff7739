// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// Each rule about what takes place when, as a row of a table.
@Suite("Occurrences") struct OccurrenceTests {
  @Test(
    "Each row, in the order of the file and backwards",
    arguments: OccurrenceTables.lengths + OccurrenceTables.overrides + OccurrenceTables.future
      + OccurrenceTables.series + OccurrenceTables.ranges + OccurrenceTables.kinds)
  func row(_ row: OccurrenceCase) throws {
    for isReversed in [false, true] {
      let found = try row.query(reversed: isReversed).occurrences().map(OccurrenceCase.text)
      #expect(found == row.expected, "reversed: \(isReversed)")
    }
  }

  @Test("What cannot be as it is said is told")
  func findings() throws {
    let orphan = OccurrenceCase(
      name: "",
      components: [
        ["VEVENT", "UID:a", "DTSTART:20260105T090000Z", "RRULE:FREQ=DAILY;COUNT=3"],
        ["VEVENT", "UID:a", "RECURRENCE-ID:20260120T090000Z", "DTSTART:20260120T100000Z"],
      ], expected: [])
    #expect(
      try orphan.query().findings.map(\.diagnostic.code) == [.orphanOverride])
    let zone = OccurrenceCase(
      name: "", components: [["VEVENT", "UID:a", "DTSTART;TZID=Moon/Base:20260105T090000"]],
      expected: [])
    #expect(try zone.query().findings.map(\.diagnostic.code) == [.unknownTimeZone])
    let value = OccurrenceCase(
      name: "", components: [["VEVENT", "UID:a", "DTSTART:20260230T090000Z"]], expected: [])
    #expect(try value.query().findings.map(\.diagnostic.severity) == [.error])
    let rule = OccurrenceCase(
      name: "",
      components: [
        ["VEVENT", "UID:a", "DTSTART:20260105T090000Z", "RRULE:RSCALE=MARS;FREQ=DAILY"]
      ], expected: [])
    #expect(try rule.query().findings.map(\.diagnostic.code) == [.unusableRule])
    #expect(Array(try rule.query().occurrences()).count == 1)
    let ended = OccurrenceCase(
      name: "",
      components: [
        ["VEVENT", "UID:a", "DTSTART:20260105T090000Z", "RRULE:FREQ=DAILY;UNTIL=20260101T000000Z"]
      ], expected: [])
    #expect(try ended.query().findings.map(\.diagnostic.code) == [.endedSeries])
    let recurring = OccurrenceCase(
      name: "",
      components: [
        [
          "VEVENT", "UID:a", "RECURRENCE-ID:20260105T090000Z", "DTSTART:20260105T090000Z",
          "RRULE:FREQ=DAILY;COUNT=2",
        ]
      ], expected: [])
    #expect(try recurring.query().findings.map(\.diagnostic.code) == [.recurringOverride])
  }

  @Test("A definition wins over a Windows name for the items about which they disagree")
  func contest() throws {
    let definition = [
      "VTIMEZONE", "TZID:Egypt Standard Time", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:+0200", "TZOFFSETTO:+0200", "END:STANDARD",
    ]
    let row = OccurrenceCase(
      name: "",
      components: [
        definition,
        ["VEVENT", "UID:a", "DTSTART;TZID=Egypt Standard Time:20260715T090000"],
        ["VEVENT", "UID:b", "DTSTART;TZID=Egypt Standard Time:20260115T090000"],
        [
          "VEVENT", "UID:c", "DTSTART;TZID=Egypt Standard Time:20200115T090000",
          "RRULE:FREQ=YEARLY;COUNT=7;BYMONTH=7",
        ],
      ], expected: [])
    let query = try row.query()
    #expect(
      query.occurrences().map(OccurrenceCase.text) == [
        "2026-01-15T09:00:00+02:00/2026-01-15T09:00:00+02:00",
        "2026-07-15T09:00:00+02:00/2026-07-15T09:00:00+02:00",
        "2026-07-15T09:00:00+02:00/2026-07-15T09:00:00+02:00 = 2026-07-15T09:00:00+02:00",
      ])
    #expect(query.findings.map(\.diagnostic.code) == [.differentTimeZone, .differentTimeZone])
  }

  @Test("Components with one UID are the same occurrences as after an import, and reported alike")
  func rivals() throws {
    let cases: [([String], DiagnosticCode, count: Int)] = [
      (["UID:a", "DTSTART:20260105T100000Z", "SUMMARY:B"], .sharedUID, 2),
      (["UID:a", "DTSTART:20260105T100000Z", "SEQUENCE:1"], .supersededItem, 1),
      (["UID:a", "DTSTART:20260105T090000Z", "SUMMARY:A"], .repeatedItem, 1),
    ]
    for (other, code, count) in cases {
      let row = OccurrenceCase(
        name: "",
        components: [
          ["VEVENT", "UID:a", "DTSTART:20260105T090000Z", "SUMMARY:A"], ["VEVENT"] + other,
        ],
        expected: [])
      let imported = try ItemGroupingTests.Outcome(
        of: calendar(
          row.components.flatMap { ["BEGIN:VEVENT"] + $0.dropFirst() + ["END:VEVENT"] }))
      for isReversed in [false, true] {
        let query = try row.query(reversed: isReversed)
        let occurrences = Array(query.occurrences())
        #expect(occurrences.count == count)
        #expect(Set(occurrences.map(\.uid.rawValue)) == Set(imported.uids))
        #expect(query.findings.map(\.diagnostic.code) == [code])
        #expect(query.findings.allSatisfy { $0.diagnostic.position.line > 1 })
      }
      #expect(imported.codes == [code])
    }
  }

  @Test("A component whose RECURRENCE-ID cannot be read is an occurrence by itself")
  func unreadableID() throws {
    let row = OccurrenceCase(
      name: "",
      components: [
        ["VEVENT", "UID:a", "DTSTART:20260105T090000Z", "SEQUENCE:1"],
        ["VEVENT", "UID:a", "RECURRENCE-ID:tomorrow", "DTSTART:20260106T090000Z", "SEQUENCE:2"],
        ["VEVENT", "UID:a", "RECURRENCE-ID:later", "DTSTART:20260107T090000Z"],
      ], expected: [])
    #expect(
      try row.query().occurrences().map(\.start.time.date.day) == [5, 6, 7])
  }

  @Test("A search that is given up is told")
  func truncation() throws {
    // Every second for a hundred years, each a second long: all before the range may last into it.
    let row = OccurrenceCase(
      name: "",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART:20200105T090000Z", "RRULE:FREQ=SECONDLY",
          "EXRULE:FREQ=SECONDLY",
        ],
        ["VEVENT", "UID:b", "DTSTART:20260105T090000Z"],
      ], expected: [])
    var iterator = try row.query().occurrences().makeIterator()
    #expect(iterator.next()?.uid.rawValue == "b")
    #expect(iterator.next() == nil)
    #expect(iterator.findings.map(\.diagnostic.code) == [.truncatedSeries])
  }

  @Test("Nothing is walked from the start of a series to the range")
  func seeking() throws {
    let row = OccurrenceCase(
      name: "",
      components: [["VEVENT", "UID:a", "DTSTART:00010101T000000Z", "RRULE:FREQ=SECONDLY"]],
      from: "99981231T235958Z", to: "99990101T000001Z", expected: [])
    #expect(
      try row.query().occurrences().map { $0.start.rfc3339 } == [
        "9998-12-31T23:59:58Z", "9998-12-31T23:59:59Z", "9999-01-01T00:00:00Z",
      ])
  }

  @Test("Of what is the same at the same time, the order is that of the RFC's kinds")
  func order() throws {
    let row = OccurrenceCase(
      name: "",
      components: [
        ["VJOURNAL", "UID:a", "DTSTART:20260105T090000Z"],
        ["VTODO", "UID:a", "DTSTART:20260105T090000Z"],
        ["VEVENT", "UID:a", "DTSTART:20260105T090000Z"],
        ["VEVENT", "UID:A", "DTSTART:20260105T090000Z"],
        ["VEVENT", "UID:long", "DTSTART:20260105T090000Z", "DURATION:PT1H"],
        ["VEVENT", "UID:day", "DTSTART;VALUE=DATE:20260105"],
        ["VEVENT", "UID:midnight", "DTSTART:20260104T230000Z"],
      ], expected: [])
    let found = try row.query().occurrences().map { "\($0.kind.rawValue) \($0.uid)" }
    #expect(
      found == [
        "VEVENT day", "VEVENT midnight", "VEVENT A", "VEVENT a", "VTODO a", "VJOURNAL a",
        "VEVENT long",
      ])
  }
}
