// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// Definitions of time zones in calendars, evaluated (RFC 5545 §3.6.5).
@Suite struct ZoneDefinitionTests {
  static let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
  static let resolver = ZoneResolver(database: database)

  /// The rules of a definition with these observances, under a name that nothing else knows.
  static func rules(_ observances: [[String]]) throws -> ZoneRules {
    let content = observances.flatMap { lines in
      ["BEGIN:\(lines[0])"] + lines.dropFirst() + ["END:\(lines[0])"]
    }
    let definition = try component(["BEGIN:VTIMEZONE", "TZID:Own"] + content + ["END:VTIMEZONE"])
    return try resolver.rules(of: resolver.resolve("Own", definitions: [definition]))
  }

  static func instant(_ text: String) throws -> Instant {
    Instant(utc: try CivilDateTime(parsing: text))
  }

  static func observance(
    _ kind: String, _ start: String, _ from: String, _ to: String, _ more: String...
  ) -> [String] {
    [kind, "DTSTART:\(start)", "TZOFFSETFROM:\(from)", "TZOFFSETTO:\(to)"] + more
  }

  static let summer = observance(
    "DAYLIGHT", "19810329T020000", "+0100", "+0200", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
    "TZNAME:CEST")
  static let winter = observance(
    "STANDARD", "19961027T030000", "+0200", "+0100", "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
    "TZNAME:CET")

  @Test("Two rules without end are the zone's rule of every year")
  func yearly() throws {
    let rules = try Self.rules([Self.summer, Self.winter])
    let berlin = try Self.database.rules(named: "Europe/Berlin")
    let start = try Self.instant("19961101T000000")
    let end = try Self.instant("99990101T000000")
    #expect(rules.differences(from: berlin, between: start, and: end).isEmpty)
    #expect(rules.finalRule == berlin.finalRule)
    #expect(rules.name == "Own")
    #expect(rules.abbreviation(at: try Self.instant("20260701T000000")) == "CEST")
    #expect(rules.isDaylight(at: try Self.instant("20260701T000000")))
    // Before the first onset the clocks have its TZOFFSETFROM.
    #expect(rules.offset(at: try Self.instant("19700701T000000")).description == "+0100")
    #expect(rules.abbreviation(at: try Self.instant("19700701T000000")) == "CET")
    // The rules started in different years: in between the first one holds alone.
    #expect(rules.offset(at: try Self.instant("19901225T000000")).description == "+0200")
  }

  /// Observances, and what the clocks do at some instants.
  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let observances: [[String]]
    let offsets: [(String, String)]

    init(_ name: String, _ observances: [[String]], _ offsets: (String, String)...) {
      testDescription = name
      self.observances = observances
      self.offsets = offsets
    }
  }

  static let cases = [
    Case(
      "one observance", [observance("STANDARD", "19700101T000000", "+0117", "+0117")],
      ("19000101T000000", "+0117"), ("20260101T000000", "+0117")),
    Case(
      "Exchange’s start in 1601, on a day that the rule does not give",
      [
        observance(
          "STANDARD", "16010101T030000", "+0200", "+0100",
          "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=10"),
        observance(
          "DAYLIGHT", "16010101T020000", "+0100", "+0200",
          "RRULE:FREQ=YEARLY;INTERVAL=1;BYDAY=-1SU;BYMONTH=3"),
      ],
      ("16010115T000000", "+0100"), ("20260328T235959", "+0100"), ("20260329T005959", "+0100"),
      ("20260329T010000", "+0200"), ("20261025T005959", "+0200"), ("20261025T010000", "+0100")),
    Case(
      "dates alone",
      [
        observance("STANDARD", "20250223T030000", "+0100", "+0000", "RDATE:20260215T030000"),
        observance("DAYLIGHT", "20250406T020000", "+0000", "+0100", "RDATE:20260322T020000"),
      ],
      ("20250101T000000", "+0100"), ("20250301T000000", "+0000"), ("20260101T000000", "+0100"),
      ("20260215T020000", "+0000"), ("20300101T000000", "+0100")),
    Case(
      "dates in UTC, as a date and as a period",
      [
        observance(
          "STANDARD", "20250101T000000", "+0100", "+0200", "RDATE:20250301T000000Z",
          "RDATE;VALUE=DATE:20250401"),
        observance(
          "STANDARD", "20250215T000000", "+0200", "+0300",
          "RDATE;VALUE=PERIOD:20250315T000000/PT1H"),
      ],
      ("20250220T000000", "+0300"), ("20250301T000000", "+0200"), ("20250314T220000", "+0300"),
      ("20250331T230000", "+0200")),
    Case(
      "UNTIL in UTC is the last onset",
      [
        observance(
          "DAYLIGHT", "20240331T020000", "+0100", "+0200",
          "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU;UNTIL=20250330T010000Z"),
        observance(
          "STANDARD", "20241027T030000", "+0200", "+0100",
          "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20241027T010000Z"),
      ],
      ("20250330T005959", "+0100"), ("20250330T010000", "+0200"), ("20300101T000000", "+0200")),
    Case(
      "two eras without UNTIL: the latest onset applies",
      [
        observance(
          "STANDARD", "19671029T020000", "-0400", "-0500",
          "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"),
        observance(
          "DAYLIGHT", "19870405T020000", "-0500", "-0400", "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU"),
        observance(
          "DAYLIGHT", "20070311T020000", "-0500", "-0400", "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU"),
        observance(
          "STANDARD", "20071104T020000", "-0400", "-0500", "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU"),
      ],
      ("20060401T000000", "-0500"), ("20060403T000000", "-0400"), ("20070312T000000", "-0400"),
      ("20260308T065959", "-0500"), ("20260308T070000", "-0400"), ("20261025T055959", "-0400"),
      ("20261025T060000", "-0500"), ("20261225T000000", "-0500"), ("90000701T000000", "-0400"),
      ("90001225T000000", "-0500")),
    Case(
      "three rules without end, of which one is no yearly weekday",
      [
        observance(
          "STANDARD", "20001029T030000", "+0200", "+0100",
          "RRULE:FREQ=YEARLY;BYMONTH=10;BYMONTHDAY=31"),
        observance(
          "DAYLIGHT", "20000326T020000", "+0100", "+0200",
          "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"),
        observance(
          "DAYLIGHT", "20000401T020000", "+0200", "+0300",
          "RRULE:FREQ=YEARLY;BYMONTH=6;BYDAY=1SU"),
        observance(
          "DAYLIGHT", "20000801T020000", "+0300", "+0200",
          "RRULE:FREQ=YEARLY;BYMONTH=8;BYDAY=1SU"),
      ],
      ("20260401T000000", "+0200"), ("20260701T000000", "+0300"), ("20260901T000000", "+0200"),
      ("20261225T000000", "+0100"), ("25000701T000000", "+0300")),
    Case(
      "one rule without end, and an exception that ends",
      [
        observance(
          "STANDARD", "20001029T030000", "+0200", "+0100",
          "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"),
        observance("DAYLIGHT", "20260329T020000", "+0100", "+0200"),
      ],
      ("20260328T000000", "+0100"), ("20260701T000000", "+0200"), ("20261101T000000", "+0100"),
      ("20500701T000000", "+0100")),
    Case(
      "rules that no footer has: days of the month and of the year",
      [
        observance(
          "DAYLIGHT", "20240407T000000", "+0000", "+0100",
          "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=SU;BYMONTHDAY=2,3,4,5,6,7,8"),
        observance(
          "STANDARD", "20241025T000000", "+0100", "+0000",
          "RRULE:FREQ=YEARLY;BYDAY=FR;BYYEARDAY=-67,-66,-65,-64,-63,-62,-61"),
      ],
      ("20250405T235959", "+0000"), ("20250406T000000", "+0100"), ("20251030T225959", "+0100"),
      ("20251030T230000", "+0000"), ("99980701T000000", "+0100"), ("99981231T000000", "+0000")),
    Case(
      "no TZOFFSETFROM",
      [
        [
          "STANDARD", "DTSTART:19701025T030000", "TZOFFSETTO:+0100",
          "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU",
        ],
        [
          "DAYLIGHT", "DTSTART:19700329T020000", "TZOFFSETTO:+0200",
          "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU",
        ],
      ],
      ("20260329T005959", "+0100"), ("20260329T010000", "+0200"), ("20261025T010000", "+0100")),
    Case(
      "both called standard",
      [
        observance(
          "STANDARD", "19701025T030000", "+0200", "+0100",
          "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"),
        observance(
          "STANDARD", "19700329T020000", "+0100", "+0200",
          "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"),
      ],
      ("20260329T005959", "+0100"), ("20260329T010000", "+0200"), ("20261025T010000", "+0100")),
    Case(
      "winter time that is the exception, as in Ireland",
      [
        observance(
          "DAYLIGHT", "19961027T020000", "+0100", "+0000",
          "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU"),
        observance(
          "STANDARD", "19810329T010000", "+0000", "+0100",
          "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU"),
      ],
      ("20260329T005959", "+0000"), ("20260329T010000", "+0100"), ("20261025T010000", "+0000")),
    Case(
      "a start that is a date, and one in UTC",
      [
        ["STANDARD", "DTSTART;VALUE=DATE:20250101", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200"],
        observance("STANDARD", "20260101T000000Z", "+0200", "+0300"),
      ],
      ("20241231T225959", "+0100"), ("20241231T230000", "+0200"), ("20251231T215959", "+0200"),
      ("20251231T220000", "+0300")),
    Case(
      "an observance that cannot be read beside one that can",
      [
        ["DAYLIGHT", "TZOFFSETTO:+0200"],
        observance("STANDARD", "19700101T000000", "+0100", "+0100"),
      ],
      ("20260701T000000", "+0100")),
    Case(
      "a rule that cannot be read, so that the start stands alone",
      [observance("STANDARD", "20250101T000000", "+0100", "+0200", "RRULE:FREQ=SOMETIMES")],
      ("20241231T225959", "+0100"), ("20241231T230000", "+0200")),
    Case(
      "a rule that never gives anything",
      [
        observance("STANDARD", "19700101T000000", "+0100", "+0100"),
        observance(
          "DAYLIGHT", "19700101T000000", "+0100", "+0200",
          "RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"),
      ],
      ("20260701T000000", "+0100")),
    Case(
      "two onsets at once, of which the last in the file holds",
      [
        observance("STANDARD", "20250101T000000", "+0100", "+0200"),
        observance("STANDARD", "20250101T000000", "+0100", "+0300"),
      ],
      ("20250601T000000", "+0300")),
    Case(
      "two rules of which the one with more onsets reaches the limit: all end with it",
      [
        observance("DAYLIGHT", "19000101T120000", "+0100", "+0200", "RRULE:FREQ=YEARLY"),
        observance("STANDARD", "19000101T000000", "+0200", "+0100", "RRULE:FREQ=WEEKLY;BYDAY=MO"),
      ],
      ("20260101T120000", "+0200"), ("20260105T000000", "+0100"), ("30000103T000000", "+0100"),
      ("30000601T000000", "+0100")),
  ]

  @Test("Two onsets at once are one transition")
  func simultaneous() throws {
    let rules = try Self.rules([
      Self.observance("STANDARD", "20250101T000000", "+0100", "+0200"),
      Self.observance("STANDARD", "20250101T000000", "+0100", "+0300"),
    ])
    let changes = Array(rules.transitions(from: try Self.instant("20240101T000000")))
    #expect(changes.map(\.instant) == [try Self.instant("20241231T230000")])
    // A wall clock in the gap shows a time of the offset before both.
    let wall = try CivilDateTime(parsing: "20250101T013000")
    #expect(rules.instant(of: wall) == (try Self.instant("20250101T003000")))
  }

  @Test("Clocks do what the observances say", arguments: cases)
  func evaluates(_ example: Case) throws {
    let rules = try Self.rules(example.observances)
    for (time, offset) in example.offsets {
      #expect(rules.offset(at: try Self.instant(time)).description == offset, "\(time)")
    }
  }

  @Test(
    "Refuses definitions of which nothing can be made",
    arguments: [
      ([], "the definition has no observance that can be read (RFC 5545 §3.6.5)"),
      (
        [["STANDARD", "TZOFFSETTO:+0100"]],
        "the definition has no observance that can be read (RFC 5545 §3.6.5)"
      ),
      (
        [
          observance("STANDARD", "20250101T000000", "+0100", "+0200", "RRULE:FREQ=SECONDLY"),
          observance("STANDARD", "20250101T000030", "+0200", "+0100", "RRULE:FREQ=SECONDLY"),
        ],
        "the definition changes the clocks more than 25000 times"
      ),
      (
        [
          observance(
            "STANDARD", "20250101T000000", "+0100", "+0200", "RRULE:FREQ=SECONDLY;COUNT=99999999")
        ],
        "the definition changes the clocks more than 25000 times"
      ),
      (
        [
          observance("STANDARD", "20250101T000000", "+0200", "+0100", "RRULE:FREQ=WEEKLY"),
          observance("DAYLIGHT", "20250101T120000", "+0100", "+0200", "RRULE:FREQ=YEARLY"),
          observance(
            "STANDARD", "20250101T000000", "+0100", "+0300", "RRULE:FREQ=MINUTELY;COUNT=30000"),
        ],
        "the definition changes the clocks more than 25000 times"
      ),
      (
        (0..<300).map { minute in
          observance(
            "STANDARD", "20250101T000000", "+0000", "+\(1000 + minute / 60 * 100 + minute % 60)",
            "RDATE:20250102T\(100_000 + minute / 60 * 10_000 + minute % 60 * 100)")
        },
        "the definition has more than 255 kinds of time"
      ),
    ])
  func refuses(observances: [[String]], message: String) throws {
    let error = #expect(throws: ZoneResolutionError.self) { try Self.rules(observances) }
    #expect(error?.code == .badDefinition)
    #expect(error?.message == message)
  }
}
