// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

@Suite struct StoreIdentifierTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  private static let event = String.event(
    "UID:a/RID=5:b\nDTSTART:20260310T120000Z\nDTEND:20260310T130000Z\nSUMMARY:A")

  @Test("The identifiers are the same in every store, and lead to the item")
  func stable() async throws {
    try scene.put(Self.event, as: "one", in: "home")
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    let other = try await scene.store()
    let same = try #require(other.event(withIdentifier: event.eventIdentifier))
    #expect(same.eventIdentifier == event.eventIdentifier)
    #expect(same.calendarItemIdentifier == event.calendarItemIdentifier)
    #expect(UUID(uuidString: event.calendarItemIdentifier) != nil)
    #expect(event.calendarItemExternalIdentifier == "a/RID=5:b")
    #expect(other.calendarItem(withIdentifier: event.calendarItemIdentifier) == same)
    #expect(other.eventStoreIdentifier != store.eventStoreIdentifier)
    #expect(store.event(withIdentifier: "nothing") == nil)
    #expect(store.calendarItem(withIdentifier: "nothing") == nil)
  }

  @Test("The identifier of an item leads to it after it was moved to another calendar")
  func moved() async throws {
    let store = try await scene.store()
    let reminder = EKReminder(eventStore: store)
    reminder.title = "Milk"
    reminder.calendar = try StoreScene.calendar("tasks", in: store)
    try store.save(reminder, commit: true)
    let before = reminder.calendarItemIdentifier
    reminder.calendar = try StoreScene.calendar("home", in: store)
    try store.save(reminder, commit: true)
    let other = try await scene.store()
    for identifier in [before, reminder.calendarItemIdentifier] {
      let found = try #require(other.calendarItem(withIdentifier: identifier))
      #expect(found.title == "Milk" && found.calendar.title == "home")
    }
    // A copy in the earlier calendar has the identifier of its own.
    try scene.put(
      .reminder("UID:\(reminder.calendarItemExternalIdentifier ?? "")\nSUMMARY:Copy"), as: "copy",
      in: "tasks")
    #expect(other.calendarItem(withIdentifier: before)?.title == "Copy")
  }

  @Test("An external identifier leads to the items of all calendars")
  func external() async throws {
    try scene.put(Self.event, as: "one", in: "home")
    try scene.put(Self.event, as: "one", in: "work")
    let store = try await scene.store()
    let items = store.calendarItems(withExternalIdentifier: "a/RID=5:b")
    #expect(Set(items.map(\.calendar.title)) == ["home", "work"])
    #expect(Set(items.map(\.calendarItemIdentifier)).count == 2)
    #expect(Set(items).count == 2)
  }

  @Test("The identifier of a series leads to its first unmodified occurrence")
  func series() async throws {
    try scene.put(
      .event(
        """
        UID:s
        DTSTART;VALUE=DATE:20260302
        RRULE:FREQ=DAILY;COUNT=3
        EXDATE;VALUE=DATE:20260302
        SUMMARY:A
        END:VEVENT
        BEGIN:VEVENT
        UID:s
        DTSTAMP:20260101T000000Z
        RECURRENCE-ID;VALUE=DATE:20260303
        DTSTART;VALUE=DATE:20260303
        SUMMARY:B
        """), as: "s", in: "home")
    let store = try await scene.store()
    let events = store.eventsOf2026()
    #expect(events.map(\.title) == ["B", "A"])
    let found = try #require(store.event(withIdentifier: events[1].eventIdentifier))
    #expect(found.title == "A" && found.startDate == StoreScene.date(2026, 3, 4))
    let detached = try #require(store.event(withIdentifier: events[0].eventIdentifier))
    #expect(detached.title == "B" && detached.occurrenceDate == StoreScene.date(2026, 3, 3))
    #expect(events[0].calendarItemIdentifier == events[1].calendarItemIdentifier)
  }
}
