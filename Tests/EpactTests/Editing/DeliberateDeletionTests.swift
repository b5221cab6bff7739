// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import Epact
import Foundation
import TestSupport
import Testing

/// Deletions by commands are meant, and those of files outside of the program may be a mistake.
struct DeliberateDeletionTests {
  /// A calendar whose tasks are synced with a folder.
  private func world(_ count: Int) async throws -> (EditScene, SyncSet) {
    let world = try EditScene()
    let configuration = try ConfigurationFile(machine: world.scene.machine).load()
    var set = try SyncSet(configuration, names: ["disk"], machine: world.scene.machine)
    var access = try await set.access(to: "disk")
    try await access.store(.full, purpose: "Keeps a copy of my tasks on a disk.")
    for number in 1...count {
      try world.scene.folder.write(
        TestItem.text(uid: "t\(number)", summary: "Task \(number)", kind: .reminder).utf8,
        to: "calendars/tasks/t\(number).ics")
    }
    set.options.jobs = 1
    _ = try await set.run()
    #expect(world.scene.exists("disk/t1.ics"))
    return (world, set)
  }

  @Test func theOnlyTaskThatACommandDeletesIsDeletedThereToo() async throws {
    let (world, set) = try await world(1)
    try world.editor.deleting(try world.item("t1"), .all).commit()
    let result = try #require(try await set.run().syncs.first)
    #expect(!result.summary.stoppedByGuard)
    #expect(!world.scene.exists("disk/t1.ics"))
  }

  @Test func aDeletionThatIsDoneAgainCountsAsMeant() async throws {
    let (world, set) = try await world(1)
    try world.editor.deleting(try world.item("t1"), .all).commit()
    try await world.undo()
    try await world.redo()
    let result = try #require(try await set.run().syncs.first)
    #expect(!result.summary.stoppedByGuard)
    #expect(!world.scene.exists("disk/t1.ics"))
  }

  @Test(arguments: [true, false])
  func aFileThatIsRemovedCountsStill(isAfterUndo: Bool) async throws {
    let (world, set) = try await world(1)
    if isAfterUndo {
      try world.editor.deleting(try world.item("t1"), .all).commit()
      try await world.undo()
    }
    try FileManager.default.removeItem(
      atPath: world.scene.folder.path(of: "calendars/tasks/t1.ics"))
    let result = try #require(try await set.run().syncs.first)
    #expect(result.summary.stoppedByGuard)
    #expect(world.scene.exists("disk/t1.ics"))
  }

  @Test func aCommandOnTheOtherFolderCountsAsMeantToo() async throws {
    let (world, set) = try await world(2)
    // The folder on the other side becomes a calendar of its own.
    let path = world.scene.folder.path(of: "disk")
    let other = try LibraryScene(
      """
      [calendar.disk]
      path = "\(path)"
      """, isLater: false)
    var machine = world.scene.machine
    machine.environment["XDG_CONFIG_HOME"] = other.folder.path(of: ".config")
    let editor = LibraryEditor(
      CalendarLibrary(machine: machine), viewer: try machine.viewerZone("Europe/Berlin"))
    for uid in ["t1", "t2"] {
      try editor.deleting(try ItemFinder(editor).item(uid), .all).commit()
    }
    let result = try #require(try await set.run().syncs.first)
    #expect(!result.summary.stoppedByGuard)
    #expect(!world.scene.exists("calendars/tasks/t1.ics"))
    #expect(!world.scene.exists("calendars/tasks/t2.ics"))
  }
}
