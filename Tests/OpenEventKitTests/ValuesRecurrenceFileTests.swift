// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EventKit
import Foundation
import OpenEventKit
import Recurrence
import Testing

@Suite("Values: recurrence rules of files")
struct ValuesRecurrenceFileTests {
  private static let start = RuleStart(nil, in: .gmt)

  struct Inexpressible: CustomTestStringConvertible {
    let text: String
    let frequency: EKRecurrenceFrequency
    let days: [EKRecurrenceDayOfWeek]?
    let monthDays: [NSNumber]?
    var testDescription: String { text }

    init(
      _ text: String, _ frequency: EKRecurrenceFrequency, days: [EKRecurrenceDayOfWeek]? = nil,
      monthDays: [NSNumber]? = nil
    ) {
      self.text = text
      self.frequency = frequency
      self.days = days
      self.monthDays = monthDays
    }
  }

  @Test(
    "A rule that EventKit cannot express is shown as far as possible, and keeps all its parts",
    arguments: [
      Inexpressible("FREQ=HOURLY;INTERVAL=6", .daily),
      Inexpressible("FREQ=DAILY;BYHOUR=9,17", .daily),
      Inexpressible("FREQ=DAILY;BYDAY=MO", .daily, days: [EKRecurrenceDayOfWeek(.monday)]),
      Inexpressible("FREQ=YEARLY;BYMONTHDAY=5;BYMONTH=3", .yearly, monthDays: [5]),
      Inexpressible("RSCALE=HEBREW;FREQ=YEARLY;BYMONTHDAY=8;BYMONTH=5L", .yearly, monthDays: [8]),
      Inexpressible(
        "FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SU;WKST=SU", .weekly,
        days: [EKRecurrenceDayOfWeek(.tuesday), EKRecurrenceDayOfWeek(.sunday)]),
    ])
  func inexpressible(_ example: Inexpressible) throws {
    let model = try RecurrenceRule(parsing: example.text)
    let rule = EKRecurrenceRule(model, start: Self.start)
    #expect(!rule.isExpressible)
    #expect(rule.frequency == example.frequency)
    #expect(rule.daysOfTheWeek == example.days)
    #expect(rule.daysOfTheMonth == example.monthDays)
    #expect(rule.model(start: Self.start) == model)
    #expect(!rule.isNew)
    #expect(!rule.hasChanges)

    rule.recurrenceEnd = EKRecurrenceEnd(occurrenceCount: 3)
    #expect(rule.hasChanges)
    #expect(rule.model(start: Self.start).count == 3)
    #expect(rule.model(start: Self.start).parts == model.parts.union([.count]))
    rule.rollback()
    #expect(rule.model(start: Self.start) == model)
  }

  @Test("Two rules that look the same but differ in hidden parts are not equal")
  func hidden() throws {
    let plain = EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: nil)
    let hourly = EKRecurrenceRule(try RecurrenceRule(parsing: "FREQ=HOURLY"), start: Self.start)
    let daily = EKRecurrenceRule(try RecurrenceRule(parsing: "FREQ=DAILY"), start: Self.start)
    #expect(plain != hourly)
    #expect(plain == daily)
    #expect(plain.hash == daily.hash)
    #expect(hourly.calendarIdentifier == "gregorian")
    let hebrew = try RecurrenceRule(parsing: "RSCALE=HEBREW;FREQ=YEARLY")
    #expect(EKRecurrenceRule(hebrew, start: Self.start).calendarIdentifier == "hebrew")
  }

  @Test("UNTIL has the type of the start, and its date is in the zone of the start")
  func until() throws {
    let zone = try berlin()
    let time = try #require(CivilDateTime(year: 2026, month: 3, day: 10, hour: 9, minute: 0))
    let starts: [(EventTime, String)] = [
      (.date(time.date), "FREQ=DAILY;UNTIL=20260701"),
      (.floating(time), "FREQ=DAILY;UNTIL=20260701T003000"),
      (.utc(time), "FREQ=DAILY;UNTIL=20260630T223000Z"),
      (.zoned(time, tzID: "Europe/Berlin"), "FREQ=DAILY;UNTIL=20260630T223000Z"),
    ]
    for (time, text) in starts {
      let start = RuleStart(time, in: zone)
      let end = EKRecurrenceEnd(end: try date("2026-06-30T22:30:00Z"))
      let rule = EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: end)
      #expect(rule.model(start: start).description == text)
      let back = EKRecurrenceRule(rule.model(start: start), start: start)
      let midnight = try date("2026-06-30T22:00:00Z")
      #expect(back.recurrenceEnd?.endDate == (time.isAllDay ? midnight : end.endDate))
    }
  }

  @Test("A date as the end of a series with times includes its whole day, and stays a date")
  func untilOfOtherType() throws {
    let time = try #require(CivilDateTime(year: 2026, month: 3, day: 10, hour: 9, minute: 0))
    let start = RuleStart(.zoned(time, tzID: "Europe/Berlin"), in: try berlin())
    let model = try RecurrenceRule(parsing: "FREQ=DAILY;UNTIL=20260701")
    let rule = EKRecurrenceRule(model, start: start)
    #expect(rule.recurrenceEnd?.endDate == (try date("2026-07-01T21:59:59Z")))
    #expect(rule.model(start: start) == model)
    // As an all-day event, the series needs a date; as one with times again, a time.
    let allDay = RuleStart(.date(time.date), in: try berlin())
    #expect(rule.model(start: allDay).description == "FREQ=DAILY;UNTIL=20260701")
    let floating = RuleStart(.floating(time), in: try berlin())
    #expect(rule.model(start: floating).description == "FREQ=DAILY;UNTIL=20260701T235959")
  }

  @Test("An end beyond the years of iCalendar is no end, or the first second")
  func farEnds() {
    let far = EKRecurrenceEnd(end: Date(timeIntervalSince1970: 1e15))
    let rule = EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: far)
    #expect(rule.model(start: Self.start).description == "FREQ=DAILY")
    rule.recurrenceEnd = EKRecurrenceEnd(end: Date(timeIntervalSince1970: -1e15))
    #expect(rule.model(start: Self.start).description == "FREQ=DAILY;UNTIL=00010101T000000Z")
    rule.recurrenceEnd = EKRecurrenceEnd(end: .distantFuture)
    #expect(rule.model(start: Self.start).until != nil)
  }

  @Test("A rule with both ends shows the number, and stays as it is")
  func bothEnds() throws {
    let model = try RecurrenceRule.parse(leniently: "FREQ=DAILY;COUNT=5;UNTIL=20260701T000000Z")
      .rule
    let rule = EKRecurrenceRule(model, start: Self.start)
    #expect(rule.recurrenceEnd?.occurrenceCount == 5)
    #expect(!rule.isExpressible)
    #expect(rule.model(start: Self.start) == model)
    rule.recurrenceEnd = nil
    #expect(rule.model(start: Self.start).description == "FREQ=DAILY")
  }

  @Test("A copy is equal, changes alone, and keeps hidden parts")
  func copies() throws {
    let model = try RecurrenceRule(parsing: "FREQ=DAILY;BYHOUR=9")
    let rule = EKRecurrenceRule(model, start: Self.start)
    let copy = try #require(rule.copy() as? EKRecurrenceRule)
    #expect(copy == rule && copy !== rule)
    copy.recurrenceEnd = EKRecurrenceEnd(occurrenceCount: 2)
    #expect(copy != rule)
    #expect(rule.recurrenceEnd == nil)
    #expect(copy.model(start: Self.start).description == "FREQ=DAILY;COUNT=2;BYHOUR=9")
  }

  @Test("Days and ends are values that archives keep")
  func archives() throws {
    let day = EKRecurrenceDayOfWeek(.friday, weekNumber: -1)
    let data = try NSKeyedArchiver.archivedData(withRootObject: day, requiringSecureCoding: true)
    let restored = try NSKeyedUnarchiver.unarchivedObject(
      ofClass: EKRecurrenceDayOfWeek.self, from: data)
    #expect(restored == day)
    #expect(Set([day, EKRecurrenceDayOfWeek(.friday, weekNumber: -1)]).count == 1)
    #expect(day != EKRecurrenceDayOfWeek(.friday))
    for end in [
      EKRecurrenceEnd(occurrenceCount: 7),
      EKRecurrenceEnd(end: Date(timeIntervalSinceReferenceDate: 12_345.5)),
    ] {
      let data = try NSKeyedArchiver.archivedData(withRootObject: end, requiringSecureCoding: true)
      let restored = try NSKeyedUnarchiver.unarchivedObject(
        ofClass: EKRecurrenceEnd.self, from: data)
      #expect(restored == end)
      #expect(restored?.hash == end.hash)
    }
  }
}
