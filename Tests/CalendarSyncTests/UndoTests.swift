// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import ICalSyntax
import TestSupport
import Testing

@Suite("Taking runs back")
struct UndoTests {
  /// Both sides agree on these, and then one thing of each kind happens.
  private func scene(_ quirks: MemoryRemote.Quirks = []) async throws -> SyncScene {
    var scene = SyncScene(quirks: quirks)
    scene.options.safeguards.deletions = 9
    let uids = ["edit-l", "edit-r", "del-l", "del-r", "merge", "still"]
    try await scene.agree(on: Dictionary(uniqueKeysWithValues: uids.map { ($0, "base") }))
    scene.local.write(TestItem.make(uid: "new-l", summary: "new here"))
    scene.remote.write(TestItem.make(uid: "new-r", summary: "new there"))
    scene.local.write(TestItem.make(uid: "edit-l", summary: "edited here"))
    scene.remote.write(TestItem.make(uid: "edit-r", summary: "edited there"))
    scene.local.remove("del-l")
    scene.remote.remove("del-r")
    scene.local.write(TestItem.make(uid: "merge", summary: "merged"))
    scene.remote.write(TestItem.make(uid: "merge", summary: "base", location: "there"))
    try await scene.sync()
    return scene
  }

  private static let base = [
    "edit-l": "base", "edit-r": "base", "del-l": "base", "del-r": "base", "merge": "base",
    "still": "base",
  ]

  @Test(
    "What was changed and deleted goes back on both sides, what was added goes where it was added",
    arguments: [
      MemoryRemote.Quirks(), .noTagAfterWrite, .churnsTags, .dropsUnknown,
      [.rewrites, .tellsTagOfRewritten],
    ])
  func all(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = try await scene(quirks)
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 0)
    #expect(scene.titles.local == Self.base.merging(["new-l": "new here"]) { $1 })
    #expect(scene.titles.remote == Self.base.merging(["new-r": "new there"]) { $1 })
    for _ in 1...2 { try await scene.sync() }
    let end = Self.base.merging(["new-l": "new here", "new-r": "new there"]) { $1 }
    scene.expectBoth(end)
    scene.remote.clearLog()
    try await scene.sync()
    #expect(scene.remote.writes == [])
    scene.expectBoth(end)
  }

  @Test("What was taken back can be taken back")
  func twice() async throws {
    let scene = try await scene()
    let before = scene.titles
    try await scene.undoLast()
    try await scene.undoLast()
    #expect(scene.titles == before)
    try await scene.sync()
    try await scene.expectRest()
    let runs = await scene.ledger.runs(of: "home")
    #expect(runs.map(\.undoes).compactMap { $0 }.count == 2)
  }

  @Test("An item that somebody changed since is left alone and told")
  func changedSince() async throws {
    let scene = try await scene()
    scene.local.write(TestItem.make(uid: "edit-r", summary: "edited since"))
    scene.remote.write(TestItem.make(uid: "edit-l", summary: "edited since"))
    scene.local.write(TestItem.make(uid: "del-r", summary: "made anew"))
    scene.local.remove("new-r")
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 3)
    #expect(scene.titles.local["edit-r"] == "edited since")
    #expect(scene.titles.remote["edit-r"] == "edited there")
    #expect(scene.titles.local["edit-l"] == "edited here")
    #expect(scene.titles.remote["edit-l"] == "edited since")
    #expect(scene.titles.local["del-r"] == "made anew")
    #expect(scene.titles.local["del-l"] == "base")
  }

  @Test("An edit of the remote that waits in conflict is no version that the run left there")
  func addedThenInConflict() async throws {
    let scene = SyncScene()
    scene.local.write(TestItem.make(uid: "a", summary: "base"))
    try await scene.sync()
    scene.local.write(TestItem.make(uid: "a", summary: "mine"))
    scene.remote.write(TestItem.make(uid: "a", summary: "theirs"))
    try await scene.sync()
    try await scene.expectUntouched {
      let outcome = try await scene.undoLast()
      #expect(outcome.summary.failed == 1)
    }
    #expect(scene.titles.remote == ["a": "theirs"])
  }

  @Test("Undoing a run that merged part of a conflict loses neither edit that waits")
  func mergedInConflict() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "base"])
    scene.local.write(TestItem.make(uid: "a", summary: "mine"))
    scene.remote.write(TestItem.make(uid: "a", summary: "theirs", location: "mill"))
    try await scene.sync()
    #expect(scene.local.items["a"]?.main?[.location]?.rawValue == "mill")
    try await scene.expectUntouched {
      let outcome = try await scene.undoLast()
      #expect(outcome.summary.failed == 1)
      #expect(outcome.plan.contains("waits for a choice"))
    }
    #expect(scene.titles.local == ["a": "mine"])
    #expect(scene.titles.remote == ["a": "theirs"])
  }

  @Test("Whatever goes wrong while a run is taken back, nothing is doubled and the sides agree")
  func everyCall() async throws {
    let untroubled = try await scene()
    untroubled.faults.restart()
    try await untroubled.undoLast()
    let count = untroubled.faults.calls.count
    #expect(count > 20)
    for index in 0..<count {
      for fault in FaultPlan.Fault.allCases {
        var scene = try await scene()
        scene.faults.restart([index: fault])
        _ = try? await scene.undoLast()
        scene.faults.restart()
        scene.now += 8 * 86_400
        for _ in 1...3 { try await scene.sync() }
        let what: Comment = "\(fault) at call \(index), \(untroubled.faults.calls[index])"
        #expect(scene.titles.local == scene.titles.remote, what)
        #expect(scene.titles.local["new-l"] == "new here", what)
        #expect(scene.titles.local["new-r"] == "new there", what)
        #expect(scene.titles.local["still"] == "base", what)
        // Either the edit or what it replaced, and a deleted item is back or gone; nothing else.
        #expect(["base", "edited here"].contains(scene.titles.local["edit-l"]), what)
        #expect(["base", "edited there"].contains(scene.titles.local["edit-r"]), what)
        #expect(["base", "merged"].contains(scene.titles.local["merge"]), what)
        try await scene.expectRest()
      }
    }
  }

  @Test("Without full access nothing is contacted")
  func writeOnly() async throws {
    var full = try await scene()
    full.tier = .writeOnly
    full.remote.clearLog()
    let scene = full
    await #expect(throws: AccessError.self) { try await scene.undoLast() }
    #expect(scene.remote.log == [])
  }
}
