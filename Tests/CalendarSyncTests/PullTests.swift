// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// A sync that pulls: the remote decides, and no request that writes is sent.
@Suite("A sync that pulls")
struct PullTests {
  private var scene = SyncScene()

  init() { scene.options.direction = .pull }

  private static func item(_ uid: String, _ summary: String) -> CalendarItem {
    TestItem.make(uid: uid, summary: summary)
  }

  /// Puts items on the remote, pulls them, and forgets the calls.
  private func pulled(_ items: [String: String]) async throws {
    for (uid, summary) in items { scene.remote.write(Self.item(uid, summary)) }
    try await scene.sync()
    try await scene.sync()
    scene.expectBoth(items)
    #expect(scene.remote.writes == [])
  }

  /// The lines of the last run.
  private func lastLines() async -> [JournalLine] {
    guard let run = await scene.ledger.runs(of: scene.name).first else { return [] }
    return await scene.ledger.journal(of: run.id)
  }

  @Test("An edit here is put back, is in the history, and an undo writes it into the file again")
  func edit() async throws {
    try await pulled(["a": "1", "b": "2"])
    let edit = Self.item("a", "mine")
    scene.local.write(edit)
    let outcome = try await scene.sync()
    scene.expectBoth(["a": "1", "b": "2"])
    #expect(outcome.summary.downloaded == 1)
    #expect(outcome.summary.failed == 0)
    #expect(await lastLines().map(\.before) == [edit.serialized()])
    try await scene.expectRest()
    let undone = try await scene.undoLast()
    #expect(undone.summary.conflicts == 0)
    #expect(scene.titles.local == ["a": "mine", "b": "2"])
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [])
    try await scene.sync()
    scene.expectBoth(["a": "1", "b": "2"])
    #expect(scene.remote.writes == [])
  }

  @Test("A deletion here is reverted, and that of an edited item there is carried out")
  func deletions() async throws {
    try await pulled(["a": "1", "b": "2", "c": "3", "d": "4"])
    scene.local.remove("a")
    scene.local.write(Self.item("b", "mine"))
    scene.remote.remove("b")
    let outcome = try await scene.sync()
    scene.expectBoth(["a": "1", "c": "3", "d": "4"])
    #expect(outcome.verbs == ["create-local a", "delete-local b"])
    #expect(await lastLines().compactMap(\.before) == [Self.item("b", "mine").serialized()])
    try await scene.expectRest()
    // The undo restores the file alone, which then is an item of this side only.
    try await scene.undoLast()
    #expect(scene.titles.local["b"] == "mine")
    #expect(try await scene.sync().verbs == ["create-local a", "skip b"])
    #expect(scene.titles.remote == ["a": "1", "c": "3", "d": "4"])
    #expect(scene.remote.writes == [])
  }

  @Test("An item of this side alone stays, is reported, and gives way to one of its UID")
  func onlyHere() async throws {
    try await pulled(["a": "1"])
    let own = Self.item("own", "mine")
    scene.local.write(own)
    for _ in 1...3 {
      let outcome = try await scene.sync()
      #expect(outcome.verbs == ["skip own"])
      #expect(outcome.summary == RunSummary())
      #expect(scene.titles.local == ["a": "1", "own": "mine"])
    }
    #expect(scene.titles.remote == ["a": "1"])
    scene.remote.write(Self.item("own", "theirs"))
    try await scene.sync()
    scene.expectBoth(["a": "1", "own": "theirs"])
    #expect(await lastLines().map(\.before) == [own.serialized()])
    #expect(scene.remote.writes == [])
    try await scene.expectRest()
  }

  @Test("The guard counts deletions of edited items, too")
  func guardCounts() async throws {
    let uids = (1...8).map { "i\($0)" }
    try await pulled(Dictionary(uniqueKeysWithValues: uids.map { ($0, "1") }))
    for uid in uids.prefix(4) {
      scene.local.write(Self.item(uid, "mine"))
      scene.remote.remove(uid)
    }
    try await scene.expectUntouched {
      let outcome = try await scene.sync()
      #expect(outcome.summary.stoppedByGuard)
      #expect(outcome.objection?.deletions == 4)
      #expect(outcome.objection?.side == .local)
    }
  }

  @Test("A remote that was restored from a backup stops the run, and a local calendar does not")
  func restored() async throws {
    try await pulled(["a": "1", "b": "1", "c": "1", "d": "1"])
    let before = scene.local.contents
    for uid in ["a", "b"] { scene.remote.write(Self.item(uid, "2")) }
    try await scene.sync()
    for (name, bytes) in before { scene.local.write(bytes, as: name) }
    let outcome = try await scene.sync()
    #expect(!outcome.summary.stoppedByGuard)
    scene.expectBoth(["a": "2", "b": "2", "c": "1", "d": "1"])
    scene.remote.remove("c")
    for uid in ["a", "b"] { scene.remote.write(Self.item(uid, "1")) }
    try await scene.expectUntouched {
      let outcome = try await scene.sync()
      #expect(outcome.rollback?.returned == 2)
    }
  }

  @Test("Neither write-only access nor the restoration of the remote is possible")
  func refusals() async throws {
    var writeOnly = scene
    writeOnly.tier = .writeOnly
    await #expect(throws: AccessError.pullNeedsFull) { try await writeOnly.sync() }
    var pushing = scene
    pushing.options.rollback = .push
    await #expect(throws: AccessError.pullRestoresNothing) { try await pushing.sync() }
    #expect(scene.remote.log == [])
  }

  @Test("Conflicts of earlier runs end with the version of the remote")
  func conflicts() async throws {
    var both = scene
    both.options.direction = .both
    try await both.agree(on: ["a": "1", "b": "2"])
    both.local.write(Self.item("a", "mine"))
    both.remote.write(Self.item("a", "theirs"))
    try await both.sync()
    #expect(try await both.ledger.conflicts(of: both.binding).count == 1)
    scene.remote.clearLog()
    let outcome = try await scene.sync()
    #expect(outcome.summary.conflicts == 0)
    scene.expectBoth(["a": "theirs", "b": "2"])
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [])
    #expect(scene.remote.writes == [])
  }

  @Test("Additions that were cut off before the sync pulled are not repeated")
  func cutOff() async throws {
    var both = scene
    both.options.direction = .both
    both.local.write(Self.item("a", "mine"))
    try await both.crash(before: "create a")
    scene.remote.clearLog()
    try await scene.sync()
    #expect(try await scene.sync().verbs == ["skip a"])
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [])
    #expect(scene.titles.local == ["a": "mine"])
    #expect(scene.remote.writes == [])
  }

  @Test("A dry run writes nothing, and plans what a run does")
  func dryRun() async throws {
    try await pulled(["a": "1", "b": "2"])
    scene.local.write(Self.item("a", "mine"))
    try await scene.expectUntouched {
      let plan = try await scene.plan()
      #expect(plan.description == #"update-local "1" (a): overruled-edit-local"#)
    }
  }

  @Test("Whatever goes wrong at whichever call, clean runs end with the state of the remote")
  func everyCall() async throws {
    func begun() async throws -> SyncScene {
      let test = PullTests()
      try await test.pulled(["a": "1", "b": "2", "c": "3", "d": "4", "e": "5"])
      let scene = test.scene
      scene.local.write(Self.item("a", "mine"))
      scene.local.remove("b")
      scene.local.write(Self.item("c", "mine"))
      scene.remote.remove("c")
      scene.remote.write(Self.item("d", "theirs"))
      scene.remote.write(Self.item("new", "theirs"))
      scene.local.write(Self.item("own", "mine"))
      scene.faults.restart()
      return scene
    }
    let untroubled = try await begun()
    try await untroubled.sync()
    let count = untroubled.faults.calls.count
    for fault in FaultPlan.Fault.allCases {
      for index in 0..<count {
        let scene = try await begun()
        scene.faults.restart([index: fault])
        _ = try? await scene.sync()
        scene.faults.restart()
        try await scene.sync()
        let end = ["a": "1", "b": "2", "d": "theirs", "e": "5", "new": "theirs"]
        #expect(scene.titles.remote == end, "\(fault) at \(index)")
        #expect(
          scene.titles.local == end.merging(["own": "mine"]) { $1 }, "\(fault) at \(index)")
        #expect(scene.remote.writes == [], "\(fault) at \(index)")
        #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [])
        var kept: [[UInt8]] = []
        for run in await scene.ledger.runs(of: scene.name) {
          kept += await scene.ledger.journal(of: run.id).compactMap(\.before)
        }
        for uid in ["a", "c"] {
          #expect(kept.contains(Self.item(uid, "mine").serialized()), "\(fault) at \(index)")
        }
      }
    }
  }

  @Test("An item outside of the window is neither deleted nor reported")
  mutating func window() async throws {
    scene.now = 1_772_366_400
    try await pulled(["a": "1", "b": "2"])
    scene.options.filter.past = 20
    try await scene.sync()
    scene.now += 100 * 86_400
    scene.remote.remove("a")
    try await scene.sync()
    #expect(scene.titles.local == ["a": "1", "b": "2"])
    #expect(try await scene.sync().verbs == [])
    #expect(scene.remote.writes == [])
  }

  @Test("What the server did not store of an earlier upload stays here, until it is edited there")
  func losses() async throws {
    var both = SyncScene(quirks: .dropsUnknown)
    let item = TestItem.parse(
      TestItem.text(uid: "a").replacing("SEQUENCE", with: "X-MINE:kept\r\nSEQUENCE"))
    both.local.write(item)
    try await both.sync()
    both.options.isVerifying = true
    both.options.direction = .pull
    both.remote.clearLog()
    try await both.sync()
    #expect(both.local.items["a"] == item)
    both.local.write(Self.item("a", "mine"))
    try await both.sync()
    #expect(both.local.items["a"]?.fingerprint == item.fingerprint)
    try await both.expectRest()
  }

  @Test("The order of items in one file and the parts of a run do not matter")
  func parts() async throws {
    for isOneFile in [false, true] {
      var scene = SyncScene(isOneFile: isOneFile)
      scene.options.direction = .pull
      scene.options.partSize = 2
      scene.options.batchSize = 1
      let uids = (1...9).map { "i\($0)" }
      for uid in uids { scene.remote.write(Self.item(uid, "1")) }
      try await scene.sync()
      for uid in uids.prefix(3) { scene.local.write(Self.item(uid, "mine")) }
      for uid in uids.suffix(3) { scene.local.remove(uid) }
      scene.remote.remove("i1")
      scene.remote.write(Self.item("i2", "2"))
      scene.local.write(Self.item("own", "mine"))
      try await scene.sync()
      var end = Dictionary(uniqueKeysWithValues: uids.dropFirst().map { ($0, "1") })
      end["i2"] = "2"
      #expect(scene.titles.remote == end)
      #expect(scene.titles.local == end.merging(["own": "mine"]) { $1 })
      #expect(scene.remote.writes == [])
    }
  }
}

/// Copies: items that were edited here do not follow the remote any more.
@Suite("A sync that pulls and releases edited items")
struct ReleaseTests {
  private var scene = SyncScene()

  init() { (scene.options.direction, scene.options.edits) = (.pull, .release) }

  private static func item(_ uid: String, _ summary: String) -> CalendarItem {
    TestItem.make(uid: uid, summary: summary)
  }

  @Test("An edited or deleted item stays so, whatever the remote does, until the edit is reverted")
  func released() async throws {
    for uid in ["a", "b", "c", "d"] { scene.remote.write(Self.item(uid, "1")) }
    try await scene.sync()
    scene.local.write(Self.item("a", "mine"))
    scene.local.remove("b")
    scene.local.write(Self.item("c", "mine"))
    for title in ["1", "2", "3"] {
      for uid in ["a", "b"] { scene.remote.write(Self.item(uid, title)) }
      if title == "3" { scene.remote.remove("c") }
      for _ in 1...2 {
        let outcome = try await scene.sync()
        #expect(outcome.summary == RunSummary())
        #expect(scene.titles.local == ["a": "mine", "c": "mine", "d": "1"])
      }
    }
    // The version on which both sides agreed last makes the item follow again.
    scene.local.write(Self.item("a", "1"))
    scene.local.write(Self.item("b", "1"))
    try await scene.sync()
    #expect(scene.titles.local == ["a": "3", "b": "3", "c": "mine", "d": "1"])
    #expect(scene.remote.writes == [])
    // What is gone on the remote is an item of this side now.
    let places = try await scene.ledger.places(of: scene.binding)
    #expect(Set(places.map(\.uid.rawValue)) == ["a", "b", "d"])
    scene.remote.write(Self.item("c", "again"))
    #expect(try await scene.sync().verbs == ["skip c"])
    #expect(scene.titles.local["c"] == "mine")
  }

  @Test("An item that was not written here is left alone, even if both sides are alike")
  func foreign() async throws {
    for edits in [PulledEdits.release, .restoreOwn] {
      var scene = SyncScene()
      (scene.options.direction, scene.options.edits) = (.pull, edits)
      for uid in ["a", "b"] { scene.local.write(Self.item(uid, "1")) }
      scene.remote.write(Self.item("a", "1"))
      scene.remote.write(Self.item("b", "2"))
      for title in ["3", "4"] {
        #expect(try await scene.sync().verbs == ["skip a", "skip b"])
        scene.remote.write(Self.item("a", title))
      }
      for uid in ["a", "b"] { scene.remote.remove(uid) }
      try await scene.sync()
      #expect(scene.titles.local == ["a": "1", "b": "1"])
    }
  }

  @Test("A copy that was cut off is one of the sync's own")
  func cutOff() async throws {
    scene.remote.write(Self.item("a", "1"))
    scene.remote.write(Self.item("b", "1"))
    try await scene.crash(before: "settle a,b")
    scene.remote.write(Self.item("a", "2"))
    scene.local.write(Self.item("b", "mine"))
    try await scene.sync()
    #expect(scene.titles.local == ["a": "2", "b": "mine"])
    #expect(try await scene.ledger.pendingIntents(of: scene.binding) == [])
  }
}
