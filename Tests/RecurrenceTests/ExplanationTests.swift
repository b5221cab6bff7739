// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite("Explanations of rules")
struct ExplanationTests {
  private func explanation(
    _ rule: String, from start: String = "19970902T090000", options: RecurrenceOptions? = nil
  ) throws -> RuleExplanation {
    let rule = try RecurrenceRule.parse(leniently: rule).rule
    var options = options ?? RecurrenceOptions()
    options.calendars = TestCalendar.all
    if start.utf8.count == 8 {
      let start = CivilDateTime(try CivilDate(parsing: start), .midnight)
      return try RuleExplanation(of: rule, from: start, clock: .date, options: options)
    }
    return try RuleExplanation(
      of: rule, from: try CivilDateTime(parsing: start), clock: .floating, options: options)
  }

  /// A rule, and its steps.
  struct Steps: CustomTestStringConvertible {
    let rule: String
    let steps: [String]

    init(_ rule: String, _ steps: String...) { (self.rule, self.steps) = (rule, steps) }

    var testDescription: String { rule }
  }

  @Test(
    "The steps are those of the table, with what comes from the start",
    arguments: [
      Steps(
        "FREQ=YEARLY", "FREQ=YEARLY", "BYMONTH=9 expand start", "BYMONTHDAY=2 expand start",
        "BYHOUR=9 expand start", "BYMINUTE=0 expand start", "BYSECOND=0 expand start"),
      Steps(
        "FREQ=YEARLY;BYWEEKNO=20", "FREQ=YEARLY", "BYWEEKNO=20 expand",
        "BYDAY=TU expand within each week start", "BYHOUR=9 expand start",
        "BYMINUTE=0 expand start", "BYSECOND=0 expand start"),
      Steps(
        "FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13;INTERVAL=2;COUNT=3", "FREQ=MONTHLY", "INTERVAL=2",
        "BYMONTHDAY=13 expand", "BYDAY=FR limit", "BYHOUR=9 expand start",
        "BYMINUTE=0 expand start", "BYSECOND=0 expand start", "COUNT=3"),
      Steps(
        "FREQ=MINUTELY;BYHOUR=9;BYSETPOS=1;UNTIL=19980101T000000", "FREQ=MINUTELY",
        "BYHOUR=9 limit", "BYSECOND=0 expand start", "BYSETPOS=1 limit",
        "UNTIL=19980101T000000"),
      Steps(
        "RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;BYMONTHDAY=8;SKIP=FORWARD", "RSCALE=HEBREW",
        "FREQ=YEARLY", "BYMONTH=5L expand", "BYMONTHDAY=8 expand", "SKIP=FORWARD",
        "BYHOUR=9 expand start", "BYMINUTE=0 expand start", "BYSECOND=0 expand start"),
      Steps("FREQ=SECONDLY", "FREQ=SECONDLY"),
    ])
  func steps(_ example: Steps) throws {
    let steps = try explanation(example.rule).steps.map { step in
      let effect = step.effect.map { " \($0)" } ?? ""
      return "\(step)\(effect)\(step.isFromStart ? " start" : "")"
    }
    #expect(steps == example.steps)
  }

  /// A rule, a day, and what is said of the two.
  struct Verdict: CustomTestStringConvertible {
    let rule: String
    let start: String
    let date: String
    let text: String

    init(_ rule: String, from start: String = "19970902T090000", on date: String, _ text: String) {
      (self.rule, self.start, self.date, self.text) = (rule, start, date, text)
    }

    var testDescription: String { "\(rule) on \(date)" }
  }

  static let verdicts = [
    Verdict("FREQ=DAILY", on: "19970902", "1: 19970902T090000"),
    Verdict("FREQ=DAILY;BYHOUR=8,10", on: "19970903", "2: 19970903T080000 19970903T100000"),
    Verdict("FREQ=DAILY", on: "19970901", "it is before the start"),
    Verdict("FREQ=DAILY;BYHOUR=8", on: "19970902", "it is before the start"),
    Verdict("FREQ=DAILY;INTERVAL=2", on: "19970903", "INTERVAL=2 passes over its day"),
    Verdict("FREQ=WEEKLY;INTERVAL=2", on: "19970909", "INTERVAL=2 passes over its week"),
    Verdict(
      "FREQ=WEEKLY", on: "19970903", "BYDAY=TU (from the start) leaves it out: it is WE"),
    Verdict(
      "FREQ=MONTHLY;BYDAY=-1FR", on: "19970919",
      "BYDAY=-1FR leaves it out: it is 3FR, or -2FR, of its month"),
    Verdict(
      "FREQ=YEARLY;BYDAY=20MO", on: "19980519",
      "BYDAY=20MO leaves it out: it is 20TU, or -33TU, of its year"),
    Verdict(
      "FREQ=YEARLY;BYMONTH=9;BYMONTHDAY=2", on: "19981103",
      "BYMONTH=9 leaves it out: it is in month 11; "
        + "BYMONTHDAY=2 leaves it out: it is day 3 of 30 of its month"),
    Verdict(
      "FREQ=YEARLY;BYYEARDAY=-1", on: "19970910",
      "BYYEARDAY=-1 leaves it out: it is day 253 of 365 of its year"),
    // 1 January 1999 lies in the last week of 1998.
    Verdict(
      "FREQ=YEARLY;BYWEEKNO=1;BYDAY=FR", on: "19990101",
      "BYWEEKNO=1 leaves it out: it is in week 53"),
    Verdict("FREQ=YEARLY;BYWEEKNO=53;BYDAY=FR", on: "19990101", "1: 19990101T090000"),
    Verdict(
      "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1", on: "19970909", "BYSETPOS=1 leaves it out"),
    Verdict("FREQ=DAILY;COUNT=2", on: "19970904", "COUNT=2 is used up before it"),
    Verdict(
      "FREQ=DAILY;UNTIL=19970903T090000", on: "19970904", "UNTIL=19970903T090000 is before it"),
    Verdict(
      "FREQ=DAILY;UNTIL=19970903T085900", on: "19970903", "UNTIL=19970903T085900 is before it"),
    Verdict("FREQ=HOURLY;INTERVAL=48", on: "19970903", "INTERVAL=48 passes over its hour"),
    Verdict(
      "RSCALE=ETHIOPIC;FREQ=YEARLY;BYMONTH=13", from: "20130906", on: "20140907",
      "BYMONTHDAY=1 (from the start) leaves it out: it is day 2 of 5 of its month"),
  ]

  @Test("A day is an instance, or it is said why not", arguments: verdicts)
  func verdict(_ example: Verdict) throws {
    let verdict = try explanation(example.rule, from: example.start)
      .verdict(on: try CivilDate(parsing: example.date))
    let instances = verdict.instances.map(\.description).joined(separator: " ")
    let text =
      verdict.isInstance
      ? "\(verdict.number ?? 0): \(instances)"
      : verdict.reasons.map(\.description).joined(separator: "; ")
    #expect(text == example.text)
  }

  @Test("The verdict on every day is that of the expansion, and is never without a reason")
  func random() throws {
    for seed in UInt64(1)...60 {
      var random = SeededGenerator(seed: seed)
      let example = RandomRule(&random)
      let explanation = try RuleExplanation(
        of: example.rule, from: example.start, clock: .floating)
      let expansion = try Expansion(of: example.rule, from: example.start)
      for _ in 0..<20 {
        let day = example.start.date.dayNumber + random.below(800) - 3
        let date = try #require(CivilDate(dayNumber: day))
        let verdict = explanation.verdict(on: date)
        let first = expansion.first(from: CivilDateTime(date, .midnight))
        let message: Comment = "seed \(seed): \(example.rule) from \(example.start) on \(date)"
        #expect(verdict.isInstance == (first?.date == date), message)
        #expect(verdict.isInstance == verdict.reasons.isEmpty, message)
      }
    }
  }

  @Test("Long days are cut off, and what never happens is known")
  func limits() throws {
    let verdict = try explanation("FREQ=MINUTELY").verdict(on: try CivilDate(parsing: "19970903"))
    #expect(verdict.instances.count == 24)
    #expect(verdict.hasMore)
    #expect(verdict.number == 901)
    #expect(try explanation("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30").isImpossible)
    #expect(try !explanation("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29").isImpossible)
  }
}
