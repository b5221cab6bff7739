// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

@Suite("A sync that is cut off")
struct CrashTests {
  /// Creations, edits, deletions both ways, an edit against a deletion both ways, a merge and a
  /// conflict.
  private func scene(_ quirks: MemoryRemote.Quirks) async throws -> SyncScene {
    var scene = SyncScene(quirks: quirks)
    scene.options.safeguards.deletions = 4
    let uids = [
      "edit-l", "edit-r", "del-l", "del-r", "del-edit", "edit-del", "both", "same", "merge",
      "split", "x", "y",
    ]
    try await scene.agree(on: Dictionary(uniqueKeysWithValues: uids.map { ($0, "base") }))
    scene.local.write(TestItem.make(uid: "new-l", summary: "new here"))
    scene.remote.write(TestItem.make(uid: "new-r", summary: "new there"))
    scene.local.write(TestItem.make(uid: "edit-l", summary: "edited here"))
    scene.remote.write(TestItem.make(uid: "edit-r", summary: "edited there"))
    scene.local.remove("del-l")
    scene.remote.remove("del-r")
    scene.local.remove("del-edit")
    scene.remote.write(TestItem.make(uid: "del-edit", summary: "outlives"))
    scene.local.write(TestItem.make(uid: "edit-del", summary: "outlives"))
    scene.remote.remove("edit-del")
    scene.local.write(TestItem.make(uid: "both", summary: "mine"))
    scene.remote.write(TestItem.make(uid: "both", summary: "theirs"))
    scene.local.write(TestItem.make(uid: "same", summary: "alike"))
    scene.remote.write(TestItem.make(uid: "same", summary: "alike"))
    scene.local.write(TestItem.make(uid: "merge", summary: "merged"))
    scene.remote.write(TestItem.make(uid: "merge", summary: "base", location: "there"))
    scene.local.write(Self.split("mine", "CONTACT:here"))
    scene.remote.write(Self.split("theirs", "LOCATION:there"))
    return scene
  }

  /// An item of which the summary is in conflict, and another property is not.
  private static func split(_ summary: String, _ lines: String...) -> CalendarItem {
    TestItem.parse(
      TestItem.text(uid: "split", summary: summary).replacing(
        "SEQUENCE:0\r\n", with: lines.map { $0 + "\r\n" }.joined() + "SEQUENCE:0\r\n"))
  }

  private static let end = [
    "new-l": "new here", "new-r": "new there", "edit-l": "edited here", "edit-r": "edited there",
    "del-edit": "outlives", "edit-del": "outlives", "same": "alike",
    "merge": "merged", "x": "base", "y": "base",
  ]

  @Test(
    "Whatever goes wrong at whichever call, clean runs end where one without faults does",
    arguments: [MemoryRemote.Quirks(), .noTagAfterWrite, .churnsTags, .keepsCursors])
  func everyCall(_ quirks: MemoryRemote.Quirks) async throws {
    let untroubled = try await scene(quirks)
    untroubled.faults.restart()
    try await untroubled.sync()
    let count = untroubled.faults.calls.count
    #expect(count >= 30)
    for (kind, fault) in FaultPlan.Fault.allCases.enumerated() {
      for index in sampled(0..<count, from: kind) {
        let scene = try await scene(quirks)
        scene.faults.restart([index: fault])
        _ = try? await scene.sync()
        let call =
          scene.faults.calls.indices.contains(index) ? scene.faults.calls[index] : "nothing"
        scene.faults.restart()
        try await expectEnd(of: scene, "\(fault) at call \(index), \(call)", quirks)
      }
    }
  }

  @Test("Two runs that are cut off one after the other end there, too")
  func twice() async throws {
    for round in 0..<40 * iterationFactor {
      var random = SeededGenerator(seed: UInt64(round))
      let scene = try await scene([])
      let indices = [
        Int.random(in: 4..<40, using: &random), Int.random(in: 4..<40, using: &random),
      ]
      for index in indices {
        let fault = FaultPlan.Fault.allCases.randomElement(using: &random) ?? .fail
        scene.faults.restart([index: fault])
        _ = try? await scene.sync()
      }
      scene.faults.restart()
      try await expectEnd(of: scene, "round \(round), calls \(indices)", [])
    }
  }

  private func expectEnd(
    of scene: SyncScene, _ what: String, _ quirks: MemoryRemote.Quirks
  ) async throws {
    var scene = scene
    // Whatever failed twice is held back for a while.
    scene.now += 8 * 86_400
    for _ in 1...3 { try await scene.sync() }
    let titles = scene.titles
    let mine = ["both": "mine", "split": "mine"]
    let theirs = ["both": "theirs", "split": "theirs"]
    #expect(titles.local == Self.end.merging(mine) { $1 }, "\(what)")
    #expect(titles.remote == Self.end.merging(theirs) { $1 }, "\(what)")
    for items in [scene.local.items, scene.remote.items] {
      #expect(items["merge"]?.main?[.location]?.text == "there", "\(what)")
      #expect(items["split"]?.main?[.location]?.text == "there", "\(what)")
      #expect(items["split"]?.main?["CONTACT"]?.text == "here", "\(what)")
    }
    let conflicts = try await scene.ledger.conflicts(of: scene.binding)
    #expect(conflicts.map(\.uid) == [UID("both"), UID("split")], "\(what)")
    #expect(conflicts.first?.local == TestItem.make(uid: "both", summary: "mine").serialized())
    #expect(conflicts.first?.remote == TestItem.make(uid: "both", summary: "theirs").serialized())
    #expect(conflicts.last?.local == scene.local.items["split"]?.serialized(), "\(what)")
    #expect(conflicts.last?.remote == scene.remote.items["split"]?.serialized(), "\(what)")
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [], "\(what)")
    let before = (scene.local.contents, scene.remote.contents)
    scene.remote.clearLog()
    try await scene.sync()
    #expect(scene.remote.writes == [], "\(what)")
    #expect(scene.local.contents == before.0, "\(what)")
    #expect(scene.remote.contents == before.1, "\(what)")
  }
}
