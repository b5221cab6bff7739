// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Foundation
import TestSupport
import Testing

/// Changes of items.
struct LibraryEditTests {
  private func change(
    _ calendar: CalendarInfo, from base: LocalEntry? = nil, to item: CalendarItem?
  ) throws -> LibraryEdit.Item {
    let uid = try #require(item?.uid ?? base?.item.uid)
    return LibraryEdit.Item(in: calendar.id, uid: uid, from: base, to: item)
  }

  @Test func changesOfSeveralCalendarsAreMadeTogether() throws {
    let scene = try LibraryScene()
    try scene.write(TestItem.make(uid: "moved"), to: "calendars/private/some name.ics")
    try scene.write(TestItem.make(uid: "edited"), to: "calendars/private/edited.ics")
    let (home, work) = (try scene.calendar("private"), try scene.calendar("work"))
    let contents = try scene.contents("private")
    let moved = try #require(contents.entries["moved"])
    let edited = try #require(contents.entries["edited"])
    var edit = LibraryEdit()
    edit.items = [
      try change(home, from: moved, to: nil), try change(work, to: moved.item),
      try change(home, from: edited, to: TestItem.make(uid: "edited", summary: "Dinner")),
      try change(try scene.calendar("one"), to: TestItem.make(uid: "in-a-file")),
      try change(try scene.calendar("tasks"), to: TestItem.make(uid: "task", kind: .reminder)),
    ]
    try scene.library.commit(edit)
    #expect(!scene.exists("calendars/private/some name.ics"))
    #expect(try scene.folder.bytes(of: "synced/work/moved.ics") == moved.item.serialized())
    #expect(try scene.contents("private").entries.count == 1)
    #expect(try scene.contents("private").entries["edited"]?.item.title == "Dinner")
    #expect(try scene.contents("one").entries.keys.map(\.rawValue) == ["in-a-file"])
    #expect(try scene.contents("tasks").entries["task"]?.item.kind == .reminder)
  }

  @Test func aChangeByAnotherProgramPreventsAllChanges() throws {
    let scene = try LibraryScene()
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    let home = try scene.calendar("private")
    let base = try #require(try scene.contents("private").entries["a"])
    try scene.write(TestItem.make(uid: "a", summary: "Theirs"), to: "calendars/private/a.ics")
    var edit = LibraryEdit()
    edit.items = [
      try change(try scene.calendar("work"), to: TestItem.make(uid: "b")),
      try change(home, from: base, to: TestItem.make(uid: "a", summary: "Mine")),
    ]
    let error = try #require(throws: LibraryError.self) { try scene.library.commit(edit) }
    #expect((error.code, error.subject) == (.changedMeanwhile, "a"))
    #expect(!scene.exists("synced/work/b.ics"))
    #expect(try scene.contents("private").entries["a"]?.item.title == "Theirs")
    // A deletion is conditional, too.
    edit.items = [try change(home, from: base, to: nil)]
    #expect(throws: LibraryError.self) { try scene.library.commit(edit) }
    #expect(scene.exists("calendars/private/a.ics"))
  }

  @Test func anItemIsNotAddedTwice() throws {
    let scene = try LibraryScene()
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    try scene.write(TestItem.make(uid: "b"), to: "calendars/private/other.ics")
    _ = try scene.contents("private")
    for uid in ["a", "b"] {
      var edit = LibraryEdit()
      edit.items = [try change(try scene.calendar("private"), to: TestItem.make(uid: uid))]
      let error = try #require(throws: LibraryError.self) { try scene.library.commit(edit) }
      #expect((error.code, error.subject) == (.changedMeanwhile, uid))
    }
    #expect(try scene.folder.names().contains("calendars"))
    #expect(!scene.exists("calendars/private/b.ics"))
  }

  @Test func readOnlyCalendarsAndOtherKindsAreRefused() throws {
    let scene = try LibraryScene()
    try scene.write(TestItem.make(uid: "feed"), to: "calendars/holidays/feed.ics")
    let base = try #require(try scene.contents("holidays").entries["feed"])
    let (holidays, tasks) = (try scene.calendar("holidays"), try scene.calendar("tasks"))
    let cases: [(LibraryEdit.Item, LibraryError.Code)] = [
      (try change(holidays, to: TestItem.make(uid: "a")), .readOnly),
      (try change(holidays, from: base, to: nil), .readOnly),
      (try change(tasks, to: TestItem.make(uid: "a")), .wrongKind),
      (LibraryEdit.Item(in: "?", uid: "a", from: nil, to: TestItem.make(uid: "a")), .noCalendar),
      (LibraryEdit.Item(in: tasks.id, uid: "b", from: nil, to: TestItem.make(uid: "a")), .invalid),
    ]
    for (item, code) in cases {
      var edit = LibraryEdit()
      edit.items = [item]
      let error = try #require(throws: LibraryError.self) { try scene.library.commit(edit) }
      #expect(error.code == code)
    }
    let error = try #require(throws: LibraryError.self) {
      try scene.library.append(TestItem.make(uid: "a"), to: holidays)
    }
    #expect(error.code == .readOnly)
    #expect(scene.exists("calendars/holidays/feed.ics"))
  }

  @Test func anItemWithTwoChangesIsRefused() throws {
    let scene = try LibraryScene()
    let home = try scene.calendar("private")
    var edit = LibraryEdit()
    edit.items = [
      try change(home, to: TestItem.make(uid: "a")),
      try change(home, to: TestItem.make(uid: "a", summary: "Dinner")),
    ]
    let error = try #require(throws: LibraryError.self) { try scene.library.commit(edit) }
    #expect((error.code, error.subject) == (.invalid, "a"))
  }

  @Test func appendingReadsNothing() async throws {
    let scene = try LibraryScene()
    let home = try scene.calendar("private")
    try scene.write(TestItem.make(uid: "other"), to: "calendars/private/other.ics")
    let opened = try await OpenedFiles(in: scene.folder.path(of: "calendars/private"))
    let outcome = try scene.library.append(TestItem.make(uid: "a"), to: home)
    #expect(outcome == .added(href: Href("a.ics"), etag: nil))
    // The folder itself is opened, and the new file by its temporary name at most.
    #expect(!opened.names().contains("other.ics"))
    let again = try scene.library.append(TestItem.make(uid: "a", summary: "Dinner"), to: home)
    #expect(again == .alreadyPresent(href: Href("a.ics")))
    #expect(try scene.contents("private").entries["a"]?.item.title == "Lunch")

    let one = try scene.calendar("one")
    #expect(
      try scene.library.append(TestItem.make(uid: "a"), to: one)
        == .added(href: Href("a"), etag: nil))
    #expect(
      try scene.library.append(TestItem.make(uid: "a"), to: one)
        == .alreadyPresent(href: Href("a")))
  }

  @Test func aSyncRecoversInterruptedBatches() async throws {
    let scene = try LibraryScene()
    let batches = ".local/state/epact/batches"
    try PrivateFolder.make(scene.folder.path(of: batches))
    try scene.folder.write("no journal".utf8, to: "\(batches)/x.batch")
    let configuration = try ConfigurationFile(machine: scene.machine).load()
    var set = try SyncSet(configuration, machine: scene.machine)
    set.options.isDryRun = true
    _ = try await set.run()
    #expect(scene.exists("\(batches)/x.batch"))
    set.options.isDryRun = false
    // A damaged journal is set aside and reported once.
    await #expect(throws: (any Error).self) { try await set.run() }
    #expect(scene.exists("\(batches)/x.batch.damaged"))
    _ = try await set.run()
  }

  @Test func theLibraryRecoversInterruptedBatches() throws {
    let scene = try LibraryScene()
    let batches = ".local/state/epact/batches"
    try PrivateFolder.make(scene.folder.path(of: batches))
    try scene.folder.write("no journal".utf8, to: "\(batches)/x.batch")
    _ = try scene.contents("private")
    #expect(scene.exists("\(batches)/x.batch.damaged"))
  }
}
