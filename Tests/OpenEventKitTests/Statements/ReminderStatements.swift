// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import EventKit
import Testing

/// What Apple's documents state about reminders.
@Suite("Statements about reminders")
struct ReminderStatements {
  private let scene: StoreScene
  private let store: EKEventStore

  init() async throws {
    scene = try StoreScene()
    try await scene.grant(.full, for: .reminder)
    store = scene.newStore()
  }

  private func milk(due: DateComponents? = nil) -> EKReminder {
    let reminder = EKReminder(eventStore: store)
    reminder.title = "Milk"
    reminder.calendar = store.defaultCalendarForNewReminders()
    reminder.dueDateComponents = due
    return reminder
  }

  @Test("41: a reminder that recurs needs a due date")
  func recurring() throws {
    let reminder = milk()
    reminder.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: nil))
    expectThrows(.recurringReminderRequiresDueDate) {
      try store.save(reminder, commit: true)
    }
    reminder.dueDateComponents = DateComponents(year: 2026, month: 11, day: 25)
    try store.save(reminder, commit: true)
  }

  @Test("41: a reminder that recurs is completed by its occurrences, and moves to the next one")
  func recurringCompletion() async throws {
    let reminder = milk(due: DateComponents(year: 2026, month: 11, day: 25))
    reminder.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: nil))
    try store.save(reminder, commit: true)
    let identifier = reminder.calendarItemIdentifier
    reminder.isCompleted = true
    try store.save(reminder, commit: true)
    #expect(!reminder.isCompleted && reminder.dueDateComponents?.day == 26)
    #expect(reminder.calendarItemIdentifier == identifier)
    let other = scene.newStore()
    let found = try #require(await other.reminders(matching: other.incomplete))
    #expect(found.map(\.calendarItemIdentifier) == [identifier])
    let done = try #require(await other.reminders(matching: other.completed))
    #expect(done.map(\.dueDateComponents?.day) == [25])
    #expect(done.map(\.hasRecurrenceRules) == [false])
  }

  @Test("63: due dates are components: a day, or a floating hour and minute")
  func due() async throws {
    try store.save(milk(due: DateComponents(year: 2026, month: 11, day: 25)), commit: true)
    #expect(try scene.texts(in: "home").first?.contains("DUE;VALUE=DATE:20261125") == true)
    let timed = milk(due: DateComponents(year: 2026, month: 11, day: 25, hour: 9, minute: 30))
    try store.save(timed, commit: true)
    #expect(try scene.texts(in: "home").contains { $0.contains("DUE:20261125T093000\n") })
    let read = try #require(await scene.newStore().reminders())
    let components = read.compactMap(\.dueDateComponents)
    #expect(Set(components.map { $0.hour }) == [nil, 9])
    #expect(components.allSatisfy { $0.date != nil })
  }

  @Test("65: the default calendar for reminders is a method, and a calendar is required")
  func calendar() throws {
    let reminder = milk()
    reminder.calendar = nil
    expectThrows(.noCalendar) { try store.save(reminder, commit: true) }
    #expect(store.defaultCalendarForNewReminders()?.allowedEntityTypes.contains(.reminder) == true)
  }

  @Test("67: a fetch is asynchronous, over some calendars or all, and nil without access")
  func fetch() async throws {
    try store.save(milk(), commit: true)
    #expect(await store.reminders()?.map(\.title) == ["Milk"])
    #expect(try await StoreScene().newStore().reminders() == nil)
    for (name, titles) in [("home", ["Milk"]), ("work", [])] {
      let calendars = store.calendars(for: .reminder).filter { $0.title == name }
      let found = await store.reminders(matching: store.predicateForReminders(in: calendars))
      #expect(found?.map(\.title) == titles)
    }
    // The completion waits for what the caller does after the call.
    let (isReturned, isCompleted) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    store.fetchReminders(matching: store.predicateForReminders(in: nil)) { _ in
      isReturned.wait()
      isCompleted.signal()
    }
    isReturned.signal()
    #expect(isCompleted.wait(timeout: .now() + 900) == .success)
  }

  @Test("68: a new list is a calendar for reminders in a source")
  func newList() throws {
    let list = EKCalendar(for: .reminder, eventStore: store)
    list.title = "Shopping"
    expectThrows(.calendarHasNoSource) { try store.saveCalendar(list, commit: true) }
    list.source = store.sources.first { $0.sourceType == .local }
    try store.saveCalendar(list, commit: true)
    let found = try #require(
      scene.newStore().calendars(for: .reminder).first { $0.title == "Shopping" })
    #expect(found.calendarIdentifier == list.calendarIdentifier)
    #expect(found.allowedEntityTypes == .reminder)
    let reminder = milk()
    reminder.calendar = list
    try store.save(reminder, commit: true)
  }

  @Test("69: an alarm at the due date is absolute")
  func alarm() throws {
    let reminder = milk(due: DateComponents(year: 2026, month: 11, day: 25, hour: 12))
    reminder.addAlarm(EKAlarm(absoluteDate: StoreScene.noon))
    try store.save(reminder, commit: true)
    let text = try #require(try scene.texts(in: "home").first)
    #expect(text.contains("TRIGGER;VALUE=DATE-TIME:20261125T120000Z"))
  }
}
