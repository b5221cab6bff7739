// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

@Suite("A run in several parts")
struct PartsTests {
  private func scene(_ quirks: MemoryRemote.Quirks = []) -> SyncScene {
    var scene = SyncScene(quirks: quirks)
    scene.options.partSize = 3
    scene.options.batchSize = 2
    scene.options.requestBatchSize = 2
    return scene
  }

  private static let titles = Dictionary(
    uniqueKeysWithValues: (1...10).map { ("i\($0)", "\($0)") })

  @Test(
    "What is new on either side comes to the other",
    arguments: [MemoryRemote.Quirks(), .keepsCursors])
  func additions(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = scene(quirks)
    for (uid, title) in Self.titles {
      let item = TestItem.make(uid: uid, summary: title)
      if uid < "i5" { scene.local.write(item) } else { scene.remote.write(item) }
    }
    let summary = try await scene.sync().summary
    #expect(summary.uploaded + summary.downloaded == 10)
    scene.expectBoth(Self.titles)
    try await scene.expectRest()
  }

  @Test("An unreadable file is reported and counted once, whatever the number of parts")
  func unreadable() async throws {
    let scene = scene()
    for (uid, title) in Self.titles {
      scene.remote.write(TestItem.make(uid: uid, summary: title))
    }
    scene.local.write([], as: "torn.ics")
    let outcome = try await scene.sync()
    var skipped: [String] = []
    for case .planned(let plan) in outcome.events {
      skipped += plan.operations.filter(\.isFailure).map(\.title)
    }
    #expect(skipped == ["torn.ics"])
    #expect(outcome.summary.failed == 1)
  }

  @Test("Lost state is found out without a write")
  func lostState() async throws {
    let scene = scene()
    for (uid, title) in Self.titles {
      scene.local.write(TestItem.make(uid: uid, summary: title))
      scene.remote.write(TestItem.make(uid: uid, summary: title))
    }
    try await scene.expectUntouched { try await scene.sync() }
    #expect(scene.remote.writes == [])
    try await scene.expectRest()
  }

  @Test("Deletions are guarded as a whole, before anything is done")
  func guarded() async throws {
    var scene = scene()
    try await scene.agree(on: Self.titles)
    for number in 1...7 { scene.remote.remove("i\(number)") }
    for number in 20...24 { scene.remote.write(TestItem.make(uid: "i\(number)")) }
    let stopped = scene
    try await scene.expectUntouched {
      let outcome = try await stopped.sync()
      #expect(outcome.summary.stoppedByGuard)
      let objection = outcome.events.compactMap { event in
        if case .planned(let plan) = event { plan.objection } else { nil }
      }
      #expect(objection.map(\.deletions) == [7])
    }
    scene.options.safeguards.allowed = 7
    let summary = try await scene.sync().summary
    #expect(summary.deletedLocally == 7)
    #expect(summary.downloaded == 5)
    try await scene.expectRest()
  }

  @Test("Items that moved to other places are none that are gone")
  func moved() async throws {
    let scene = scene()
    try await scene.agree(on: Self.titles)
    for (uid, title) in Self.titles {
      scene.remote.remove(uid)
      scene.remote.write(TestItem.make(uid: uid, summary: title), at: "moved-\(uid).ics")
    }
    let summary = try await scene.sync().summary
    #expect(!summary.stoppedByGuard)
    scene.expectBoth(Self.titles)
    #expect(scene.remote.writes == [])
    try await scene.expectRest()
  }

  @Test("A place that holds another item by now is a deletion, and guarded as one")
  func replaced() async throws {
    let scene = scene()
    try await scene.agree(on: Self.titles)
    for uid in Self.titles.keys {
      scene.remote.remove(uid)
      scene.remote.write(TestItem.make(uid: "other-\(uid)"), at: "\(uid).ics")
    }
    let summary = try await scene.sync().summary
    #expect(summary.stoppedByGuard)
    #expect(summary.deletedLocally == 0)
    for uid in Self.titles.keys { #expect(scene.local.items[uid] != nil) }
  }

  @Test("An item whose place another one took is looked for in the later parts, too")
  func taken() async throws {
    var scene = scene()
    scene.options.partSize = 1
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3", "d": "4"])
    for (uid, title) in [("a", "there a"), ("b", "there b"), ("c", "3")] {
      scene.remote.remove(uid)
      scene.remote.write(TestItem.make(uid: "other-\(uid)", summary: "new"), at: "\(uid).ics")
      scene.remote.write(TestItem.make(uid: uid, summary: title), at: "moved-\(uid).ics")
    }
    // One was edited here, and one was deleted.
    scene.local.write(TestItem.make(uid: "a", summary: "1", location: "here"))
    scene.local.remove("b")
    try await scene.sync()
    #expect(scene.remote.writes == ["update a"])
    scene.expectBoth([
      "a": "there a", "b": "there b", "c": "3", "d": "4", "other-a": "new", "other-b": "new",
      "other-c": "new",
    ])
    try await scene.sync()
    try await scene.expectRest()
  }

  @Test("What is deleted here is deleted where the remote has moved it to")
  func movedAndDeleted() async throws {
    let scene = scene()
    try await scene.agree(on: Self.titles)
    for uid in ["i2", "i9"] {
      scene.remote.remove(uid)
      scene.remote.write(
        TestItem.make(uid: uid, summary: "\(uid.dropFirst())"), at: "moved-\(uid).ics")
      scene.local.remove(uid)
    }
    for number in 20...24 {
      scene.remote.write(TestItem.make(uid: "i\(number)", summary: "\(number)"))
    }
    let summary = try await scene.sync().summary
    #expect(summary.deletedRemotely == 2)
    let new = (20...24).map { ("i\($0)", "\($0)") }
    let left = Self.titles.filter { !["i2", "i9"].contains($0.key) }
    scene.expectBoth(left.merging(new) { first, _ in first })
    try await scene.expectRest()
  }

  @Test("A dry run tells every part, and writes nothing")
  func dryRun() async throws {
    var scene = scene()
    try await scene.agree(on: Self.titles)
    for number in 1...4 { scene.local.write(TestItem.make(uid: "new\(number)")) }
    for number in 5...8 { scene.remote.write(TestItem.make(uid: "new\(number)")) }
    scene.local.remove("i1")
    scene.options.isDryRun = true
    let dry = scene
    let runs = await scene.ledger.runCount
    try await scene.expectUntouched {
      let verbs = try await dry.sync().events.flatMap { event in
        if case .planned(let plan) = event { plan.operations.map(\.verb) } else { [String]() }
      }
      #expect(verbs.count { $0 == "create-remote" } == 4)
      #expect(verbs.count { $0 == "create-local" } == 4)
      #expect(verbs.count { $0 == "delete-remote" } == 1)
    }
    #expect(await scene.ledger.runCount == runs)
  }
}
