// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

@Suite struct ObjectsSpanTests {
  let scene: StoreScene

  init() throws {
    scene = try StoreScene(.all)
    try scene.putClass()
  }

  @Test("The change of one occurrence is an override, which keeps its original date")
  func one() async throws {
    let store = try await scene.store()
    let events = store.eventsOf2026()
    #expect(events.count == 5)
    let third = events[2]
    #expect(third.occurrenceDate == StoreScene.date(2026, 3, 16, 9))
    #expect(third.hasRecurrenceRules && !third.isDetached)
    third.startDate = StoreScene.date(2026, 3, 17, 11)
    third.endDate = StoreScene.date(2026, 3, 17, 12)
    try store.save(third, span: .thisEvent)
    #expect(third.isDetached && !third.hasRecurrenceRules && third.recurrenceRules == [])
    #expect(third.occurrenceDate == StoreScene.date(2026, 3, 16, 9))
    #expect(third.eventIdentifier.contains("/RID="))
    let text = try scene.text("series", in: "home")
    #expect(text.contains("RECURRENCE-ID;TZID=Europe/Berlin:20260316T090000\n"))
    #expect(text.contains("DTSTART;TZID=Europe/Berlin:20260317T110000\n"))
    #expect(text.contains("RRULE:FREQ=WEEKLY;COUNT=5\n"))
    let found = try #require(store.event(withIdentifier: third.eventIdentifier))
    #expect(found.startDate == third.startDate && found.isDetached && found == third)
    #expect(store.eventsOf2026().map(\.hasRecurrenceRules) == [true, true, false, true, true])
    #expect(
      store.event(withIdentifier: events[0].eventIdentifier)?.startDate == events[0].startDate)
  }

  @Test("A change of the future splits the series, and gives the rest another identifier")
  func future() async throws {
    let store = try await scene.store()
    let third = store.eventsOf2026()[2]
    let old = third.eventIdentifier
    third.title = "Seminar"
    try store.save(third, span: .futureEvents)
    #expect(third.eventIdentifier != old)
    #expect(try scene.names(in: "home").count == 2)
    #expect(
      store.eventsOf2026().map(\.title) == ["Class", "Class", "Seminar", "Seminar", "Seminar"])
    #expect(try scene.text("series", in: "home").contains("COUNT=2"))
    // The object is the first occurrence of the new series now.
    third.title = "Course"
    try store.save(third, span: .futureEvents)
    #expect(store.eventsOf2026().map(\.title) == ["Class", "Class", "Course", "Course", "Course"])
    #expect(try scene.names(in: "home").count == 2)
  }

  @Test("A change of the future from the first occurrence on moves the whole series")
  func whole() async throws {
    let store = try await scene.store()
    let first = store.eventsOf2026()[0]
    first.startDate = StoreScene.date(2026, 3, 3, 10)
    first.endDate = StoreScene.date(2026, 3, 3, 11)
    try store.save(first, span: .futureEvents)
    #expect(try scene.names(in: "home") == ["series"])
    #expect(store.eventsOf2026().map(\.startDate)[1] == StoreScene.date(2026, 3, 10, 10))
    #expect(first.occurrenceDate == StoreScene.date(2026, 3, 3, 10))
    first.notes = "x"
    try store.save(first, span: .thisEvent)
    #expect(first.isDetached)
  }

  @Test("The change of a modified occurrence with all later ones keeps their times")
  func detachedFuture() async throws {
    let store = try await scene.store()
    let third = store.eventsOf2026()[2]
    third.startDate = StoreScene.date(2026, 3, 16, 14)
    third.endDate = StoreScene.date(2026, 3, 16, 15)
    try store.save(third, span: .thisEvent)
    third.title = "Late"
    try store.save(third, span: .futureEvents)
    #expect(third.title == "Late")
    let events = store.eventsOf2026()
    #expect(events.map(\.title) == ["Class", "Class", "Late", "Late", "Late"])
    #expect(events.map(\.hasRecurrenceRules) == [true, true, false, true, true])
    #expect(
      events.suffix(3).map(\.startDate) == [
        StoreScene.date(2026, 3, 16, 14), StoreScene.date(2026, 3, 23, 9),
        StoreScene.date(2026, 3, 30, 9),
      ])
    try store.remove(events[2], span: .futureEvents)
    #expect(store.eventsOf2026().map(\.title) == ["Class", "Class"])
  }

  @Test("The change of a modified first occurrence with all later ones changes it, too")
  func detachedFirst() async throws {
    let store = try await scene.store()
    let first = store.eventsOf2026()[0]
    first.title = "Welcome"
    first.location = "Hall"
    try store.save(first, span: .thisEvent)
    first.title = "Course"
    try store.save(first, span: .futureEvents)
    #expect(store.eventsOf2026().map(\.title) == Array(repeating: "Course", count: 5))
    #expect(store.eventsOf2026().map(\.location) == ["Hall", nil, nil, nil, nil])
    #expect(try scene.names(in: "home") == ["series"])
  }

  @Test("One occurrence is excluded, and the future ends the series")
  func removal() async throws {
    let store = try await scene.store()
    let events = store.eventsOf2026()
    try store.remove(events[1], span: .thisEvent)
    #expect(
      try scene.text("series", in: "home").contains(
        "EXDATE;TZID=Europe/Berlin:20260309T090000\n"))
    #expect(events[1].refresh() == false)
    #expect(events[2].refresh())
    try store.remove(events[3], span: .futureEvents)
    #expect(store.eventsOf2026().count == 2)
    try store.remove(store.eventsOf2026()[0], span: .futureEvents)
    #expect(try scene.names(in: "home").isEmpty)
  }

  @Test("The rule of one occurrence cannot change, and that of the future can")
  func rules() async throws {
    let store = try await scene.store()
    let third = store.eventsOf2026()[2]
    third.recurrenceRules = nil
    #expect(code { try store.save(third, span: .thisEvent) } == .invalidSpan)
    try store.save(third, span: .futureEvents)
    #expect(store.eventsOf2026().count == 3)
    #expect(!third.hasRecurrenceRules)
    third.addRecurrenceRule(
      EKRecurrenceRule(
        recurrenceWith: .daily, interval: 1,
        end: EKRecurrenceEnd(end: StoreScene.date(2026, 3, 18, 9))))
    try store.save(third, span: .thisEvent)
    #expect(store.eventsOf2026().count == 5)
    #expect(third.occurrenceDate == StoreScene.date(2026, 3, 16, 9))
  }

  @Test("One occurrence leaves its series for another calendar")
  func moved() async throws {
    let store = try await scene.store()
    let work = try StoreScene.calendar("work", in: store)
    let events = store.eventsOf2026()
    let before = events[1].eventIdentifier
    events[1].calendar = work
    try store.save(events[1], span: .thisEvent)
    #expect(events[1].eventIdentifier != before)
    #expect(try scene.onlyText(in: "work").contains("DTSTART;TZID=Europe/Berlin:20260309T090000\n"))
    #expect(try !scene.onlyText(in: "work").contains("RECURRENCE-ID"))
    #expect(try scene.text("series", in: "home").contains("EXDATE"))
    let first = store.eventsOf2026()[0]
    first.calendar = work
    try store.save(first, span: .futureEvents)
    #expect(try scene.names(in: "home").isEmpty)
    #expect(try scene.names(in: "work").count == 2)
    #expect(store.eventsOf2026().count == 5)
  }

  @Test("A series that begins before the occurrence gets its time on the clock of another zone")
  func otherZone() async throws {
    let store = try await scene.store()
    // Only the last occurrence, after the clocks change, is left.
    let occurrences = store.eventsOf2026()
    for event in occurrences.dropLast() { try store.remove(event, span: .thisEvent) }
    let last = try #require(store.eventsOf2026().first)
    let start: Date = last.startDate
    last.timeZone = TimeZone(identifier: "Asia/Tokyo")
    try store.save(last, span: .futureEvents)
    #expect(last.startDate == start)
    #expect(store.eventsOf2026().map(\.startDate) == [start])
    #expect(store.eventsOf2026().first?.timeZone?.identifier == "Asia/Tokyo")
  }
}
