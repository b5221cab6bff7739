// SPDX-License-Identifier: Apache-2.0

import CalendarModel
@testable import CalendarRemotes
import CalendarSync
import CivilTime
import Foundation
import Recurrence
import TestSupport
import Testing

@Suite("Rules at Microsoft: exact, or refused")
struct GraphRuleTests {
  private static let exact: [(rule: String, start: String, pattern: String)] = [
    ("FREQ=DAILY;INTERVAL=3", "20260302", "daily 3"),
    ("FREQ=WEEKLY", "20260302", "weekly 1 monday from monday"),
    (
      "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;WKST=SU", "20260302",
      "weekly 2 monday,wednesday from sunday"
    ),
    ("FREQ=MONTHLY", "20260315", "absoluteMonthly 1 day 15"),
    ("FREQ=MONTHLY;INTERVAL=3;BYMONTHDAY=28", "20260328", "absoluteMonthly 3 day 28"),
    ("FREQ=MONTHLY;BYDAY=2TU", "20260310", "relativeMonthly 1 second tuesday"),
    ("FREQ=MONTHLY;BYDAY=-1FR", "20260327", "relativeMonthly 1 last friday"),
    (
      "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "20260331",
      "relativeMonthly 1 last monday,tuesday,wednesday,thursday,friday"
    ),
    ("FREQ=MONTHLY;BYDAY=SA,SU;BYSETPOS=1", "20260301", "relativeMonthly 1 first saturday,sunday"),
    ("FREQ=YEARLY", "20261231", "absoluteYearly 1 month 12 day 31"),
    ("FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=31", "20260331", "absoluteYearly 1 month 3 day 31"),
    ("FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "20261126", "relativeYearly 1 month 11 fourth thursday"),
  ]

  private static let refused: [(rule: String, start: String)] = [
    // Months without the day are skipped by the RFC; Outlook takes their last day.
    ("FREQ=MONTHLY;BYMONTHDAY=31", "20260331"), ("FREQ=MONTHLY", "20260329"),
    ("FREQ=YEARLY", "20280229"),
    ("FREQ=MONTHLY;BYMONTHDAY=1,15", "20260301"), ("FREQ=MONTHLY;BYMONTHDAY=-1", "20260331"),
    ("FREQ=MONTHLY;BYDAY=5MO", "20260330"), ("FREQ=MONTHLY;BYDAY=1MO,3MO", "20260302"),
    ("FREQ=MONTHLY;BYDAY=MO", "20260302"), ("FREQ=MONTHLY;BYDAY=MO;BYSETPOS=5", "20260330"),
    ("FREQ=DAILY;BYDAY=MO", "20260302"), ("FREQ=DAILY;BYMONTH=3", "20260302"),
    ("FREQ=WEEKLY;BYDAY=TU", "20260302"), ("FREQ=WEEKLY;BYMONTH=3;BYDAY=MO", "20260302"),
    ("FREQ=YEARLY;BYDAY=20MO", "20260518"), ("FREQ=YEARLY;BYWEEKNO=20", "20260511"),
    ("FREQ=YEARLY;BYYEARDAY=100", "20260410"), ("FREQ=YEARLY;BYMONTH=1,7", "20260105"),
    ("FREQ=YEARLY;BYMONTH=4", "20260302"), ("FREQ=MONTHLY;BYDAY=2TU", "20260302"),
    ("FREQ=HOURLY", "20260302"), ("FREQ=DAILY;BYHOUR=9,15", "20260302"),
    ("RSCALE=HEBREW;FREQ=YEARLY", "20260302"),
  ]

  private func recurrence(_ rule: String, _ start: String) throws -> GraphRecurrence {
    try GraphRecurrence(
      try RecurrenceRule(parsing: rule), start: .date(try CivilDate(parsing: start)), until: nil)
  }

  private func words(_ pattern: GraphRecurrence.Pattern) -> String {
    var words = ["\(pattern.type)", "\(pattern.interval)"]
    if let month = pattern.month { words += ["month", "\(month)"] }
    if let day = pattern.dayOfMonth { words += ["day", "\(day)"] }
    if let index = pattern.index { words.append(index) }
    if let days = pattern.daysOfWeek { words.append(days.joined(separator: ",")) }
    if let first = pattern.firstDayOfWeek { words += ["from", first] }
    return words.joined(separator: " ")
  }

  @Test("A rule with a pattern has the pattern that Microsoft documents")
  func patterns() throws {
    for (rule, start, pattern) in Self.exact {
      #expect(words(try recurrence(rule, start).pattern) == pattern, "\(rule) from \(start)")
    }
  }

  @Test("Any other rule is refused")
  func refusals() throws {
    for (rule, start) in Self.refused {
      #expect(throws: HoldingRefusal.self, "\(rule) from \(start)") {
        try recurrence(rule, start)
      }
    }
  }

  /// The first occurrences of a rule.
  private func days(_ rule: RecurrenceRule, _ start: CivilDate) throws -> [CivilDate] {
    var set = RecurrenceSet(date: start)
    set.rules = [rule]
    return try set.instances().prefix(60).map(\.local.date)
  }

  @Test("A random rule that has a pattern gives the same days when it is read back")
  func roundTrip() throws {
    var held = 0
    for seed in Seeds.played(3_000) {
      var random = SeededGenerator(seed: seed)
      let start = try #require(
        CivilDate(
          year: 2026, month: Int.random(in: 1...12, using: &random),
          day: Int.random(in: 1...28, using: &random)))
      let text = Self.rule(&random, start)
      guard let rule = try? RecurrenceRule(parsing: text),
        let pattern = try? GraphRecurrence(rule, start: .date(start), until: rule.lastDay)
      else { continue }
      held += 1
      let back = try #require(pattern.rule { .date($0) })
      #expect(
        try days(try RecurrenceRule(parsing: back), start) == days(rule, start),
        "EPACT_SEED=\(seed): \(text) from \(start) became \(back)")
    }
    #expect(held > 300 || Seeds.played(3_000).count < 3_000, "enough rules have a pattern: \(held)")
  }

  private static func rule(_ random: inout SeededGenerator, _ start: CivilDate) -> String {
    var parts = [
      "FREQ=" + (["DAILY", "WEEKLY", "MONTHLY", "YEARLY"].randomElement(using: &random) ?? "")
    ]
    if Bool.random(using: &random) {
      parts.append("INTERVAL=\(Int.random(in: 1...4, using: &random))")
    }
    let day = start.weekday.description
    let week = (start.day - 1) / 7 + 1
    let choices = [
      "BYDAY=\(day)", "BYDAY=\(week)\(day)", "BYDAY=-1\(day)", "BYDAY=\(day),SU",
      "BYMONTHDAY=\(start.day)",
      "BYMONTH=\(start.month)", "BYMONTH=\(start.month);BYDAY=\(week)\(day)",
      "BYDAY=MO,TU,WE,TH,FR;BYSETPOS=\(week)", "BYDAY=\(day);BYSETPOS=\(week)", "WKST=SU",
      "BYMONTH=\(start.month);BYMONTHDAY=\(start.day)", "BYYEARDAY=60", "BYWEEKNO=10",
    ]
    if Int.random(in: 0..<4, using: &random) > 0 {
      parts.append(choices.randomElement(using: &random) ?? "")
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0: parts.append("COUNT=\(Int.random(in: 1...20, using: &random))")
    case 1: parts.append("UNTIL=2027\(start.description.suffix(4))")
    default: break
    }
    return parts.joined(separator: ";")
  }
}

extension RecurrenceRule {
  /// The last day of a rule that ends on a date.
  fileprivate var lastDay: CivilDate? {
    if case .date(let date)? = until { date } else { nil }
  }
}
