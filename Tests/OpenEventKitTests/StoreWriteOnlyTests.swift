// SPDX-License-Identifier: Apache-2.0

import Epact
import Foundation
import OpenEventKit
import TestSupport
import Testing

@Suite struct StoreWriteOnlyTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  private func store(calendar: String? = nil) async throws -> EKEventStore {
    scene.prompt.answer = .granted(calendar: calendar)
    let store = scene.newStore()
    #expect(try await store.requestWriteOnlyAccessToEvents())
    return store
  }

  private func event(_ store: EKEventStore) -> EKEvent {
    store.newEvent(
      "Booked", StoreScene.date(2026, 3, 10, 12), StoreScene.date(2026, 3, 10, 13),
      in: store.defaultCalendarForNewEvents)
  }

  @Test("There is one calendar of one source, which reveals nothing")
  func virtual() async throws {
    let store = try await store()
    let calendars = store.calendars(for: .event)
    #expect(calendars.count == 1 && calendars.first == store.defaultCalendarForNewEvents)
    #expect(store.sources.count == 1 && store.delegateSources.isEmpty)
    let names = Set(StoreScene.names)
    #expect(calendars.first.map { !names.contains($0.title) } == true)
    #expect(calendars.first?.allowsContentModifications == true)
    #expect(store.calendars(for: .reminder).isEmpty)
    #expect(store.defaultCalendarForNewReminders() == nil)
    #expect(store.calendar(withIdentifier: calendars[0].calendarIdentifier) == calendars[0])
  }

  @Test("An event lands in the chosen calendar, and cannot be read")
  func write() async throws {
    let store = try await store(calendar: "work")
    let event = event(store)
    #expect(event.eventIdentifier == nil)
    try store.save(event, span: .thisEvent)
    #expect(try scene.onlyText(in: "work").contains("SUMMARY:Booked\n"))
    #expect(!event.isNew && !event.hasChanges)
    let identifier = try #require(event.eventIdentifier)
    #expect(store.event(withIdentifier: identifier) == nil)
    #expect(store.calendarItem(withIdentifier: event.calendarItemIdentifier) == nil)
    #expect(
      store.calendarItems(withExternalIdentifier: event.calendarItemExternalIdentifier).isEmpty)
    #expect(store.eventsOf2026().isEmpty)
    #expect(await store.reminders() == nil)
  }

  @Test("Changes that wait since a time with full access make a save with commit fail")
  func loweredAccess() async throws {
    try await scene.grant(.full, for: .event)
    let store = scene.newStore()
    try store.save(store.newLunch(in: "home"), span: .thisEvent, commit: false)
    try scene.revoke()
    try await scene.grant(.writeOnly, for: .event)
    let added = event(store)
    #expect(code { try store.save(added, span: .thisEvent) } == .eventStoreNotAuthorized)
    #expect(code { try store.commit() } == .eventStoreNotAuthorized)
    #expect(try scene.texts(in: "home").isEmpty)
    store.reset()
    try store.save(event(store), span: .thisEvent)
    #expect(try scene.onlyText(in: "home").contains("SUMMARY:Booked\n"))
  }

  @Test("The own event cannot be changed, saved again or removed")
  func change() async throws {
    let store = try await store()
    let event = event(store)
    try store.save(event, span: .thisEvent)
    let before = try scene.onlyText(in: "home")
    event.title = "Other"
    #expect(code { try store.save(event, span: .thisEvent) } == .eventStoreNotAuthorized)
    #expect(code { try store.remove(event, span: .thisEvent) } == .eventStoreNotAuthorized)
    #expect(try scene.onlyText(in: "home") == before)
    let reminder = EKReminder(eventStore: store)
    #expect(code { try store.save(reminder, commit: true) } == .eventStoreNotAuthorized)
    let calendar = EKCalendar(for: .event, eventStore: store)
    #expect(code { try store.saveCalendar(calendar, commit: true) } == .eventStoreNotAuthorized)
  }

  @Test("An event needs the calendar for new events")
  func calendar() async throws {
    let store = try await store()
    let event = event(store)
    event.calendar = nil
    #expect(code { try store.save(event, span: .thisEvent) } == .noCalendar)
    event.calendar = store.defaultCalendarForNewEvents
    event.endDate = StoreScene.date(2026, 3, 9)
    #expect(code { try store.save(event, span: .thisEvent) } == .datesInverted)
    #expect(event.isNew && event.eventIdentifier == nil)
    event.endDate = StoreScene.date(2026, 3, 11)
    try store.save(event, span: .thisEvent)
    #expect(try scene.names(in: "home").count == 1)
  }

  @Test("Events are written by the commit, and forgotten by a reset")
  func batch() async throws {
    let store = try await store()
    for _ in 0..<3 { try store.save(event(store), span: .thisEvent, commit: false) }
    #expect(try scene.names(in: "home").isEmpty)
    try store.commit()
    #expect(try scene.names(in: "home").count == 3)
    let forgotten = event(store)
    try store.save(forgotten, span: .thisEvent, commit: false)
    store.reset()
    try store.commit()
    #expect(try scene.names(in: "home").count == 3 && forgotten.isNew)
  }

  @Test("A commit that fails adds none of its events, and the store works after a reset")
  func failingBatch() async throws {
    let store = try await store()
    let events = (0..<3).map { _ in event(store) }
    for event in events { try store.save(event, span: .thisEvent, commit: false) }
    // Another program takes the name of the second event.
    let name = try #require(events[1].calendarItemExternalIdentifier)
    try scene.put(
      .event("UID:\(name)\nDTSTART:20260310T120000Z\nSUMMARY:Theirs"), as: name, in: "home")
    #expect(code { try store.commit() } == .internalFailure)
    #expect(try scene.onlyText(in: "home").contains("SUMMARY:Theirs\n"))
    #expect(code { try store.save(event(store), span: .thisEvent) } == .internalFailure)
    store.reset()
    #expect(events.allSatisfy { $0.isNew })
    try store.save(event(store), span: .thisEvent)
    #expect(try scene.names(in: "home").count == 2)
  }

  @Test("Full access shows everything, also to a store that saw nothing")
  func raised() async throws {
    let store = try await store()
    try store.save(event(store), span: .thisEvent)
    #expect(store.eventsOf2026().isEmpty)
    #expect(try await store.requestFullAccessToEvents())
    store.reset()
    #expect(store.eventsOf2026().map(\.title) == ["Booked"])
    #expect(store.calendars(for: .event).count == 4)
    #expect(scene.prompt.count == 2)
  }

  @Test("Events that wait while the access is raised are written by the commit")
  func raisedInBatch() async throws {
    let store = try await store(calendar: "work")
    try store.save(event(store), span: .thisEvent, commit: false)
    let changed = event(store)
    try store.save(changed, span: .thisEvent, commit: false)
    #expect(try await store.requestFullAccessToEvents())
    try store.save(store.newLunch(in: "home"), span: .thisEvent, commit: false)
    // Saved again under full access, an event is the new one.
    changed.calendar = store.calendars(for: .event).first { $0.title == "home" }
    changed.title = "Changed"
    try store.save(changed, span: .thisEvent, commit: false)
    try store.commit()
    #expect(try scene.onlyText(in: "work").contains("SUMMARY:Booked\n"))
    #expect(store.eventsOf2026().map(\.title).sorted() == ["Booked", "Changed", "Lunch"])
    try store.commit()
  }

  @Test("Events that wait are kept when a save under raised access is made again")
  func raisedAndMadeAgain() async throws {
    let store = try await store(calendar: "work")
    try store.save(event(store), span: .thisEvent, commit: false)
    #expect(try await store.requestFullAccessToEvents())
    let other = scene.newStore()
    try other.save(other.newLunch(in: "home"), span: .thisEvent)
    let mine = try #require(store.eventsOf2026().first { $0.title == "Lunch" })
    let theirs = try #require(other.eventsOf2026().first { $0.title == "Lunch" })
    theirs.notes = "From the mill"
    try other.save(theirs, span: .thisEvent)
    mine.location = "Market"
    try store.save(mine, span: .thisEvent)
    try store.commit()
    #expect(try scene.onlyText(in: "work").contains("SUMMARY:Booked\n"))
    #expect(mine.notes == "From the mill" && mine.location == "Market")
  }
}
