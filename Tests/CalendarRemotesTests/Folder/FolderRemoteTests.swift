// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite struct FolderRemoteTests {
  let folder = MemoryFolder()
  var remote: FolderRemote {
    FolderRemote(
      calendar: folder, appender: folder, now: { Instant(secondsSinceEpoch: 1_795_251_600) })
  }

  @Test func `A folder does what every remote must`() async throws {
    try await RemoteConformance(remote).run()
  }

  @Test func `The identity is the path`() {
    #expect(remote.identity.description == "folder /calendars/shared")
    #expect(file.identity.description == "file /calendars/shared")
  }

  var file: FolderRemote {
    FolderRemote(file: folder, now: { Instant(secondsSinceEpoch: 1_795_251_600) })
  }

  @Test func `A file does what every remote must, and is not added to unread`() async throws {
    try await RemoteConformance(file, canAppend: false).run()
    let error = await #expect(throws: AccessError.self) { try await file.openAppender() }
    #expect(error?.description.hasPrefix("needs-full (") == true)
  }

  @Test func `An appender never scans`() async throws {
    let appender = try await remote.openAppender()
    let item = try RemoteConformance.event("a", summary: "A")
    #expect(try await appender.append(item) == .added(href: Href("a.ics"), etag: nil))
    #expect(try await appender.append(item) == .alreadyPresent(href: Href("a.ics")))
    #expect(folder.scans == 0)
    #expect((appender as? any LocalCalendar) == nil)
  }

  @Test func `A file that cannot be read is listed, so that it counts as there`() async throws {
    folder.write(Array("garbage".utf8), as: "broken.ics")
    let calendar = try await remote.openCalendar()
    #expect(try await calendar.list() == [RemoteEntry(href: Href("broken.ics"), etag: nil)])
    guard case .unreadable = try await calendar.fetch([Href("broken.ics")]).first else {
      Issue.record("garbage is read")
      return
    }
  }

  @Test func `A cursor is the snapshot of the folder`() async throws {
    let local = MemoryLocalCalendar()
    local.write(try RemoteConformance.event("ä", summary: "A"))
    let now = Instant(secondsSinceEpoch: 1_795_251_600)
    let calendar = try await FolderRemote(file: local, now: { now }).openCalendar()
    guard case .complete(let entries, let cursor?) = try await calendar.changes(since: nil) else {
      Issue.record("a folder has a cursor")
      return
    }
    let survey = try await local.survey(since: nil, in: NormalForm(), at: now)
    #expect(cursor.bytes == survey.snapshot?.bytes)
    #expect(try await calendar.list() == entries)
    #expect(try await calendar.changes(since: cursor) == .none(cursor))
    for unknown in ["", "0909", "\t\t"] {
      let changes = try await calendar.changes(since: RemoteCursor(unknown))
      #expect(changes == .complete(entries, cursor), "\(unknown)")
    }
  }

  private func local() throws -> (MemoryLocalCalendar, FolderRemote) {
    let local = MemoryLocalCalendar()
    for uid in ["a", "b", "c"] { local.write(try RemoteConformance.event(uid, summary: uid)) }
    let now = Instant(secondsSinceEpoch: 1_795_251_600)
    return (local, FolderRemote(calendar: local, appender: folder, now: { now }))
  }

  @Test func `Only changed files are reported since a cursor`() async throws {
    let (local, remote) = try local()
    let calendar = try await remote.openCalendar()
    guard case .complete(_, let cursor?) = try await calendar.changes(since: nil) else {
      Issue.record("a folder without a cursor is listed")
      return
    }
    local.write(try RemoteConformance.event("b", summary: "edited"))
    local.remove("c")
    local.rename("a", to: "d.ics")
    guard
      case .some(let changed, let removed, let next) = try await calendar.changes(since: cursor)
    else {
      Issue.record("the changes of a folder are known")
      return
    }
    #expect(changed == (try await calendar.list()))
    #expect(removed == [Href("a.ics"), Href("c.ics")])
    #expect(try await calendar.changes(since: next) == .none(next))
    local.write(Array("garbage".utf8), as: "c.ics")
    guard case .complete(let entries, _) = try await calendar.changes(since: cursor) else {
      Issue.record("a folder with an unreadable file is listed")
      return
    }
    #expect(entries.map(\.href.rawValue) == ["b.ics", "d.ics", "c.ics"])
  }

  @Test(arguments: [["c.ics"], ["broken.ics"], ["broken.ics", "c.ics", "z.ics"]])
  func `The removal of a file that could not be read is reported`(names: [String]) async throws {
    let (local, remote) = try local()
    let calendar = try await remote.openCalendar()
    for name in names { local.write(Array("garbage".utf8), as: name) }
    guard case .complete(_, let listed?) = try await calendar.changes(since: nil) else {
      Issue.record("a folder with an unreadable file is listed, and has a cursor")
      return
    }
    let cursor = try #require(calendar.cursor(listed, doubting: [:]))
    #expect(calendar.isSamePlace(as: cursor))
    for name in names { local.removeFile(name) }
    for known in [listed, cursor] {
      guard
        case .some(let changed, let removed, let next) = try await calendar.changes(since: known)
      else {
        Issue.record("the changes of a folder are known")
        return
      }
      #expect(changed == [])
      #expect(removed == names.map { Href($0) })
      #expect(try await calendar.changes(since: next) == .none(next))
    }
    // A file that can be read again is a change.
    local.write(try RemoteConformance.event("c", summary: "whole"))
    guard case .some(let changed, let removed, _) = try await calendar.changes(since: listed) else {
      Issue.record("the changes of a folder are known")
      return
    }
    #expect(changed.map(\.href.rawValue) == ["c.ics"])
    #expect(removed == names.filter { $0 != "c.ics" }.map { Href($0) })
  }

  @Test func `A version that is put back after a run is reported`() async throws {
    let (_, remote) = try local()
    let calendar = try await remote.openCalendar()
    guard case .complete(let entries, let cursor?) = try await calendar.changes(since: nil) else {
      Issue.record("a folder without a cursor is listed")
      return
    }
    let written = [Href("a.ics"): UID("a"), Href("new.ics"): UID("new")]
    let doubted = try #require(calendar.cursor(cursor, doubting: written))
    // Both the edit of the run and the addition were taken back.
    #expect(
      try await calendar.changes(since: doubted)
        == .some(changed: [entries[0]], removed: [Href("new.ics")], cursor))
    let whole = MemoryLocalCalendar(isHandledAsWhole: true)
    let file = FolderRemote(file: whole, now: { Instant(secondsSinceEpoch: 0) })
    #expect(try await file.openCalendar().cursor(cursor, doubting: written) == nil)
  }

  @Test func `A change that another program made meanwhile is not lost`() async throws {
    let calendar = try await remote.openCalendar()
    _ = try await calendar.create(try RemoteConformance.event("a", summary: "A"))
    let entry = try #require(try await calendar.list().first)
    let tag = try #require(entry.etag)
    folder.write(try RemoteConformance.event("a", summary: "Theirs").serialized(), as: "a.ics")
    let ours = try RemoteConformance.event("a", summary: "Ours")
    #expect(try await calendar.update(entry.href, to: ours, ifMatch: tag) == .conditionFailed)
    #expect(try await calendar.delete(entry.href, ifMatch: tag) == .conditionFailed)
  }

  @Test func `A disk that fails is an error, not a refusal of the item`() async throws {
    let calendar = try await remote.openCalendar()
    let item = try RemoteConformance.event("a", summary: "A")
    _ = try await calendar.create(item)
    let tag = try #require(try await calendar.list().first?.etag)
    folder.fail("no space left on device")
    let error = await #expect(throws: RemoteError.self) { try await calendar.create(item) }
    #expect(error?.description == "a: no space left on device")
    await #expect(throws: RemoteError.self) {
      try await calendar.delete(Href("a.ics"), ifMatch: tag)
    }
  }
}
