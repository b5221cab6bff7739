// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Epact
import Foundation
import OpenEventKit
import TestSupport
import Testing

/// New stores find by the index what they would find by reading all files.
@Suite struct StoreIndexTests {
  let scene: StoreScene
  let machine: Machine

  init() throws {
    scene = try StoreScene(.all)
    var machine = scene.machine
    let now = machine.now
    // The status of all files is certain.
    machine.now = { now().adding(seconds: 3600) ?? now() }
    self.machine = machine
  }

  private func store(cache: String? = nil) async throws -> EKEventStore {
    var machine = machine
    if let cache { machine.environment["XDG_CACHE_HOME"] = cache }
    let store = EKEventStore(machine: machine, program: scene.program, prompt: scene.prompt)
    _ = try await store.requestFullAccessToEvents()
    _ = try await store.requestFullAccessToReminders()
    return store
  }

  private func writeItems() throws {
    for day in 1...28 {
      for calendar in ["home", "work"] {
        for month in ["01", "06", "11"] {
          let date = "2026\(month)\(day < 10 ? "0" : "")\(day)"
          let rule = day == 7 ? "\nRRULE:FREQ=MONTHLY;COUNT=4" : ""
          try scene.put(
            .event("UID:\(date)\nDTSTART:\(date)T120000Z\nSUMMARY:\(date) \(calendar)\(rule)"),
            as: date, in: calendar)
        }
      }
      try scene.put(
        .reminder("UID:task-\(day)\nSUMMARY:Task \(day)"), as: "task-\(day)", in: "tasks")
    }
  }

  private func titles(_ store: EKEventStore) async -> [String] {
    var titles: [String] = []
    // A file that moved to a later month is not read for its earlier one before that.
    for month in (1...12).reversed() {
      let predicate = store.predicateForEvents(
        withStart: StoreScene.date(2026, month, 1), end: StoreScene.date(2026, month, 28),
        calendars: nil)
      titles += store.events(matching: predicate).map { event in
        "\(event.title ?? "") \(event.eventIdentifier ?? "")"
      }
    }
    for reminder in await store.reminders() ?? [] { titles.append(reminder.title) }
    for uid in ["20260601", "20261107", "task-3", "nothing"] {
      titles += store.calendarItems(withExternalIdentifier: uid).map(\.title).sorted()
    }
    return titles
  }

  @Test("A new store has the same events, reminders and items as one without an index")
  func sameAnswers() async throws {
    try writeItems()
    for change in 0..<4 {
      let wanted = await titles(try await store(cache: "/dev/null"))
      #expect(wanted.count > 150)
      for _ in 0..<2 { #expect(await titles(try await store()) == wanted) }
      usleep(20_000)
      switch change {
      case 0: try scene.write("Changed", to: "home", as: "20260601")
      case 1: try scene.remove("work/20261103.ics")
      default:
        let store = try await store()
        let event = try #require(store.eventsOf2026().first)
        try store.remove(event, span: .thisEvent)
      }
    }
    #expect(try scene.folder.names(in: ".cache/epact").count == 2)
  }

  @Test("An event is found by its identifier, changed, and found by the next store")
  func oneItem() async throws {
    try writeItems()
    let first = try await store()
    let identifier = try #require(
      first.eventsOf2026().first { $0.title == "20260601 home" }?
        .eventIdentifier)
    let second = try await store()
    let event = try #require(second.event(withIdentifier: identifier))
    event.title = "Changed"
    try second.save(event, span: .thisEvent)
    #expect(try scene.text("20260601", in: "home").contains("SUMMARY:Changed"))
    #expect((try await store()).event(withIdentifier: identifier)?.title == "Changed")
  }

  @Test("An item is found by each of its identifiers without reading the others")
  func oneFile() async throws {
    try writeItems()
    let first = try await store().eventsOf2026()
    let event = try #require(first.first { $0.title == "20260601 home" })
    let opened = try await OpenedFiles(in: scene.folder.path(of: "home"))
    let second = try await store()
    let identifier = event.calendarItemIdentifier
    #expect(second.calendarItem(withIdentifier: identifier)?.title == "20260601 home")
    #expect(opened.names() == ["20260601.ics"])
    let third = try await store()
    let found = third.calendarItems(withExternalIdentifier: "20261103").map { $0.title ?? "" }
    #expect(found.sorted() == ["20261103 home", "20261103 work"])
    #expect(opened.names() == ["20261103.ics"])
    #expect(third.calendarItem(withIdentifier: "nothing") == nil)
    #expect(opened.names() == [])
  }

  @Test("A program without full access neither reads nor writes an index")
  func writeOnly() async throws {
    try writeItems()
    let store = EKEventStore(machine: machine, program: scene.program, prompt: scene.prompt)
    #expect(try await store.requestWriteOnlyAccessToEvents())
    let event = store.newEvent(
      "New", StoreScene.noon, StoreScene.noon, in: store.defaultCalendarForNewEvents)
    try store.save(event, span: .thisEvent)
    #expect(store.eventsOf2026().isEmpty)
    #expect(!FileManager.default.fileExists(atPath: scene.folder.path(of: ".cache")))
  }
}
