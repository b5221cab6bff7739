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

  struct Row: CustomTestStringConvertible {
    let name: String
    let times: String
    /// The seconds from the start to the end; nil for those of so many whole days.
    var seconds: TimeInterval?
    var days = 0
    var testDescription: String { name }
  }

  static let ends = [
    Row(name: "none", times: "DTSTART:20260310T100000Z", seconds: 0),
    Row(
      name: "before the start", times: "DTSTART:20260310T100000Z\nDTEND:20260310T090000Z",
      seconds: 0),
    Row(
      name: "a negative duration", times: "DTSTART:20260310T100000Z\nDURATION:-PT1H", seconds: 0),
    Row(
      name: "a day", times: "DTSTART:20260310T100000Z\nDTEND;VALUE=DATE:20260311",
      seconds: 14 * 3600),
    Row(
      name: "floating", times: "DTSTART;TZID=Asia/Tokyo:20260310T100000\nDTEND:20260310T110000",
      seconds: 3600),
    Row(
      name: "in an unknown zone",
      times: "DTSTART:20260310T100000Z\nDTEND;TZID=Mars/Olympus:20260310T110000", seconds: 3600),
    Row(
      name: "a time of the next day", times: "DTSTART;VALUE=DATE:20260310\nDTEND:20260311T100000Z",
      days: 2),
    Row(
      name: "the midnight after the day",
      times: "DTSTART;VALUE=DATE:20260310\nDTEND:20260311T000000Z", days: 1),
    Row(
      name: "a day and a half", times: "DTSTART;VALUE=DATE:20260310\nDURATION:PT36H", days: 2),
    Row(
      name: "an earlier day", times: "DTSTART;VALUE=DATE:20260310\nDTEND;VALUE=DATE:20260301",
      days: 1),
  ]

  @Test("An event has the same end in a query, by its identifier and after a save", arguments: ends)
  func end(_ row: Row) async throws {
    try scene.put(.event("UID:odd\n\(row.times)\nSUMMARY:A"), as: "odd", in: "home")
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    let start: Date = event.startDate
    let first = StoreScene.date(2026, 3, 10 + row.days).addingTimeInterval(-1)
    #expect(event.endDate == (row.seconds.map { start.addingTimeInterval($0) } ?? first))
    let same = try #require(store.event(withIdentifier: event.eventIdentifier))
    #expect(same.startDate == start)
    #expect(same.endDate == event.endDate)
    same.title = "B"
    try store.save(same, span: .thisEvent)
    #expect(same.endDate == event.endDate)
    #expect(event.refresh())
    #expect(event.endDate == same.endDate)
    let lines = row.times.split(separator: "\n").map(String.init)
    #expect(
      try scene.text("odd", in: "home").split(separator: "\n").count { lines.contains(String($0)) }
        == lines.count)
  }

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

  @Test("A rule that ends before its start has no occurrence, and is not saved")
  func endBeforeStart() async throws {
    let rule = "RRULE:FREQ=DAILY;UNTIL=20260301T000000Z"
    try scene.put(
      .event("UID:odd\nDTSTART:20260310T100000Z\n\(rule)\nSUMMARY:A"), as: "odd", in: "home")
    try scene.write("Lunch", to: "home")
    let store = try await scene.store()
    #expect(store.eventsOf2026().map(\.title) == ["Lunch"])
    let lunch = store.eventsOf2026()[0]
    let start: Date = lunch.startDate
    func daily(until days: Double) -> [EKRecurrenceRule] {
      let end = EKRecurrenceEnd(end: start.addingTimeInterval(days * 86_400))
      return [EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: end)]
    }
    // The event would be in no view any more.
    lunch.recurrenceRules = daily(until: -10)
    do {
      try store.save(lunch, span: .futureEvents)
      Issue.record("expected an error")
    } catch let error as EKError {
      #expect(error.code == .datesInverted)
    }
    store.reset()
    let again = try #require(store.eventsOf2026().first)
    again.recurrenceRules = daily(until: 1)
    try store.save(again, span: .futureEvents)
    #expect(store.eventsOf2026().map(\.title) == ["Lunch", "Lunch"])
  }

  @Test("A query ends in spite of a series by the second without an end")
  func endless() async throws {
    try scene.put(
      .event("UID:odd\nDTSTART:20260310T100000Z\nRRULE:FREQ=SECONDLY\nSUMMARY:A"), as: "odd",
      in: "home")
    try scene.write("Lunch", to: "home")
    let store = try await scene.store()
    // To sort them would read the values of all.
    let events = store.events(
      matching: store.predicateForEvents(
        withStart: StoreScene.date(2026, 1, 1), end: StoreScene.date(2027, 1, 1), calendars: nil))
    #expect(events.count == 100_001)
    #expect(events.last?.title == "Lunch")
    #expect(scene.notes.contains { $0.contains("'odd' stopped at a limit") })
  }

  @Test("Files that are not shown are reported once")
  func unreadable() async throws {
    try scene.put(.event("DTSTART:20260310T100000Z\nSUMMARY:No UID"), as: "odd", in: "home")
    try scene.write("Lunch", to: "home")
    let store = try await scene.store()
    for _ in 0..<2 { #expect(store.eventsOf2026().map(\.title) == ["Lunch"]) }
    #expect(scene.notes.filter { $0.contains("not shown: odd.ics") }.count == 1)
    try scene.folder.write("nothing".utf8, to: "home/more.ics")
    for _ in 0..<2 { #expect(store.eventsOf2026().count == 1) }
    #expect(scene.notes.filter { $0.contains("has 2 files that are not shown") }.count == 1)
  }

  @Test("The address of a participant depends on the file alone")
  func addresses() async throws {
    let attendees = ["", "http://[bad", "junk", "MAILTO:ada@example.org"]
    try scene.put(
      .event(
        "UID:odd\nDTSTART:20260310T100000Z\nORGANIZER:\nSUMMARY:A\n"
          + attendees.map { "ATTENDEE:\($0)" }.joined(separator: "\n")), as: "odd", in: "home")
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    #expect(
      event.attendees?.map(\.url.absoluteString)
        == ["mailto:", "mailto:http%3A%2F%2F%5Bbad", "junk", "MAILTO:ada@example.org"])
    #expect(event.organizer?.url.absoluteString == "mailto:")
  }
}
