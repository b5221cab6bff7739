// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

/// Changes of a modified occurrence together with all later ones: the series takes what changed.
@Suite struct ObjectsDetachedTests {
  let scene: StoreScene

  init() throws {
    scene = try StoreScene(.all)
    try scene.putClass()
  }

  @Test("An occurrence with another title moves once", arguments: [0, 2])
  func once(_ place: Int) async throws {
    let store = try await scene.store()
    let event = store.eventsOf2026()[place]
    event.title = "Exam"
    try store.save(event, span: .thisEvent)
    let start = StoreScene.date(2026, 3, 2 + 7 * place, 11)
    event.startDate = start
    event.endDate = start.addingTimeInterval(3600)
    try store.save(event, span: .futureEvents)
    #expect(event.startDate == start && event.occurrenceDate == start && event.isDetached)
    let events = store.eventsOf2026()
    #expect(events[place].startDate == start && events[place].title == "Exam")
    #expect(events[place + 1].startDate == StoreScene.date(2026, 3, 9 + 7 * place, 11))
  }

  @Test("A series keeps its length if a longer occurrence moves")
  func length() async throws {
    let store = try await scene.store()
    let third = store.eventsOf2026()[2]
    third.endDate = StoreScene.date(2026, 3, 16, 12)
    try store.save(third, span: .thisEvent)
    third.startDate = StoreScene.date(2026, 3, 17, 9)
    third.endDate = StoreScene.date(2026, 3, 17, 12)
    try store.save(third, span: .futureEvents)
    let events = store.eventsOf2026()
    #expect(
      events.suffix(3).map(\.endDate) == [
        StoreScene.date(2026, 3, 17, 12), StoreScene.date(2026, 3, 24, 10),
        StoreScene.date(2026, 3, 31, 10),
      ])
  }

  @Test("A series keeps its times if an occurrence of a whole day moves by a day")
  func wholeDay() async throws {
    let store = try await scene.store()
    let third = store.eventsOf2026()[2]
    third.isAllDay = true
    try store.save(third, span: .thisEvent)
    third.startDate = StoreScene.date(2026, 3, 17)
    third.endDate = StoreScene.date(2026, 3, 17)
    try store.save(third, span: .futureEvents)
    #expect(third.isAllDay && third.startDate == StoreScene.date(2026, 3, 17))
    #expect(
      store.eventsOf2026().suffix(2).map(\.startDate) == [
        StoreScene.date(2026, 3, 24, 9), StoreScene.date(2026, 3, 31, 9),
      ])
  }

  @Test("An all-day series moves beside an occurrence that has a time at midnight")
  func midnight() async throws {
    let store = try await scene.store()
    let event = store.newEvent(
      "Trip", StoreScene.date(2026, 5, 4), StoreScene.date(2026, 5, 4),
      in: try StoreScene.calendar("work", in: store))
    event.isAllDay = true
    event.addRecurrenceRule(
      EKRecurrenceRule(
        recurrenceWith: .weekly, interval: 1, end: EKRecurrenceEnd(occurrenceCount: 3)))
    try store.save(event, span: .futureEvents)
    let second = store.eventsOf2026()[6]
    second.isAllDay = false
    try store.save(second, span: .thisEvent)
    let first = store.eventsOf2026()[5]
    first.startDate = StoreScene.date(2026, 5, 5)
    first.endDate = StoreScene.date(2026, 5, 5)
    try store.save(first, span: .futureEvents)
    #expect(
      store.eventsOf2026().suffix(3).map(\.startDate) == [
        StoreScene.date(2026, 5, 5), StoreScene.date(2026, 5, 11), StoreScene.date(2026, 5, 19),
      ])
  }

  @Test("An occurrence is modified again after another program modified it")
  func modifiedMeanwhile() async throws {
    let (one, two) = (try await scene.store(), try await scene.store())
    let (here, there) = (one.eventsOf2026()[2], two.eventsOf2026()[2])
    here.notes = "Room 5"
    try one.save(here, span: .thisEvent)
    there.title = "Exam"
    try two.save(there, span: .thisEvent)
    #expect(there.isDetached && there.title == "Exam" && there.notes == "Room 5")
    #expect(one.eventsOf2026().map(\.title) == ["Class", "Class", "Exam", "Class", "Class"])
  }

  @Test("An occurrence whose save fails shows the rules of its series again")
  func failing() async throws {
    let store = try await scene.store()
    let third = store.eventsOf2026()[2]
    third.title = "Exam"
    let text = try scene.text("series", in: "home")
    try store.save(third, span: .thisEvent, commit: false)
    #expect(!third.hasRecurrenceRules)
    try scene.remove("home")
    #expect(code { try store.save(third, span: .thisEvent) } != nil)
    #expect(third.hasRecurrenceRules && third.title == "Exam" && !third.isDetached)
    try scene.folder.makeFolder("home")
    try scene.folder.write(text.utf8, to: "home/series.ics")
    try store.save(third, span: .futureEvents)
    #expect(store.eventsOf2026().map(\.title) == ["Class", "Class", "Exam", "Exam", "Exam"])
  }
}
