// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

/// Files that other programs write, with values that are unusual or invalid.
@Suite("Odd files")
struct OddFilesTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene() }

  @Test("A series in another calendar is found, refreshed and changed like others")
  func otherCalendar() async throws {
    let rule = "RRULE:RSCALE=CHINESE;FREQ=YEARLY;COUNT=5"
    try scene.put(
      .event("UID:odd\nDTSTART;VALUE=DATE:20260217\n\(rule)\nSUMMARY:New Year"), as: "odd",
      in: "home")
    let store = try await scene.store()
    func events() -> [EKEvent] {
      store.events(
        matching: store.predicateForEvents(
          withStart: StoreScene.date(2026, 1, 1), end: StoreScene.date(2029, 12, 31),
          calendars: nil)
      ).sorted { $0.compareStartDate(with: $1) == .orderedAscending }
    }
    let starts = events().map(\.startDate)
    #expect(starts.count == 4)
    #expect(store.calendarItems(withExternalIdentifier: "odd").count == 1)
    let second = events()[1]
    #expect(store.event(withIdentifier: second.eventIdentifier)?.startDate == starts[0])
    #expect(second.refresh())
    second.title = "Second"
    try store.save(second, span: .thisEvent)
    let third = events()[2]
    third.title = "Later"
    try store.save(third, span: .futureEvents)
    #expect(events().map(\.startDate) == starts)
    #expect(events().map(\.title) == ["New Year", "Second", "Later", "Later"])
  }

  @Test("A series in an unknown calendar is its first occurrence, which can be changed")
  func unknownCalendar() async throws {
    let rule = "RRULE:RSCALE=MARS;FREQ=YEARLY"
    try scene.put(
      .event("UID:odd\nDTSTART;VALUE=DATE:20260217\n\(rule)\nSUMMARY:A"), as: "odd", in: "home")
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    let same = try #require(store.event(withIdentifier: event.eventIdentifier))
    #expect(same.startDate == event.startDate)
    same.title = "B"
    try store.save(same, span: .thisEvent)
    #expect(store.eventsOf2026().map(\.title) == ["B"])
    #expect(try scene.text("odd", in: "home").contains(rule))
    #expect(throws: EKError.self) { try store.remove(same, span: .thisEvent) }
    #expect(try scene.text("odd", in: "home").contains(rule))
  }
}
