// SPDX-License-Identifier: Apache-2.0

import Foundation
@testable import OpenEventKit
import Synchronization
import TestSupport
import Testing

@Suite struct StoreQueryTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  private func put(_ name: String, _ start: String, _ end: String, in calendar: String) throws {
    try scene.put(
      .event("UID:\(name)\nDTSTART:\(start)\nDTEND:\(end)\nSUMMARY:\(name)"), as: name, in: calendar
    )
  }

  @Test("Events that overlap the range are found, in all or in some calendars")
  func overlap() async throws {
    try put("before", "20260309T000000Z", "20260310T000000Z", in: "home")
    try put("into", "20260309T000000Z", "20260310T000001Z", in: "home")
    try put("inside", "20260310T050000Z", "20260310T060000Z", in: "work")
    try put("after", "20260311T000000Z", "20260311T010000Z", in: "work")
    let store = try await scene.store()
    let start = Date(timeIntervalSince1970: 1_773_100_800)
    func titles(_ calendars: [EKCalendar]?) -> Set<String> {
      let predicate = store.predicateForEvents(
        withStart: start, end: start.addingTimeInterval(86_400), calendars: calendars)
      return Set(store.events(matching: predicate).map(\.title))
    }
    #expect(titles(nil) == ["into", "inside"])
    #expect(titles([]) == ["into", "inside"])
    #expect(titles([try StoreScene.calendar("work", in: store)]) == ["inside"])
    let inverted = store.predicateForEvents(
      withStart: start, end: start.addingTimeInterval(-1), calendars: nil)
    #expect(store.events(matching: inverted).isEmpty)
  }

  @Test("A range without a length finds what is going on at its instant")
  func instant() async throws {
    try put("ends", "20260310T110000Z", "20260310T120000Z", in: "home")
    try put("runs", "20260310T115900Z", "20260310T120001Z", in: "home")
    try put("starts", "20260310T120000Z", "20260310T130000Z", in: "work")
    try put("empty", "20260310T120000Z", "20260310T120000Z", in: "work")
    try put("next", "20260310T120001Z", "20260310T130000Z", in: "work")
    let store = try await scene.store()
    let noon = StoreScene.date(2026, 3, 10, 13)
    for date in [noon, noon.addingTimeInterval(0.5)] {
      let predicate = store.predicateForEvents(withStart: date, end: date, calendars: nil)
      #expect(Set(store.events(matching: predicate).map(\.title)) == ["runs", "starts", "empty"])
    }
  }

  @Test("Only the first four years of a range are searched")
  func fourYears() async throws {
    try put("last", "20300309T000000Z", "20300309T000100Z", in: "home")
    try put("late", "20300311T000000Z", "20300311T000100Z", in: "home")
    let store = try await scene.store()
    let predicate = store.predicateForEvents(
      withStart: StoreScene.date(2026, 3, 10), end: StoreScene.date(2040, 1, 1), calendars: nil)
    #expect(store.events(matching: predicate).map(\.title) == ["last"])
  }

  @Test("A search ends when the function stops it")
  func stop() async throws {
    for name in ["a", "b", "c"] {
      try put(name, "20260310T050000Z", "20260310T060000Z", in: "home")
    }
    let store = try await scene.store()
    let predicate = store.predicateForEvents(
      withStart: StoreScene.date(2026, 1, 1), end: StoreScene.date(2027, 1, 1), calendars: nil)
    var found = 0
    unsafe store.enumerateEvents(matching: predicate) { _, stop in
      found += 1
      if found == 2 { unsafe stop.pointee = true }
    }
    #expect(found == 2)
  }

  @Test("A predicate of another store or of Foundation matches nothing, and is reported")
  func foreign() async throws {
    try put("a", "20260310T050000Z", "20260310T060000Z", in: "home")
    let (store, other) = (try await scene.store(), try await scene.store())
    let predicate = other.predicateForEvents(
      withStart: StoreScene.date(2026, 1, 1), end: StoreScene.date(2027, 1, 1), calendars: nil)
    #expect(store.events(matching: predicate).isEmpty)
    #expect(store.events(matching: NSPredicate(value: true)).isEmpty)
    #expect(await store.reminders(matching: NSPredicate(value: true)) == nil)
    #expect(scene.notes.count == 3)
    #expect(other.events(matching: predicate).count == 1)
    #expect(store.events(matching: store.predicateForReminders(in: nil)).isEmpty)
  }

  @Test("Reminders are found by state and by date, in a stable order")
  func reminders() async throws {
    let items = [
      "a": "DUE:20260310T090000", "b": "DUE;VALUE=DATE:20260320", "c": "SUMMARY:open",
      "d": "STATUS:COMPLETED\nCOMPLETED:20260301T120000Z",
      "e": "STATUS:COMPLETED\nCOMPLETED:20260401T120000Z\nDUE:20260310T090000",
    ]
    for (name, properties) in items {
      try scene.put(.reminder("UID:\(name)\n\(properties)"), as: name, in: "tasks")
    }
    let store = try await scene.store()
    func found(_ predicate: NSPredicate) async -> [String] {
      await store.reminders(matching: predicate)?.map { $0.calendarItemExternalIdentifier } ?? []
    }
    let (early, late) = (StoreScene.date(2026, 3, 5), StoreScene.date(2026, 3, 15))
    #expect(await found(store.predicateForReminders(in: nil)) == ["a", "b", "c", "d", "e"])
    #expect(
      await found(
        store.predicateForIncompleteReminders(
          withDueDateStarting: nil, ending: nil, calendars: nil)) == ["a", "b", "c"])
    #expect(
      await found(
        store.predicateForIncompleteReminders(
          withDueDateStarting: nil, ending: late, calendars: nil)) == ["a"])
    #expect(
      await found(
        store.predicateForIncompleteReminders(
          withDueDateStarting: late, ending: nil, calendars: nil)) == ["b"])
    #expect(
      await found(
        store.predicateForCompletedReminders(
          withCompletionDateStarting: early, ending: nil, calendars: nil)) == ["e"])
    #expect(
      await found(
        store.predicateForCompletedReminders(
          withCompletionDateStarting: nil, ending: nil, calendars: [])) == ["d", "e"])
  }

  @Test("Reminders are found as they are committed, and events as they are saved")
  func uncommitted() async throws {
    for name in ["kept", "removed"] {
      try scene.put(.reminder("UID:\(name)\nSUMMARY:\(name)"), as: name, in: "tasks")
    }
    let store = try await scene.store()
    func titles() async -> [String] { await store.reminders()?.map(\.title).sorted() ?? [] }
    let tasks = try StoreScene.calendar("tasks", in: store)
    let new = EKReminder(eventStore: store)
    (new.title, new.calendar) = ("new", tasks)
    try store.save(new, commit: false)
    for reminder in await store.reminders() ?? [] {
      if reminder.title == "removed" {
        try store.remove(reminder, commit: false)
      } else {
        reminder.title = "changed"
        try store.save(reminder, commit: false)
      }
    }
    let start = StoreScene.date(2026, 3, 10)
    let event = store.newEvent(
      "event", start, start + 3600, in: try StoreScene.calendar("home", in: store))
    try store.save(event, span: .thisEvent, commit: false)
    #expect(await titles() == ["kept", "removed"])
    #expect(store.eventsOf2026().map(\.title) == ["event"])
    try store.commit()
    #expect(await titles() == ["changed", "new"])
  }

  @Test("A cancelled request for reminders is not answered")
  func cancel() async throws {
    let store = try await scene.store()
    let answers = Mutex(0)
    // The request waits for the lock of the store, which a commit of others holds.
    store.core.lock.withLock {
      let request = store.fetchReminders(matching: store.predicateForReminders(in: nil)) { _ in
        answers.withLock { $0 += 1 }
      }
      store.cancelFetchRequest(request)
    }
    _ = await store.reminders()
    #expect(answers.withLock { $0 } == 0)
  }

  @Test("Without access nothing is found and nothing is saved")
  func noAccess() async throws {
    try put("a", "20260310T050000Z", "20260310T060000Z", in: "home")
    let store = scene.newStore()
    #expect(store.eventsOf2026().isEmpty && store.calendars(for: .event).isEmpty)
    #expect(store.sources.isEmpty && store.defaultCalendarForNewEvents == nil)
    #expect(await store.reminders() == nil)
    let event = store.newEvent("x", .now, .now, in: nil)
    #expect(code { try store.save(event, span: .thisEvent) } == .eventStoreNotAuthorized)
    #expect(scene.prompt.count == 0)
  }

  @Test("Access to reminders does not show events")
  func remindersOnly() async throws {
    try put("a", "20260310T050000Z", "20260310T060000Z", in: "home")
    let store = scene.newStore()
    #expect(try await store.requestFullAccessToReminders())
    #expect(store.eventsOf2026().isEmpty && store.calendars(for: .event).isEmpty)
    #expect(store.calendarItems(withExternalIdentifier: "a").isEmpty)
    #expect(!store.calendars(for: .reminder).isEmpty)
  }
}
