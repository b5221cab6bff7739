// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

@Suite struct ObjectsStateTests {
  let scene: StoreScene

  init() throws {
    scene = try StoreScene(.all)
    try scene.put(
      .event(
        """
        UID:one
        DTSTART:20260310T120000Z
        DTEND:20260310T130000Z
        SUMMARY:Lunch
        LOCATION:Room 1
        """), as: "one", in: "home")
  }

  @Test("A new object has no identifier, an empty title, and the default zone")
  func new() async throws {
    let store = try await scene.store()
    let event = EKEvent(eventStore: store)
    #expect(event.isNew && !event.hasChanges)
    #expect(event.title == "" && event.eventIdentifier == nil && event.calendar == nil)
    #expect(event.startDate == nil && event.endDate == nil && event.occurrenceDate == nil)
    #expect(event.timeZone == StoreScene.berlin)
    #expect(event.recurrenceRules == [] && event.alarms == nil && event.attendees == nil)
    event.title = "x"
    #expect(event.hasChanges)
    event.reset()
    #expect(event.title == "x")
    event.rollback()
    #expect(event.title == "" && !event.hasChanges)
  }

  @Test("Reset returns to the saved values, and rollback to the fetched ones")
  func back() async throws {
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    event.title = "Dinner"
    try store.save(event, span: .thisEvent)
    event.title = "Breakfast"
    event.location = nil
    event.reset()
    #expect(event.title == "Dinner" && event.location == "Room 1" && !event.hasChanges)
    event.rollback()
    #expect(event.title == "Lunch" && event.hasChanges)
  }

  @Test("Refresh takes the latest values of unmodified fields only")
  func refresh() async throws {
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    event.title = "Dinner"
    event.addAlarm(EKAlarm(relativeOffset: -60))
    let other = try await scene.store()
    let same = try #require(other.eventsOf2026().first)
    same.title = "Brunch"
    same.notes = "Bring bread"
    try other.save(same, span: .thisEvent)
    #expect(event.refresh())
    #expect(event.title == "Dinner" && event.notes == "Bring bread")
    #expect(event.alarms?.count == 1 && event.hasChanges)
    try store.save(event, span: .thisEvent)
    let text = try scene.text("one", in: "home")
    #expect(text.contains("SUMMARY:Dinner\n") && text.contains("DESCRIPTION:Bring bread\n"))
  }

  @Test("A save writes its own changes over those of others, and keeps theirs")
  func concurrent() async throws {
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    event.title = "Dinner"
    let other = try await scene.store()
    let same = try #require(other.eventsOf2026().first)
    same.notes = "Bring bread"
    try other.save(same, span: .thisEvent)
    try store.save(event, span: .thisEvent)
    let text = try scene.text("one", in: "home")
    #expect(text.contains("SUMMARY:Dinner\n") && text.contains("DESCRIPTION:Bring bread\n"))
    #expect(event.notes == "Bring bread")
  }

  @Test("A deleted event cannot be refreshed, and is saved as a new one")
  func deleted() async throws {
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    let identifier = event.eventIdentifier
    try store.remove(event, span: .thisEvent)
    #expect(event.eventIdentifier == identifier)
    #expect(event.refresh() == false)
    #expect(try scene.names(in: "home").isEmpty)
    event.title = "Again"
    try store.save(event, span: .thisEvent)
    #expect(try scene.onlyText(in: "home").contains("SUMMARY:Again\n"))
    try scene.remove("home/one.ics")
    event.title = "Once more"
    try store.save(event, span: .thisEvent)
    #expect(try scene.onlyText(in: "home").contains("SUMMARY:Once more\n"))
  }

  @Test("An occurrence of a deleted series is saved as an event of its own")
  func deletedSeries() async throws {
    try scene.remove("home/one.ics")
    try scene.put(
      .event("UID:s\nDTSTART:20260310T120000Z\nDURATION:PT1H\nRRULE:FREQ=DAILY;COUNT=3"),
      as: "s", in: "home")
    let store = try await scene.store()
    let second = try #require(store.eventsOf2026().dropFirst().first)
    try scene.remove("home/s.ics")
    #expect(second.refresh() == false)
    second.title = "Alone"
    try store.save(second, span: .thisEvent)
    let text = try scene.onlyText(in: "home")
    #expect(text.contains("DTSTART:20260311T120000Z\n") && !text.contains("RRULE"))
    #expect(second.refresh() && second.startDate == StoreScene.date(2026, 3, 11, 13))
  }

  @Test("Objects are equal if they are the same occurrence of the same store")
  func equality() async throws {
    let store = try await scene.store()
    let other = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    #expect(event == store.eventsOf2026().first)
    #expect(event.hash == store.eventsOf2026().first?.hash)
    #expect(event != other.eventsOf2026().first)
    let calendars = store.calendars(for: .event)
    #expect(Set(calendars + store.calendars(for: .event)).count == calendars.count)
    #expect(event.calendar === store.calendar(withIdentifier: event.calendar.calendarIdentifier))
  }

  @Test("An event moves to another calendar as a whole, and changes its identifier")
  func moved() async throws {
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    let before = event.eventIdentifier
    event.calendar = try StoreScene.calendar("work", in: store)
    #expect(event.hasChanges)
    try store.save(event, span: .thisEvent)
    #expect(event.eventIdentifier != before)
    #expect(store.event(withIdentifier: before ?? "") == nil)
    #expect(try scene.names(in: "home").isEmpty && scene.names(in: "work") == ["one"])
  }
}
