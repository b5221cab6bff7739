// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

/// Reminders that recur: their objects show the first open occurrence, and complete it.
@Suite struct ReminderSeriesTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  private func bread(
    _ properties: String = "DTSTART:20261201T090000\nDUE:20261201T100000\nRRULE:FREQ=DAILY;COUNT=3",
    more: String = ""
  ) throws {
    let text = String.reminder("UID:bread\nSUMMARY:Bread\nX-KEPT:1\n\(properties)")
    try scene.put(
      text.replacing("END:VCALENDAR", with: "\(more)END:VCALENDAR"), as: "bread", in: "tasks")
  }

  /// A completed occurrence of the series.
  private static func done(_ time: String) -> String {
    """
    BEGIN:VTODO
    UID:bread
    DTSTAMP:20260101T000000Z
    RECURRENCE-ID:\(time)
    DTSTART:\(time)
    STATUS:COMPLETED
    COMPLETED:20261130T000000Z
    END:VTODO

    """
  }

  private func only(_ store: EKEventStore) async throws -> EKReminder {
    let found = try #require(await store.reminders(matching: store.incomplete))
    try #require(found.count == 1)
    return found[0]
  }

  @Test("Each completion leaves a completed reminder, and the last one completes the series")
  func all() async throws {
    try bread()
    let store = try await scene.store()
    let reminder = try await only(store)
    let completion = StoreScene.date(2026, 12, 1, 8)
    for (day, rule) in [(2, "COUNT=2"), (3, "COUNT=1")] {
      reminder.completionDate = completion
      try store.save(reminder, commit: true)
      #expect(!reminder.isCompleted && !reminder.hasChanges)
      #expect(reminder.dueDateComponents?.day == day && reminder.dueDateComponents?.hour == 10)
      let text = try scene.text("bread", in: "tasks")
      #expect(text.contains("DTSTART:2026120\(day)T090000\n") && text.contains(rule))
      #expect(text.contains("X-KEPT:1\n"))
    }
    let done = try #require(await store.reminders(matching: store.completed))
    #expect(done.count == 2 && done.allSatisfy { $0.completionDate == completion })
    #expect(Set(done.map { $0.dueDateComponents?.day }) == [1, 2])
    reminder.isCompleted = true
    try store.save(reminder, commit: true)
    #expect(reminder.isCompleted)
    #expect(await store.reminders(matching: store.incomplete) == [])
    #expect(try scene.names(in: "tasks").count == 3)
  }

  @Test("A single occurrence without its series is a reminder of its own")
  func occurrenceAlone() async throws {
    // An invitation to one occurrence has no other part (RFC 5545 §3.8.4.4).
    let times = "RECURRENCE-ID:20261202T090000\nDTSTART:20261202T110000\nDUE:20261202T120000"
    try scene.put(.reminder("UID:bread\nSUMMARY:Bread\n\(times)"), as: "bread", in: "tasks")
    let store = try await scene.store()
    let reminder = try await only(store)
    #expect(reminder.title == "Bread" && reminder.dueDateComponents?.hour == 12)
    let identifier = reminder.calendarItemIdentifier
    #expect(store.calendarItem(withIdentifier: identifier)?.title == "Bread")
    reminder.title = "Rolls"
    reminder.dueDateComponents?.hour = 13
    try store.save(reminder, commit: true)
    let changed = try scene.text("bread", in: "tasks")
    #expect(changed.contains("SUMMARY:Rolls\n") && changed.contains("DUE:20261202T130000\n"))
    #expect(changed.contains("RECURRENCE-ID:20261202T090000\n"))
    reminder.isCompleted = true
    try store.save(reminder, commit: true)
    #expect(await store.reminders(matching: store.incomplete) == [])
    #expect(await store.reminders(matching: store.completed)?.map(\.title) == ["Rolls"])
    let done = try scene.text("bread", in: "tasks")
    #expect(done.contains("STATUS:COMPLETED\n") && done.contains("RECURRENCE-ID:20261202T090000\n"))
    #expect(try scene.names(in: "tasks").count == 1)
    try store.remove(reminder, commit: true)
    #expect(try scene.names(in: "tasks") == [])
  }

  @Test("Absolute alarms move with the series, on its clock")
  func alarms() async throws {
    // The clock changes on 2026-10-25.
    let due = StoreScene.date(2026, 10, 24, 10)
    let alarms = [due, due.addingTimeInterval(-86_400)]
    let store = try await scene.store()
    let reminder = EKReminder(eventStore: store)
    reminder.calendar = store.defaultCalendarForNewReminders()
    reminder.dueDateComponents = DateComponents(
      timeZone: StoreScene.berlin, year: 2026, month: 10, day: 24, hour: 10)
    reminder.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: nil))
    reminder.alarms = alarms.map { EKAlarm(absoluteDate: $0) } + [EKAlarm(relativeOffset: -60)]
    try store.save(reminder, commit: true)
    reminder.isCompleted = true
    try store.save(reminder, commit: true)
    #expect(
      reminder.alarms?.map(\.absoluteDate) == [
        StoreScene.date(2026, 10, 25, 10), StoreScene.date(2026, 10, 24, 10), nil,
      ])
    #expect(reminder.alarms?.last?.relativeOffset == -60)
    let done = try #require(await store.reminders(matching: store.completed)?.first)
    #expect(done.alarms?.map(\.absoluteDate) == alarms + [nil])
    // The last occurrence keeps them.
    reminder.recurrenceRules = [
      EKRecurrenceRule(
        recurrenceWith: .daily, interval: 1, end: EKRecurrenceEnd(occurrenceCount: 1))
    ]
    reminder.isCompleted = true
    try store.save(reminder, commit: true)
    #expect(reminder.isCompleted)
    #expect(reminder.alarms?.first?.absoluteDate == StoreScene.date(2026, 10, 25, 10))
  }

  @Test("Other changes of the same save are made, too")
  func withChanges() async throws {
    try bread()
    let store = try await scene.store()
    let reminder = try await only(store)
    reminder.title = "Rye bread"
    reminder.isCompleted = true
    reminder.calendar = try StoreScene.calendar("home", in: store)
    try store.save(reminder, commit: true)
    #expect(try scene.names(in: "tasks").isEmpty)
    let texts = try scene.texts(in: "home")
    #expect(texts.count == 2 && texts.allSatisfy { $0.contains("SUMMARY:Rye bread\n") })
    #expect(texts.count { $0.contains("STATUS:COMPLETED") } == 1)
  }

  @Test("A new reminder that recurs and is completed goes on with its next occurrence")
  func new() async throws {
    let store = try await scene.store()
    let reminder = EKReminder(eventStore: store)
    reminder.calendar = store.defaultCalendarForNewReminders()
    reminder.dueDateComponents = DateComponents(year: 2026, month: 12, day: 1)
    reminder.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .weekly, interval: 1, end: nil))
    reminder.isCompleted = true
    try store.save(reminder, commit: true)
    #expect(!reminder.isCompleted && reminder.dueDateComponents?.day == 8)
    #expect(try scene.names(in: "tasks").count == 2)
  }

  @Test("Occurrences that other programs completed are passed over, and moved with the series")
  func overrides() async throws {
    try bread(more: Self.done("20261201T090000"))
    let store = try await scene.store()
    let reminder = try await only(store)
    #expect(reminder.dueDateComponents?.day == 2 && reminder.startDateComponents?.day == 2)
    reminder.title = reminder.title
    reminder.dueDateComponents = reminder.dueDateComponents
    #expect(!reminder.hasChanges)
    reminder.isCompleted = true
    try store.save(reminder, commit: true)
    #expect(reminder.dueDateComponents?.day == 3)
    #expect(try scene.onlyText(in: "tasks").lines(with: "RECURRENCE-ID").count == 2)
    // Two days and an hour later, for all occurrences.
    reminder.dueDateComponents = DateComponents(year: 2026, month: 12, day: 5, hour: 11)
    reminder.startDateComponents = DateComponents(year: 2026, month: 12, day: 5, hour: 10)
    try store.save(reminder, commit: true)
    #expect(reminder.dueDateComponents?.day == 5 && reminder.dueDateComponents?.hour == 11)
    let text = try scene.onlyText(in: "tasks")
    #expect(text.contains("DTSTART:20261203T100000\n") && text.contains("DUE:20261203T110000\n"))
    // Without rules, it is what the object shows.
    reminder.recurrenceRules = nil
    try store.save(reminder, commit: true)
    let single = try scene.onlyText(in: "tasks")
    #expect(single.contains("DTSTART:20261205T100000\n") && !single.contains("RECURRENCE-ID"))
    #expect(reminder.dueDateComponents?.day == 5)
  }

  @Test("An open occurrence with a component of its own is read and changed there")
  func ownOccurrence() async throws {
    let own = Self.done("20261201T090000").replacing(
      "STATUS:COMPLETED\nCOMPLETED:20261130T000000Z", with: "SUMMARY:Rolls")
    try bread(more: own)
    let store = try await scene.store()
    let reminder = try await only(store)
    #expect(reminder.title == "Rolls")
    reminder.notes = "Six"
    try store.save(reminder, commit: true)
    let parts = try scene.onlyText(in: "tasks").split(separator: "BEGIN:VTODO")
    #expect(parts.count { $0.contains("DESCRIPTION:Six") && $0.contains("RECURRENCE-ID") } == 1)
    #expect(parts.count { $0.contains("DESCRIPTION:Six") } == 1)
    reminder.isCompleted = true
    try store.save(reminder, commit: true)
    #expect(reminder.title == "Bread" && reminder.dueDateComponents?.day == 2)
  }

  @Test("An occurrence that another program completed is not completed twice")
  func twice() async throws {
    try bread()
    let (one, two) = (try await scene.store(), try await scene.store())
    let (here, there) = (try await only(one), try await only(two))
    here.isCompleted = true
    there.isCompleted = true
    try one.save(here, commit: true)
    #expect(code { try two.save(there, commit: true) } == .internalFailure)
    #expect(there.isCompleted && there.hasChanges)
    #expect(try scene.names(in: "tasks").count == 2)
    there.reset()
    there.refresh()
    #expect(there.dueDateComponents?.day == 2 && !there.isCompleted)
  }

  @Test("A batch that is reset or fails leaves the reminder as the program completed it")
  func batch() async throws {
    try bread()
    let store = try await scene.store()
    let reminder = try await only(store)
    reminder.isCompleted = true
    try store.save(reminder, commit: false)
    #expect(reminder.dueDateComponents?.day == 2 && reminder.hasChanges)
    #expect(try scene.names(in: "tasks") == ["bread"])
    try bread("DUE:20261201T100000\nRRULE:FREQ=DAILY;COUNT=9")
    #expect(code { try store.commit() } != nil)
    store.reset()
    #expect(try scene.names(in: "tasks") == ["bread"])
    let same = try await only(store)
    same.isCompleted = true
    try store.save(same, commit: false)
    try store.commit()
    #expect(try scene.names(in: "tasks").count == 2)
  }

  @Test("A completion is made again if another program changed another field meanwhile")
  func retry() async throws {
    try bread()
    let (one, two) = (try await scene.store(), try await scene.store())
    let (here, there) = (try await only(one), try await only(two))
    here.notes = "From the mill"
    try one.save(here, commit: true)
    there.isCompleted = true
    try two.save(there, commit: true)
    #expect(there.dueDateComponents?.day == 2 && there.notes == "From the mill")
    #expect(try scene.names(in: "tasks").count == 2)
  }
}
