// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import TestSupport
import Testing

/// Definitions of time zones that are written (RFC 5545 §3.6.5).
@Suite struct TimeZoneComponentTests {
  private static let database = ZoneDatabase(folders: ZoneDatabase.systemFolders)
  private static let resolver = ZoneResolver(database: database)

  private static func instant(_ text: String) throws -> Instant {
    Instant(utc: try CivilDateTime(parsing: text))
  }

  /// The lines of a definition, without those that begin and end it.
  private static func written(
    _ rules: ZoneRules, _ first: String, _ last: String?
  ) throws -> [String] {
    let writer = TimeZoneComponent(rules: rules, tzID: "Z")
    let component = writer.component(from: try instant(first), through: try last.map(instant))
    return text(component).split(separator: "\r\n").dropFirst(2).dropLast().map(String.init)
  }

  /// A zone, the times in use, and the definition that is written for them.
  struct Case: CustomTestStringConvertible {
    let zone: String
    let first: String
    let last: String?
    let lines: [String]

    init(_ zone: String, _ first: String, _ last: String?, _ lines: String...) {
      (self.zone, self.first, self.last, self.lines) = (zone, first, last, lines)
    }

    var testDescription: String { "\(zone) from \(first) to \(last ?? "the end")" }
  }

  static let cases = [
    Case(
      "Europe/Berlin", "20260101T000000", nil,
      "BEGIN:DAYLIGHT", "DTSTART:19810329T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200",
      "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "TZNAME:CEST", "END:DAYLIGHT",
      "BEGIN:STANDARD", "DTSTART:19961027T030000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0100",
      "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "TZNAME:CET", "END:STANDARD"),
    // The law changed in 2007: before it there are rules that end.
    Case(
      "America/New_York", "20050101T000000", "20081231T000000",
      "BEGIN:STANDARD", "DTSTART:20041031T020000", "TZOFFSETFROM:-0400", "TZOFFSETTO:-0500",
      "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU;UNTIL=20061029T060000Z", "TZNAME:EST",
      "END:STANDARD",
      "BEGIN:DAYLIGHT", "DTSTART:20050403T020000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0400",
      "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1SU;UNTIL=20060402T070000Z", "TZNAME:EDT",
      "END:DAYLIGHT",
      "BEGIN:DAYLIGHT", "DTSTART:20070311T020000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0400",
      "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU", "TZNAME:EDT", "END:DAYLIGHT",
      "BEGIN:STANDARD", "DTSTART:20071104T020000", "TZOFFSETFROM:-0400", "TZOFFSETTO:-0500",
      "RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU", "TZNAME:EST", "END:STANDARD"),
    Case(
      "Asia/Tokyo", "20260101T000000", nil,
      "BEGIN:STANDARD", "DTSTART:19510909T010000", "TZOFFSETFROM:+1000", "TZOFFSETTO:+0900",
      "TZNAME:JST", "END:STANDARD"),
    Case(
      "Etc/GMT+5", "20260101T000000", nil,
      "BEGIN:STANDARD", "DTSTART:19700101T000000", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0500",
      "TZNAME:-05", "END:STANDARD"),
    // Irish winter time is the exception by law, and written like everybody else's.
    Case(
      "Europe/Dublin", "20260101T000000", nil,
      "BEGIN:DAYLIGHT", "DTSTART:19810329T010000", "TZOFFSETFROM:+0000", "TZOFFSETTO:+0100",
      "RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU", "TZNAME:IST", "END:DAYLIGHT",
      "BEGIN:STANDARD", "DTSTART:19961027T020000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0000",
      "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "TZNAME:GMT", "END:STANDARD"),
    // 24:00 on the last Thursday of October may be the first of November.
    Case(
      "Africa/Cairo", "20260101T000000", nil,
      "BEGIN:DAYLIGHT", "DTSTART:20230428T000000", "TZOFFSETFROM:+0200", "TZOFFSETTO:+0300",
      "RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=-1FR", "TZNAME:EEST", "END:DAYLIGHT",
      "BEGIN:STANDARD", "DTSTART:20231027T000000", "TZOFFSETFROM:+0300", "TZOFFSETTO:+0200",
      "RRULE:FREQ=YEARLY;BYYEARDAY=-67,-66,-65,-64,-63,-62,-61;BYDAY=FR", "TZNAME:EET",
      "END:STANDARD"),
    Case(
      "America/Nuuk", "20260101T000000", nil,
      "BEGIN:DAYLIGHT", "DTSTART:20240330T230000", "TZOFFSETFROM:-0200", "TZOFFSETTO:-0100",
      "RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=24,25,26,27,28,29,30;BYDAY=SA", "TZNAME:-01",
      "END:DAYLIGHT",
      "BEGIN:STANDARD", "DTSTART:20241027T000000", "TZOFFSETFROM:-0100", "TZOFFSETTO:-0200",
      "RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU", "TZNAME:-02", "END:STANDARD"),
    // The changes around Ramadan follow no rule; a few are an observance each.
    Case(
      "Africa/Casablanca", "20240101T000000", "20241231T000000",
      "BEGIN:DAYLIGHT", "DTSTART:20230423T020000", "TZOFFSETFROM:+0000", "TZOFFSETTO:+0100",
      "TZNAME:+01", "END:DAYLIGHT",
      "BEGIN:STANDARD", "DTSTART:20240310T030000", "TZOFFSETFROM:+0100", "TZOFFSETTO:+0000",
      "TZNAME:+00", "END:STANDARD",
      "BEGIN:DAYLIGHT", "DTSTART:20240414T020000", "TZOFFSETFROM:+0000", "TZOFFSETTO:+0100",
      "TZNAME:+01", "END:DAYLIGHT"),
    // Before the first law the clocks showed the sun's time.
    Case(
      "Asia/Kathmandu", "19000101T000000", "19900101T000000",
      "BEGIN:STANDARD", "DTSTART:16010101T000000", "TZOFFSETFROM:+054116", "TZOFFSETTO:+054116",
      "TZNAME:LMT", "END:STANDARD",
      "BEGIN:STANDARD", "DTSTART:19200101T000000", "TZOFFSETFROM:+054116", "TZOFFSETTO:+0530",
      "TZNAME:+0530", "END:STANDARD",
      "BEGIN:STANDARD", "DTSTART:19860101T000000", "TZOFFSETFROM:+0530", "TZOFFSETTO:+0545",
      "TZNAME:+0545", "END:STANDARD"),
  ]

  @Test("Writes what is needed for the times in use", arguments: cases)
  func writes(_ example: Case) throws {
    let rules = try Self.database.rules(named: example.zone)
    #expect(try Self.written(rules, example.first, example.last) == example.lines)
  }

  /// Times in use that lie before, across and after the changes of laws.
  static let ranges: [(first: String, last: String?)] = [
    ("18000101T000000", "19500101T000000"), ("19400101T000000", "19800101T000000"),
    ("19690601T000000", "20100101T000000"), ("20200215T120000", "20200215T130000"),
    ("20260101T000000", "20270101T000000"), ("20260701T000000", nil), ("18500101T000000", nil),
    ("20900101T000000", "21500101T000000"),
  ]

  @Test(
    "What is written means the zone, for every zone and at every moment in use", arguments: ranges)
  func means(first: String, last: String?) throws {
    let start = try Self.instant(first)
    let end = try last.map(Self.instant)
    let horizon = try Self.instant("21500101T000000")
    // Other names of a zone have the same rules. An ordinary run tries half of the zones in each range.
    let names = Self.database.names.filter { Self.database.canonicalName(of: $0) == $0 }
    let turn = Self.ranges.firstIndex { $0.first == first } ?? 0
    for (number, name) in names.enumerated() where (number + turn) % 2 < iterationFactor {
      let rules = try Self.database.rules(named: name)
      let component = TimeZoneComponent(rules: rules, tzID: "Own").component(
        from: start, through: end)
      let stream = try CalendarStream(
        parsing: calendar(
          text(component).split(separator: "\r\n").map(String.init)))
      let read = try #require(stream.calendars.first?.components.first)
      let defined = try Self.resolver.rules(
        of: Self.resolver.resolve("Own", definitions: [read]))
      let after = (end ?? horizon).adding(seconds: 1) ?? horizon
      let found = defined.differences(from: rules, between: start, and: after)
      #expect(found.isEmpty, "\(name): \(found.first.map { "\($0)" } ?? "")")
    }
  }

  @Test("Zones of the system are written without lists, but for those that follow the moon")
  func regular() throws {
    let now = try Self.instant("20260101T000000")
    var lists: Set<String> = []
    for name in Self.database.names {
      let rules = try Self.database.rules(named: name)
      let component = TimeZoneComponent(rules: rules, tzID: name).component(from: now)
      #expect(component.components.count <= 8, "\(name)")
      if component.components.contains(where: { $0[.rDate] != nil }) {
        lists.insert(Self.database.canonicalName(of: name) ?? name)
      }
    }
    #expect(
      lists.isSubset(of: [
        "Africa/Casablanca", "Africa/El_Aaiun", "Asia/Gaza", "Asia/Hebron",
      ]))
  }

  /// Final rules that no zone of today has, and what becomes of them.
  @Test(
    "Says any yearly rule",
    arguments: [
      ("AAA-1BBB,J60/0,J300/0", "FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=1"),
      ("AAA-1BBB,M2.1.0/-24,M9.1.0", "FREQ=YEARLY;BYYEARDAY=31"),
      ("AAA-1BBB,M1.5.0/48,M9.1.0", "FREQ=YEARLY;BYYEARDAY=27,28,29,30,31,32,33;BYDAY=TU"),
      ("AAA-1BBB,M5.2.0/-30,M9.1.0", "FREQ=YEARLY;BYMONTH=5;BYMONTHDAY=6,7,8,9,10,11,12;BYDAY=FR"),
    ])
  func finalRules(footer: String, rule: String) throws {
    let rules = try ZoneRules(tzif: Self.file(footer).span, name: "Test/Zone")
    let lines = try Self.written(rules, "20260101T000000", nil)
    #expect(lines.contains { $0.hasPrefix("RRULE:\(rule)") }, "\(lines)")
    try Self.expectSame(rules)
  }

  @Test(
    "Writes out what no rule can say",
    arguments: ["AAA-1BBB,59/0,300/0", "AAA-1BBB,M2.5.0/24,M9.1.0", "AAA-1BBB,J60/-1,J300/0"])
  func unsayable(footer: String) throws {
    let rules = try ZoneRules(tzif: Self.file(footer).span, name: "Test/Zone")
    let lines = try Self.written(rules, "20260101T000000", nil)
    #expect(lines.contains { $0.hasPrefix("RDATE:") })
    try Self.expectSame(rules)
  }

  private static func expectSame(_ rules: ZoneRules) throws {
    let start = try instant("20260101T000000")
    let component = TimeZoneComponent(rules: rules, tzID: "Own").component(from: start)
    let defined = try resolver.rules(of: resolver.resolve("Own", definitions: [component]))
    let end = try instant("21200101T000000")
    #expect(defined.differences(from: rules, between: start, and: end).isEmpty)
  }

  /// A TZif file of nothing but a footer (RFC 9636 §3).
  private static func file(_ footer: String) -> [UInt8] {
    let block: [UInt8] =
      Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15 + 12)
      + [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 4] + [0, 0, 0x0E, 0x10, 0, 0] + Array("AAA\0".utf8)
    return block + block + Array("\n\(footer)\n".utf8)
  }

  @Test("Tells the zone's name if the TZID is another one, and knows the times in use")
  func made() throws {
    var uses = TimeZoneUses()
    uses.add(try event(["DTSTART;TZID=/x/Asia/Tokyo:20260101T090000", "RRULE:FREQ=DAILY"]))
    uses.add(try event(["DTSTART;TZID=Nowhere:20260101T090000"]))
    uses.add(try event(["DTSTART;TZID=Asia/Seoul:soon"]))
    let tokyo = try Self.resolver.makeDefinition(
      of: "/x/Asia/Tokyo", for: try #require(uses["/x/Asia/Tokyo"]))
    #expect(
      text(tokyo).hasPrefix(
        "BEGIN:VTIMEZONE\r\nTZID:/x/Asia/Tokyo\r\nX-LIC-LOCATION:Asia/Tokyo\r\n"))
    let seoul = try Self.resolver.makeDefinition(
      of: "Asia/Seoul", for: try #require(uses["Asia/Seoul"]))
    #expect(seoul["X-LIC-LOCATION"] == nil && !seoul.components.isEmpty)
    let nowhere = try #require(uses["Nowhere"])
    #expect(throws: ZoneResolutionError.self) {
      try Self.resolver.makeDefinition(of: "Nowhere", for: nowhere)
    }
  }
}
