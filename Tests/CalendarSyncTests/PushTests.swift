// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// A sync that pushes: the local calendar decides, and nothing is written here.
@Suite("A sync that pushes")
struct PushTests {
  private var scene = SyncScene()

  init() { scene.options.direction = .push }

  private static func item(_ uid: String, _ summary: String) -> CalendarItem {
    TestItem.make(uid: uid, summary: summary)
  }

  /// Writes items here and pushes them.
  private func pushed(_ items: [String: String]) async throws {
    for (uid, summary) in items { scene.local.write(Self.item(uid, summary)) }
    try await scene.sync()
    try await scene.sync()
    #expect(scene.titles.remote.filter { items[$0.key] != nil } == items)
    scene.remote.clearLog()
  }

  @Test("An edit there is overwritten, is in the history, and an undo sends it again")
  func edit() async throws {
    try await pushed(["a": "1", "b": "2"])
    let theirs = Self.item("a", "theirs")
    scene.remote.write(theirs)
    let before = scene.local.contents
    let outcome = try await scene.sync()
    scene.expectBoth(["a": "1", "b": "2"])
    #expect(outcome.verbs == ["update-remote a"])
    let run = try #require(await scene.ledger.runs(of: scene.name).first)
    #expect(await scene.ledger.journal(of: run.id).map(\.before) == [theirs.serialized()])
    try await scene.expectRest()
    try await scene.undo(run)
    #expect(scene.titles.remote == ["a": "theirs", "b": "2"])
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [])
    try await scene.sync()
    #expect(scene.titles.remote == ["a": "1", "b": "2"])
    #expect(scene.local.contents == before)
  }

  @Test("Deletions there are reverted, and deletions here are sent, with the edits there")
  func deletions() async throws {
    try await pushed(["a": "1", "b": "2", "c": "3", "d": "4"])
    scene.remote.remove("a")
    scene.local.remove("b")
    scene.local.remove("c")
    scene.remote.write(Self.item("c", "theirs"))
    let outcome = try await scene.sync()
    scene.expectBoth(["a": "1", "d": "4"])
    #expect(outcome.verbs == ["create-remote a", "delete-remote b", "delete-remote c"])
    let run = try #require(await scene.ledger.runs(of: scene.name).first)
    let kept = await scene.ledger.journal(of: run.id).compactMap(\.before)
    #expect(kept.contains(Self.item("c", "theirs").serialized()))
    // The undo restores the remote alone.
    try await scene.undo(run)
    #expect(scene.titles.remote == ["b": "2", "c": "theirs", "d": "4"])
    #expect(scene.titles.local == ["a": "1", "d": "4"])
  }

  @Test("What this sync did not send is never deleted there, and is not downloaded")
  func others() async throws {
    for quirks in [MemoryRemote.Quirks(), .keepsCursors] {
      var scene = SyncScene(quirks: quirks)
      scene.options.direction = .push
      scene.remote.write(Self.item("theirs", "1"))
      scene.remote.write(Self.item("shared", "1"))
      for uid in ["own", "other", "shared"] { scene.local.write(Self.item(uid, "1")) }
      #expect(try await scene.sync().verbs.contains("skip theirs"))
      for _ in 1...2 {
        scene.remote.clearLog()
        #expect(try await scene.sync().verbs == [])
        #expect(!scene.remote.log.contains { $0.hasPrefix("fetch") }, "it is fetched once")
      }
      for uid in ["own", "shared"] { scene.local.remove(uid) }
      try await scene.sync()
      try await scene.sync()
      #expect(scene.titles.remote == ["theirs": "1", "shared": "1", "other": "1"])
      #expect(scene.titles.local == ["other": "1"])
      // A shared item is the sync's own after it was written there.
      scene.local.write(Self.item("shared", "2"))
      try await scene.sync()
      scene.remote.write(Self.item("shared", "3"))
      scene.options.isVerifying = true
      for _ in 1...3 { try await scene.sync() }
      #expect(scene.titles.remote["shared"] == "2")
      scene.local.remove("shared")
      try await scene.sync()
      #expect(scene.titles.remote == ["theirs": "1", "other": "1"])
    }
  }

  @Test("An item of others after a deletion that was cut off is not deleted")
  func othersAfterDeletion() async throws {
    try await pushed(["a": "1", "b": "2"])
    scene.local.remove("a")
    try await scene.crash(after: "delete a.ics")
    scene.remote.write(Self.item("a", "theirs"))
    for _ in 1...2 { try await scene.sync() }
    #expect(scene.titles.remote == ["a": "theirs", "b": "2"])
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [])
  }

  @Test("An item of others at the place of an addition that was cut off is not deleted")
  func othersAfterCutOff() async throws {
    scene.local.write(Self.item("a", "1"))
    try await scene.crash(before: "create a")
    scene.local.remove("a")
    scene.remote.write(Self.item("a", "theirs"))
    for _ in 1...2 { try await scene.sync() }
    #expect(scene.titles.remote == ["a": "theirs"])
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [])
  }

  @Test("A sync that copies in both directions again gets what it left on the remote")
  func bothAgain() async throws {
    for quirks in [MemoryRemote.Quirks(), .keepsCursors] {
      var scene = SyncScene(quirks: quirks)
      scene.options.direction = .push
      scene.local.write(Self.item("a", "1"))
      scene.remote.write(Self.item("b", "2"))
      for _ in 1...3 { try await scene.sync() }
      scene.options.direction = .both
      try await scene.sync()
      scene.expectBoth(["a": "1", "b": "2"])
      try await scene.expectRest()
    }
  }

  @Test("A remote that was restored from a backup gets the local versions, a local calendar stops")
  func restored() async throws {
    try await pushed(["a": "1", "b": "1", "c": "1", "d": "1"])
    let before = scene.local.contents
    for uid in ["a", "b"] { scene.local.write(Self.item(uid, "2")) }
    try await scene.sync()
    for uid in ["a", "b"] { scene.remote.write(Self.item(uid, "1")) }
    #expect(try await !scene.sync().summary.stoppedByGuard)
    scene.expectBoth(["a": "2", "b": "2", "c": "1", "d": "1"])
    for (name, bytes) in before { scene.local.write(bytes, as: name) }
    try await scene.expectUntouched {
      let outcome = try await scene.sync()
      #expect(outcome.rollback?.returned == 2)
    }
  }

  @Test("Without an ETag, an edit there is not overwritten")
  func withoutTag() async throws {
    var scene = SyncScene(quirks: .noTags)
    scene.options.direction = .push
    scene.local.write(Self.item("a", "1"))
    scene.remote.write(Self.item("a", "2"))
    let outcome = try await scene.sync()
    #expect(outcome.summary.failed == 1)
    #expect(scene.titles.remote == ["a": "2"])
  }

  @Test("Whatever goes wrong at whichever call, clean runs end with the state of this side")
  func everyCall() async throws {
    func begun() async throws -> SyncScene {
      let test = PushTests()
      test.scene.remote.write(Self.item("theirs", "1"))
      try await test.pushed(["a": "1", "b": "2", "c": "3", "d": "4", "e": "5"])
      let scene = test.scene
      scene.remote.write(Self.item("a", "theirs"))
      scene.remote.remove("b")
      scene.local.remove("c")
      scene.remote.write(Self.item("c", "theirs"))
      scene.local.write(Self.item("d", "mine"))
      scene.local.write(Self.item("new", "mine"))
      scene.faults.restart()
      return scene
    }
    let untroubled = try await begun()
    try await untroubled.sync()
    let count = untroubled.faults.calls.count
    for fault in FaultPlan.Fault.allCases {
      for index in 0..<count {
        let scene = try await begun()
        let before = scene.local.contents
        scene.faults.restart([index: fault])
        _ = try? await scene.sync()
        scene.faults.restart()
        for _ in 1...2 { try await scene.sync() }
        let end = ["a": "1", "b": "2", "d": "mine", "e": "5", "new": "mine"]
        #expect(
          scene.titles.remote == end.merging(["theirs": "1"]) { $1 }, "\(fault) at \(index)")
        #expect(scene.local.contents == before, "\(fault) at \(index)")
        #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [])
        var kept: [[UInt8]] = []
        for run in await scene.ledger.runs(of: scene.name) {
          kept += await scene.ledger.journal(of: run.id).compactMap(\.before)
        }
        for uid in ["a", "c"] {
          #expect(kept.contains(Self.item(uid, "theirs").serialized()), "\(fault) at \(index)")
        }
      }
    }
  }
}
