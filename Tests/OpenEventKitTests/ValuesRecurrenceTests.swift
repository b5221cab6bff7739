// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EventKit
import Foundation
import OpenEventKit
import Recurrence
import TestSupport
import Testing

@Suite("Values: recurrence rules")
struct ValuesRecurrenceTests {
  static let start = RuleStart(nil, in: .gmt)

  /// The RRULE text of a rule.
  static func text(_ rule: EKRecurrenceRule) -> String { rule.model(start: start).description }

  /// A rule with the arguments of the long initializer that a test needs.
  static func rule(
    _ frequency: EKRecurrenceFrequency, _ interval: Int = 1, days: [EKRecurrenceDayOfWeek]? = nil,
    monthDays: [NSNumber]? = nil, months: [NSNumber]? = nil, weeks: [NSNumber]? = nil,
    yearDays: [NSNumber]? = nil, positions: [NSNumber]? = nil, end: EKRecurrenceEnd? = nil
  ) -> EKRecurrenceRule {
    EKRecurrenceRule(
      recurrenceWith: frequency, interval: interval, daysOfTheWeek: days, daysOfTheMonth: monthDays,
      monthsOfTheYear: months, weeksOfTheYear: weeks, daysOfTheYear: yearDays,
      setPositions: positions, end: end)
  }

  @Test("The description of a rule has the form from which programs read its RRULE")
  func descriptions() throws {
    let until = try date("2026-12-31T22:59:59Z")
    let table: [(EKRecurrenceRule, String)] = [
      (Self.rule(.daily), "FREQ=DAILY;INTERVAL=1"),
      (
        Self.rule(.weekly, end: EKRecurrenceEnd(end: until)),
        "FREQ=WEEKLY;INTERVAL=1;UNTIL=20261231T225959Z"
      ),
      (
        Self.rule(
          .yearly, 2, days: [EKRecurrenceDayOfWeek(.sunday, weekNumber: 2)], months: [3],
          end: EKRecurrenceEnd(occurrenceCount: 6)),
        "FREQ=YEARLY;INTERVAL=2;COUNT=6;BYDAY=2SU;BYMONTH=3"
      ),
      (
        EKRecurrenceRule(
          try RecurrenceRule(parsing: "FREQ=WEEKLY;UNTIL=20260701;INTERVAL=2;WKST=SU;BYDAY=SU,WE"),
          start: RuleStart(.date(try #require(CivilDate(year: 2026, month: 6, day: 7))), in: .gmt)),
        "FREQ=WEEKLY;INTERVAL=2;UNTIL=20260701T000000Z;BYDAY=WE,SU;WKST=SU"
      ),
    ]
    for (rule, text) in table {
      let parts = rule.description.components(separatedBy: " RRULE ")
      #expect(parts.last == text)
      #expect(parts.first?.hasPrefix("EKRecurrenceRule <0x") == true)
    }
  }

  @Test("Rules have the RRULE text of their arguments")
  func texts() throws {
    let until = try date("2026-12-31T22:59:59Z")
    let table: [(EKRecurrenceRule, String)] = [
      (Self.rule(.daily), "FREQ=DAILY"),
      (Self.rule(.daily, 3), "FREQ=DAILY;INTERVAL=3"),
      (
        Self.rule(
          .weekly, 2, days: [EKRecurrenceDayOfWeek(.friday), EKRecurrenceDayOfWeek(.monday)]),
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,FR"
      ),
      (Self.rule(.monthly, monthDays: [-1, 15]), "FREQ=MONTHLY;BYMONTHDAY=15,-1"),
      (
        Self.rule(.monthly, days: [EKRecurrenceDayOfWeek(.tuesday, weekNumber: -1)]),
        "FREQ=MONTHLY;BYDAY=-1TU"
      ),
      (
        Self.rule(
          .monthly, days: [.monday, .tuesday].map { EKRecurrenceDayOfWeek($0) }, positions: [1, -1]),
        "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=1,-1"
      ),
      (
        Self.rule(.yearly, days: [EKRecurrenceDayOfWeek(.sunday, weekNumber: 2)], months: [5]),
        "FREQ=YEARLY;BYDAY=2SU;BYMONTH=5"
      ),
      (Self.rule(.yearly, weeks: [20, -1]), "FREQ=YEARLY;BYWEEKNO=20,-1"),
      (Self.rule(.yearly, yearDays: [1, -1]), "FREQ=YEARLY;BYYEARDAY=1,-1"),
      (
        Self.rule(.daily, end: EKRecurrenceEnd(occurrenceCount: 10)), "FREQ=DAILY;COUNT=10"
      ),
      (
        Self.rule(.weekly, end: EKRecurrenceEnd(end: until)),
        "FREQ=WEEKLY;UNTIL=20261231T225959Z"
      ),
    ]
    for (rule, text) in table {
      #expect(Self.text(rule) == text)
      #expect(rule.isExpressible)
    }
  }

  @Test("Arguments that do not fit the frequency are ignored, and so are numbers out of range")
  func ignored() {
    let days = [EKRecurrenceDayOfWeek(.monday), EKRecurrenceDayOfWeek(.friday, weekNumber: 2)]
    func everything(_ frequency: EKRecurrenceFrequency) -> String {
      Self.text(
        Self.rule(
          frequency, days: days, monthDays: [1, 0, 32, -31, -32], months: [3, 13, -1],
          weeks: [10, 54], yearDays: [100, 367], positions: [1, 0, 400]))
    }
    #expect(everything(.daily) == "FREQ=DAILY")
    #expect(everything(.weekly) == "FREQ=WEEKLY;BYDAY=MO,FR;BYSETPOS=1")
    #expect(everything(.monthly) == "FREQ=MONTHLY;BYDAY=MO,2FR;BYMONTHDAY=1,-31;BYSETPOS=1")
    // With weeks, days of the week have no numbers (RFC 5545 §3.3.10).
    #expect(
      everything(.yearly)
        == "FREQ=YEARLY;BYDAY=MO,FR;BYYEARDAY=100;BYWEEKNO=10;BYMONTH=3;BYSETPOS=1")
    #expect(Self.text(Self.rule(.weekly, days: [], positions: [1])) == "FREQ=WEEKLY")
    #expect(
      Self.text(Self.rule(.monthly, days: [EKRecurrenceDayOfWeek(.monday, weekNumber: 54)]))
        == "FREQ=MONTHLY")
  }

  @Test("An interval or a number of occurrences below 1 counts as 1")
  func belowOne() {
    for number in [0, -1, Int.min] {
      #expect(EKRecurrenceRule(recurrenceWith: .daily, interval: number, end: nil).interval == 1)
      #expect(EKRecurrenceEnd(occurrenceCount: number).occurrenceCount == 1)
    }
    let longest = EKRecurrenceRule(recurrenceWith: .daily, interval: .max, end: nil)
    #expect(longest.interval == Int(Int32.max))
  }

  @Test("Properties show the arguments, and nil where there are none")
  func properties() {
    let rule = Self.rule(
      .yearly, 2, days: [EKRecurrenceDayOfWeek(.sunday, weekNumber: -1)], months: [10, 3],
      end: EKRecurrenceEnd(occurrenceCount: 4))
    #expect(rule.frequency == .yearly)
    #expect(rule.interval == 2)
    #expect(rule.daysOfTheWeek == [EKRecurrenceDayOfWeek(.sunday, weekNumber: -1)])
    #expect(rule.monthsOfTheYear == [3, 10])
    #expect(rule.daysOfTheMonth == nil)
    #expect(rule.daysOfTheYear == nil)
    #expect(rule.weeksOfTheYear == nil)
    #expect(rule.setPositions == nil)
    #expect(rule.recurrenceEnd?.occurrenceCount == 4)
    #expect(rule.recurrenceEnd?.endDate == nil)
    #expect(rule.calendarIdentifier == "gregorian")
    #expect(rule.isNew)
    #expect(rule.hasChanges)
  }

  @Test("Only weekly rules of several weeks have a first day of the week, which is Monday")
  func firstDay() throws {
    #expect(Self.rule(.weekly).firstDayOfTheWeek == 0)
    #expect(Self.rule(.weekly, 2).firstDayOfTheWeek == 2)
    #expect(Self.rule(.daily, 2).firstDayOfTheWeek == 0)
    let sunday = try RecurrenceRule(parsing: "FREQ=WEEKLY;INTERVAL=2;WKST=SU")
    #expect(EKRecurrenceRule(sunday, start: Self.start).firstDayOfTheWeek == 1)
  }

  @Test("A random expressible rule is equal to itself after a round trip through the model")
  func roundTrip() {
    forAll(2_000) { random in
      let rule = Self.random(&random)
      let day = try #require(CivilDate(year: 2026, month: 1, day: 1))
      let date = RuleStart(.date(day), in: try berlin())
      for start in [Self.start, date] {
        let model = rule.model(start: start)
        let back = EKRecurrenceRule(model, start: start)
        guard back.value.pattern == rule.value.pattern, back.isExpressible,
          back.model(start: start) == model, EKRecurrenceRule(model, start: start) == back,
          back.recurrenceEnd?.occurrenceCount == rule.recurrenceEnd?.occurrenceCount
        else { throw Mismatch(rule: "\(rule)", model: "\(model)", back: "\(back)") }
        if start == Self.start, back != rule || back.hash != rule.hash {
          throw Mismatch(rule: "\(rule)", model: "\(model)", back: "\(back)")
        }
        let parsed = try RecurrenceRule(parsing: model.description)
        guard parsed == model else {
          throw Mismatch(rule: "\(rule)", model: "\(model)", back: "\(parsed)")
        }
      }
    }
  }

  private struct Mismatch: Error {
    let rule: String
    let model: String
    let back: String
  }

  private static func random(_ random: inout SeededGenerator) -> EKRecurrenceRule {
    func numbers(_ range: ClosedRange<Int>, _ random: inout SeededGenerator) -> [NSNumber]? {
      guard Int.random(in: 0...2, using: &random) == 0 else { return nil }
      return (0..<Int.random(in: 1...4, using: &random)).map { _ in
        let number = Int.random(in: range, using: &random)
        return NSNumber(value: Bool.random(using: &random) ? number : -number)
      }
    }
    let days: [EKRecurrenceDayOfWeek]? =
      Bool.random(using: &random)
      ? nil
      : (0..<Int.random(in: 1...4, using: &random)).map { _ in
        EKRecurrenceDayOfWeek(
          EKWeekday(rawValue: Int.random(in: 1...7, using: &random)) ?? .sunday,
          weekNumber: Bool.random(using: &random) ? 0 : Int.random(in: -53...53, using: &random))
      }
    let ends: [EKRecurrenceEnd?] = [
      nil, EKRecurrenceEnd(occurrenceCount: Int.random(in: 1...1_000, using: &random)),
      EKRecurrenceEnd(
        end: Date(
          timeIntervalSince1970: Double(
            Int.random(in: -2_000_000_000...9_000_000_000, using: &random)))),
    ]
    return rule(
      EKRecurrenceFrequency(rawValue: Int.random(in: 0...3, using: &random)) ?? .daily,
      Int.random(in: 0...50, using: &random), days: days, monthDays: numbers(1...31, &random),
      months: numbers(1...12, &random), weeks: numbers(1...53, &random),
      yearDays: numbers(1...366, &random), positions: numbers(1...366, &random),
      end: ends[Int.random(in: 0...2, using: &random)])
  }
}
