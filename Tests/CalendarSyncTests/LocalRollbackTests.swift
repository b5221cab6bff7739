// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// A local calendar that is restored from a backup rolls no remote back in silence.
@Suite("A local calendar that was restored from a backup")
struct LocalRollbackTests {
  /// Eight agreed items, a backup, and then three edits, an addition and a deletion.
  private func edited(
    isOneFile: Bool = false
  ) async throws -> (scene: SyncScene, backup: [String: CalendarItem], titles: [String: String]) {
    var scene = SyncScene(quirks: .keepsCursors, isOneFile: isOneFile)
    scene.now = 1_000
    try await scene.agree(
      on: Dictionary(uniqueKeysWithValues: (0..<8).map { ("i\($0)", "old") }))
    let backup = scene.local.items
    scene.now = 2_000
    scene.local.write(TestItem.make(uid: "i0", summary: "new here"))
    scene.remote.write(TestItem.make(uid: "i1", summary: "new there"))
    try await scene.sync()
    scene.now = 3_000
    scene.local.write(TestItem.make(uid: "i2", summary: "new here"))
    scene.local.write(TestItem.make(uid: "added", summary: "added"))
    scene.remote.remove("i3")
    try await scene.sync()
    try await scene.sync()
    scene.now = 4_000
    return (scene, backup, scene.titles.remote)
  }

  /// Gives the local calendar the items of a backup.
  private func restore(_ backup: [String: CalendarItem], in scene: SyncScene) {
    for uid in scene.local.items.keys where backup[uid] == nil { scene.local.remove(uid) }
    for (uid, item) in backup where scene.local.items[uid]?.fingerprint != item.fingerprint {
      scene.local.write(item)
    }
  }

  /// Records a change as a command does that edits a calendar.
  private func record(
    _ action: Intent.Action, _ uid: String, _ item: CalendarItem?, in scene: SyncScene
  ) async throws {
    let now = Instant(secondsSinceEpoch: scene.now)
    let run = try await scene.ledger.beginRun(of: .edits, at: now)
    let intent = Intent(
      uid: UID(uid), action: action, content: item?.serialized(), fingerprint: nil, before: nil,
      href: Href(scene.local.location), etag: nil)
    try await scene.ledger.record([intent], in: run)
    try await scene.ledger.settle([Settlement(uid: UID(uid), change: .forget)], in: run)
    try await scene.ledger.endRun(run, summary: RunSummary(), at: now)
  }

  private func rollback(_ outcome: SyncScene.Outcome) -> Rollback? {
    outcome.objection?.side == .remote ? outcome.rollback : nil
  }

  @Test("The run stops, changes nothing, and says what was lost", arguments: [false, true])
  func stops(isOneFile: Bool) async throws {
    var (scene, backup, _) = try await edited(isOneFile: isOneFile)
    restore(backup, in: scene)
    for size in [500, 1] {
      scene.options.partSize = size
      for isVerifying in [false, true] {
        scene.options.isVerifying = isVerifying
        try await scene.expectUntouched {
          let outcome = try await scene.sync()
          #expect(outcome.summary.stoppedByGuard)
          let found = try #require(rollback(outcome))
          #expect((found.returned, found.missing, found.reappeared) == (3, 1, 1))
          #expect(found.since == Instant(secondsSinceEpoch: 2_000))
          #expect(outcome.verbs == ["skip added", "skip i0", "skip i1", "skip i2", "skip i3"])
        }
      }
    }
  }

  @Test("Edits since the restore, here and there, do not hide it")
  func editedSince() async throws {
    let (scene, backup, _) = try await edited()
    restore(backup, in: scene)
    scene.local.write(TestItem.make(uid: "i0", summary: "later here"))
    scene.remote.write(TestItem.make(uid: "i7", summary: "later there"))
    try await scene.expectUntouched {
      let found = try #require(rollback(await scene.sync()))
      #expect((found.returned, found.missing, found.reappeared) == (2, 1, 1))
    }
  }

  @Test("A backup that was made between an edit and its run is recognized")
  func betweenEditAndRun() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "old", "b": "old", "c": "old", "d": "old"])
    scene.local.write(TestItem.make(uid: "a", summary: "morning"))
    let backup = scene.local.items
    for uid in ["b", "c"] { scene.local.write(TestItem.make(uid: uid, summary: "evening")) }
    for _ in 1...2 { try await scene.sync() }
    restore(backup, in: scene)
    #expect(try await rollback(scene.sync())?.returned == 2)
  }

  @Test("The agreed versions that are put back end the stop")
  func putBack() async throws {
    let (scene, backup, titles) = try await edited()
    let agreed = scene.local.items
    restore(backup, in: scene)
    #expect(try await scene.sync().summary.stoppedByGuard)
    restore(agreed, in: scene)
    try await scene.sync()
    scene.expectBoth(titles)
    try await scene.expectRest()
  }

  @Test("The versions of the local calendar are accepted, and the others stay in the history")
  func accepted() async throws {
    var (scene, backup, _) = try await edited()
    restore(backup, in: scene)
    scene.options.rollback = .accept
    try await scene.sync()
    scene.expectBoth(backup.mapValues { $0.title })
    scene.options.rollback = .stop
    for _ in 1...2 { try await scene.sync() }
    let run = try #require(await scene.ledger.runs(of: "home").first { $0.summary.uploaded > 0 })
    let before = await scene.ledger.journal(of: run.id).compactMap(\.before)
    #expect(before.count == 4)
  }

  // MARK: No alarm

  @Test("A single item that its owner reverts is an edit")
  func reverted() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "A", "b": "B"])
    for title in ["other", "A"] {
      scene.local.write(TestItem.make(uid: "a", summary: title))
      #expect(try await scene.sync().summary.uploaded == 1)
    }
    scene.expectBoth(["a": "A", "b": "B"])
  }

  @Test("Deleted items that are put back are added again")
  func readded() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(
      on: Dictionary(uniqueKeysWithValues: (0..<8).map { ("i\($0)", "old") }))
    let before = scene.local.items
    for uid in ["i0", "i1"] { scene.local.remove(uid) }
    try await scene.sync()
    restore(before, in: scene)
    #expect(try await scene.sync().summary.uploaded == 2)
    scene.expectBoth(before.mapValues { $0.title })
  }

  @Test("Items that return while a later change is still there are edits")
  func refuted() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "A", "b": "B", "c": "C"])
    for uid in ["a", "b", "c"] {
      scene.local.write(TestItem.make(uid: uid, summary: "new"))
      try await scene.sync()
    }
    for (uid, title) in [("a", "A"), ("b", "B")] {
      scene.local.write(TestItem.make(uid: uid, summary: title))
    }
    #expect(try await scene.sync().summary.uploaded == 2)
    scene.expectBoth(["a": "A", "b": "B", "c": "new"])
  }

  @Test("What commands took back since the last run is meant")
  func commands() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "A", "b": "B", "c": "C", "d": "D"])
    for uid in ["a", "b"] { scene.local.write(TestItem.make(uid: uid, summary: "new")) }
    scene.local.remove("c")
    for _ in 1...2 { try await scene.sync() }
    for (uid, title) in [("a", "A"), ("b", "B"), ("c", "C")] {
      let item = TestItem.make(uid: uid, summary: title)
      scene.local.write(item)
      try await record(uid == "c" ? .createLocal : .updateLocal, uid, item, in: scene)
    }
    let outcome = try await scene.sync()
    #expect(!outcome.summary.stoppedByGuard)
    scene.expectBoth(["a": "A", "b": "B", "c": "C", "d": "D"])
  }

  @Test("An edit by a command before the last run excuses nothing")
  func earlierCommands() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "A", "b": "B", "c": "C"])
    for (title, isByCommand) in [("first", true), ("second", false)] {
      for uid in ["a", "b"] {
        let item = TestItem.make(uid: uid, summary: title)
        scene.local.write(item)
        if isByCommand { try await record(.updateLocal, uid, item, in: scene) }
      }
      try await scene.sync()
    }
    for uid in ["a", "b"] { scene.local.write(TestItem.make(uid: uid, summary: "first")) }
    #expect(try await rollback(scene.sync())?.returned == 2)
  }

  @Test("What a program edits back has a later stamp, and is an edit")
  func stamped() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "A", "b": "B", "c": "C"])
    for uid in ["a", "b"] { scene.local.write(TestItem.make(uid: uid, summary: "new")) }
    for _ in 1...2 { try await scene.sync() }
    for (uid, title) in [("a", "A"), ("b", "B")] {
      let text = TestItem.text(uid: uid, summary: title)
      scene.local.write(
        TestItem.parse(text.replacing("DTSTAMP:20260102", with: "DTSTAMP:20260103")))
    }
    #expect(try await scene.sync().summary.uploaded == 2)
    scene.expectBoth(["a": "A", "b": "B", "c": "C"])
  }

  @Test("What both sides went back to is no loss")
  func bothSides() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "A", "b": "B", "c": "C"])
    for uid in ["a", "b"] { scene.local.write(TestItem.make(uid: uid, summary: "new")) }
    for _ in 1...2 { try await scene.sync() }
    for (uid, title) in [("a", "A"), ("b", "B")] {
      scene.local.write(TestItem.make(uid: uid, summary: title))
      scene.remote.write(TestItem.make(uid: uid, summary: title))
    }
    #expect(try await !scene.sync().summary.stoppedByGuard)
    scene.expectBoth(["a": "A", "b": "B", "c": "C"])
  }

  @Test("An undo of a sync is no rollback")
  func undone() async throws {
    var scene = SyncScene(quirks: .keepsCursors)
    scene.options.safeguards.allowed = 9
    try await scene.agree(
      on: Dictionary(uniqueKeysWithValues: (0..<8).map { ("i\($0)", "old") }))
    for uid in ["i0", "i1", "new"] { scene.remote.write(TestItem.make(uid: uid, summary: "new")) }
    for uid in ["i2", "i3"] { scene.local.write(TestItem.make(uid: uid, summary: "new")) }
    scene.remote.remove("i4")
    scene.local.remove("i5")
    try await scene.sync()
    try await scene.undoLast()
    for _ in 1...3 { #expect(try await !scene.sync().summary.stoppedByGuard) }
  }
}
