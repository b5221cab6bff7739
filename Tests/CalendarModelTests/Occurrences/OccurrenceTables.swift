// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The rows of `OccurrenceTests`.
enum OccurrenceTables {
  /// How long an event lasts (RFC 5545 §3.6.1, §3.8.5.3).
  static let lengths = [
    OccurrenceCase(
      name: "an end at a time",
      components: [["VEVENT", "UID:a", "DTSTART:20260105T090000Z", "DTEND:20260105T100000Z"]],
      expected: ["2026-01-05T09:00:00Z/2026-01-05T10:00:00Z"]),
    OccurrenceCase(
      name: "a duration",
      components: [["VEVENT", "UID:a", "DTSTART:20260105T090000Z", "DURATION:P1DT1H"]],
      expected: ["2026-01-05T09:00:00Z/2026-01-06T10:00:00Z"]),
    OccurrenceCase(
      name: "a time without an end takes none",
      components: [["VEVENT", "UID:a", "DTSTART:20260105T090000Z"]],
      expected: ["2026-01-05T09:00:00Z/2026-01-05T09:00:00Z"]),
    OccurrenceCase(
      name: "a day without an end is one day",
      components: [["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105"]],
      expected: ["2026-01-05/2026-01-06"]),
    OccurrenceCase(
      name: "an end on the same day, or before, is one day",
      components: [
        ["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "DTEND;VALUE=DATE:20260105"],
        ["VEVENT", "UID:b", "DTSTART;VALUE=DATE:20260106", "DTEND;VALUE=DATE:20260101"],
      ], expected: ["2026-01-05/2026-01-06", "2026-01-06/2026-01-07"]),
    OccurrenceCase(
      name: "an end before the start takes no time",
      components: [["VEVENT", "UID:a", "DTSTART:20260105T090000Z", "DTEND:20260105T080000Z"]],
      expected: ["2026-01-05T09:00:00Z/2026-01-05T09:00:00Z"]),
    OccurrenceCase(
      name: "a duration that is negative takes no time",
      components: [["VEVENT", "UID:a", "DTSTART:20260105T090000Z", "DURATION:-PT1H"]],
      expected: ["2026-01-05T09:00:00Z/2026-01-05T09:00:00Z"]),
    OccurrenceCase(
      name: "days that last hours are whole days",
      components: [["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "DURATION:PT25H"]],
      expected: ["2026-01-05/2026-01-07"]),
    OccurrenceCase(
      name: "a day that ends at a time includes that day",
      components: [
        ["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "DTEND:20260106T120000Z"],
        ["VEVENT", "UID:b", "DTSTART;VALUE=DATE:20260108", "DTEND:20260109T000000"],
      ], expected: ["2026-01-05/2026-01-07", "2026-01-08/2026-01-09"]),
    OccurrenceCase(
      name: "a time that ends on a day ends when it begins",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;TZID=Europe/Berlin:20260105T220000",
          "DTEND;VALUE=DATE:20260106",
        ]
      ], expected: ["2026-01-05T22:00:00+01:00/2026-01-06T00:00:00+01:00"]),
    OccurrenceCase(
      name: "an end in another zone is an instant, shown by the clock of the start",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;TZID=Europe/Berlin:20260105T120000",
          "DTEND;TZID=America/New_York:20260105T150000",
        ]
      ], expected: ["2026-01-05T12:00:00+01:00/2026-01-05T21:00:00+01:00"]),
    OccurrenceCase(
      name: "an end at a time is an exact length, also over a change of the clocks",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;TZID=Europe/Berlin:20260327T220000",
          "DTEND;TZID=Europe/Berlin:20260328T080000", "RRULE:FREQ=DAILY;COUNT=2",
        ]
      ],
      expected: [
        "2026-03-27T22:00:00+01:00/2026-03-28T08:00:00+01:00 = 2026-03-27T22:00:00+01:00",
        "2026-03-28T22:00:00+01:00/2026-03-29T09:00:00+02:00 = 2026-03-28T22:00:00+01:00",
      ]),
    OccurrenceCase(
      name: "days of a duration are nominal, hours are exact",
      components: [
        ["VEVENT", "UID:a", "DTSTART;TZID=Europe/Berlin:20260328T120000", "DURATION:P1D"],
        ["VEVENT", "UID:b", "DTSTART;TZID=Europe/Berlin:20260328T120000", "DURATION:PT24H"],
      ],
      expected: [
        "2026-03-28T12:00:00+01:00/2026-03-29T12:00:00+02:00",
        "2026-03-28T12:00:00+01:00/2026-03-29T13:00:00+02:00",
      ]),
    OccurrenceCase(
      name: "the last day that there is",
      components: [["VEVENT", "UID:a", "DTSTART;VALUE=DATE:99991231", "RRULE:FREQ=DAILY"]],
      from: "99991201T000000Z", to: "99991231T235959Z", viewer: "UTC",
      expected: ["9999-12-31/9999-12-31 = 9999-12-31"]),
  ]

  /// What is in a range of time, and what is not.
  static let ranges = [
    OccurrenceCase(
      name: "what ends at the start, or begins at the end, is not in it",
      components: [
        ["VEVENT", "UID:a", "DTSTART:20260105T080000Z", "DTEND:20260105T090000Z"],
        ["VEVENT", "UID:b", "DTSTART:20260105T100000Z", "DTEND:20260105T110000Z"],
        ["VEVENT", "UID:c", "DTSTART:20260105T080000Z", "DTEND:20260105T090001Z"],
        ["VEVENT", "UID:d", "DTSTART:20260105T095959Z", "DTEND:20260105T110000Z"],
      ], from: "20260105T090000Z", to: "20260105T100000Z",
      expected: [
        "2026-01-05T08:00:00Z/2026-01-05T09:00:01Z", "2026-01-05T09:59:59Z/2026-01-05T11:00:00Z",
      ]),
    OccurrenceCase(
      name: "what takes no time is in it at its start, not at its end",
      components: [
        ["VEVENT", "UID:a", "DTSTART:20260105T090000Z"],
        ["VEVENT", "UID:b", "DTSTART:20260105T100000Z"],
      ], from: "20260105T090000Z", to: "20260105T100000Z",
      expected: ["2026-01-05T09:00:00Z/2026-01-05T09:00:00Z"]),
    OccurrenceCase(
      name: "an instance that began long before and goes on",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART:20200106T090000Z", "DURATION:P30D",
          "RRULE:FREQ=MONTHLY;BYMONTHDAY=20",
        ]
      ], from: "20260201T000000Z", to: "20260202T000000Z",
      expected: ["2026-01-20T09:00:00Z/2026-02-19T09:00:00Z = 2026-01-20T09:00:00Z"]),
    OccurrenceCase(
      name: "a day is that of whoever looks",
      components: [
        ["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "RRULE:FREQ=DAILY;COUNT=3"]
      ], from: "20260105T100000Z", to: "20260106T100000Z", viewer: "Pacific/Kiritimati",
      expected: ["2026-01-06/2026-01-07 = 2026-01-06"]),
    OccurrenceCase(
      name: "a floating time is read by the clock of whoever looks",
      components: [["VEVENT", "UID:a", "DTSTART:20260105T090000", "DURATION:PT1H"]],
      from: "20260105T140000Z", to: "20260105T141500Z", viewer: "America/New_York",
      expected: ["2026-01-05T09:00:00-05:00/2026-01-05T10:00:00-05:00"]),
  ]

  /// Rules, dates and exclusions (RFC 5545 §3.8.5).
  static let series = [
    OccurrenceCase(
      name: "a rule that ends before the start gives nothing",
      components: [
        ["VEVENT", "UID:a", "DTSTART:20260105T090000Z", "RRULE:FREQ=DAILY;UNTIL=20260104T090000Z"],
        [
          "VEVENT", "UID:b", "DTSTART;VALUE=DATE:20260105", "RRULE:FREQ=DAILY;UNTIL=20260104",
          "RDATE;VALUE=DATE:20260110",
        ],
      ], expected: ["2026-01-10/2026-01-11 = 2026-01-10"]),
    OccurrenceCase(
      name: "times among the single dates of days are occurrences at these times",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105",
          "RDATE;VALUE=DATE:20260106", "RDATE:20260107T090000Z,20260107T150000Z,20260107T150000Z",
          "RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20260108T090000/PT1H",
          "RDATE:20260109T090000Z,20260110T090000Z", "EXDATE:20260109T090000Z",
          "EXDATE;VALUE=DATE:20260110",
        ],
        [
          "VEVENT", "UID:a", "RECURRENCE-ID:20260107T150000Z", "DTSTART:20260107T160000Z",
          "DURATION:PT1H", "SUMMARY:moved",
        ],
      ],
      expected: [
        "2026-01-05/2026-01-06 = 2026-01-05", "2026-01-06/2026-01-07 = 2026-01-06",
        "2026-01-07T09:00:00Z/2026-01-08T09:00:00Z = 2026-01-07T09:00:00Z",
        "2026-01-07T16:00:00Z/2026-01-07T17:00:00Z = 2026-01-07 moved",
        "2026-01-08T09:00:00+01:00/2026-01-08T10:00:00+01:00 = 2026-01-08T09:00:00+01:00",
      ]),
    OccurrenceCase(
      name: "an instance in a gap of the clocks is shifted, and the next one is not",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;TZID=Europe/Berlin:20260328T023000",
          "RRULE:FREQ=DAILY;COUNT=3",
        ]
      ],
      expected: [
        "2026-03-28T02:30:00+01:00/2026-03-28T02:30:00+01:00 = 2026-03-28T02:30:00+01:00",
        "2026-03-29T03:30:00+02:00/2026-03-29T03:30:00+02:00 = 2026-03-29T03:30:00+02:00",
        "2026-03-30T02:30:00+02:00/2026-03-30T02:30:00+02:00 = 2026-03-30T02:30:00+02:00",
      ]),
    OccurrenceCase(
      name: "a start in a gap moves no other instance",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;TZID=Europe/Berlin:20260329T023000",
          "RRULE:FREQ=DAILY;COUNT=2",
        ]
      ],
      expected: [
        "2026-03-29T03:30:00+02:00/2026-03-29T03:30:00+02:00 = 2026-03-29T03:30:00+02:00",
        "2026-03-30T02:30:00+02:00/2026-03-30T02:30:00+02:00 = 2026-03-30T02:30:00+02:00",
      ]),
    OccurrenceCase(
      name: "exclusions in every form",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;TZID=Europe/Berlin:20260105T090000",
          "RRULE:FREQ=DAILY;COUNT=7", "EXDATE;TZID=Europe/Berlin:20260105T090000",
          "EXDATE:20260106T080000Z", "EXDATE;VALUE=DATE:20260107",
          "EXDATE;TZID=America/New_York:20260108T030000", "EXDATE:20260109T090000",
          "EXDATE:20260110T090000Z",
        ]
      ],
      expected: [
        "2026-01-10T09:00:00+01:00/2026-01-10T09:00:00+01:00 = 2026-01-10T09:00:00+01:00",
        "2026-01-11T09:00:00+01:00/2026-01-11T09:00:00+01:00 = 2026-01-11T09:00:00+01:00",
      ]),
    OccurrenceCase(
      name: "exclusions of days, as times too",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "RRULE:FREQ=DAILY;COUNT=4",
          "EXDATE;VALUE=DATE:20260105", "EXDATE:20260106T000000Z", "EXDATE:20260107T120000",
        ]
      ], expected: ["2026-01-08/2026-01-09 = 2026-01-08"]),
    OccurrenceCase(
      name: "dates and periods that are added, and each moment once",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART:20260105T090000Z", "DURATION:PT1H",
          "RDATE:20260105T090000Z,20260107T090000Z",
          "RDATE;VALUE=PERIOD:20260106T120000Z/PT30M,20260108T120000Z/20260108T150000Z",
        ]
      ],
      expected: [
        "2026-01-05T09:00:00Z/2026-01-05T10:00:00Z = 2026-01-05T09:00:00Z",
        "2026-01-06T12:00:00Z/2026-01-06T12:30:00Z = 2026-01-06T12:00:00Z",
        "2026-01-07T09:00:00Z/2026-01-07T10:00:00Z = 2026-01-07T09:00:00Z",
        "2026-01-08T12:00:00Z/2026-01-08T15:00:00Z = 2026-01-08T12:00:00Z",
      ]),
    OccurrenceCase(
      name: "a period that is longer than all else is found though it began before",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART:20200105T090000Z", "DURATION:PT1H",
          "RDATE;VALUE=PERIOD:20251220T120000Z/P30D",
        ]
      ], from: "20260105T000000Z", to: "20260106T000000Z",
      expected: ["2025-12-20T12:00:00Z/2026-01-19T12:00:00Z = 2025-12-20T12:00:00Z"]),
    OccurrenceCase(
      name: "several rules give what each gives, once",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "RRULE:FREQ=WEEKLY;COUNT=2",
          "RRULE:FREQ=DAILY;COUNT=2", "EXRULE:FREQ=WEEKLY;INTERVAL=5",
        ]
      ], expected: ["2026-01-06/2026-01-07 = 2026-01-06", "2026-01-12/2026-01-13 = 2026-01-12"]),
    OccurrenceCase(
      name: "what is cancelled does not take place",
      components: [
        ["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "STATUS:CANCELLED"],
        ["VEVENT", "UID:b", "DTSTART;VALUE=DATE:20260106", "STATUS:TENTATIVE"],
        [
          "VEVENT", "UID:c", "DTSTART;VALUE=DATE:20260107", "RRULE:FREQ=DAILY;COUNT=2",
          "STATUS:CANCELLED",
        ],
      ], expected: ["2026-01-06/2026-01-07"]),
    OccurrenceCase(
      name: "what is cancelled is there if it is asked for",
      components: [["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "STATUS:cancelled"]],
      change: { $0.includesCancelled = true }, expected: ["2026-01-05/2026-01-06"]),
    OccurrenceCase(
      name: "a start that is not in the rule takes place",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=1",
        ]
      ], expected: ["2026-01-05/2026-01-06 = 2026-01-05", "2026-01-06/2026-01-07 = 2026-01-06"]),
  ]
}
