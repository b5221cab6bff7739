// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

@Suite struct FingerprintTests {
  static func fingerprint(_ properties: [String]) throws -> Fingerprint {
    Fingerprint(of: [try event(properties)])
  }

  /// Two ways to write an event, and whether they mean the same.
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

  static let equal = [
    Pair("order of properties", ["SUMMARY:A", "LOCATION:B"], ["LOCATION:B", "SUMMARY:A"]),
    Pair("folding", ["SUMMARY:Ab"], ["SUMM\r\n ARY:A\r\n\tb"]),
    Pair("case of names", ["summary;language=de:A"], ["SUMMARY;LANGUAGE=de:A"]),
    Pair(
      "order of parameters", ["ATTENDEE;CN=A;DIR=b:mailto:a@b"],
      ["ATTENDEE;DIR=b;CN=A:mailto:a@b"]),
    Pair("needless quotes", ["ATTENDEE;CN=\"A\":mailto:a@b"], ["ATTENDEE;CN=A:mailto:a@b"]),
    Pair("needless escapes", ["SUMMARY:A\\: B\\, C\\N"], ["SUMMARY:A: B\\, C\\n"]),
    Pair(
      "time stamps", ["DTSTAMP:20260101T000000Z", "LAST-MODIFIED:20260101T000000Z"],
      ["DTSTAMP:20260202T000000Z", "CREATED:20260303T000000Z"]),
    Pair("what programs leave behind", ["X-LIC-ERROR:A", "X-WR-CALNAME:B"], []),
    Pair("defaults", ["CLASS:public", "TRANSP:OPAQUE", "SEQUENCE:0", "PRIORITY:0"], []),
    Pair(
      "defaults of parameters",
      ["ATTENDEE;ROLE=REQ-PARTICIPANT;CUTYPE=individual;RSVP=FALSE:mailto:a@b"],
      ["ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:a@b"]),
    Pair("default type", ["DTSTART;VALUE=DATE-TIME:20260101T000000"], ["DTSTART:20260101T000000"]),
    Pair("a forgotten type", ["DTSTART;VALUE=DATE:20260101"], ["DTSTART:20260101"]),
    Pair("lists", ["CATEGORIES:B,A", "CATEGORIES:B"], ["CATEGORIES:A", "CATEGORIES:B"]),
    Pair(
      "lists of dates", ["EXDATE:20260101T000000Z,20260102T000000Z"],
      ["EXDATE:20260102T000000Z", "EXDATE:20260101T000000Z"]),
    Pair(
      "order in rules", ["RRULE:FREQ=WEEKLY;INTERVAL=1;WKST=MO;BYDAY=TU,MO"],
      ["RRULE:BYDAY=MO,TU;FREQ=WEEKLY"]),
    Pair("forms of a duration", ["DURATION:P1WT1H"], ["DURATION:+P7DT0H60M"]),
    Pair("case of words", ["STATUS:confirmed"], ["STATUS:CONFIRMED"]),
    Pair(
      "case of addresses in parameters", ["ATTENDEE;SENT-BY=\"MAILTO:C@d\":mailto:a"],
      ["ATTENDEE;SENT-BY=\"mailto:c@d\":mailto:a"]),
    Pair("case of addresses", ["ORGANIZER:MAILTO:A@B.org"], ["ORGANIZER:mailto:a@b.org"]),
    Pair(
      "zeros of numbers", ["GEO:48.200;16.3", "PRIORITY:01"], ["GEO:48.2;16.30", "PRIORITY:1"]),
  ]

  static let different = [
    Pair("a text", ["SUMMARY:A"], ["SUMMARY:B"]),
    Pair("case in a text", ["SUMMARY:A"], ["SUMMARY:a"]),
    Pair("a text of two properties", ["SUMMARY:A", "LOCATION:B"], ["SUMMARY:B", "LOCATION:A"]),
    Pair("a property more", ["SUMMARY:A"], ["SUMMARY:A", "COMMENT:B"]),
    Pair("an empty property", ["SUMMARY:A"], ["SUMMARY:A", "X-A:"]),
    Pair("a parameter", ["SUMMARY;LANGUAGE=de:A"], ["SUMMARY;LANGUAGE=en:A"]),
    Pair("a parameter more", ["SUMMARY;LANGUAGE=de:A"], ["SUMMARY:A"]),
    Pair("two values of a parameter", ["X-A;B=\"1,2\":C"], ["X-A;B=1,2:C"]),
    Pair("a participation status", ["ATTENDEE;PARTSTAT=ACCEPTED:mailto:a"], ["ATTENDEE:mailto:a"]),
    Pair("a zone", ["DTSTART;TZID=A/B:20260101T000000"], ["DTSTART;TZID=A/C:20260101T000000"]),
    Pair("UTC and floating", ["DTSTART:20260101T000000Z"], ["DTSTART:20260101T000000"]),
    Pair("an exception more", ["EXDATE:20260101T000000Z"], []),
    Pair("an escaped comma in a list", ["CATEGORIES:A\\,B"], ["CATEGORIES:A,B"]),
    Pair("sides of a structure", ["GEO:1;2"], ["GEO:2;1"]),
    Pair("a rule", ["RRULE:FREQ=DAILY"], ["RRULE:FREQ=DAILY;INTERVAL=2"]),
    Pair("a day and its hours", ["DURATION:P1D"], ["DURATION:PT24H"]),
    Pair("an unreadable duration", ["DURATION:P1X"], ["DURATION:P1Y"]),
    Pair("a sequence", ["SEQUENCE:1"], ["SEQUENCE:2"]),
    Pair("an unknown property", ["X-A:1"], ["X-A:2"]),
    Pair("escapes of an unknown type", ["X-A:1\\,2"], ["X-A:1,2"]),
    Pair("a broken line", ["no content line"], ["another one"]),
    Pair(
      "an alarm", ["BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM"],
      ["BEGIN:VALARM", "TRIGGER:-PT6M", "END:VALARM"]),
    Pair(
      "a property in an alarm and beside it",
      ["SUMMARY:A", "BEGIN:VALARM", "SUMMARY:B", "END:VALARM"],
      ["SUMMARY:B", "BEGIN:VALARM", "SUMMARY:A", "END:VALARM"]),
    Pair(
      "one alarm and two", ["BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM"],
      [
        "BEGIN:VALARM", "TRIGGER:-PT5M", "END:VALARM", "BEGIN:VALARM", "TRIGGER:-PT5M",
        "END:VALARM",
      ]),
  ]

  @Test("What means the same has the same fingerprint", arguments: equal)
  func same(_ pair: Pair) throws {
    #expect(try Self.fingerprint(pair.first) == Self.fingerprint(pair.second))
  }

  @Test("What means something else has another fingerprint", arguments: different)
  func other(_ pair: Pair) throws {
    #expect(try Self.fingerprint(pair.first) != Self.fingerprint(pair.second))
  }

  // vdirsyncer hashes the sorted lines of a file and takes this edit for none.
  @Test("Exchanging the summaries of a series and of its override is a change")
  func exchangedSummaries() throws {
    func item(_ main: String, _ override: String) throws -> Fingerprint {
      Fingerprint(of: [
        try event(["UID:1", "RRULE:FREQ=DAILY", "SUMMARY:\(main)"]),
        try event(["UID:1", "RECURRENCE-ID:20260102T000000Z", "SUMMARY:\(override)"]),
      ])
    }
    #expect(try item("A", "B") != item("B", "A"))
  }

  @Test("No order of components and properties changes a fingerprint")
  func anyOrder() throws {
    let properties = [
      "UID:1", "SUMMARY:A", "CATEGORIES:C,B", "ATTENDEE;CN=A;PARTSTAT=ACCEPTED:mailto:a@b",
      "X-A:1", "X-A:2", "RRULE:FREQ=DAILY",
    ]
    let alarms = try ["-PT5M", "-PT10M", "-PT15M"].map {
      try component(["BEGIN:VALARM", "TRIGGER:\($0)", "END:VALARM"])
    }
    var main = try event(properties)
    main.components = ComponentList(alarms)
    let overrides = try (2...6).map {
      try event(["UID:1", "RECURRENCE-ID:2026010\($0)T000000Z", "SUMMARY:\($0)"])
    }
    let expected = Fingerprint(of: [main] + overrides)
    for seed in UInt64(1)...100 {
      var random = SeededGenerator(seed: seed)
      var shuffled = main
      shuffled.properties.shuffle(using: &random)
      shuffled.components.shuffle(using: &random)
      let components = ([shuffled] + overrides).shuffled(using: &random)
      #expect(Fingerprint(of: components) == expected, "seed \(seed)")
    }
  }

  @Test("A change of any meaningful property of any component is a change of the fingerprint")
  func anyChange() throws {
    let main = try component([
      "BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Europe/Vienna:20260101T090000",
      "DTEND;TZID=Europe/Vienna:20260101T100000", "RRULE:FREQ=DAILY;COUNT=9",
      "EXDATE;TZID=Europe/Vienna:20260103T090000", "SUMMARY:A", "DESCRIPTION:B", "LOCATION:C",
      "STATUS:CONFIRMED", "TRANSP:TRANSPARENT", "CLASS:PRIVATE", "SEQUENCE:3", "PRIORITY:5",
      "CATEGORIES:D,E", "GEO:48.2;16.3", "URL:https://example.org/",
      "ORGANIZER;CN=F:mailto:f@example.org", "ATTENDEE;CN=G:mailto:g@example.org",
      "ATTACH:https://example.org/h", "X-I:J", "BEGIN:VALARM", "ACTION:DISPLAY",
      "TRIGGER:-PT15M", "DESCRIPTION:K", "END:VALARM", "END:VEVENT",
    ])
    let override = try event([
      "UID:1", "RECURRENCE-ID;TZID=Europe/Vienna:20260102T090000",
      "DTSTART;TZID=Europe/Vienna:20260102T110000", "SUMMARY:L", "CATEGORIES:M",
    ])
    let original = Fingerprint(of: [main, override])
    for index in main.properties.indices {
      var changed = main
      changed.properties[index].rawValue += "1"
      #expect(Fingerprint(of: [changed, override]) != original, "\(main.properties[index].name)")
      changed = main
      changed.properties.remove(at: index)
      #expect(Fingerprint(of: [changed, override]) != original, "\(main.properties[index].name)")
    }
    for index in override.properties.indices {
      var changed = override
      changed.properties[index].rawValue += "1"
      #expect(Fingerprint(of: [main, changed]) != original, "\(override.properties[index].name)")
    }
    for index in main.components[0].properties.indices {
      var changed = main
      changed.components[0].properties[index].rawValue += "1"
      #expect(Fingerprint(of: [changed, override]) != original, "alarm property \(index)")
    }
    #expect(Fingerprint(of: [main]) != original)
  }

  @Test("The canonical form is the one that ledgers hold fingerprints of")
  func stable() throws {
    // A change of this digest makes every stored fingerprint say nothing: count the version up.
    let fingerprint = try Self.fingerprint(["UID:1", "SUMMARY:A", "CATEGORIES:B,C"])
    #expect(
      fingerprint.rawValue
        == "4:7ec64f76621ed166a609dd7faf0dc882c6681e8ee927479d03159c9adbabc7db")
    #expect(fingerprint.isCurrent)
    #expect(!Fingerprint(String(repeating: "0", count: 64)).isCurrent)
    #expect(!Fingerprint("1:00").isCurrent)
  }

  @Test("Two forms are the same if their resolvers resolve alike")
  func equality() throws {
    let zones = ZoneResolver()
    #expect(NormalForm(zones: zones) == NormalForm(zones: zones))
    #expect(NormalForm(zones: zones) == NormalForm(zones: ZoneResolver()))
    #expect(NormalForm() == NormalForm())
    #expect(NormalForm() != NormalForm(zones: zones))
    let elsewhere = ZoneResolver(database: ZoneDatabase(folders: []))
    #expect(NormalForm(zones: zones) != NormalForm(zones: elsewhere))
    let named = ZoneResolver { _ in nil }
    #expect(NormalForm(zones: named) == NormalForm(zones: named))
    #expect(named != ZoneResolver { _ in nil } && named != zones)
    var strict = zones
    strict.prefersDefinitions = true
    #expect(NormalForm(zones: strict) != NormalForm(zones: zones))
    #expect(Set([zones, ZoneResolver(), strict, named]).count == 3)
    let item = try CalendarItem(parsing: calendar(CalendarItemTests.main))
    let known = Fingerprint("4:what is known")
    let kept = try CalendarItem(
      parsing: item.serialized(), normalForm: NormalForm(zones: zones), fingerprint: known)
    #expect(kept.normalized(by: NormalForm(zones: zones)).fingerprint == known)
    #expect(kept.normalized(by: NormalForm(zones: elsewhere)).fingerprint != known)
  }
}
