// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("A local calendar that takes no changes")
struct FullDiskTests {
  private func expectFull(_ scene: SyncScene) async throws {
    let error = await #expect(throws: UnavailableSide.self) { try await scene.sync() }
    #expect(error?.description == "the disk is full")
  }

  @Test("A full disk ends the run with one error, and holds no item back")
  func fullDisk() async throws {
    var scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    for uid in ["c", "d", "e"] { scene.remote.write(TestItem.make(uid: uid)) }
    scene.local.leaveRoom(0)
    for run in 0..<5 {
      scene.now = Int64(run)
      try await expectFull(scene)
      #expect(try await scene.ledger.quarantine(of: scene.binding) == [])
    }
    scene.local.leaveRoom(nil)
    #expect(try await scene.sync().summary.failed == 0)
    scene.expectBoth(["a": "1", "b": "2", "c": "Lunch", "d": "Lunch", "e": "Lunch"])
    try await scene.expectRest()
  }

  @Test("What fits is stored, what was edited here is sent, and nothing is deleted")
  func halfFull() async throws {
    let scene = SyncScene()
    let many = Dictionary(uniqueKeysWithValues: (0..<8).map { ("old\($0)", "Old") })
    try await scene.agree(on: many)
    scene.local.write(TestItem.make(uid: "here"))
    scene.local.remove("old0")
    scene.remote.remove("old1")
    let size = TestItem.make(uid: "new0").serialized().count
    for number in 0..<3 { scene.remote.write(TestItem.make(uid: "new\(number)")) }
    scene.local.leaveRoom(2 * size)
    try await expectFull(scene)
    #expect(scene.local.items.keys.filter { $0.hasPrefix("new") }.count == 2)
    #expect(scene.remote.items["here"] != nil)
    #expect(scene.remote.items["old0"] != nil)
    #expect(scene.local.items["old1"] != nil)
    scene.local.leaveRoom(nil)
    try await scene.sync()
    #expect(scene.titles.local == scene.titles.remote)
    #expect(scene.local.items.count == 10)
    try await scene.expectRest()
  }

  @Test("An edit that finds no room is made by a later run, and so is a merge")
  func edits() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.remote.write(TestItem.make(uid: "a", summary: "There"))
    scene.local.write(TestItem.make(uid: "b", summary: "Here"))
    scene.remote.write(TestItem.make(uid: "b", summary: "2", location: "There"))
    scene.local.leaveRoom(0)
    try await expectFull(scene)
    #expect(scene.local.items["a"]?.title == "1")
    scene.local.leaveRoom(nil)
    for _ in 1...2 { try await scene.sync() }
    scene.expectBoth(["a": "There", "b": "Here"])
    #expect(try await scene.ledger.quarantine(of: scene.binding) == [])
  }
}
