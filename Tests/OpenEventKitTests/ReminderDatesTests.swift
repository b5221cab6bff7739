// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Foundation
import ICalSyntax
import OpenEventKit
import TestSupport
import Testing

/// Starts and due times of reminders in all forms, which never make an invalid file.
@Suite struct ReminderDatesTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  private static func day(_ day: Int) -> DateComponents {
    DateComponents(year: 2026, month: 12, day: day)
  }

  private static func time(_ day: Int, _ hour: Int, _ zone: TimeZone? = nil) -> DateComponents {
    DateComponents(timeZone: zone, year: 2026, month: 12, day: day, hour: hour)
  }

  /// Saves a reminder, and returns the lines of its file with times.
  private func lines(
    _ store: EKEventStore, start: DateComponents?, due: DateComponents?, recurs: Bool = false
  ) throws -> [String] {
    let reminder = EKReminder(eventStore: store)
    reminder.calendar = store.defaultCalendarForNewReminders()
    reminder.startDateComponents = start
    reminder.dueDateComponents = due
    if recurs {
      let end = EKRecurrenceEnd(end: StoreScene.date(2027, 1, 1))
      reminder.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: end))
    }
    try store.save(reminder, commit: true)
    let text = try scene.text(reminder.calendarItemExternalIdentifier, in: "tasks")
    return try validLines(text)
  }

  private func validLines(_ text: String) throws -> [String] {
    let item = try CalendarItem(parsing: Array(text.utf8))
    // A start that is the due time is not quite valid, but usual.
    let problems = ComponentChecker().diagnostics(for: item.calendar).filter {
      $0.code != .timeOrder || !$0.message.contains("the same")
    }
    #expect(problems.isEmpty, "\(problems.map(\.message)) \(text)")
    let main = try #require(text.split(separator: "BEGIN:VTODO").last)
    return main.split(separator: "\n").map(String.init).filter { line in
      ["DTSTART", "DUE", "DURATION", "RRULE"].contains { line.hasPrefix($0) }
    }.sorted()
  }

  @Test("A start that is the due time is written like it")
  func same() async throws {
    let store = try await scene.store()
    #expect(
      try lines(store, start: Self.day(1), due: Self.day(1))
        == ["DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261201"])
    #expect(
      try lines(store, start: Self.time(1, 9), due: Self.time(1, 9))
        == ["DTSTART:20261201T090000", "DUE:20261201T090000"])
    let utc = TimeZone.gmt
    #expect(
      try lines(store, start: Self.time(1, 8, utc), due: Self.time(1, 9, StoreScene.berlin))
        == [
          "DTSTART;TZID=Europe/Berlin:20261201T090000", "DUE;TZID=Europe/Berlin:20261201T090000",
        ])
    for reminder in try #require(await scene.newStore().reminders()) {
      #expect(reminder.dueDateComponents == reminder.startDateComponents)
      #expect(reminder.dueDateComponents?.day == 1)
    }
  }

  @Test("The start takes the form of the due time")
  func mixed() async throws {
    let store = try await scene.store()
    #expect(
      try lines(store, start: Self.day(1), due: Self.time(1, 9))
        == ["DTSTART:20261201T000000", "DUE:20261201T090000"])
    #expect(
      try lines(store, start: Self.time(1, 7), due: Self.time(1, 9, StoreScene.berlin)) == [
        "DTSTART;TZID=Europe/Berlin:20261201T070000", "DUE;TZID=Europe/Berlin:20261201T090000",
      ])
    #expect(
      try lines(store, start: Self.time(1, 7, StoreScene.berlin), due: Self.time(1, 9))
        == ["DTSTART:20261201T070000", "DUE:20261201T090000"])
  }

  @Test("Times that would lose something or are inverted are errors, and nothing is written")
  func errors() async throws {
    let store = try await scene.store()
    #expect(
      code { _ = try lines(store, start: Self.time(1, 9), due: Self.day(2)) } == .internalFailure)
    #expect(code { _ = try lines(store, start: Self.day(2), due: Self.day(1)) } == .datesInverted)
    #expect(
      code { _ = try lines(store, start: Self.day(2), due: Self.time(1, 9)) } == .datesInverted)
    #expect(
      code {
        _ = try lines(store, start: Self.time(1, 9), due: Self.time(1, 8, StoreScene.berlin))
      } == .datesInverted)
    #expect(try scene.names(in: "tasks").isEmpty)
  }

  @Test("The end of a rule has the form of the due time")
  func ends() async throws {
    let store = try await scene.store()
    #expect(
      try lines(store, start: nil, due: Self.day(1), recurs: true) == [
        "DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261201",
        "RRULE:FREQ=DAILY;UNTIL=20270101",
      ])
    #expect(
      try lines(store, start: nil, due: Self.time(1, 9), recurs: true).last
        == "RRULE:FREQ=DAILY;UNTIL=20270101T000000")
  }

  @Test("A series that begins when it is due moves with the due time, also to an earlier one")
  func move() async throws {
    let store = try await scene.store()
    _ = try lines(store, start: nil, due: Self.time(5, 9), recurs: true)
    let reminder = try #require(await store.reminders()?.first)
    for (due, expected) in [
      (Self.time(2, 8), ["DTSTART:20261202T080000", "DUE:20261202T080000"]),
      (Self.day(7), ["DTSTART;VALUE=DATE:20261207", "DUE;VALUE=DATE:20261207"]),
      (
        Self.time(3, 8, StoreScene.berlin),
        ["DTSTART;TZID=Europe/Berlin:20261203T080000", "DUE;TZID=Europe/Berlin:20261203T080000"]
      ),
    ] {
      reminder.dueDateComponents = due
      try store.save(reminder, commit: true)
      let lines = try validLines(try scene.onlyText(in: "tasks"))
      #expect(Array(lines.dropLast()) == expected)
    }
  }

  @Test("A file that is invalid already may stay so, but is not made invalid in another way")
  func invalidBefore() async throws {
    try scene.put(
      .reminder("UID:a\nDTSTART:20261205T090000\nDUE:20261201T090000\nSUMMARY:A"), as: "a",
      in: "tasks")
    let store = try await scene.store()
    let reminder = try #require(await store.reminders()?.first)
    reminder.title = "B"
    try store.save(reminder, commit: true)
    #expect(try scene.onlyText(in: "tasks").contains("DUE:20261201T090000\n"))
    reminder.dueDateComponents = Self.time(2, 9)
    #expect(code { try store.save(reminder, commit: true) } == .datesInverted)
    #expect(try scene.onlyText(in: "tasks").contains("DUE:20261201T090000\n"))
    reminder.dueDateComponents = Self.time(6, 9)
    try store.save(reminder, commit: true)
    #expect(
      try validLines(try scene.onlyText(in: "tasks"))
        == ["DTSTART:20261205T090000", "DUE:20261206T090000"])
  }

  @Test("Whatever is set, a saved file is valid and holds the due time")
  func property() async throws {
    let store = try await scene.store()
    let zones = [nil, nil, StoreScene.berlin, TimeZone(identifier: "America/New_York"), .gmt]
    forAll(60) { random in
      func components() -> DateComponents? {
        let day = Int.random(in: 1...3, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return nil
        case 1: return Self.day(day)
        default:
          let zone = zones.randomElement(using: &random) ?? nil
          return Self.time(day, Int.random(in: 8...10, using: &random), zone)
        }
      }
      let reminder = EKReminder(eventStore: store)
      reminder.calendar = store.defaultCalendarForNewReminders()
      for _ in 0..<4 {
        if Bool.random(using: &random) { reminder.startDateComponents = components() }
        if Bool.random(using: &random) { reminder.dueDateComponents = components() }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: reminder.recurrenceRules = nil
        case 1:
          let end = EKRecurrenceEnd(end: StoreScene.date(2027, 1, 1))
          reminder.recurrenceRules = [
            EKRecurrenceRule(recurrenceWith: .weekly, interval: 1, end: end)
          ]
        default: break
        }
        let due = reminder.dueDateComponents
        guard code({ try store.save(reminder, commit: true) }) == nil else {
          reminder.reset()
          continue
        }
        let text = try scene.text(reminder.calendarItemExternalIdentifier, in: "tasks")
        _ = try validLines(text)
        #expect(reminder.dueDateComponents?.date == due?.date)
        #expect(reminder.dueDateComponents?.hour == due?.hour)
        let read = store.calendarItem(withIdentifier: reminder.calendarItemIdentifier)
        #expect((read as? EKReminder)?.dueDateComponents == reminder.dueDateComponents)
      }
    }
  }
}
