// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// A remote that is restored from a backup rolls nothing back in silence.
@Suite("A remote that was restored from a backup")
struct RollbackTests {
  private static let kinds: [MemoryRemote.Quirks] = [
    [], .keepsCursors, .noTagAfterWrite, [.keepsCursors, .noTagAfterWrite], .weakTags,
    [.keepsCursors, .countsInCursors], [.keepsCursors, .countsInCursors, .noTagAfterWrite],
  ]

  /// Eight agreed items, a backup, and then three edits, an addition and a deletion.
  private func edited(
    _ quirks: MemoryRemote.Quirks
  ) async throws -> (scene: SyncScene, backup: MemoryRemote.Backup, titles: [String: String]) {
    var scene = SyncScene(quirks: quirks)
    scene.now = 1_000
    try await scene.agree(
      on: Dictionary(uniqueKeysWithValues: (0..<8).map { ("i\($0)", "old") }))
    let backup = scene.remote.backUp()
    scene.now = 2_000
    scene.local.write(TestItem.make(uid: "i0", summary: "new here"))
    scene.remote.write(TestItem.make(uid: "i1", summary: "new there"))
    try await scene.sync()
    scene.now = 3_000
    scene.local.write(TestItem.make(uid: "i2", summary: "new here"))
    scene.local.write(TestItem.make(uid: "added", summary: "added"))
    scene.local.remove("i3")
    try await scene.sync()
    try await scene.sync()
    scene.now = 4_000
    return (scene, backup, scene.titles.local)
  }

  @Test("The run stops, changes nothing, and says what was lost", arguments: kinds)
  func stops(_ quirks: MemoryRemote.Quirks) async throws {
    let (scene, backup, _) = try await edited(quirks)
    scene.remote.restore(backup)
    for _ in 1...3 {
      try await scene.expectUntouched {
        let outcome = try await scene.sync()
        #expect(outcome.summary.stoppedByGuard)
        let found = try #require(outcome.rollback)
        #expect((found.returned, found.missing, found.reappeared) == (3, 1, 1))
        #expect(found.since == Instant(secondsSinceEpoch: 2_000))
        #expect(
          outcome.verbs == ["skip added", "skip i0", "skip i1", "skip i2", "skip i3"])
      }
    }
  }

  @Test(
    "A server that knows the cursor, but not what was sent after it, stops the run",
    arguments: kinds, ["edit", "edits", "edit and addition", "deletion and edit"])
  func onlyUploaded(_ quirks: MemoryRemote.Quirks, _ changes: String) async throws {
    var scene = SyncScene(quirks: quirks)
    try await scene.agree(on: ["i0": "old", "i1": "old", "i2": "old", "i3": "old"])
    try await scene.sync()
    let backup = scene.remote.backUp()
    let others = ["edits": ["i1"], "edit and addition": ["added"]]
    for uid in ["i0"] + (others[changes] ?? []) {
      scene.local.write(TestItem.make(uid: uid, summary: "new here"))
    }
    if changes.contains("deletion") { scene.local.remove("i3") }
    try await scene.sync()
    scene.remote.restore(backup)
    // Without a history, a single item was edited back by its owner.
    guard changes != "edit" || quirks.contains(.keepsCursors) else { return }
    for _ in 1...2 {
      try await scene.expectUntouched {
        let outcome = try await scene.sync()
        #expect(outcome.summary.stoppedByGuard, "\(quirks.rawValue)")
        #expect(try #require(outcome.rollback).returned == (changes == "edits" ? 2 : 1))
      }
    }
    scene.options.rollback = .push
    try await scene.sync()
    scene.expectBoth(scene.titles.local)
  }

  @Test("Edits of others since the restore do not hide it", arguments: kinds)
  func editedSince(_ quirks: MemoryRemote.Quirks) async throws {
    let (scene, backup, _) = try await edited(quirks)
    scene.remote.restore(backup)
    scene.remote.write(TestItem.make(uid: "i0", summary: "later"))
    scene.remote.write(TestItem.make(uid: "later", summary: "later"))
    scene.remote.remove("i7")
    try await scene.expectUntouched {
      let outcome = try await scene.sync()
      let found = try #require(outcome.rollback)
      #expect((found.returned, found.missing, found.reappeared) == (2, 1, 1))
    }
  }

  @Test("The local versions are sent back", arguments: kinds)
  func pushed(_ quirks: MemoryRemote.Quirks) async throws {
    var (scene, backup, titles) = try await edited(quirks)
    scene.remote.restore(backup)
    scene.remote.write(TestItem.make(uid: "later", summary: "later"))
    _ = try await scene.sync()
    scene.options.rollback = .push
    let outcome = try await scene.sync()
    #expect(outcome.summary.uploaded == 4)
    #expect(outcome.summary.deletedRemotely == 1)
    scene.options.rollback = .stop
    titles["later"] = "later"
    for _ in 1...2 { try await scene.sync() }
    scene.expectBoth(titles)
    try await scene.expectRest()
  }

  @Test("The versions of the remote are accepted, and the others stay in the history")
  func accepted() async throws {
    var (scene, backup, _) = try await edited(.keepsCursors)
    scene.remote.restore(backup)
    scene.options.rollback = .accept
    try await scene.sync()
    scene.expectBoth(Dictionary(uniqueKeysWithValues: (0..<8).map { ("i\($0)", "old") }))
    scene.options.rollback = .stop
    try await scene.expectRest()
    let run = try #require(await scene.ledger.runs(of: "home").first { $0.summary.downloaded > 0 })
    let before = await scene.ledger.journal(of: run.id).compactMap(\.before)
    #expect(before.count == 4)
  }

  @Test("The guard counts the items that a push deletes again")
  func guardedPush() async throws {
    var scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(
      on: Dictionary(uniqueKeysWithValues: (0..<8).map { ("i\($0)", "old") }))
    let backup = scene.remote.backUp()
    for uid in ["i0", "i1", "i2"] { scene.local.remove(uid) }
    scene.options.safeguards.allowed = 3
    try await scene.sync()
    scene.options.safeguards.allowed = 0
    scene.remote.restore(backup)
    let outcome = try await scene.sync()
    #expect(outcome.rollback?.reappeared == 3)
    scene.options.rollback = .push
    let stopped = try await scene.sync()
    #expect(stopped.objection?.cause == .push)
    #expect(scene.titles.remote.count == 8)
    scene.options.safeguards.allowed = 3
    try await scene.sync()
    #expect(scene.titles.remote.count == 5)
    scene.options = SyncOptions()
    try await scene.expectRest()
  }

  @Test("A push without a restored remote changes nothing")
  func nothingToPush() async throws {
    var scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "old", "b": "old"])
    scene.remote.write(TestItem.make(uid: "a", summary: "new"))
    scene.options.rollback = .push
    let outcome = try await scene.sync()
    #expect(outcome.summary == RunSummary())
    #expect(scene.titles.remote["a"] == "new")
    #expect(scene.titles.local["a"] == "old")
  }

  @Test("A push sends what somebody deleted on the remote, and no more", arguments: kinds)
  func deletedThere(_ quirks: MemoryRemote.Quirks) async throws {
    var scene = SyncScene(quirks: quirks)
    let titles = Dictionary(uniqueKeysWithValues: (0..<8).map { ("i\($0)", "old") })
    try await scene.agree(on: titles)
    for uid in ["i0", "i1", "i2", "i3", "i4"] { scene.remote.remove(uid) }
    let stopped = try await scene.sync()
    #expect(stopped.objection?.cause == .missing)
    scene.options.rollback = .push
    let outcome = try await scene.sync()
    #expect(outcome.summary.uploaded == 5)
    #expect(outcome.summary.deletedLocally == 0 && outcome.summary.deletedRemotely == 0)
    scene.options.rollback = .stop
    scene.expectBoth(titles)
    try await scene.expectRest()
  }

  @Test("A push deletes nothing here that both sides had from the start", arguments: kinds)
  func matchedAtFirst(_ quirks: MemoryRemote.Quirks) async throws {
    var scene = SyncScene(quirks: quirks)
    var titles: [String: String] = [:]
    for uid in ["old0", "old1", "old2"] {
      titles[uid] = "old"
      let item = TestItem.make(uid: uid, summary: "old")
      scene.local.write(item)
      scene.remote.write(item)
    }
    try await scene.sync()
    for number in 0..<6 {
      titles["i\(number)"] = "new"
      scene.local.write(TestItem.make(uid: "i\(number)", summary: "new"))
    }
    try await scene.sync()
    scene.expectBoth(titles)
    for uid in titles.keys { scene.remote.remove(uid) }
    let stopped = try await scene.sync()
    #expect(stopped.objection != nil)
    scene.options.rollback = .push
    let outcome = try await scene.sync()
    #expect(outcome.summary.deletedLocally == 0)
    scene.options.rollback = .stop
    scene.expectBoth(titles)
    try await scene.expectRest()
  }

  // MARK: No alarm

  @Test("An item that is edited and edited back while the cursor continues is an edit")
  func editedBack() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "A", "b": "B"])
    for title in ["other", "A"] {
      scene.remote.write(TestItem.make(uid: "a", summary: title))
      let outcome = try await scene.sync()
      #expect(outcome.summary.downloaded == 1)
    }
    scene.expectBoth(["a": "A", "b": "B"])
  }

  @Test("An item that its owner reverts on a remote without cursors is an edit")
  func reverted() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "A", "b": "B"])
    for title in ["other", "A"] {
      scene.remote.write(TestItem.make(uid: "a", summary: title))
      try await scene.sync()
    }
    scene.expectBoth(["a": "A", "b": "B"])
  }

  @Test("A remote that refuses cursors did not go back if a later change is still there")
  func refuted() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "A", "b": "B", "c": "C", "d": "D"])
    for (uid, title) in [("a", "A2"), ("b", "B2"), ("c", "C2")] {
      scene.remote.write(TestItem.make(uid: uid, summary: title))
      try await scene.sync()
    }
    scene.remote.write(TestItem.make(uid: "a", summary: "A"))
    scene.remote.write(TestItem.make(uid: "b", summary: "B"))
    scene.remote.forgetCursors()
    let outcome = try await scene.sync()
    #expect(outcome.summary.downloaded == 2)
    scene.expectBoth(["a": "A", "b": "B", "c": "C2", "d": "D"])
  }

  @Test("A remote that refuses cursors did not go back if nothing returned")
  func refusing() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await scene.agree(on: ["a": "A", "b": "B", "c": "C", "d": "D"])
    for number in 1...4 {
      scene.remote.write(TestItem.make(uid: "a", summary: "A\(number)"))
      if number == 3 { scene.remote.remove("b") }
      scene.remote.forgetCursors()
      #expect(try await !scene.sync().summary.stoppedByGuard)
    }
    scene.expectBoth(["a": "A4", "c": "C", "d": "D"])
  }

  @Test("One item is sufficient if the remote refuses the cursor, or reaches it again")
  func single() async throws {
    for quirks in [.keepsCursors, [.keepsCursors, .countsInCursors]] as [MemoryRemote.Quirks] {
      let scene = SyncScene(quirks: quirks)
      try await scene.agree(on: ["a": "A", "b": "B"])
      let backup = scene.remote.backUp()
      scene.local.write(TestItem.make(uid: "a", summary: "new"))
      for _ in 1...2 { try await scene.sync() }
      scene.remote.restore(backup)
      let outcome = try await scene.sync()
      #expect(outcome.rollback?.returned == 1)
      #expect(scene.titles.local["a"] == "new")
    }
  }

  @Test(
    "A write that was not read back, and that the server reduced, is no sign of a restored remote",
    arguments: [.noTagAfterWrite, .weakTags] as [MemoryRemote.Quirks])
  func reducedUnseen(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = SyncScene(quirks: quirks, reductions: .location)
    try await scene.agree(on: ["a": "old", "b": "old"])
    for uid in ["a", "b"] {
      let item = try #require(scene.local.items[uid])
      scene.local.write(RichItem.setting("LOCATION", to: "hall", in: item))
    }
    scene.faults.restart(named: ["fetch a.ics,b.ics": .loseAnswer])
    try await scene.sync()
    #expect(scene.faults.calls.contains("fetch a.ics,b.ics"))
    scene.faults.restart()
    let outcome = try await scene.sync()
    #expect(outcome.rollback == nil)
    let lost = outcome.events.compactMap { event in
      if case .lost(let loss) = event { loss.property } else { nil }
    }
    #expect(lost == ["LOCATION", "LOCATION"])
    #expect(scene.location("a").local == "hall")
  }

  @Test("An undo is no rollback, whatever it leaves on the remote", arguments: kinds)
  func undone(_ quirks: MemoryRemote.Quirks) async throws {
    var scene = SyncScene(quirks: quirks)
    scene.options.safeguards.allowed = 9
    try await scene.agree(
      on: Dictionary(uniqueKeysWithValues: (0..<8).map { ("i\($0)", "old") }))
    for uid in ["i0", "i1", "new0", "new1"] {
      scene.remote.write(TestItem.make(uid: uid, summary: "new"))
    }
    for uid in ["i2", "i3"] { scene.local.write(TestItem.make(uid: uid, summary: "new")) }
    for uid in ["i4", "i5"] { scene.remote.remove(uid) }
    for uid in ["i6", "i7"] { scene.local.remove(uid) }
    try await scene.sync()
    try await scene.undoLast()
    for _ in 1...3 {
      let outcome = try await scene.sync()
      #expect(!outcome.summary.stoppedByGuard)
      #expect(outcome.summary.conflicts == 4)
    }
    #expect(scene.titles.local["new0"] == "new")
  }

  @Test("An undo that was cut short is no sign of a restored remote", arguments: kinds)
  func interruptedUndo(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = SyncScene(quirks: quirks)
    try await scene.agree(on: ["a": "old", "b": "old", "c": "old"])
    for uid in ["a", "b"] { scene.local.write(TestItem.make(uid: uid, summary: "new")) }
    try await scene.sync()
    try await scene.sync()
    scene.faults.restart(named: ["update b": .crashAfter])
    await #expect(throws: FaultPlan.Crash.self) { try await scene.undoLast() }
    scene.faults.restart()
    #expect(scene.titles.remote == ["a": "old", "b": "old", "c": "old"])
    #expect(try await !scene.ledger.pendingIntents(of: scene.binding).isEmpty)
    #expect(try await scene.sync().rollback == nil)
    try await scene.sync()
    #expect(scene.titles.local == scene.titles.remote)
    try await scene.expectRest()
  }

  @Test("A deletion of the remote that is back is noticed, although its cursor is the same again")
  func deletionThere() async throws {
    let scene = SyncScene(quirks: [.keepsCursors, .countsInCursors])
    try await scene.agree(
      on: Dictionary(uniqueKeysWithValues: (0..<8).map { ("i\($0)", "old") }))
    let backup = scene.remote.backUp()
    scene.remote.remove("i0")
    for _ in 1...2 { try await scene.sync() }
    scene.remote.restore(backup)
    let outcome = try await scene.sync()
    #expect(outcome.rollback?.reappeared == 1)
  }

  @Test("A probe is the only further request where nothing changed, and none is sent to others")
  func probed() async throws {
    for (quirks, log) in [
      (.keepsCursors, ["open calendar", "changes"]),
      ([.keepsCursors, .countsInCursors], ["open calendar", "changes", "probe"]),
    ] as [(MemoryRemote.Quirks, [String])] {
      let scene = SyncScene(quirks: quirks)
      try await scene.agree(on: ["a": "A", "b": "B"])
      scene.local.remove("b")
      for _ in 1...2 { try await scene.sync() }
      scene.remote.clearLog()
      try await scene.sync()
      #expect(scene.remote.log == log)
    }
  }

  @Test("An addition that is deleted before it was listed is a deletion, although it was probed")
  func deletedAddition() async throws {
    let scene = SyncScene(quirks: [.keepsCursors, .countsInCursors])
    try await scene.agree(on: ["a": "A", "b": "B"])
    scene.local.write(TestItem.make(uid: "new", summary: "new"))
    try await scene.sync()
    scene.remote.remove("new")
    try await scene.sync()
    scene.expectBoth(["a": "A", "b": "B"])
  }

  @Test("An item that is deleted again after the restore hides nothing else")
  func deletedAgain() async throws {
    let (scene, backup, _) = try await edited(.keepsCursors)
    scene.remote.restore(backup)
    scene.remote.remove("i3")
    let outcome = try await scene.sync()
    #expect(outcome.rollback?.count == 4)
  }

  @Test("An item that is deleted since the restore supports a wrong time beside the right one")
  func deletedSince() async throws {
    var scene = SyncScene(quirks: .keepsCursors)
    scene.options.safeguards.allowed = 3
    try await scene.agree(on: ["i0": "old", "i1": "old", "i2": "old"])
    let backup = scene.remote.backUp()
    scene.local.write(TestItem.make(uid: "i0", summary: "new"))
    scene.local.remove("i2")
    try await scene.sync()
    scene.local.write(TestItem.make(uid: "i2", summary: "new"))
    scene.remote.write(TestItem.make(uid: "i1", summary: "new"))
    try await scene.sync()
    try await scene.sync()
    scene.remote.restore(backup)
    scene.remote.remove("i2")
    let outcome = try await scene.sync()
    let found = try #require(outcome.rollback)
    #expect((found.returned, found.missing) == (2, 1))
    scene.options.rollback = .push
    for _ in 1...2 { try await scene.sync() }
    scene.expectBoth(["i0": "new", "i1": "new", "i2": "new"])
  }

  @Test("A run that compares contents asks whether the remote knows the cursor")
  func verifying() async throws {
    for isRestored in [false, true] {
      var scene = SyncScene(quirks: .keepsCursors)
      try await scene.agree(on: ["a": "A", "b": "B"])
      let backup = scene.remote.backUp()
      scene.local.write(TestItem.make(uid: "a", summary: "new"))
      for _ in 1...2 { try await scene.sync() }
      if isRestored {
        scene.remote.restore(backup)
      } else {
        scene.remote.write(TestItem.make(uid: "a", summary: "A"))
      }
      scene.options.isVerifying = true
      #expect(try await scene.sync().summary.stoppedByGuard == isRestored)
    }
  }

  @Test("A run in parts stops before its first change", arguments: [1, 2])
  func parts(_ size: Int) async throws {
    var (scene, backup, titles) = try await edited(.keepsCursors)
    scene.options.partSize = size
    scene.remote.restore(backup)
    try await scene.expectUntouched {
      let outcome = try await scene.sync()
      #expect(outcome.rollback?.count == 5)
    }
    scene.options.rollback = .push
    try await scene.sync()
    scene.options.rollback = .stop
    for _ in 1...2 { try await scene.sync() }
    scene.expectBoth(titles)
  }

  @Test("Versions that an undo restored are edits for the other machines of a folder")
  func undoneElsewhere() async throws {
    func item(_ uid: String, _ title: String, _ stamp: String) -> CalendarItem {
      TestItem.parse(
        TestItem.text(uid: uid, summary: title).replacing(
          "SEQUENCE:", with: "LAST-MODIFIED:\(stamp)\r\nSEQUENCE:"))
    }
    var here = SyncScene()
    // The history of the commands knows the undo.
    here.options.rollback = .accept
    let there = SyncScene(
      "away", faults: here.faults, local: MemoryLocalCalendar(faults: here.faults),
      remote: here.remote, ledger: MemoryLedger(faults: here.faults))
    func sync() async throws {
      for scene in [here, there, here] {
        let outcome = try await scene.sync()
        #expect(!outcome.summary.stoppedByGuard)
      }
    }
    for uid in ["a", "b"] { here.local.write(item(uid, "old", "20260101T000000Z")) }
    try await sync()
    for uid in ["a", "b"] { here.local.write(item(uid, "new", "20260201T000000Z")) }
    try await sync()
    #expect(there.titles.local == ["a": "new", "b": "new"])
    for uid in ["a", "b"] { here.local.write(item(uid, "old", "20260101T000000Z")) }
    try await sync()
    #expect(there.titles.local == ["a": "old", "b": "old"])
    #expect(here.local.items["a"]?.main?[.lastModified]?.rawValue == "20260101T000000Z")
    #expect(here.remote.items["a"]?.main?[.lastModified]?.rawValue == "20260201T000001Z")
    // A backup has the earlier times.
    let scene = SyncScene()
    for uid in ["a", "b"] { scene.local.write(item(uid, "old", "20260101T000000Z")) }
    try await scene.sync()
    let backup = scene.remote.backUp()
    for uid in ["a", "b"] { scene.local.write(item(uid, "new", "20260201T000000Z")) }
    for _ in 1...2 { try await scene.sync() }
    scene.remote.restore(backup)
    #expect(try await scene.sync().summary.stoppedByGuard)
  }
}
