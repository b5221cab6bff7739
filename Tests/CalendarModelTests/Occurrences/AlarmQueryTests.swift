// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// Which alarms go off when (RFC 5545 §3.6.6, RFC 9074).
@Suite("Alarms in a range of time") struct AlarmQueryTests {
  /// Components, and the instants at which alarms go off in 2026, each with its repetition if it is one.
  struct Row: CustomTestStringConvertible {
    let name: String
    let components: [[String]]
    var from = "20260101T000000Z"
    var to = "20270101T000000Z"
    let expected: [String]

    var testDescription: String { name }
  }

  private static func event(_ lines: [String], _ alarm: String...) -> [String] {
    event(lines, alarms: [alarm])
  }

  private static func event(_ lines: [String], alarms: [[String]]) -> [String] {
    ["VEVENT", "UID:a"] + lines
      + alarms.flatMap { ["BEGIN:VALARM", "ACTION:DISPLAY"] + $0 + ["END:VALARM"] }
  }

  private static let berlin = [
    "DTSTART;TZID=Europe/Berlin:20260329T120000", "DTEND;TZID=Europe/Berlin:20260329T130000",
  ]
  private static let utc = ["DTSTART:20260105T090000Z", "DTEND:20260105T100000Z"]

  static let rows = [
    Row(
      name: "before the start, after it, and of the end",
      components: [
        event(
          utc,
          alarms: [
            ["TRIGGER:-PT15M"], ["TRIGGER:PT5M"], ["TRIGGER;RELATED=END:-PT1M"],
            ["TRIGGER;RELATED=END:PT0S"],
          ])
      ],
      expected: ["20260105T084500Z", "20260105T090500Z", "20260105T095900Z", "20260105T100000Z"]),
    Row(
      name: "acknowledged and snoozed by Thunderbird, for the item as a whole",
      components: [
        event(
          utc + ["X-MOZ-LASTACK:20260105T084500Z", "X-MOZ-SNOOZE-TIME:20260106T070000Z"],
          alarms: [["TRIGGER:-PT15M"], ["TRIGGER:PT5M"]])
      ],
      expected: ["20260105T090500Z", "20260106T070000Z"]),
    Row(
      name: "days are those of the clock on the wall, hours are exact",
      components: [event(berlin, alarms: [["TRIGGER:-P1D"], ["TRIGGER:-PT24H"]])],
      expected: ["20260328T100000Z", "20260328T110000Z"]),
    Row(
      name: "a day is that of whoever looks",
      components: [event(["DTSTART;VALUE=DATE:20260401"], "TRIGGER:-PT9H")],
      expected: ["20260331T130000Z"]),
    Row(
      name: "at a point in time, once for a series",
      components: [
        event(
          utc + ["RRULE:FREQ=DAILY"], "TRIGGER;VALUE=DATE-TIME:20260301T120000Z")
      ], expected: ["20260301T120000Z"]),
    Row(
      name: "at a point in time that is spelled otherwise, or not in UTC",
      components: [
        event(
          utc,
          alarms: [
            ["TRIGGER:20260301T120000Z"], ["TRIGGER:VALUE=DATE-TIME:20260302T120000Z"],
            ["TRIGGER;VALUE=DATE-TIME;TZID=America/New_York:20260303T120000"],
            ["TRIGGER;VALUE=DATE-TIME:20260304T120000"], ["TRIGGER;VALUE=DATE-TIME:-PT15M"],
          ])
      ],
      expected: [
        "20260105T084500Z", "20260301T120000Z", "20260302T120000Z", "20260303T170000Z",
        "20260304T110000Z",
      ]),
    Row(
      name: "at a point in time that is not in the range",
      components: [event(utc, "TRIGGER;VALUE=DATE-TIME:20250301T120000Z")], expected: []),
    Row(
      name: "for each occurrence of a series, also of those outside the range",
      components: [event(utc + ["RRULE:FREQ=WEEKLY"], "TRIGGER:-P10D")],
      from: "20260110T000000Z", to: "20260120T000000Z", expected: ["20260116T090000Z"]),
    Row(
      name: "repetitions, from the first in the range on",
      components: [event(utc, "TRIGGER:-PT1H", "REPEAT:5", "DURATION:PT20M")],
      from: "20260105T083000Z", to: "20260105T092000Z",
      expected: ["20260105T084000Z 2", "20260105T090000Z 3"]),
    Row(
      name: "no repetition without DURATION",
      components: [event(utc, "TRIGGER:-PT1H", "REPEAT:5")], expected: ["20260105T080000Z"]),
    Row(
      name: "repetitions without an end are no trap",
      components: [
        event(utc, "TRIGGER:-PT1H", "REPEAT:2147483647", "DURATION:P2147483647W")
      ], expected: ["20260105T080000Z"]),
    Row(
      name: "what was acknowledged does not go off again",
      components: [
        event(
          utc + ["RRULE:FREQ=DAILY;COUNT=3"], "TRIGGER:-PT15M", "ACKNOWLEDGED:20260106T084500Z")
      ], expected: ["20260107T084500Z"]),
    Row(
      name: "an acknowledged alarm repeats only after that",
      components: [
        event(
          utc, "TRIGGER:-PT15M", "REPEAT:2", "DURATION:PT5M", "ACKNOWLEDGED:20260105T084600Z")
      ], expected: ["20260105T085000Z 1", "20260105T085500Z 2"]),
    Row(
      name: "an alarm that was put off",
      components: [
        event(
          utc,
          alarms: [
            ["UID:first", "TRIGGER:-PT15M", "ACKNOWLEDGED:20260105T084600Z"],
            [
              "UID:again", "TRIGGER;VALUE=DATE-TIME:20260105T085500Z",
              "RELATED-TO;RELTYPE=SNOOZE:first",
            ],
          ])
      ], expected: ["20260105T085500Z of first"]),
    Row(
      name: "an override has its own alarms, or none",
      components: [
        event(utc + ["RRULE:FREQ=DAILY;COUNT=3"], "TRIGGER:-PT15M"),
        event(
          ["RECURRENCE-ID:20260106T090000Z", "DTSTART:20260106T120000Z"], "TRIGGER:-PT30M"),
        ["VEVENT", "UID:a", "RECURRENCE-ID:20260107T090000Z", "DTSTART:20260107T120000Z"],
      ], expected: ["20260105T084500Z", "20260106T113000Z"]),
    Row(
      name: "of when a reminder is due, and none once it is done",
      components: [
        [
          "VTODO", "UID:b", "DTSTART:20260105T090000Z", "DUE:20260106T090000Z", "BEGIN:VALARM",
          "TRIGGER;RELATED=END:-PT1H", "END:VALARM", "BEGIN:VALARM", "TRIGGER:PT0S", "END:VALARM",
        ],
        [
          "VTODO", "UID:c", "DUE:20260106T090000Z", "STATUS:COMPLETED", "BEGIN:VALARM",
          "TRIGGER;RELATED=END:-PT1H", "END:VALARM",
        ],
      ], expected: ["20260105T090000Z", "20260106T080000Z"]),
    Row(
      name: "at a point in time, of a reminder without a date",
      components: [
        [
          "VTODO", "UID:a", "BEGIN:VALARM", "ACTION:DISPLAY",
          "TRIGGER;VALUE=DATE-TIME:20260301T120000Z", "REPEAT:1", "DURATION:PT10M", "END:VALARM",
          "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT10M", "END:VALARM",
        ],
        [
          "VTODO", "UID:b", "RRULE:FREQ=DAILY", "BEGIN:VALARM", "ACTION:DISPLAY",
          "TRIGGER;VALUE=DATE-TIME:20260302T120000Z", "END:VALARM",
        ],
        [
          "VTODO", "UID:c", "STATUS:CANCELLED", "BEGIN:VALARM", "ACTION:DISPLAY",
          "TRIGGER;VALUE=DATE-TIME:20260303T120000Z", "END:VALARM",
        ],
      ], expected: ["20260301T120000Z", "20260301T121000Z 1", "20260302T120000Z"]),
    Row(
      name: "of the day on which a reminder from a time on is due",
      components: [
        [
          "VTODO", "UID:a", "DTSTART;TZID=Europe/Berlin:20260105T090000",
          "DUE;VALUE=DATE:20260107", "BEGIN:VALARM", "ACTION:DISPLAY",
          "TRIGGER;RELATED=END:-PT1H", "END:VALARM",
        ]
      ], expected: ["20260106T220000Z"]),
    Row(
      name: "none of a reminder that is done by another property than STATUS",
      components: [
        [
          "VTODO", "UID:a", "DUE:20260106T090000Z", "COMPLETED:20260101T000000Z", "BEGIN:VALARM",
          "ACTION:DISPLAY", "TRIGGER:-PT1H", "END:VALARM",
        ],
        [
          "VTODO", "UID:b", "DUE:20260106T090000Z", "PERCENT-COMPLETE:100", "BEGIN:VALARM",
          "ACTION:DISPLAY", "TRIGGER:-PT1H", "END:VALARM",
        ],
        [
          "VTODO", "UID:c", "DUE:20260106T100000Z", "STATUS:IN-PROCESS", "PERCENT-COMPLETE:100",
          "BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT1H", "END:VALARM",
        ],
      ], expected: ["20260106T090000Z"]),
    Row(
      name: "none of what is cancelled, goes off at a place, or does nothing",
      components: [
        event(utc + ["STATUS:CANCELLED"], "TRIGGER:-PT15M"),
        [
          "VEVENT", "UID:b", "DTSTART:20260105T090000Z", "BEGIN:VALARM", "ACTION:NONE",
          "TRIGGER:-PT15M", "END:VALARM", "BEGIN:VALARM", "ACTION:DISPLAY", "PROXIMITY:ARRIVE",
          "TRIGGER:-PT15M", "END:VALARM", "BEGIN:VALARM", "ACTION:DISPLAY", "END:VALARM",
        ],
      ], expected: []),
  ]

  @Test(arguments: rows) func row(_ row: Row) throws {
    let test = OccurrenceCase(
      name: row.name, components: row.components, from: row.from, to: row.to, expected: [])
    for isReversed in [false, true] {
      let range = try test.query().range
      var query = AlarmQuery(
        in: range, viewer: try OccurrenceCase.database.rules(named: "Europe/Berlin"),
        zones: OccurrenceCase.resolver)
      var reading = OccurrenceReading()
      for calendar in try CalendarStream(parsing: test.bytes(reversed: isReversed)).calendars {
        for component in calendar.components { reading.take(component) }
      }
      reading.finish(into: &query, source: 0)
      let found = query.alarms.map { alarm in
        "\(alarm.instant)" + (alarm.repetition > 0 ? " \(alarm.repetition)" : "")
          + (alarm.snoozedAlarm.map { " of \($0)" } ?? "")
      }
      #expect(found == row.expected, "reversed: \(isReversed)")
    }
  }

  @Test func keepsTheFirstAlarms() throws {
    let rows = [
      ["VEVENT", "UID:late", "DTSTART:20260105T100000Z", "RRULE:FREQ=SECONDLY"],
      ["VEVENT", "UID:early", "DTSTART:20260105T090000Z", "RRULE:FREQ=SECONDLY;COUNT=3"],
    ].map { $0 + ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT1M", "END:VALARM"] }
    let test = OccurrenceCase(
      name: "dense", components: rows, from: "20260105T000000Z", to: "20260106T000000Z",
      expected: [])
    var query = AlarmQuery(
      in: try test.query().range, viewer: try OccurrenceCase.database.rules(named: "Europe/Berlin"),
      zones: OccurrenceCase.resolver, limit: 5)
    var reading = OccurrenceReading()
    for calendar in try CalendarStream(parsing: test.bytes()).calendars {
      for component in calendar.components { reading.take(component) }
    }
    reading.finish(into: &query, source: 0)
    #expect(
      query.alarms.map { "\($0.instant)" } == [
        "20260105T085900Z", "20260105T085901Z", "20260105T085902Z", "20260105T095900Z",
        "20260105T095901Z",
      ])
    #expect(query.isCut)
    #expect(query.findings.isEmpty)
  }

  @Test("An alarm whose trigger cannot be read is named, and only then")
  func unreadableTriggers() throws {
    let triggers = [
      "TRIGGER:-PTNaNM", "TRIGGER:20260301T120000Z", "TRIGGER;VALUE=DATE:20261128", "SUMMARY:none",
      "TRIGGER;VALUE=DATE-TIME;TZID=Europe/Berlin:20260302T120000", "TRIGGER:-PT15M",
    ]
    let test = OccurrenceCase(
      name: "triggers", components: [Self.event(Self.utc, alarms: triggers.map { [$0] })],
      from: "20260101T000000Z", to: "20270101T000000Z", expected: [])
    var query = AlarmQuery(
      in: try test.query().range, viewer: try OccurrenceCase.database.rules(named: "Europe/Berlin"),
      zones: OccurrenceCase.resolver)
    var reading = OccurrenceReading()
    for calendar in try CalendarStream(parsing: test.bytes()).calendars {
      for component in calendar.components { reading.take(component) }
    }
    reading.finish(into: &query, source: 0)
    #expect(query.alarms.count == 3)
    #expect(query.findings.map(\.diagnostic.severity) == [.warning, .warning, .warning])
    #expect(query.findings.allSatisfy { $0.diagnostic.message.hasPrefix("the alarm is omitted: ") })
  }
}
