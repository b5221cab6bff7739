// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Foundation
import TestSupport
import Testing

@testable import Epact

@Suite("Projections of calendars as a remote")
struct MirrorCalendarTests {
  private let folder: TemporaryFolder
  private let machine: Machine
  private let key = ProjectionKey(Array(repeating: 7, count: 32))

  init() throws {
    folder = try TemporaryFolder()
    for name in ["a", "b"] { try folder.makeFolder(name) }
    var machine = Machine.live()
    // The status of files is certain some seconds after they were written.
    let now = machine.now
    machine.now = { now().adding(seconds: 3600) ?? now() }
    self.machine = machine
  }

  private func write(_ uid: String, in calendar: String = "a", title: String = "Secret") throws {
    let lines = [
      "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Test//EN", "BEGIN:VEVENT", "UID:\(uid)",
      "DTSTAMP:20261101T120000Z", "DTSTART:20261201T100000Z", "SUMMARY:\(title)", "END:VEVENT",
      "END:VCALENDAR",
    ]
    try folder.write(lines: lines, to: "\(calendar)/\(uid).ics")
  }

  private func mirror(
    _ detail: ProjectionSettings.Detail = .titles, of names: [String] = ["a", "b"]
  ) throws -> MirrorCalendar {
    var settings = ProjectionSettings()
    settings.detail = detail
    let projector = try ItemProjector(
      settings, name: "test", key: key, user: [],
      machine: machine)
    let sources = try names.map { name in
      MirrorSource(
        calendar: ProjectedCalendar(name: name, title: name),
        items: try FolderCalendar(path: folder.path(of: name), for: .reading))
    }
    return MirrorCalendar(sources, projector, now: machine.now)
  }

  /// The titles of all items that a listing names.
  private func titles(_ mirror: MirrorCalendar, _ entries: [RemoteEntry]) async throws -> [String] {
    let fetched = try await mirror.fetch(entries.map(\.href))
    return zip(entries, fetched).map { entry, fetch in
      guard case .item(let href, let etag, let item) = fetch else { return "?" }
      return href == entry.href && etag == entry.etag ? item.title : "!"
    }.sorted()
  }

  private func complete(
    _ changes: RemoteChanges
  ) throws -> (entries: [RemoteEntry], cursor: RemoteCursor) {
    guard case .complete(let entries, let cursor?) = changes else {
      throw StoreError(code: .failed, path: "", message: "\(changes)")
    }
    return (entries, cursor)
  }

  private func some(
    _ changes: RemoteChanges
  ) throws -> (changed: [RemoteEntry], removed: [Href], cursor: RemoteCursor) {
    guard case .some(let changed, let removed, let cursor) = changes else {
      throw StoreError(code: .failed, path: "", message: "\(changes)")
    }
    return (changed, removed, cursor)
  }

  @Test("The first listing has all items, by the identifiers of their projections")
  func first() async throws {
    try write("x", title: "X")
    try write("y", in: "b", title: "Y")
    let mirror = try mirror()
    let (entries, _) = try complete(try await mirror.changes(since: nil))
    #expect(entries.allSatisfy { $0.href.rawValue.hasSuffix("@copy.epact") && $0.etag != nil })
    #expect(try await titles(mirror, entries) == ["X", "Y"])
    #expect(try await titles(self.mirror(), entries) == ["X", "Y"])
  }

  @Test("Nothing changed is told without reading an item")
  func none() async throws {
    try write("x")
    let (_, cursor) = try complete(try await mirror().changes(since: nil))
    #expect(try await mirror().changes(since: cursor) == .none(cursor))
  }

  @Test("Only the items that changed are told")
  func changed() async throws {
    for uid in ["x", "y", "z"] { try write(uid, title: uid) }
    let before = try complete(try await mirror().changes(since: nil))
    try write("x", title: "new x")
    try write("w", in: "b", title: "w")
    try FileManager.default.removeItem(atPath: folder.path(of: "a/z.ics"))
    let mirror = try mirror()
    let (changed, removed, cursor) = try some(try await mirror.changes(since: before.cursor))
    #expect(try await titles(mirror, changed) == ["new x", "w"])
    #expect(removed.count == 1)
    #expect(before.entries.map(\.href).contains(removed[0]))
    #expect(try await self.mirror().changes(since: cursor) == .none(cursor))
  }

  @Test("A change of hidden text keeps the tag")
  func hidden() async throws {
    try write("x")
    let before = try complete(try await mirror(.busy).changes(since: nil))
    try write("x", title: "Other")
    let (changed, removed, _) = try some(try await mirror(.busy).changes(since: before.cursor))
    #expect(changed == before.entries)
    #expect(removed == [])
  }

  @Test("An item of two calendars is listed once, and follows the second one after the first")
  func twice() async throws {
    try write("x", in: "a", title: "first")
    try write("x", in: "b", title: "second")
    let mirror = try mirror()
    let before = try complete(try await mirror.changes(since: nil))
    #expect(try await titles(mirror, before.entries) == ["first"])
    try FileManager.default.removeItem(atPath: folder.path(of: "a/x.ics"))
    let next = try self.mirror()
    let (changed, removed, _) = try some(try await next.changes(since: before.cursor))
    #expect(try await titles(next, changed) == ["second"])
    #expect(changed.map(\.href) == before.entries.map(\.href))
    #expect(removed == [])
  }

  @Test("Other settings, and other calendars, list everything again")
  func settings() async throws {
    try write("x")
    let (_, cursor) = try complete(try await mirror(.titles).changes(since: nil))
    _ = try complete(try await mirror(.busy).changes(since: cursor))
    _ = try complete(try await mirror(.titles, of: ["b", "a"]).changes(since: cursor))
    _ = try complete(try await mirror(.titles).changes(since: RemoteCursor("damaged")))
  }

  @Test("A file that cannot be read is an error; afterwards, what is gone is reported")
  func unreadable() async throws {
    for uid in ["x", "y"] { try write(uid) }
    let (all, cursor) = try complete(try await mirror().changes(since: nil))
    #expect(all.count == 2)
    try folder.write(Array("BEGIN:VCALENDAR".utf8), to: "a/x.ics")
    try FileManager.default.removeItem(atPath: folder.path(of: "a/y.ics"))
    let error = await #expect(throws: EpactError.self) {
      try await mirror().changes(since: cursor)
    }
    #expect(error?.message.contains("a/x.ics") == true)
    await #expect(throws: EpactError.self) { try await mirror().changes(since: nil) }
    try write("x", title: "Repaired")
    let next = try some(try await mirror().changes(since: cursor))
    #expect(next.removed == [Href(key.uid(of: UID("y"), in: "test").rawValue)])
    let repaired = try mirror()
    _ = try await repaired.changes(since: cursor)
    #expect(try await titles(repaired, next.changed) == ["Repaired"])
  }

  @Test("An item that is gone is missing, and nothing can be written")
  func missing() async throws {
    let mirror = try mirror()
    guard case .missing? = try await mirror.fetch([Href("nothing")]).first else {
      Issue.record("expected a missing item")
      return
    }
    let outcome = try await mirror.delete(Href("x"), ifMatch: EntityTag("\"1\""))
    #expect(outcome == .refused(reason: MirrorCalendar.reason))
    #expect(mirror.components == [])
    #expect(mirror.properties == nil)
  }

  @Test("A calendar that is gone is an error")
  func gone() async throws {
    let mirror = try mirror()
    try FileManager.default.removeItem(atPath: folder.path(of: "b"))
    await #expect(throws: (any Error).self) { try await mirror.changes(since: nil) }
  }
}
