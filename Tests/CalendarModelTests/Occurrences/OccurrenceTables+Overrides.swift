// SPDX-License-Identifier: Apache-2.0

import CalendarModel

extension OccurrenceTables {
  private static let daily = [
    "VEVENT", "UID:a", "DTSTART;TZID=Europe/Berlin:20260105T090000", "DURATION:PT1H",
    "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:main",
  ]
  private static let days = [
    "VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:main",
  ]
  private static let first =
    "2026-01-05T09:00:00+01:00/2026-01-05T10:00:00+01:00 = 2026-01-05T09:00:00+01:00 main"
  private static let third =
    "2026-01-07T09:00:00+01:00/2026-01-07T10:00:00+01:00 = 2026-01-07T09:00:00+01:00 main"
  private static let moved =
    "2026-01-06T12:00:00Z/2026-01-06T12:00:00Z = 2026-01-06T09:00:00+01:00 moved"

  /// An override of the second instance, named by this RECURRENCE-ID.
  private static func override(_ id: String) -> [String] {
    ["VEVENT", "UID:a", "RECURRENCE-ID\(id)", "DTSTART:20260106T120000Z", "SUMMARY:moved"]
  }

  /// Overrides with a rule, and no component that describes their series.
  private static let recurring = [
    OccurrenceCase(
      name: "an override with a rule and without a main component recurs",
      components: [
        [
          "VEVENT", "UID:a", "RECURRENCE-ID:20260106T080000Z", "DTSTART:20260106T100000Z",
          "DURATION:PT1H", "RRULE:FREQ=WEEKLY;COUNT=3",
        ],
        [
          "VEVENT", "UID:a", "RECURRENCE-ID:20260113T100000Z", "DTSTART:20260113T120000Z",
          "SUMMARY:moved",
        ],
      ],
      expected: [
        "2026-01-06T10:00:00Z/2026-01-06T11:00:00Z = 2026-01-06T10:00:00Z",
        "2026-01-13T12:00:00Z/2026-01-13T12:00:00Z = 2026-01-13T10:00:00Z moved",
        "2026-01-20T10:00:00Z/2026-01-20T11:00:00Z = 2026-01-20T10:00:00Z",
      ]),
    OccurrenceCase(
      name: "an override with a rule and a main component does not recur",
      components: [
        daily,
        [
          "VEVENT", "UID:a", "RECURRENCE-ID:20260106T080000Z", "DTSTART:20260106T120000Z",
          "SUMMARY:moved", "RRULE:FREQ=WEEKLY;COUNT=3",
        ],
      ], expected: [first, moved, third]),
  ]

  /// Which instance an override takes the place of (RFC 5545 §3.8.4.4).
  static let overrides =
    recurring
    + [
      ("by the same form", ";TZID=Europe/Berlin:20260106T090000"),
      ("by UTC", ":20260106T080000Z"), ("by another zone", ";TZID=Asia/Tokyo:20260106T170000"),
      ("by a floating time", ":20260106T090000"), ("by the day", ";VALUE=DATE:20260106"),
      ("in a zone that nobody knows", ";TZID=Moon/Base:20260106T090000"),
    ].map { name, id in
      OccurrenceCase(
        name: "an override \(name)", components: [daily, override(id)],
        expected: [first, moved, third])
    } + [
      OccurrenceCase(
        name: "an override of a day by a time",
        components: [days, override(":20260106T000000Z")],
        expected: [
          "2026-01-05/2026-01-06 = 2026-01-05 main",
          "2026-01-06T12:00:00Z/2026-01-06T12:00:00Z = 2026-01-06 moved",
          "2026-01-07/2026-01-08 = 2026-01-07 main",
        ]),
      OccurrenceCase(
        name: "an override that is moved out of the range, and one that is moved into it",
        components: [
          [
            "VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "RRULE:FREQ=MONTHLY", "SUMMARY:main",
          ],
          ["VEVENT", "UID:a", "RECURRENCE-ID;VALUE=DATE:20260205", "DTSTART;VALUE=DATE:20270205"],
          ["VEVENT", "UID:a", "RECURRENCE-ID;VALUE=DATE:20280205", "DTSTART;VALUE=DATE:20260206"],
        ], from: "20260201T000000Z", to: "20260301T000000Z",
        expected: ["2026-02-06/2026-02-07 = 2028-02-05"]),
      OccurrenceCase(
        name: "an override of an instance that the rule does not give is one more",
        components: [daily, override(":20260106T083000Z")],
        expected: [
          first,
          "2026-01-06T09:00:00+01:00/2026-01-06T10:00:00+01:00 = 2026-01-06T09:00:00+01:00 main",
          "2026-01-06T12:00:00Z/2026-01-06T12:00:00Z = 2026-01-06T09:30:00+01:00 moved", third,
        ]),
      OccurrenceCase(
        name: "an override without a main component",
        components: [override(":20260106T080000Z"), override(";VALUE=DATE:20260107")],
        expected: [
          "2026-01-06T12:00:00Z/2026-01-06T12:00:00Z = 2026-01-06T08:00:00Z moved",
          "2026-01-06T12:00:00Z/2026-01-06T12:00:00Z = 2026-01-07 moved",
        ]),
      OccurrenceCase(
        name: "of two overrides the later revision counts",
        components: [
          daily, override(":20260106T080000Z") + ["SEQUENCE:2"],
          [
            "VEVENT", "UID:a", "RECURRENCE-ID;TZID=Europe/Berlin:20260106T090000",
            "DTSTART:20260106T150000Z", "SUMMARY:older", "SEQUENCE:1", "DTSTAMP:20260101T000000Z",
          ],
        ], expected: [first, moved, third]),
      OccurrenceCase(
        name: "of two overrides of one SEQUENCE both count",
        components: [
          daily, override(":20260106T080000Z") + ["LAST-MODIFIED:20260102T000000Z"],
          [
            "VEVENT", "UID:a", "RECURRENCE-ID;TZID=Europe/Berlin:20260106T090000",
            "DTSTART:20260106T150000Z", "SUMMARY:older", "LAST-MODIFIED:20260101T000000Z",
          ],
        ],
        expected: [
          first, moved,
          "2026-01-06T15:00:00Z/2026-01-06T15:00:00Z = 2026-01-06T09:00:00+01:00 older", third,
        ]),
      OccurrenceCase(
        name: "of two main components of one SEQUENCE both count",
        components: [
          ["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "DTSTAMP:20260101T000000Z"],
          ["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260106", "DTSTAMP:20260102T000000Z"],
        ], expected: ["2026-01-05/2026-01-06", "2026-01-06/2026-01-07"]),
      OccurrenceCase(
        name: "of two main components the later revision counts",
        components: [
          ["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260105", "SEQUENCE:1"],
          ["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260106", "SEQUENCE:2"],
        ], expected: ["2026-01-06/2026-01-07"]),
      OccurrenceCase(
        name: "a cancelled override takes its instance out",
        components: [daily, override(":20260106T080000Z") + ["STATUS:CANCELLED"]],
        expected: [first, third]),
      OccurrenceCase(
        name: "an override stands though EXDATE names its instance",
        components: [
          daily + ["EXDATE;TZID=Europe/Berlin:20260106T090000"], override(":20260106T080000Z"),
        ], expected: [first, moved, third]),
      OccurrenceCase(
        name: "an override that does not say when is when its series says, and as long",
        components: [
          daily,
          ["VEVENT", "UID:a", "RECURRENCE-ID;TZID=Europe/Berlin:20260106T090000", "SUMMARY:named"],
        ],
        expected: [
          first,
          "2026-01-06T09:00:00+01:00/2026-01-06T10:00:00+01:00 = 2026-01-06T09:00:00+01:00 named",
          third,
        ]),
      OccurrenceCase(
        name: "an override of an event that does not recur takes its place",
        components: [
          ["VEVENT", "UID:a", "DTSTART:20260106T080000Z"], override(":20260106T080000Z"),
        ], expected: ["2026-01-06T12:00:00Z/2026-01-06T12:00:00Z = 2026-01-06T08:00:00Z moved"]),
      OccurrenceCase(
        name: "an override of an instance in a gap of the clocks",
        components: [
          [
            "VEVENT", "UID:a", "DTSTART;TZID=Europe/Berlin:20260328T023000",
            "RRULE:FREQ=DAILY;COUNT=2",
          ],
          [
            "VEVENT", "UID:a", "RECURRENCE-ID;TZID=Europe/Berlin:20260329T023000",
            "DTSTART:20260329T120000Z",
          ],
        ],
        expected: [
          "2026-03-28T02:30:00+01:00/2026-03-28T02:30:00+01:00 = 2026-03-28T02:30:00+01:00",
          "2026-03-29T12:00:00Z/2026-03-29T12:00:00Z = 2026-03-29T03:30:00+02:00",
        ]),
    ]

  /// Overrides that describe all later instances too (RFC 5545 §3.2.13).
  static let future = [
    OccurrenceCase(
      name: "all later ones are moved by as much, and last as long",
      components: [
        daily,
        [
          "VEVENT", "UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260106T080000Z",
          "DTSTART;TZID=Europe/Berlin:20260106T110000", "DURATION:PT2H", "SUMMARY:moved",
        ],
      ],
      expected: [
        first,
        "2026-01-06T11:00:00+01:00/2026-01-06T13:00:00+01:00 = 2026-01-06T09:00:00+01:00 moved",
        "2026-01-07T11:00:00+01:00/2026-01-07T13:00:00+01:00 = 2026-01-07T09:00:00+01:00 moved",
      ]),
    OccurrenceCase(
      name: "those with a component of their own stay, and a later one takes over",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=DAILY;COUNT=6",
          "SUMMARY:main",
        ],
        [
          "VEVENT", "UID:a", "RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20260102",
          "DTSTART;VALUE=DATE:20260112", "SUMMARY:one",
        ],
        [
          "VEVENT", "UID:a", "RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20260105",
          "DTSTART;VALUE=DATE:20260105", "DURATION:P2D", "SUMMARY:two",
        ],
        [
          "VEVENT", "UID:a", "RECURRENCE-ID;VALUE=DATE:20260103", "DTSTART;VALUE=DATE:20260103",
          "SUMMARY:own",
        ],
      ],
      expected: [
        "2026-01-01/2026-01-02 = 2026-01-01 main", "2026-01-03/2026-01-04 = 2026-01-03 own",
        "2026-01-05/2026-01-07 = 2026-01-05 two", "2026-01-06/2026-01-08 = 2026-01-06 two",
        "2026-01-12/2026-01-13 = 2026-01-02 one", "2026-01-14/2026-01-15 = 2026-01-04 one",
      ]),
    OccurrenceCase(
      name: "the difference is one of the clock on the wall",
      components: [
        [
          "VEVENT", "UID:a", "DTSTART;TZID=Europe/Berlin:20260327T090000",
          "RRULE:FREQ=DAILY;COUNT=3",
        ],
        [
          "VEVENT", "UID:a", "RECURRENCE-ID;TZID=Europe/Berlin;RANGE=THISANDFUTURE:20260328T090000",
          "DTSTART;TZID=Europe/Berlin:20260328T100000",
        ],
      ],
      expected: [
        "2026-03-27T09:00:00+01:00/2026-03-27T09:00:00+01:00 = 2026-03-27T09:00:00+01:00",
        "2026-03-28T10:00:00+01:00/2026-03-28T10:00:00+01:00 = 2026-03-28T09:00:00+01:00",
        "2026-03-29T10:00:00+02:00/2026-03-29T10:00:00+02:00 = 2026-03-29T09:00:00+02:00",
      ]),
    OccurrenceCase(
      name: "into another zone, whose clock it keeps",
      components: [
        daily,
        [
          "VEVENT", "UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260106T080000Z",
          "DTSTART;TZID=Asia/Tokyo:20260106T090000", "SUMMARY:Tokyo",
        ],
      ],
      expected: [
        first,
        "2026-01-06T09:00:00+09:00/2026-01-06T09:00:00+09:00 = 2026-01-06T09:00:00+01:00 Tokyo",
        "2026-01-07T09:00:00+09:00/2026-01-07T09:00:00+09:00 = 2026-01-07T09:00:00+01:00 Tokyo",
      ]),
    OccurrenceCase(
      name: "from days to times, named by the day",
      components: [
        days,
        [
          "VEVENT", "UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20260106",
          "DTSTART:20260106T120000Z", "SUMMARY:timed",
        ],
      ],
      expected: [
        "2026-01-05/2026-01-06 = 2026-01-05 main",
        "2026-01-06T12:00:00Z/2026-01-06T12:00:00Z = 2026-01-06 timed",
        "2026-01-07T12:00:00Z/2026-01-07T12:00:00Z = 2026-01-07 timed",
      ]),
    OccurrenceCase(
      name: "of times, named by the day",
      components: [
        daily,
        [
          "VEVENT", "UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE;VALUE=DATE:20260106",
          "DTSTART;TZID=Europe/Berlin:20260106T100000", "SUMMARY:moved",
        ],
      ],
      expected: [
        first,
        "2026-01-06T10:00:00+01:00/2026-01-06T10:00:00+01:00 = 2026-01-06T09:00:00+01:00 moved",
        "2026-01-07T10:00:00+01:00/2026-01-07T10:00:00+01:00 = 2026-01-07T09:00:00+01:00 moved",
      ]),
    OccurrenceCase(
      name: "all later ones are cancelled",
      components: [
        daily,
        [
          "VEVENT", "UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260106T080000Z",
          "STATUS:CANCELLED",
        ],
      ], expected: [first]),
    OccurrenceCase(
      name: "moved into a range from long before and from long after",
      components: [
        ["VEVENT", "UID:a", "DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=MONTHLY"],
        [
          "VEVENT", "UID:a", "RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20260201",
          "DTSTART;VALUE=DATE:20280201",
        ],
        ["VEVENT", "UID:b", "DTSTART;VALUE=DATE:20260101", "RRULE:FREQ=MONTHLY"],
        [
          "VEVENT", "UID:b", "RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20310201",
          "DTSTART;VALUE=DATE:20300201",
        ],
      ], from: "20300315T000000Z", to: "20300415T000000Z",
      expected: [
        "2030-04-01/2030-04-02 = 2028-04-01", "2030-04-01/2030-04-02 = 2030-04-01",
        "2030-04-01/2030-04-02 = 2031-04-01",
      ]),
  ]
}
