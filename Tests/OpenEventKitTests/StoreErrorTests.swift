// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

@Suite struct StoreErrorTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  private func error(_ change: (EKEvent, EKEventStore) throws -> Void) async throws -> EKError.Code?
  {
    let store = try await scene.store()
    let event = store.newEvent(
      "Lunch", StoreScene.date(2026, 3, 10, 12), StoreScene.date(2026, 3, 10, 13),
      in: try StoreScene.calendar("home", in: store))
    try change(event, store)
    let result = code { try store.save(event, span: .thisEvent) }
    for calendar in StoreScene.names {
      #expect(try scene.names(in: calendar).isEmpty)
    }
    #expect(event.isNew)
    return result
  }

  @Test("Each missing or wrong value has its own error, and nothing is written")
  func values() async throws {
    #expect(try await error { event, _ in event.calendar = nil } == .noCalendar)
    #expect(try await error { event, _ in event.startDate = nil } == .noStartDate)
    #expect(try await error { event, _ in event.endDate = nil } == .noEndDate)
    #expect(
      try await error { event, _ in event.endDate = StoreScene.date(2026, 3, 9) }
        == .datesInverted)
    #expect(
      try await error { event, _ in
        event.startDate = .distantFuture.addingTimeInterval(1e12)
        event.endDate = event.startDate
      } == .startDateTooFarInFuture)
    #expect(
      try await error { $0.calendar = try StoreScene.calendar("feed", in: $1) }
        == .calendarReadOnly)
    #expect(
      try await error { $0.calendar = try StoreScene.calendar("tasks", in: $1) }
        == .calendarDoesNotAllowEvents)
    #expect(
      try await error { event, _ in
        event.endDate = StoreScene.date(2026, 3, 12)
        event.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: nil))
      } == .durationGreaterThanRecurrence)
    #expect(
      try await error { $0.calendar = EKCalendar(for: .event, eventStore: $1) } == .noCalendar)
  }

  @Test("Objects of another store are refused before anything else")
  func stores() async throws {
    let (store, other) = (try await scene.store(), scene.newStore())
    let event = EKEvent(eventStore: other)
    #expect(code { try store.save(event, span: .thisEvent) } == .objectBelongsToDifferentStore)
    #expect(code { try store.remove(event, span: .thisEvent) } == .objectBelongsToDifferentStore)
    let reminder = EKReminder(eventStore: store)
    #expect(code { try other.save(reminder, commit: true) } == .objectBelongsToDifferentStore)
    #expect(code { try other.remove(reminder, commit: true) } == .objectBelongsToDifferentStore)
    let mixed = EKEvent(eventStore: store)
    mixed.calendar = try StoreScene.calendar("home", in: try await scene.store())
    #expect(code { try store.save(mixed, span: .thisEvent) } == .objectBelongsToDifferentStore)
  }

  @Test("An event of a read-only calendar can be neither changed, moved nor removed")
  func readOnly() async throws {
    try scene.put(
      .event("UID:a\nDTSTART:20260310T120000Z\nDTEND:20260310T130000Z"), as: "a", in: "feed")
    let before = try scene.text("a", in: "feed")
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    #expect(code { try store.remove(event, span: .thisEvent) } == .calendarReadOnly)
    event.title = "x"
    #expect(code { try store.save(event, span: .thisEvent) } == .calendarReadOnly)
    event.calendar = try StoreScene.calendar("home", in: store)
    #expect(code { try store.save(event, span: .thisEvent) } == .calendarReadOnly)
    #expect(try scene.text("a", in: "feed") == before && scene.names(in: "home").isEmpty)
  }

  @Test("An invitation of an account stays in its calendar")
  func invitation() async throws {
    try scene.put(
      .event(
        """
        UID:a
        DTSTART:20260310T120000Z
        DTEND:20260310T130000Z
        ORGANIZER;CN=Ben:mailto:ben@example.org
        ATTENDEE;PARTSTAT=ACCEPTED:mailto:ada@example.org
        """), as: "a", in: "account")
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    #expect(event.organizer?.name == "Ben" && event.attendees?.count == 1)
    event.calendar = try StoreScene.calendar("home", in: store)
    #expect(code { try store.save(event, span: .thisEvent) } == .invitesCannotBeMoved)
  }

  @Test("What was wrong in a file before may stay")
  func oldErrors() async throws {
    try scene.put(
      .event(
        "UID:a\nDTSTART:20260310T120000Z\nDTEND:20260312T130000Z\nRRULE:FREQ=DAILY;COUNT=3"),
      as: "a", in: "home")
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    event.title = "Long"
    try store.save(event, span: .futureEvents)
    #expect(try scene.text("a", in: "home").contains("SUMMARY:Long\n"))
  }
}
