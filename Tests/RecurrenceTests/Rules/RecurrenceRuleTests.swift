// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite struct RecurrenceRuleTests {
  /// The rules of the examples in RFC 5545 §3.8.5.3, in their order.
  static let examples = [
    "FREQ=DAILY;COUNT=10",
    "FREQ=DAILY;UNTIL=19971224T000000Z",
    "FREQ=DAILY;INTERVAL=2",
    "FREQ=DAILY;INTERVAL=10;COUNT=5",
    "FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;BYDAY=SU,MO,TU,WE,TH,FR,SA",
    "FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1",
    "FREQ=WEEKLY;COUNT=10",
    "FREQ=WEEKLY;UNTIL=19971224T000000Z",
    "FREQ=WEEKLY;INTERVAL=2;WKST=SU",
    "FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH",
    "FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH",
    "FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR",
    "FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH",
    "FREQ=MONTHLY;COUNT=10;BYDAY=1FR",
    "FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR",
    "FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU",
    "FREQ=MONTHLY;COUNT=6;BYDAY=-2MO",
    "FREQ=MONTHLY;BYMONTHDAY=-3",
    "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15",
    "FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1",
    "FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15",
    "FREQ=MONTHLY;INTERVAL=2;BYDAY=TU",
    "FREQ=YEARLY;COUNT=10;BYMONTH=6,7",
    "FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3",
    "FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200",
    "FREQ=YEARLY;BYDAY=20MO",
    "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
    "FREQ=YEARLY;BYMONTH=3;BYDAY=TH",
    "FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8",
    "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13",
    "FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13",
    "FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8",
    "FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3",
    "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
    "FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T170000Z",
    "FREQ=MINUTELY;INTERVAL=15;COUNT=6",
    "FREQ=MINUTELY;INTERVAL=90;COUNT=4",
    "FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40",
    "FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16",
    "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO",
    "FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU",
    "FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5",
    // RFC 5545 §3.3.10 and RFC 7529 §4.3.
    "FREQ=YEARLY;INTERVAL=2;BYMONTH=1;BYDAY=SU;BYHOUR=8,9;BYMINUTE=30",
    "RSCALE=CHINESE;FREQ=YEARLY",
    "RSCALE=ETHIOPIC;FREQ=MONTHLY;BYMONTH=13",
    "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD",
    "RSCALE=GREGORIAN;FREQ=YEARLY;SKIP=FORWARD",
  ]

  @Test("Reads the RFC's own examples without an objection", arguments: examples)
  func rfcExample(_ text: String) throws {
    let reading = try RecurrenceRule.parse(leniently: text)
    #expect(reading.issues.isEmpty)
    #expect(reading.source == text)
    let rule = try RecurrenceRule(parsing: text)
    #expect(rule == reading.rule)
    #expect(try RecurrenceRule(parsing: rule.description) == rule)
    #expect(Self.values(in: rule.description) == Self.values(in: text))
  }

  /// The values of a rule's parts, without order and without a part that says what is so anyway.
  private static func values(in text: String) -> Set<Set<String>> {
    Set(
      text.split(separator: ";").filter { $0 != "WKST=MO" }.map { part in
        let halves = part.split(separator: "=")
        return Set(halves[1].split(separator: ",").map { "\(halves[0]) \($0)" })
      })
  }

  /// A rule and its canonical text.
  struct Case: CustomTestStringConvertible {
    let text: String
    let canonical: String

    init(_ text: String, _ canonical: String) {
      (self.text, self.canonical) = (text, canonical)
    }

    var testDescription: String { text }
  }

  static let canonical = [
    Case("FREQ=DAILY", "FREQ=DAILY"),
    Case("INTERVAL=1;FREQ=DAILY;WKST=MO", "FREQ=DAILY"),
    Case(
      "WKST=SU;COUNT=3;BYDAY=-1SU,1SU,MO;INTERVAL=2;FREQ=MONTHLY",
      "FREQ=MONTHLY;COUNT=3;INTERVAL=2;BYDAY=MO,1SU,-1SU;WKST=SU"),
    Case("freq=weekly;byday=tu,mo,tu", "FREQ=WEEKLY;BYDAY=MO,TU"),
    Case("FREQ=MONTHLY;BYMONTHDAY=-1,+15,1,01,-31", "FREQ=MONTHLY;BYMONTHDAY=1,15,-31,-1"),
    Case(
      "FREQ=YEARLY;BYSECOND=60,0;BYMINUTE=59;BYHOUR=23;BYYEARDAY=-366,366;BYMONTH=12,1;BYSETPOS=-1,1",
      "FREQ=YEARLY;BYSECOND=0,60;BYMINUTE=59;BYHOUR=23;BYYEARDAY=366,-366;BYMONTH=1,12;BYSETPOS=1,-1"
    ),
    Case("FREQ=YEARLY;BYWEEKNO=53,-53", "FREQ=YEARLY;BYWEEKNO=53,-53"),
    Case("FREQ=DAILY;UNTIL=19971224", "FREQ=DAILY;UNTIL=19971224"),
    Case("FREQ=DAILY;UNTIL=19971224T000000", "FREQ=DAILY;UNTIL=19971224T000000"),
    Case("FREQ=DAILY;UNTIL=19971224t000000z", "FREQ=DAILY;UNTIL=19971224T000000Z"),
    Case(
      "FREQ=YEARLY;BYMONTH=5l,5;SKIP=OMIT;RSCALE=hebrew",
      "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5,5L"),
    Case("FREQ=DAILY;COUNT=2147483647", "FREQ=DAILY;COUNT=2147483647"),
  ]

  @Test("Writes a rule in the order of the RFC", arguments: canonical)
  func writing(_ example: Case) throws {
    let rule = try RecurrenceRule(parsing: example.text)
    #expect(rule.description == example.canonical)
    #expect(try RecurrenceRule(parsing: example.canonical) == rule)
  }

  @Test("Gives every part a type")
  func parts() throws {
    let rule = try RecurrenceRule(
      parsing:
        "FREQ=YEARLY;UNTIL=20301231T235959Z;INTERVAL=2;BYMONTH=3;BYDAY=-1SU,MO;BYHOUR=2;WKST=SU")
    #expect(rule.frequency == .yearly)
    #expect(rule.until == .utc(try CivilDateTime(parsing: "20301231T235959")))
    #expect(rule.count == nil && rule.interval == 2 && rule.weekStart == .sunday)
    #expect(rule.byDay == [WeekdayNumber(.monday), WeekdayNumber(.sunday, ordinal: -1)])
    #expect(rule.byMonth == [MonthNumber(3)] && rule.byHour == [2])
    #expect(rule.parts == [.freq, .until, .interval, .byMonth, .byDay, .byHour, .wkst])
  }

  @Test("Makes rules from parts and refuses what could not be read back")
  func making() throws {
    let rule = try RecurrenceRule(
      .monthly, count: 10, byDay: [WeekdayNumber(.friday, ordinal: -1)], weekStart: .sunday)
    #expect(rule.description == "FREQ=MONTHLY;COUNT=10;BYDAY=-1FR;WKST=SU")
    #expect(RecurrenceRule(.daily).description == "FREQ=DAILY")
    for (name, make) in [
      ("no times", { () throws in _ = try RecurrenceRule(.daily, count: 0) }),
      ("no periods", { _ = try RecurrenceRule(.daily, interval: -1) }),
      ("a 13th month", { _ = try RecurrenceRule(.yearly, byMonth: [MonthNumber(13)]) }),
      ("weeks of a month", { _ = try RecurrenceRule(.monthly, byWeekNo: [1]) }),
      ("skipping nothing", { _ = try RecurrenceRule(.monthly, skip: .forward) }),
      ("text in a name", { _ = try RecurrenceRule(.monthly, rscale: "X;COUNT=1") }),
    ] as [(String, () throws -> Void)] {
      #expect(throws: RecurrenceRuleIssue.self, "\(name)") { try make() }
    }
  }

  @Test("Random texts are read or refused, and what is read is read again from its own text")
  func randomTexts() throws {
    let pieces = [
      "FREQ=", "DAILY", "YEARLY", "MONTHLY", ";", ";", ";", "BYDAY=", "MO", "1", "-", "0", ",", "L",
      "UNTIL=", "19970902T090000Z", "COUNT=", "RSCALE=HEBREW", "SKIP=", "FORWARD", "BYMONTH=",
      "BYSETPOS=", "BYWEEKNO=", " ", "=", "é", "99", "INTERVAL=", "WKST=", "x",
    ]
    var readable = 0
    for seed in UInt64(0)..<20_000 {
      var random = SeededGenerator(seed: seed)
      let text =
        "FREQ=YEARLY;"
        + (0..<random.next() % 12).map { _ in pieces[Int(random.next() % UInt64(pieces.count))] }
        .joined()
      guard let reading = try? RecurrenceRule.parse(leniently: text) else { continue }
      readable += 1
      #expect(reading.source == text, "seed \(seed)")
      // With both ends a rule is wrong for ever; all else that is wrong is gone after reading.
      guard reading.rule.until == nil || reading.rule.count == nil else { continue }
      #expect(
        try RecurrenceRule(parsing: reading.rule.description) == reading.rule,
        "seed \(seed): \(text)")
    }
    #expect(readable > 5000)
  }

  @Test("A very long text is read in one pass and its issues are limited")
  func longText() throws {
    let text = "FREQ=DAILY;" + String(repeating: ";", count: 100_000)
    #expect(try RecurrenceRule.parse(leniently: text).issues.count == 50)
    let days =
      "FREQ=MONTHLY;BYMONTHDAY=" + Array(repeating: "1", count: 100_000).joined(separator: ",")
    #expect(try RecurrenceRule(parsing: days).byMonthDay == [1])
  }
}
