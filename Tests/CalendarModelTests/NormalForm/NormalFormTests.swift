// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// The normal form with a time zone database at hand.
@Suite struct NormalFormTests {
  static let form = NormalForm(zones: ZoneResolverTests.resolver)

  /// Two ways to write the properties of an event, or of several components.
  struct Pair: CustomTestStringConvertible {
    let name: String
    let first: [String]
    let second: [String]

    init(_ name: String, _ first: [String], _ second: [String]) {
      self.name = name
      self.first = first
      self.second = second
    }

    var testDescription: String { name }
  }

  /// The fingerprint of the events and time zones in a calendar of these lines.
  static func fingerprint(calendar content: [String]) throws -> Fingerprint {
    let stream = try CalendarStream(parsing: calendar(content))
    let all = Array(try #require(stream.calendars.first).components)
    return form.fingerprint(
      of: all.filter { $0.name != .timeZone }, definitions: all.filter { $0.name == .timeZone })
  }

  /// The fingerprint of an event with these properties.
  static func fingerprint(_ properties: [String]) throws -> Fingerprint {
    try fingerprint(calendar: ["BEGIN:VEVENT"] + properties + ["END:VEVENT"])
  }

  static func reminder(_ properties: [String]) -> [String] {
    ["BEGIN:VTODO"] + properties + ["END:VTODO"]
  }

  private static let vienna = "DTSTART;TZID=Europe/Vienna:20260301T090000"
  private static let daily = [vienna, "RRULE:FREQ=DAILY"]
  private static let days = ["DTSTART;VALUE=DATE:20260301", "RRULE:FREQ=DAILY"]

  static let equal = [
    Pair("escaped semicolon of a place", [vienna, "GEO:52.5\\;13.4"], [vienna, "GEO:52.5;13.4"]),
    Pair(
      "old name of a zone", ["DTSTART;TZID=Asia/Calcutta:20260101T090000"],
      ["DTSTART;TZID=Asia/Kolkata:20260101T090000"]),
    Pair(
      "path to a zone", ["DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20260101T090000"],
      ["DTSTART;TZID=Europe/Berlin:20260101T090000"]),
    Pair(
      "name of Windows", ["DTSTART;TZID=W. Europe Standard Time:20260101T090000"],
      ["DTSTART;TZID=europe/berlin:20260101T090000"]),
    Pair("UTC as a zone", ["DTSTART;TZID=Etc/UTC:20260101T090000"], ["DTSTART:20260101T090000Z"]),
    Pair(
      "zone of a time in UTC", ["DTSTART;TZID=Europe/Berlin:20260101T090000Z"],
      ["DTSTART:20260101T090000Z"]),
    Pair(
      "end and duration", [vienna, "DURATION:PT1H30M"],
      [
        vienna, "DTEND;TZID=Europe/Vienna:20260301T103000",
      ]),
    Pair(
      "end and duration over a change of the clocks",
      ["DTSTART;TZID=Europe/Vienna:20260328T120000", "DURATION:P1DT1H"],
      [
        "DTSTART;TZID=Europe/Vienna:20260328T120000", "DTEND;TZID=Europe/Vienna:20260329T130000",
      ]),
    Pair(
      "exact hours over a change of the clocks",
      ["DTSTART;TZID=Europe/Vienna:20260328T120000", "DURATION:PT24H"],
      [
        "DTSTART;TZID=Europe/Vienna:20260328T120000", "DTEND;TZID=Europe/Vienna:20260329T130000",
      ]),
    Pair(
      "end and duration of days", ["DTSTART;VALUE=DATE:20260301", "DURATION:P2D"],
      ["DTSTART;VALUE=DATE:20260301", "DTEND;VALUE=DATE:20260303"]),
    Pair(
      "one day", ["DTSTART;VALUE=DATE:20260301", "DTEND;VALUE=DATE:20260302"],
      [
        "DTSTART;VALUE=DATE:20260301"
      ]),
    Pair("no time at all", [vienna, "DTEND;TZID=Europe/Vienna:20260301T090000"], [vienna]),
    Pair(
      "an hour in a series", daily + ["DURATION:PT1H"],
      daily + [
        "DTEND;TZID=Europe/Vienna:20260301T100000"
      ]),
    Pair(
      "a day in a series in UTC", ["DTSTART:20260301T090000Z", "RRULE:FREQ=DAILY", "DURATION:P1D"],
      ["DTSTART:20260301T090000Z", "RRULE:FREQ=DAILY", "DTEND:20260302T090000Z"]),
    Pair(
      "exclusion in UTC", daily + ["EXDATE:20260401T070000Z"],
      daily + [
        "EXDATE;TZID=Europe/Vienna:20260401T090000"
      ]),
    Pair(
      "exclusion in another zone", daily + ["EXDATE;TZID=Europe/Lisbon:20260401T080000"],
      daily + [
        "EXDATE;TZID=Europe/Vienna:20260401T090000"
      ]),
    Pair(
      "exclusion of a day by a time", days + ["EXDATE:20260401T000000Z"],
      days + [
        "EXDATE;VALUE=DATE:20260401"
      ]),
    Pair(
      "end of a series at a day", [vienna, "RRULE:FREQ=DAILY;UNTIL=20260401"],
      [
        vienna, "RRULE:FREQ=DAILY;UNTIL=20260401T215959Z",
      ]),
    Pair(
      "end of a series on the wall", [vienna, "RRULE:FREQ=DAILY;UNTIL=20260401T090000"],
      [
        vienna, "RRULE:FREQ=DAILY;UNTIL=20260401T070000Z",
      ]),
    Pair(
      "end of a series of days at a time",
      ["DTSTART;VALUE=DATE:20260301", "RRULE:FREQ=DAILY;UNTIL=20260401T000000Z"],
      ["DTSTART;VALUE=DATE:20260301", "RRULE:FREQ=DAILY;UNTIL=20260401"]),
    Pair(
      "the usual calendar", ["RRULE:RSCALE=GREGORIAN;FREQ=DAILY;SKIP=OMIT"],
      [
        "RRULE:FREQ=DAILY"
      ]),
    Pair(
      "period with an end", ["RDATE;VALUE=PERIOD:20260101T100000Z/20260101T113000Z"],
      ["RDATE;VALUE=PERIOD:20260101T100000Z/PT1H30M"]),
    Pair(
      "words", ["COLOR:Tomato", "SUMMARY;LANGUAGE=DE-at:A"],
      [
        "COLOR:tomato", "SUMMARY;LANGUAGE=de-AT:A",
      ]),
    Pair(
      "order in a parameter", ["ATTENDEE;MEMBER=\"mailto:a\",\"mailto:b\":mailto:c"],
      [
        "ATTENDEE;MEMBER=\"mailto:B\",\"mailto:a\":mailto:c"
      ]),
    Pair("a gap", ["RELATED-TO;GAP=P7D:1"], ["RELATED-TO;GAP=P1W;RELTYPE=PARENT:1"]),
    Pair(
      "inline data", ["ATTACH;VALUE=BINARY;ENCODING=BASE64:AAAA"],
      [
        "ATTACH;ENCODING=base64;VALUE=binary:AAAA"
      ]),
    Pair("numbers", ["GEO:+48.20;-16.0"], ["GEO:48.2;-16"]),
  ]

  static let different = [
    Pair(
      "two zones of one offset", ["DTSTART;TZID=Europe/Vienna:20260101T090000"],
      [
        "DTSTART;TZID=Europe/Warsaw:20260101T090000"
      ]),
    Pair(
      "a zone and UTC", ["DTSTART;TZID=Europe/London:20260101T090000"],
      [
        "DTSTART:20260101T090000Z"
      ]),
    Pair(
      "a day and exact hours over a change of the clocks",
      [
        "DTSTART;TZID=Europe/Vienna:20260328T120000", "DURATION:P1D",
      ], ["DTSTART;TZID=Europe/Vienna:20260328T120000", "DURATION:PT24H"]),
    Pair(
      "a day in a series on a clock", daily + ["DURATION:P1D"],
      daily + [
        "DTEND;TZID=Europe/Vienna:20260302T090000"
      ]),
    Pair(
      "an end in another zone", [vienna, "DTEND;TZID=Europe/Vienna:20260301T100000"],
      [
        vienna, "DTEND;TZID=Europe/London:20260301T090000",
      ]),
    Pair(
      "two days", ["DTSTART;VALUE=DATE:20260301", "DTEND;VALUE=DATE:20260303"],
      [
        "DTSTART;VALUE=DATE:20260301"
      ]),
    Pair(
      "an exclusion an hour later", daily + ["EXDATE:20260401T080000Z"],
      daily + [
        "EXDATE;TZID=Europe/Vienna:20260401T090000"
      ]),
    Pair(
      "an exclusion of the second time that the clocks show",
      [
        "DTSTART;TZID=Europe/Vienna:20261024T023000", "RRULE:FREQ=DAILY", "EXDATE:20261025T013000Z",
      ],
      [
        "DTSTART;TZID=Europe/Vienna:20261024T023000", "RRULE:FREQ=DAILY", "EXDATE:20261025T003000Z",
      ]),
    Pair(
      "the end of a series", [vienna, "RRULE:FREQ=DAILY;UNTIL=20260401"],
      [
        vienna, "RRULE:FREQ=DAILY;UNTIL=20260402",
      ]),
    Pair(
      "which of two titles comes first", ["SUMMARY:A", "SUMMARY:B"], ["SUMMARY:B", "SUMMARY:A"]),
    Pair("a state that is told", ["STATUS:CONFIRMED"], []),
    Pair("a parameter of the end", [vienna, "DURATION;X-A=B:PT1H"], [vienna, "DURATION:PT1H"]),
    Pair("bytes that are no text", ["SUMMARY:\u{FFFD}"], ["SUMMARY:\u{FFFC}"]),
    Pair("the values of an unknown parameter", ["X-A;X-B=1,2:C"], ["X-A;X-B=2,1:C"]),
  ]

  @Test("What means the same has the same form", arguments: equal)
  func same(_ pair: Pair) throws {
    #expect(try Self.fingerprint(pair.first) == Self.fingerprint(pair.second))
  }

  @Test("What means something else has another form", arguments: different)
  func other(_ pair: Pair) throws {
    #expect(try Self.fingerprint(pair.first) != Self.fingerprint(pair.second))
  }

  @Test("A reminder that is due after a duration is due then, and one without is never due")
  func due() throws {
    let start = "DTSTART;TZID=Europe/Vienna:20260301T090000"
    let due = Self.reminder([start, "DUE;TZID=Europe/Vienna:20260301T100000"])
    let after = Self.reminder([start, "DURATION:PT1H"])
    let never = Self.reminder([start])
    let atOnce = Self.reminder([start, "DURATION:PT0S"])
    #expect(try Self.fingerprint(calendar: due) == Self.fingerprint(calendar: after))
    #expect(try Self.fingerprint(calendar: never) != Self.fingerprint(calendar: after))
    #expect(try Self.fingerprint(calendar: never) != Self.fingerprint(calendar: atOnce))
  }

  /// A series with an override whose RECURRENCE-ID is this one.
  private func series(_ start: String, _ id: String) -> [String] {
    [
      "BEGIN:VEVENT", "UID:1", start, "RRULE:FREQ=DAILY", "END:VEVENT", "BEGIN:VEVENT", "UID:1", id,
      "DTSTART;TZID=Europe/Vienna:20260401T110000", "END:VEVENT",
    ]
  }

  @Test("An occurrence is the same, however its override names it")
  func occurrences() throws {
    let zoned = "DTSTART;TZID=Europe/Vienna:20260301T090000"
    let names = [
      "RECURRENCE-ID;TZID=Europe/Vienna:20260401T090000", "RECURRENCE-ID:20260401T070000Z",
      "RECURRENCE-ID;TZID=Asia/Calcutta:20260401T123000",
    ]
    let items = try names.map {
      try CalendarItem(parsing: calendar(series(zoned, $0)), normalForm: Self.form)
    }
    #expect(Set(items.map(\.fingerprint)).count == 1)
    for item in items {
      let override = try #require(item.overrides.first)
      #expect(
        item.occurrenceKey(of: override)
          == .instant(Instant(utc: wall("20260401T070000"))))
      #expect(try item.occurrenceKey(of: #require(item.main)) == .series)
    }
    let days = try CalendarItem(
      parsing: calendar(
        series("DTSTART;VALUE=DATE:20260301", "RECURRENCE-ID:20260401T000000Z")),
      normalForm: Self.form)
    #expect(
      try days.occurrenceKey(of: #require(days.overrides.first)) == .date(day("20260401")))
  }

  @Test("The end of an event is one property, and what goes without saying is none")
  func properties() throws {
    func properties(_ lines: [String]) throws -> [CanonicalProperty] {
      let item = try CalendarItem(
        parsing: calendar(["BEGIN:VEVENT", "UID:1"] + lines + ["END:VEVENT"]),
        normalForm: Self.form)
      return try item.canonicalProperties(of: #require(item.main))
    }
    let first = try properties([
      Self.vienna, "DURATION:PT1H", "CATEGORIES:A,B", "CLASS:PUBLIC", "DTSTAMP:20260101T000000Z",
    ])
    let second = try properties([
      "CATEGORIES:B", "CATEGORIES:A", "DTEND;TZID=Europe/Vienna:20260301T100000", Self.vienna,
    ])
    #expect(Set(first) == Set(second))
    #expect(first.map(\.name) == [.uid, .dtStart, .categories, .categories, .dtEnd])
    #expect(first.map(\.place) == [0, 1, 3, 3, 2])
  }

  @Test("Another form gives another fingerprint, and items know their form")
  func normalized() throws {
    let bytes = calendar([
      "BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Asia/Calcutta:20260101T090000", "END:VEVENT",
    ])
    let plain = try CalendarItem(parsing: bytes)
    let known = plain.normalized(by: Self.form)
    #expect(plain.fingerprint != known.fingerprint)
    #expect(plain.normalized(by: Self.form).fingerprint == known.fingerprint)
    #expect(
      try CalendarItem(parsing: bytes, normalForm: Self.form).fingerprint == known.fingerprint)
    let remade = try known.replacing(components: known.components, timeZones: [])
    #expect(remade.fingerprint == known.fingerprint)
  }

  /// A zone that only the calendar defines, an hour ahead of UTC, and in summer this much.
  static func zone(
    _ name: String, summer: String = "+0200", from: String = "19810329T020000", remark: String = "A"
  ) -> [String] {
    [
      "BEGIN:VTIMEZONE", "TZID:\(name)", "X-REMARK:\(remark)", "BEGIN:STANDARD",
      "DTSTART:19801025T030000", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "TZNAME:\(remark)",
      "TZOFFSETFROM:\(summer)", "TZOFFSETTO:+0100", "END:STANDARD", "BEGIN:DAYLIGHT",
      "DTSTART:\(from)", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "TZNAME:S\(remark)",
      "TZOFFSETFROM:+0100", "TZOFFSETTO:\(summer)", "END:DAYLIGHT", "END:VTIMEZONE",
    ]
  }

  private static func defined(
    _ zone: [String], named name: String, rule: String = "FREQ=DAILY"
  ) throws -> Fingerprint {
    try fingerprint(
      calendar: zone + [
        "BEGIN:VEVENT", "UID:1", "DTSTART;TZID=\(name):20260301T090000", "RRULE:\(rule)",
        "END:VEVENT",
      ])
  }

  @Test("A zone that only the calendar defines is its offsets, where they are used")
  func definitions() throws {
    let plain = try Self.defined(Self.zone("Our clock"), named: "Our clock")
    // Another name, another remark, another first year: the same offsets.
    let other = Self.zone("Their clock", from: "19960331T020000", remark: "B")
    #expect(try Self.defined(other, named: "Their clock") == plain)
    let double = Self.zone("Our clock", summer: "+0300")
    #expect(try Self.defined(double, named: "Our clock") != plain)
    // What the item does not use does not count.
    let winter = "FREQ=DAILY;UNTIL=20260305T000000Z"
    #expect(
      try Self.defined(double, named: "Our clock", rule: winter)
        == Self.defined(Self.zone("Our clock"), named: "Our clock", rule: winter))
    // The definition of a name that is known does not count at all.
    #expect(
      try Self.defined(Self.zone("Europe/Vienna", summer: "+0300"), named: "Europe/Vienna")
        == Self.defined([], named: "Europe/Vienna"))
  }
}
