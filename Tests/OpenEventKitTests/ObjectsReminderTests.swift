// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

@Suite struct ObjectsReminderTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  private func saved(_ change: (EKReminder) -> Void) async throws -> (EKReminder, String) {
    let store = try await scene.store()
    let reminder = EKReminder(eventStore: store)
    reminder.title = "Buy bread"
    reminder.calendar = store.defaultCalendarForNewReminders()
    change(reminder)
    try store.save(reminder, commit: true)
    return (reminder, try scene.onlyText(in: "tasks"))
  }

  @Test("A due time floats, and its components have a date")
  func floating() async throws {
    let (reminder, text) = try await saved {
      $0.dueDateComponents = DateComponents(year: 2026, month: 3, day: 10, hour: 9, minute: 30)
      $0.priority = 1
      $0.location = "Bakery"
    }
    #expect(text.contains("BEGIN:VTODO\n") && text.contains("DUE:20260310T093000\n"))
    #expect(text.contains("PRIORITY:1\n") && text.contains("LOCATION:Bakery\n"))
    #expect(!text.contains("DTSTART"))
    #expect(reminder.dueDateComponents?.date != nil)
    #expect(reminder.dueDateComponents?.hour == 9 && reminder.timeZone == nil)
  }

  @Test("Components without a time are a day, and those with a zone have it")
  func forms() async throws {
    let (reminder, text) = try await saved {
      $0.dueDateComponents = DateComponents(year: 2026, month: 3, day: 10)
    }
    #expect(text.contains("DUE;VALUE=DATE:20260310\n"))
    #expect(reminder.dueDateComponents?.hour == nil)
    reminder.dueDateComponents = DateComponents(
      timeZone: StoreScene.berlin, year: 2026, month: 3, day: 10, hour: 9)
    let due = reminder.dueDateComponents?.date
    reminder.timeZone = TimeZone(identifier: "America/New_York")
    #expect(reminder.dueDateComponents?.date == due && reminder.dueDateComponents?.hour == 4)
    let store = try await scene.store()
    let same = try #require(await store.reminders()?.first)
    same.dueDateComponents = reminder.dueDateComponents
    try store.save(same, commit: true)
    let zoned = try scene.onlyText(in: "tasks")
    #expect(zoned.contains("DUE;TZID=America/New_York:20260310T040000\n"))
    #expect(zoned.contains("TZID:America/New_York\n"))
  }

  @Test("Completing sets the date, and undoing it removes the date")
  func completion() async throws {
    let (reminder, text) = try await saved { $0.isCompleted = true }
    #expect(text.contains("STATUS:COMPLETED\n") && text.contains("PERCENT-COMPLETE:100\n"))
    #expect(text.lines(with: "COMPLETED:2").count == 1)
    #expect(reminder.completionDate != nil)
    let store = try await scene.store()
    let same = try #require(await store.reminders()?.first)
    same.isCompleted = false
    #expect(same.completionDate == nil)
    try store.save(same, commit: true)
    let open = try scene.onlyText(in: "tasks")
    #expect(open.contains("STATUS:NEEDS-ACTION\n") && !open.contains("COMPLETED:2"))
    #expect(!open.contains("PERCENT-COMPLETE"))
    same.completionDate = StoreScene.date(2026, 3, 1)
    #expect(same.isCompleted)
  }

  @Test("Setting every property to itself and saving leaves all bytes as they were")
  func untouched() async throws {
    try scene.put(
      .reminder(
        """
        UID:one
        DTSTART;TZID=W. Europe Standard Time:20260310T120000
        DURATION:PT1H30M
        SUMMARY:A
        PRIORITY:3
        PERCENT-COMPLETE:50
        STATUS:IN-PROCESS
        RRULE:FREQ=WEEKLY
        X-APPLE-SORT-ORDER:77
        """), as: "one", in: "tasks")
    let before = try scene.onlyText(in: "tasks")
    let store = try await scene.store()
    let reminder = try #require(await store.reminders()?.first)
    #expect(reminder.dueDateComponents?.hour == 13 && reminder.dueDateComponents?.minute == 30)
    reminder.title = reminder.title
    reminder.startDateComponents = reminder.startDateComponents
    reminder.dueDateComponents = reminder.dueDateComponents
    reminder.priority = reminder.priority
    reminder.isCompleted = reminder.isCompleted
    reminder.timeZone = reminder.timeZone
    reminder.recurrenceRules = reminder.recurrenceRules
    #expect(!reminder.hasChanges)
    try store.save(reminder, commit: true)
    #expect(try scene.onlyText(in: "tasks") == before)
    // The due time stays where it is when the start moves.
    reminder.startDateComponents = DateComponents(
      timeZone: StoreScene.berlin, year: 2026, month: 3, day: 10, hour: 10)
    try store.save(reminder, commit: true)
    let after = try scene.onlyText(in: "tasks")
    #expect(after.contains(":20260310T133000\n") && !after.contains("DURATION"))
  }

  @Test("A reminder of another program that recurs without a due date is changed and completed")
  func recurringWithoutDue() async throws {
    try scene.put(
      .reminder("UID:a\nDTSTART:20261201T090000\nRRULE:FREQ=DAILY\nSUMMARY:A"), as: "a",
      in: "tasks")
    let store = try await scene.store()
    let reminder = try #require(await store.reminders()?.first)
    reminder.title = "B"
    try store.save(reminder, commit: true)
    reminder.isCompleted = true
    try store.save(reminder, commit: true)
    #expect(reminder.startDateComponents?.day == 2)
    #expect(try scene.names(in: "tasks").count == 2)
    reminder.startDateComponents = nil
    reminder.dueDateComponents = nil
    reminder.recurrenceRules = [
      EKRecurrenceRule(recurrenceWith: .weekly, interval: 1, end: nil)
    ]
    #expect(code { try store.save(reminder, commit: true) } == .recurringReminderRequiresDueDate)
  }

  @Test("Setting the time zone to what it is changes no start in an unknown zone")
  func unknownZone() async throws {
    try scene.put(
      .reminder("UID:a\nDTSTART;TZID=CST:20261201T090000\nDUE:20261207T130000Z"), as: "a",
      in: "tasks")
    let store = try await scene.store()
    let reminder = try #require(await store.reminders()?.first)
    reminder.timeZone = reminder.timeZone
    #expect(!reminder.hasChanges)
  }

  @Test("A reminder that recurs has a start in its file")
  func recurring() async throws {
    let (_, text) = try await saved {
      $0.dueDateComponents = DateComponents(year: 2026, month: 3, day: 10, hour: 9)
      $0.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: nil))
    }
    #expect(text.contains("DTSTART:20260310T090000\n") && text.contains("RRULE:FREQ=DAILY\n"))
    #expect(text.contains("DUE:20260310T090000\n"))
  }

  @Test("Invalid reminders are not saved")
  func errors() async throws {
    let store = try await scene.store()
    let reminder = EKReminder(eventStore: store)
    #expect(code { try store.save(reminder, commit: true) } == .noCalendar)
    reminder.calendar = try StoreScene.calendar("tasks", in: store)
    reminder.priority = 10
    #expect(code { try store.save(reminder, commit: true) } == .priorityIsInvalid)
    reminder.priority = 9
    reminder.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: nil))
    #expect(code { try store.save(reminder, commit: true) } == .recurringReminderRequiresDueDate)
    reminder.recurrenceRules = nil
    reminder.dueDateComponents = DateComponents(hour: 9)
    #expect(code { try store.save(reminder, commit: true) } == .internalFailure)
    reminder.dueDateComponents = nil
    try store.save(reminder, commit: true)
    try store.remove(reminder, commit: true)
    #expect(try scene.names(in: "tasks").isEmpty)
  }
}
