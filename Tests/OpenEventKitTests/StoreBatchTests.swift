// SPDX-License-Identifier: Apache-2.0

import Foundation
import Glibc
import OpenEventKit
import TestSupport
import Testing

@Suite struct StoreBatchTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  private func add(
    _ count: Int, to name: String, _ store: EKEventStore
  ) throws -> [EKEvent] {
    let calendar = try StoreScene.calendar(name, in: store)
    return try (0..<count).map { number in
      let start = StoreScene.date(2026, 3, 1 + number, 9)
      let event = store.newEvent("\(number)", start, start.addingTimeInterval(60), in: calendar)
      try store.save(event, span: .thisEvent, commit: false)
      return event
    }
  }

  @Test("Saved events are visible in the store, and in files only after the commit")
  func visible() async throws {
    let store = try await scene.store()
    let events = try add(3, to: "home", store) + add(2, to: "work", store)
    #expect(try scene.names(in: "home").isEmpty)
    #expect(store.eventsOf2026().count == 5)
    #expect(events.allSatisfy { $0.hasChanges && !$0.isNew && $0.eventIdentifier != nil })
    #expect(store.event(withIdentifier: events[0].eventIdentifier)?.title == "0")
    try store.remove(events[4], span: .thisEvent, commit: false)
    #expect(store.eventsOf2026().count == 4)
    try store.commit()
    #expect(try scene.names(in: "home").count == 3 && scene.names(in: "work").count == 1)
    #expect(events.prefix(4).allSatisfy { !$0.hasChanges })
    try store.commit()
  }

  @Test("A removed item stays in its file until the commit")
  func removal() async throws {
    let store = try await scene.store()
    for event in try add(3, to: "home", store) { #expect(event.refresh()) }
    try store.commit()
    for event in store.eventsOf2026() { try store.remove(event, span: .thisEvent, commit: false) }
    #expect(store.eventsOf2026().isEmpty)
    #expect(try scene.names(in: "home").count == 3)
    try store.commit()
    #expect(try scene.names(in: "home").isEmpty)
  }

  @Test("A failing commit writes nothing, and further ones fail until the store is reset")
  func failure() async throws {
    try scene.put(
      .event("UID:one\nDTSTART:20260310T120000Z\nDTEND:20260310T130000Z\nSUMMARY:A"),
      as: "one", in: "work")
    let store = try await scene.store()
    let old = try #require(store.eventsOf2026().first)
    let new = try add(2, to: "home", store)
    old.title = "B"
    try store.save(old, span: .thisEvent, commit: false)
    let original = try scene.folder.bytes(of: "work/one.ics")
    // Another program changes the file between the save and the commit.
    try scene.put(
      .event("UID:one\nDTSTART:20260310T120000Z\nDTEND:20260310T130000Z\nSUMMARY:C"),
      as: "one", in: "work")
    #expect(code { try store.commit() } == .internalFailure)
    #expect(try scene.names(in: "home").isEmpty)
    #expect(try scene.text("one", in: "work").contains("SUMMARY:C\n"))
    // The cause is gone, and the batch is not committed all the same.
    try scene.folder.write(original, to: "work/one.ics")
    #expect(code { try store.commit() } == .internalFailure)
    let other = store.newEvent("x", new[0].startDate, new[0].endDate, in: new[0].calendar)
    #expect(code { try store.save(other, span: .thisEvent) } == .internalFailure)
    store.reset()
    #expect(store.eventsOf2026().map(\.title) == ["A"])
    #expect(new[0].isNew && new[0].eventIdentifier == nil)
    try store.commit()
    try store.save(other, span: .thisEvent)
    #expect(try scene.names(in: "home").count == 1)
  }

  @Test("A save that fails to commit rolls everything uncommitted back")
  func rollback() async throws {
    let store = try await scene.store()
    let saved = try add(2, to: "home", store)
    let event = store.newEvent(
      "Lost", saved[0].startDate, saved[0].endDate, in: try StoreScene.calendar("work", in: store))
    try scene.remove("work")
    try scene.folder.write("a file".utf8, to: "work")
    #expect(code { try store.save(event, span: .thisEvent) } != nil)
    #expect(try scene.names(in: "home").isEmpty)
    #expect(store.eventsOf2026().isEmpty)
    #expect(event.isNew && event.title == "Lost" && event.hasChanges)
    #expect(saved.allSatisfy { $0.isNew && $0.hasChanges })
    // The store is usable without a reset.
    try store.save(saved[0], span: .thisEvent)
    #expect(try scene.names(in: "home").count == 1)
  }

  @Test("A full disk leaves nothing of a batch", .enabled(if: SmallFileSystem.isPossible))
  func fullDisk() async throws {
    let disk = try SmallFileSystem(kilobytes: 64, at: scene.folder.path(of: "work"))
    let store = try await scene.store()
    _ = try add(1, to: "home", store)
    let event = store.newEvent(
      "Big", StoreScene.date(2026, 4, 1), StoreScene.date(2026, 4, 2),
      in: try StoreScene.calendar("work", in: store))
    event.notes = String(repeating: "x", count: 200_000)
    try store.save(event, span: .thisEvent, commit: false)
    #expect(code { try store.commit() } == .internalFailure)
    #expect(try scene.names(in: "home").isEmpty && scene.names(in: "work").isEmpty)
    store.reset()
    _ = try add(1, to: "work", store)
    try store.commit()
    #expect(try scene.names(in: "work").count == 1)
    withExtendedLifetime(disk) {}
  }

  @Test("Reset forgets what is not committed")
  func reset() async throws {
    let store = try await scene.store()
    let events = try add(2, to: "home", store)
    store.reset()
    try store.commit()
    #expect(try scene.names(in: "home").isEmpty)
    #expect(events[0].isNew)
    let calendar = try StoreScene.calendar("home", in: store)
    calendar.title = "Other"
    store.reset()
    #expect(store.calendars(for: .event).contains { $0.title == "home" })
  }

  @Test("Several saves of one object in a batch are one change")
  func twice() async throws {
    let store = try await scene.store()
    let event = try add(1, to: "home", store)[0]
    event.title = "Second"
    try store.save(event, span: .thisEvent, commit: false)
    try store.commit()
    #expect(try scene.onlyText(in: "home").contains("SUMMARY:Second\n"))
    event.title = "Third"
    try store.save(event, span: .thisEvent, commit: false)
    store.reset()
    #expect(event.title == "Second" && !event.hasChanges)
  }
}

/// A small file system over a folder, which only root can make.
final class SmallFileSystem: Sendable {
  static let isPossible = geteuid() == 0 && isMountable

  private static var isMountable: Bool {
    guard let folder = try? TemporaryFolder() else { return false }
    return (try? SmallFileSystem(kilobytes: 64, at: folder.path)) != nil
  }

  private let path: String

  init(kilobytes: Int, at path: String) throws {
    self.path = path
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k,mode=700", "tmpfs", path])
  }

  deinit {
    try? Self.run("umount", ["-l", path])
  }

  private static func run(_ tool: String, _ arguments: [String]) throws {
    var program = TestProgram([tool] + arguments)
    program.errors = .null
    guard try program.run() == 0 else { throw CocoaError(.featureUnsupported) }
  }
}
