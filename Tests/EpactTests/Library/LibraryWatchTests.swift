// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(60)))
struct LibraryWatchTests {
  /// The number of reports of a watch.
  private final class Reports: Sendable {
    private let count = Mutex(0)

    var number: Int { count.withLock(\.self) }

    func add() { count.withLock { $0 += 1 } }

    /// Waits for a report after some others.
    func wait(after number: Int) async throws {
      while self.number <= number { try await Task.sleep(for: .milliseconds(10)) }
    }

    /// Waits until changes would have been reported.
    func settle() async throws {
      try await Task.sleep(for: .milliseconds(400))
    }
  }

  private func watch(_ library: CalendarLibrary) throws -> (LibraryWatch, Reports) {
    let reports = Reports()
    return (try library.watch { reports.add() }, reports)
  }

  @Test func editsOfOtherProgramsAreReported() async throws {
    let scene = try LibraryScene()
    let (watch, reports) = try watch(scene.library)
    var number = 0
    let changes: [() throws -> Void] = [
      { try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics") },
      {
        _ = try scene.contents("private")
        try scene.write(TestItem.make(uid: "a", summary: "New"), to: "calendars/private/a.ics")
      },
      { try scene.write(TestItem.make(uid: "b"), to: "one.ics") },
      { try scene.folder.write("Home".utf8, to: "calendars/private/displayname") },
      {
        try FileManager.default.removeItem(
          atPath: scene.folder.path(of: "calendars/private/a.ics"))
      },
      {
        try PrivateFolder.make(scene.folder.path(of: "new"))
        try scene.write(LibraryScene.configuration + "[calendar.new]\npath = \"~/new\"\n")
      },
      { try scene.write(TestItem.make(uid: "c"), to: "new/c.ics") },
    ]
    for change in changes {
      number = reports.number
      try change()
      try await reports.wait(after: number)
      try await reports.settle()
    }
    #expect(try scene.contents("new").entries.count == 1)
    // A canceled watch reports nothing.
    watch.cancel()
    number = reports.number
    try scene.write(TestItem.make(uid: "d"), to: "new/d.ics")
    try await reports.settle()
    #expect(reports.number == number)
  }

  @Test func onlyRealChangesAreReported() async throws {
    let scene = try LibraryScene()
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    _ = try scene.contents("private")
    let (watch, reports) = try watch(scene.library)
    // The same bytes, a file that is no item, and one beside the calendar of one file.
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    try scene.folder.write("x".utf8, to: "calendars/private/notes.txt")
    try scene.folder.write("x".utf8, to: "notes.txt")
    try scene.write(LibraryScene.configuration)
    try await reports.settle()
    try scene.write(TestItem.make(uid: "b"), to: "calendars/work.ics")
    try await reports.settle()
    #expect(reports.number == 0)
    try scene.write(TestItem.make(uid: "b"), to: "calendars/private/b.ics")
    try await reports.wait(after: 0)
    extendLifetime(watch)
  }

  @Test func ownChangesAreReported() async throws {
    let scene = try LibraryScene()
    _ = try scene.contents("private")
    let (watch, reports) = try watch(scene.library)
    var edit = LibraryEdit()
    edit.items = [
      .init(in: try scene.calendar("private").id, uid: "a", from: nil, to: TestItem.make(uid: "a"))
    ]
    try scene.library.commit(edit)
    // The library knows the item before the watch looks.
    #expect(try scene.contents("private").entries.count == 1)
    try await reports.wait(after: 0)
    extendLifetime(watch)
  }

  @Test func aSyncRunsInTheBackground() async throws {
    let scene = try LibraryScene(
      """
      [calendar.private]
      path = "~/calendars/private"
      [remote.disk]
      kind = "folder"
      path = "~/disk"
      [[sync]]
      name = "disk"
      calendar = "private"
      remote = "disk"
      """, isLater: false)
    let configuration = try ConfigurationFile(machine: scene.machine).load()
    var access = try await SyncSet(configuration, machine: scene.machine).access(to: "disk")
    try await access.store(.full, purpose: "Keeps a copy of my appointments on a disk.")
    try scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    try scene.write(TestItem.make(uid: "b"), to: "disk/b.ics")
    let (watch, reports) = try watch(scene.library)
    scene.library.startSync()
    scene.library.startSync()
    try await reports.wait(after: 0)
    #expect(scene.exists("calendars/private/b.ics"))
    while !scene.exists("disk/a.ics") { try await Task.sleep(for: .milliseconds(10)) }
    extendLifetime(watch)
  }
}
