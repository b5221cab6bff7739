// SPDX-License-Identifier: Apache-2.0

import Foundation
import TestSupport
import Testing

/// Every row of the article on open questions has an example that shows its answer.
@Suite("Open questions")
struct OpenQuestionsTests {
  /// The questions in the order of the article, and how the titles of their examples begin.
  static let examples: [(question: String, titles: [String])] = [
    ("In which order do the parts of a rule choose?", ["Order:", "SKIP: before BYDAY"]),
    (
      "What does a rule take from its start?",
      [
        "Missing parts, yearly:", "Missing parts, yearly by month:", "Missing parts, monthly:",
        "Missing parts, weekly:", "Missing parts, times:",
      ]
    ),
    (
      "Which months does `YEARLY;BYMONTHDAY=…` mean without BYMONTH?",
      [
        "Missing parts, yearly by day of the month: the month of the start",
        "Missing parts, yearly by day of the month: or every month",
      ]
    ),
    (
      "Which days does `YEARLY;BYWEEKNO=…` mean without BYDAY?",
      ["Missing parts, yearly by week: the weekday", "Missing parts, yearly by week: or the whole"]
    ),
    ("What does `BYDAY=1FR,TH` mean?", ["Numbers of weekdays: a list is a union"]),
    (
      "In what do the numbers of BYDAY count in a year?",
      [
        "Numbers of weekdays: yearly with months", "Numbers of weekdays: yearly without months",
        "Numbers of weekdays: monthly",
      ]
    ),
    (
      "What do the numbers of BYDAY do beside BYMONTHDAY or BYYEARDAY?",
      [
        "Numbers of weekdays: they take away beside days of the month",
        "Numbers of weekdays: they take away beside days of the year",
      ]
    ),
    (
      "What becomes of parts that the frequency does not allow?",
      [
        "Parts that must not be used are ignored, in lenient reading: weeks",
        "Parts that must not be used are ignored, in lenient reading: days of the year",
        "Parts that must not be used are ignored, in lenient reading: days of the month",
        "Numbers of weekdays: ignored",
      ]
    ),
    (
      "To which year does a week belong that lies in two?",
      ["Weeks: days of a week lie in the year before", "Weeks: years of weeks are counted"]
    ),
    ("What does BYWEEKNO=53 or -53 do in a year of 52 weeks?", ["Weeks: one that does not exist"]),
    ("Where does BYSETPOS count in the first period?", ["BYSETPOS: the first period counts whole"]),
    ("Where does BYSETPOS count with DAILY and shorter?", ["BYSETPOS: in the times of a day"]),
    (
      "What becomes of the 31st in April, or of 29 February?",
      [
        "Dates that do not exist: the 31st", "Dates that do not exist: 29 February",
        "SKIP: the day",
      ]
    ),
    ("What does BYSECOND=60 mean?", ["Second 60 is none"]),
    (
      "Do BYHOUR, BYMINUTE and BYSECOND mean anything with a date?",
      ["Parts that must not be used are ignored: times with a date"]
    ),
    (
      "What does HOURLY, MINUTELY or SECONDLY mean with a date?",
      ["Hours with a date: each day once", "Hours with a date: days in between"]
    ),
    ("An UNTIL before the start?", ["UNTIL before the start:"]),
    (
      "What does an UNTIL that is a date mean if the start is a time?",
      ["Lenient: an UNTIL that is a date"]
    ),
    (
      "What does an UNTIL without `Z` mean if the start has a zone?",
      ["Lenient: an UNTIL without Z"]
    ),
    (
      "What does an UNTIL that is a time mean if the start is a date?",
      ["UNTIL that is a time, with a start that is a date"]
    ),
    ("COUNT together with UNTIL?", ["COUNT and UNTIL: whichever comes first"]),
    (
      "A start that the rule does not give?",
      [
        "§3.8.5.3: a start that the rule does not give comes first", "§3.8.5.3: or is left out",
        "A start that the rule does not give is not counted",
      ]
    ),
    (
      "A time that the clocks skip?",
      [
        "§3.3.5: an instance in a gap is read with the offset before it",
        "§3.3.10: or is left out and not counted", "§3.3.5: a rule that starts in a gap",
      ]
    ),
    (
      "A time that the clocks show twice?",
      ["§3.3.5: an instance that the clocks show twice is the first of the two"]
    ),
    ("Two instances at the same moment?", ["§3.8.5.2: dates are added in order, and duplicates"]),
    (
      "Do hours of HOURLY come twice when the clocks are put back?",
      ["Hours on the wall: an hour that is shown twice comes once"]
    ),
    ("What do several rules give?", ["§3.8.5.3: several rules give what each gives"]),
    (
      "Are EXRULE and RDATE counted by COUNT?",
      [
        "RFC 2445 §4.8.5.2: a rule that excludes", "§3.8.5.2: dates are not counted by COUNT",
        "§3.8.5.1: what is excluded is counted by COUNT",
      ]
    ),
    (
      "What does an EXDATE that is a date take out of times?",
      ["§3.8.5.1: a day that is excluded from a recurrence of times"]
    ),
    (
      "On which weeks do the intervals of WEEKLY count?",
      ["WKST: which weeks are left out", "WKST: the week of the start counts"]
    ),
    (
      "Does SKIP apply where BYMONTH or BYMONTHDAY only take days away?",
      ["SKIP: nothing to skip where a part only takes away"]
    ),
    ("Does SKIP apply to BYYEARDAY?", ["SKIP: day 366", "SKIP: day 366, forward"]),
  ]

  /// Questions whose answer is an error, and the tests that show it.
  static let errors = [
    "What becomes of a rule in a calendar that is not known?":
      "A calendar that is not at hand is refused"
  ]

  @Test("Every row of the article has its examples, and the other way round")
  func rows() throws {
    let url = Fixture.root.deletingLastPathComponent()
      .appending(path: "Sources/Recurrence/Recurrence.docc/OpenQuestions.md")
    let article = try String(contentsOf: url, encoding: .utf8)
    let rows = article.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
      .compactMap { $0.split(separator: "|").first?.trimmingCharacters(in: .whitespaces) }
    let known = Set(Self.examples.map(\.question)).union(Self.errors.keys)
    #expect(Set(rows) == known)
    #expect(rows.count == known.count)
    let tests = try String(
      contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "SetTests.swift"), encoding: .utf8)
    for name in Self.errors.values { #expect(tests.contains("@Test(\"\(name)\")")) }
  }

  @Test("Every example that is named is there")
  func titles() throws {
    let titles = try ["semantics", "sets"].flatMap {
      try Example.read("recurrence/\($0).txt").map(\.title)
    }
    for (question, prefixes) in Self.examples {
      for prefix in prefixes {
        #expect(titles.contains { $0.hasPrefix(prefix) }, "\(question) \(prefix)")
      }
    }
  }
}
