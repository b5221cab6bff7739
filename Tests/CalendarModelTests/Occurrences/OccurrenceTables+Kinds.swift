// SPDX-License-Identifier: Apache-2.0

import CalendarModel

extension OccurrenceTables {
  private static let reminder = [
    "VTODO", "UID:a", "DTSTART:20260105T090000Z", "DUE:20260106T090000Z",
    "RRULE:FREQ=WEEKLY;COUNT=2",
  ]

  /// Reminders and journal entries (RFC 5545 §3.6.2, §3.6.3; RFC 4791 §9.9).
  static let kinds = [
    OccurrenceCase(
      name: "a reminder is from its start until it is due", components: [reminder],
      expected: [
        "2026-01-05T09:00:00Z/2026-01-06T09:00:00Z = 2026-01-05T09:00:00Z",
        "2026-01-12T09:00:00Z/2026-01-13T09:00:00Z = 2026-01-12T09:00:00Z",
      ]),
    OccurrenceCase(
      name: "a reminder by when it is due", components: [reminder],
      from: "20260105T000000Z", to: "20260112T100000Z", change: { $0.reminders = .due },
      expected: ["2026-01-06T09:00:00Z/2026-01-06T09:00:00Z = 2026-01-05T09:00:00Z"]),
    OccurrenceCase(
      name: "a reminder by when it starts", components: [reminder],
      from: "20260105T100000Z", to: "20260113T100000Z", change: { $0.reminders = .start },
      expected: ["2026-01-12T09:00:00Z/2026-01-12T09:00:00Z = 2026-01-12T09:00:00Z"]),
    OccurrenceCase(
      name: "a reminder that is due before it starts counts by when it is due",
      components: [
        ["VTODO", "UID:a", "DTSTART:20260107T090000Z", "DUE:20260106T090000Z"],
        ["VTODO", "UID:b", "DTSTART;VALUE=DATE:20260107", "DUE;VALUE=DATE:20260105"],
        ["VTODO", "UID:c", "DTSTART:20260107T090000Z", "DUE;VALUE=DATE:20260104"],
        [
          "VTODO", "UID:d", "DTSTART;TZID=Europe/Berlin:20260107T090000",
          "DUE;TZID=America/New_York:20260106T090000",
        ],
      ], change: { $0.reminders = .due },
      expected: [
        "2026-01-04/2026-01-04", "2026-01-05/2026-01-05",
        "2026-01-06T09:00:00Z/2026-01-06T09:00:00Z",
        "2026-01-06T09:00:00-05:00/2026-01-06T09:00:00-05:00",
      ]),
    OccurrenceCase(
      name: "a reminder that is due after a duration",
      components: [
        ["VTODO", "UID:a", "DTSTART;TZID=Europe/Berlin:20260328T090000", "DURATION:P1D"]
      ], change: { $0.reminders = .due },
      expected: ["2026-03-29T09:00:00+02:00/2026-03-29T09:00:00+02:00"]),
    OccurrenceCase(
      name: "a reminder that is only due, and one that only starts",
      components: [
        ["VTODO", "UID:a", "DUE:20260106T090000Z"], ["VTODO", "UID:b", "DTSTART:20260105T090000Z"],
        ["VTODO", "UID:c"],
      ],
      expected: [
        "2026-01-05T09:00:00Z/2026-01-05T09:00:00Z", "2026-01-06T09:00:00Z/2026-01-06T09:00:00Z",
      ]),
    OccurrenceCase(
      name: "the day on which a reminder is due is part of it",
      components: [
        ["VTODO", "UID:a", "DUE;VALUE=DATE:20260105"],
        ["VTODO", "UID:b", "DTSTART;VALUE=DATE:20260103", "DUE;VALUE=DATE:20260105"],
        ["VTODO", "UID:c", "DTSTART;VALUE=DATE:20260103", "DUE;VALUE=DATE:20260104"],
      ], from: "20260105T120000Z", to: "20260106T120000Z",
      expected: ["2026-01-03/2026-01-05", "2026-01-05/2026-01-05"]),
    OccurrenceCase(
      name: "a reminder from a time on that is due on a day, by when it is due",
      components: [
        ["VTODO", "UID:a", "DTSTART:20260103T220000Z", "DUE;VALUE=DATE:20260105"],
        [
          "VTODO", "UID:b", "DTSTART;TZID=America/New_York:20260105T203000",
          "DUE;VALUE=DATE:20260105",
        ],
        [
          "VTODO", "UID:c", "DTSTART;TZID=Europe/Berlin:20260106T090000",
          "DUE;VALUE=DATE:20260107", "RRULE:FREQ=DAILY;COUNT=2",
        ],
      ], change: { $0.reminders = .due },
      expected: [
        "2026-01-05/2026-01-05", "2026-01-05/2026-01-05",
        "2026-01-07/2026-01-07 = 2026-01-06T09:00:00+01:00",
        "2026-01-08/2026-01-08 = 2026-01-07T09:00:00+01:00",
      ]),
    OccurrenceCase(
      name: "the day on which a reminder is due ends in the viewer's time zone",
      components: [
        ["VTODO", "UID:a", "DTSTART:20260103T220000Z", "DUE;VALUE=DATE:20260105"],
        [
          "VTODO", "UID:b", "DTSTART;TZID=Asia/Tokyo:20260103T090000", "DUE;VALUE=DATE:20260104",
        ],
      ], from: "20260105T220000Z", to: "20260106T120000Z",
      expected: ["2026-01-03T22:00:00Z/2026-01-05"]),
    OccurrenceCase(
      name: "a reminder from a day on that is due at a time",
      components: [
        [
          "VTODO", "UID:a", "DTSTART;VALUE=DATE:20260103",
          "DUE;TZID=America/New_York:20260105T170000",
        ],
        [
          "VTODO", "UID:b", "DTSTART;VALUE=DATE:20260106", "DUE:20260106T170000Z",
          "RRULE:FREQ=DAILY;COUNT=2",
        ],
      ], change: { $0.reminders = .due },
      expected: [
        "2026-01-05T17:00:00-05:00/2026-01-05T17:00:00-05:00",
        "2026-01-06T17:00:00Z/2026-01-06T17:00:00Z = 2026-01-06",
        "2026-01-07T17:00:00Z/2026-01-07T17:00:00Z = 2026-01-07",
      ]),
    OccurrenceCase(
      name: "a recurring reminder with only a day on which it is due",
      components: [["VTODO", "UID:a", "DUE;VALUE=DATE:20260105", "RRULE:FREQ=DAILY;COUNT=2"]],
      expected: ["2026-01-05/2026-01-05 = 2026-01-05", "2026-01-06/2026-01-06 = 2026-01-06"]),
    OccurrenceCase(
      name: "an override of a reminder moves when it is due",
      components: [
        reminder,
        [
          "VTODO", "UID:a", "RECURRENCE-ID:20260112T090000Z", "DTSTART:20260112T090000Z",
          "DUE:20260120T090000Z",
        ],
      ], change: { $0.reminders = .due },
      expected: [
        "2026-01-06T09:00:00Z/2026-01-06T09:00:00Z = 2026-01-05T09:00:00Z",
        "2026-01-20T09:00:00Z/2026-01-20T09:00:00Z = 2026-01-12T09:00:00Z",
      ]),
    OccurrenceCase(
      name: "a journal entry is of a day, or takes no time",
      components: [
        ["VJOURNAL", "UID:a", "DTSTART;VALUE=DATE:20260105"],
        ["VJOURNAL", "UID:b", "DTSTART:20260106T090000Z", "RRULE:FREQ=DAILY;COUNT=2"],
        ["VJOURNAL", "UID:c"],
      ],
      expected: [
        "2026-01-05/2026-01-06",
        "2026-01-06T09:00:00Z/2026-01-06T09:00:00Z = 2026-01-06T09:00:00Z",
        "2026-01-07T09:00:00Z/2026-01-07T09:00:00Z = 2026-01-07T09:00:00Z",
      ]),
    OccurrenceCase(
      name: "a UID of events and of reminders names two things",
      components: [
        ["VEVENT", "UID:a", "DTSTART:20260105T090000Z"],
        ["VTODO", "UID:a", "RECURRENCE-ID:20260105T090000Z", "DTSTART:20260106T090000Z"],
      ],
      expected: [
        "2026-01-05T09:00:00Z/2026-01-05T09:00:00Z",
        "2026-01-06T09:00:00Z/2026-01-06T09:00:00Z = 2026-01-05T09:00:00Z",
      ]),
    OccurrenceCase(
      name: "busy time and availability are no occurrences",
      components: [
        ["VFREEBUSY", "UID:a", "DTSTART:20260105T090000Z", "DTEND:20260106T090000Z"],
        ["VAVAILABILITY", "UID:b", "DTSTART:20260105T090000Z"],
      ], expected: []),
  ]
}
