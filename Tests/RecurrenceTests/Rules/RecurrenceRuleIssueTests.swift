// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence
import Testing

@Suite struct RecurrenceRuleIssueTests {
  /// A rule, what is wrong with it, and what is understood; nil if nothing is.
  struct Case: CustomTestStringConvertible {
    let text: String
    let code: RecurrenceRuleIssue.Code
    let offset: Int
    let message: String
    let understood: String?

    init(
      _ text: String, _ code: RecurrenceRuleIssue.Code, at offset: Int, _ message: String,
      as understood: String?
    ) {
      self.text = text
      self.code = code
      self.offset = offset
      self.message = message
      self.understood = understood
    }

    var testDescription: String { text }
  }

  static let forbidden = [
    Case(
      "", .missingFrequency, at: 0, "expected a FREQ part, found the end of the rule", as: nil),
    Case(
      "COUNT=3", .missingFrequency, at: 7, "expected a FREQ part, found the end of the rule",
      as: nil),
    Case(
      "FREQ=SOMETIMES", .missingFrequency, at: 5,
      "expected a frequency such as DAILY, found \"SOMETIMES\"", as: nil),
    Case(
      "FREQ=DAILY;", .emptyPart, at: 11, "expected a rule part, found the end of the rule",
      as: "FREQ=DAILY"),
    Case(
      "FREQ=DAILY;;COUNT=2", .emptyPart, at: 11, "expected a rule part, found nothing",
      as: "FREQ=DAILY;COUNT=2"),
    Case(
      "FREQ=DAILY;COUNT", .malformedPart, at: 16,
      "expected a value of COUNT, found the end of the rule", as: "FREQ=DAILY"),
    Case(
      "FREQ=DAILY;UNTIL=;COUNT=2", .malformedPart, at: 17,
      "expected a value of UNTIL, found nothing", as: "FREQ=DAILY;COUNT=2"),
    Case(
      "FREQ=DAILY;BYEASTER=0", .unknownPart, at: 11,
      "expected the name of a rule part, found \"BYEASTER\"", as: "FREQ=DAILY"),
    Case(
      "FREQ=DAILY;COUNT=2;COUNT=3", .duplicatePart, at: 19,
      "expected COUNT only once, found \"COUNT\"", as: "FREQ=DAILY;COUNT=2"),
    Case(
      "FREQ=DAILY;FREQ=WEEKLY", .duplicatePart, at: 11,
      "expected FREQ only once, found \"FREQ\"", as: "FREQ=DAILY"),
    Case(
      "FREQ=WEEKLY; BYDAY=MO", .whitespace, at: 12, "expected no space, found \" \"",
      as: "FREQ=WEEKLY;BYDAY=MO"),
    Case(
      "FREQ=WEEKLY;BYDAY=MO, TU", .whitespace, at: 21, "expected no space, found \" \"",
      as: "FREQ=WEEKLY;BYDAY=MO,TU"),
    Case(
      "FREQ=DAILY;COUNT=3;UNTIL=19971224", .conflictingParts, at: 25,
      "expected UNTIL or COUNT, not both, found \"19971224\"",
      as: "FREQ=DAILY;UNTIL=19971224;COUNT=3"),
    Case(
      "FREQ=DAILY;UNTIL=19971324", .malformedValue, at: 21,
      "expected a month from 01 through 12, found \"13\"", as: nil),
    Case(
      "FREQ=DAILY;UNTIL=1997-12-24", .malformedValue, at: 21,
      "expected a month from 01 through 12, found \"-1\"", as: nil),
    Case(
      "FREQ=DAILY;COUNT=many", .malformedValue, at: 17,
      "expected a number of 1 or more, found \"many\"", as: nil),
    Case(
      "FREQ=DAILY;COUNT=-1", .malformedValue, at: 17,
      "expected a number of 1 or more, found \"-1\"", as: nil),
    Case(
      "FREQ=DAILY;COUNT=0", .valueOutOfRange, at: 17,
      "expected a number of 1 or more, found \"0\"", as: "FREQ=DAILY;COUNT=1"),
    Case(
      "FREQ=DAILY;INTERVAL=0", .valueOutOfRange, at: 20,
      "expected a number of 1 or more, found \"0\"", as: "FREQ=DAILY"),
    Case(
      "FREQ=DAILY;COUNT=99999999999999999999", .valueOutOfRange, at: 17,
      "expected a number of at most 2147483647, found \"99999999999999999999\"",
      as: "FREQ=DAILY;COUNT=2147483647"),
    Case(
      "FREQ=YEARLY;BYMONTH=1,13", .valueOutOfRange, at: 22,
      "expected a month from 1 through 12, found \"13\"", as: "FREQ=YEARLY;BYMONTH=1"),
    Case(
      "FREQ=YEARLY;BYMONTH=JAN", .malformedValue, at: 20,
      "expected a month from 1 through 12, found \"JAN\"", as: "FREQ=YEARLY"),
    Case(
      "FREQ=YEARLY;BYMONTH=+1", .malformedValue, at: 20,
      "expected a month from 1 through 12, found \"+1\"", as: "FREQ=YEARLY"),
    Case(
      "FREQ=YEARLY;BYMONTH=5L", .valueOutOfRange, at: 20,
      "expected a month that is no leap month, found \"5L\"", as: "FREQ=YEARLY"),
    Case(
      "FREQ=MONTHLY;BYMONTHDAY=32", .valueOutOfRange, at: 24,
      "expected a day of the month from 1 through 31 or -31 through -1, found \"32\"",
      as: "FREQ=MONTHLY"),
    Case(
      "FREQ=MONTHLY;BYMONTHDAY=1,,2", .malformedValue, at: 26,
      "expected a day of the month from 1 through 31 or -31 through -1, found nothing",
      as: "FREQ=MONTHLY;BYMONTHDAY=1,2"),
    Case(
      "FREQ=MONTHLY;BYMONTHDAY=0", .valueOutOfRange, at: 24,
      "expected a day of the month from 1 through 31 or -31 through -1, found \"0\"",
      as: "FREQ=MONTHLY"),
    Case(
      "FREQ=DAILY;BYHOUR=24", .valueOutOfRange, at: 18,
      "expected an hour from 0 through 23, found \"24\"", as: "FREQ=DAILY"),
    Case(
      "FREQ=DAILY;BYSECOND=61", .valueOutOfRange, at: 20,
      "expected a second from 0 through 60, found \"61\"", as: "FREQ=DAILY"),
    Case(
      "FREQ=WEEKLY;BYDAY=MO,XX", .malformedValue, at: 21,
      "expected a weekday such as MO or -1FR, found \"XX\"", as: "FREQ=WEEKLY;BYDAY=MO"),
    Case(
      "FREQ=MONTHLY;BYDAY=0MO", .valueOutOfRange, at: 19,
      "expected a weekday's number from 1 through 53 or -53 through -1, found \"0\"",
      as: "FREQ=MONTHLY;BYDAY=MO"),
    Case(
      "FREQ=MONTHLY;BYDAY=54MO,TU", .valueOutOfRange, at: 19,
      "expected a weekday's number from 1 through 53 or -53 through -1, found \"54\"",
      as: "FREQ=MONTHLY;BYDAY=TU"),
    Case(
      "FREQ=WEEKLY;BYDAY=1MO,-1MO", .notApplicable, at: 18,
      "expected weekdays without numbers with FREQ=WEEKLY, found \"1MO,-1MO\"",
      as: "FREQ=WEEKLY;BYDAY=MO"),
    Case(
      "FREQ=YEARLY;BYWEEKNO=20;BYDAY=1MO", .notApplicable, at: 30,
      "expected weekdays without numbers with BYWEEKNO, found \"1MO\"",
      as: "FREQ=YEARLY;BYDAY=MO;BYWEEKNO=20"),
    Case(
      "FREQ=MONTHLY;BYWEEKNO=20", .notApplicable, at: 22,
      "expected no BYWEEKNO with FREQ=MONTHLY, found \"20\"", as: "FREQ=MONTHLY"),
    Case(
      "FREQ=DAILY;BYYEARDAY=20", .notApplicable, at: 21,
      "expected no BYYEARDAY with FREQ=DAILY, found \"20\"", as: "FREQ=DAILY"),
    Case(
      "FREQ=WEEKLY;BYMONTHDAY=20", .notApplicable, at: 23,
      "expected no BYMONTHDAY with FREQ=WEEKLY, found \"20\"", as: "FREQ=WEEKLY"),
    Case(
      "FREQ=MONTHLY;BYSETPOS=1", .missingPart, at: 22,
      "expected another part that starts with BY beside BYSETPOS, found \"1\"",
      as: "FREQ=MONTHLY"),
    Case(
      "FREQ=YEARLY;SKIP=OMIT", .missingPart, at: 17, "expected RSCALE beside SKIP, found \"OMIT\"",
      as: "FREQ=YEARLY"),
    Case(
      "FREQ=YEARLY;RSCALE=HEBREW;SKIP=BACK", .malformedValue, at: 31,
      "expected OMIT, BACKWARD or FORWARD, found \"BACK\"", as: "RSCALE=HEBREW;FREQ=YEARLY"),
    Case(
      "FREQ=YEARLY;RSCALE=A B", .malformedValue, at: 19,
      "expected the name of a calendar, found \"A B\"", as: nil),
    Case(
      "FREQ=WEEKLY;WKST=1", .malformedValue, at: 17,
      "expected a weekday such as MO, found \"1\"", as: "FREQ=WEEKLY"),
  ]

  @Test("Says what is wrong and understands the rest", arguments: forbidden)
  func objection(_ example: Case) throws {
    let strict = #expect(throws: RecurrenceRuleIssue.self) {
      try RecurrenceRule(parsing: example.text)
    }
    #expect(strict?.code == example.code)
    #expect(strict?.offset == example.offset)
    #expect(strict?.message == example.message)
    #expect(strict?.section.hasPrefix("RFC ") == true)
    guard let understood = example.understood else {
      let lenient = #expect(throws: RecurrenceRuleIssue.self) {
        try RecurrenceRule.parse(leniently: example.text)
      }
      #expect(lenient == strict)
      return
    }
    let reading = try RecurrenceRule.parse(leniently: example.text)
    #expect(reading.rule.description == understood)
    #expect(reading.issues.filter(\.isViolation) == [try #require(strict)])
    #expect(reading.source == example.text)
  }

  static let unwise = [
    Case(
      "freq=daily", .lowerCase, at: 0, "expected upper case letters, found \"freq\"",
      as: "FREQ=DAILY"),
    Case(
      "FREQ=WEEKLY;BYDAY=mo", .lowerCase, at: 18, "expected upper case letters, found \"mo\"",
      as: "FREQ=WEEKLY;BYDAY=MO"),
    Case(
      "COUNT=2;FREQ=DAILY", .unusualOrder, at: 0,
      "expected FREQ as the first part, found \"COUNT\"", as: "FREQ=DAILY;COUNT=2"),
  ]

  @Test("Reports what the RFC allows readers to meet, and reads it strictly too", arguments: unwise)
  func advice(_ example: Case) throws {
    let reading = try RecurrenceRule.parse(leniently: example.text)
    #expect(reading.issues.map(\.code) == [example.code])
    #expect(reading.issues.map(\.offset) == [example.offset])
    #expect(reading.issues.map(\.message) == [example.message])
    #expect(reading.issues.allSatisfy { !$0.isViolation })
    #expect(try RecurrenceRule(parsing: example.text).description == example.understood)
  }

  @Test("Several issues are listed in the order of the text")
  func several() throws {
    let reading = try RecurrenceRule.parse(
      leniently: "FREQ=MONTHLY;X-A=1;BYWEEKNO=1; BYMONTH=13;BYSETPOS=1;")
    #expect(reading.rule.description == "FREQ=MONTHLY")
    #expect(
      reading.issues.map(\.code.description) == [
        "unknownPart", "notApplicable", "whitespace", "valueOutOfRange", "missingPart", "emptyPart",
      ])
  }

  /// A rule, a type of start, and what is said.
  struct StartCase: CustomTestStringConvertible {
    let text: String
    let start: RecurrenceRuleReading.StartType
    let messages: [String]

    init(_ text: String, _ start: RecurrenceRuleReading.StartType, _ messages: String...) {
      (self.text, self.start, self.messages) = (text, start, messages)
    }

    var testDescription: String { "\(text) from a start that is \(start)" }
  }

  static let starts = [
    StartCase("FREQ=DAILY;COUNT=2", .date),
    StartCase("FREQ=DAILY;UNTIL=19971224", .date),
    StartCase("FREQ=DAILY;UNTIL=19971224T000000", .floating),
    StartCase("FREQ=DAILY;UNTIL=19971224T000000Z", .utc),
    StartCase("FREQ=DAILY;UNTIL=19971224T000000Z", .zoned),
    StartCase("FREQ=DAILY;UNTIL=19971224T000000Z", .observance),
    StartCase(
      "FREQ=DAILY;UNTIL=19971224T000000Z", .date,
      "17: expected a date, because the start is one, found \"19971224T000000Z\""),
    StartCase(
      "FREQ=DAILY;UNTIL=19971224", .floating,
      "17: expected a time without a zone, because the start has none, found \"19971224\""),
    StartCase(
      "FREQ=DAILY;UNTIL=19971224T000000", .utc,
      "17: expected a time in UTC, because the start is one, found \"19971224T000000\""),
    StartCase(
      "FREQ=DAILY;UNTIL=19971224", .zoned,
      "17: expected a time in UTC, because the start has a zone, found \"19971224\""),
    StartCase(
      "FREQ=YEARLY;UNTIL=19971224T000000", .observance,
      "18: expected a time in UTC, because the rule is a zone's, found \"19971224T000000\""),
    StartCase("FREQ=DAILY;BYHOUR=9", .zoned),
    StartCase(
      "FREQ=DAILY;BYMINUTE=0,30;BYHOUR=9", .date,
      "20: expected no BYMINUTE, because the start is a date, found \"0,30\"",
      "32: expected no BYHOUR, because the start is a date, found \"9\""),
  ]

  @Test("A rule has to go with the type of its start", arguments: starts)
  func start(_ example: StartCase) throws {
    let reading = try RecurrenceRule.parse(leniently: example.text)
    let issues = reading.issues(forStart: example.start)
    #expect(issues.map { "\($0.offset): \($0.message)" } == example.messages)
    #expect(issues.allSatisfy { $0.code == .wrongType && $0.isViolation })
  }
}
