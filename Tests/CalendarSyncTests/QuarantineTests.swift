// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("Items that cannot be dealt with")
struct QuarantineTests {
  private func held(_ scene: SyncScene) async throws -> [QuarantinedItem] {
    try await scene.ledger.quarantine(of: scene.binding)
  }

  @Test("A refused item is tried once more, and then after an hour, two, four, and at most a week")
  func backoff() async throws {
    var scene = SyncScene()
    scene.local.write(TestItem.make(uid: "bad", summary: "Too large"))
    scene.local.write(TestItem.make(uid: "good"))
    scene.remote.refuse("bad", because: "too large")
    var tries: [Int64] = []
    for hour in 0..<400 {
      scene.now = Int64(hour) * 3_600
      scene.remote.clearLog()
      let summary = try await scene.sync().summary
      #expect(summary.failed == 1)
      if scene.remote.log.contains("create bad") { tries.append(Int64(hour)) }
    }
    #expect(tries == [0, 1, 2, 4, 8, 16, 32, 64, 128, 256])
    #expect(scene.titles.remote == ["good": "Lunch"])
    let items = try await held(scene)
    #expect(items.map(\.uid) == [UID("bad")])
    #expect(items.map(\.title) == ["Too large"])
    #expect(items.map(\.reason) == [.reported("too large")])
    #expect(items.map(\.failures) == [10])
    #expect(items.map(\.since) == [Instant(secondsSinceEpoch: 0)])
    #expect(items.map(\.nextTry) == [Instant(secondsSinceEpoch: (256 + 168) * 3_600)])
  }

  @Test("An item whose content changes is tried at once, and one that got through is let go of")
  func change() async throws {
    let scene = SyncScene()
    scene.local.write(TestItem.make(uid: "bad", summary: "Too large"))
    scene.remote.refuse("bad", because: "too large")
    for _ in 1...3 { try await scene.sync() }
    #expect(try await held(scene).map(\.failures) == [2])
    scene.local.write(TestItem.make(uid: "bad", summary: "Still too large"))
    try await scene.sync()
    #expect(try await held(scene).map(\.failures) == [1])
    #expect(try await held(scene).map(\.title) == ["Still too large"])
    scene.remote.refuse("bad", because: nil)
    let summary = try await scene.sync().summary
    #expect(summary.failed == 0)
    #expect(try await held(scene) == [])
    scene.expectBoth(["bad": "Still too large"])
  }

  @Test("Many bad items at the head of the queue keep no good one from getting through")
  func many() async throws {
    let scene = SyncScene()
    let bad = (1...5).map { "bad\($0)" }
    for uid in bad + ["good"] { scene.local.write(TestItem.make(uid: uid)) }
    let calls = bad.map { ("create \($0)", FaultPlan.Fault.fail) }
    scene.faults.restart(named: Dictionary(uniqueKeysWithValues: calls))
    for _ in 1...3 { _ = try? await scene.sync() }
    #expect(scene.titles.remote == ["good": "Lunch"])
  }

  @Test("A remote that is down makes no item wait longer")
  func outage() async throws {
    var scene = SyncScene()
    for uid in ["a", "b", "c", "d"] { scene.local.write(TestItem.make(uid: uid)) }
    let calls = ["a", "b", "c", "d"].map { ("create \($0)", FaultPlan.Fault.fail) }
    scene.faults.restart(named: Dictionary(uniqueKeysWithValues: calls))
    for run in 0..<9 {
      scene.now = Int64(run)
      _ = try? await scene.sync()
    }
    scene.faults.restart()
    let summary = try await scene.sync().summary
    #expect(summary.failed == 0)
    #expect(scene.titles.remote.count == 4)
    #expect(try await held(scene) == [])
  }

  @Test("An item that failed before is tried at once after the remote was down")
  func outageOfFailed() async throws {
    var scene = SyncScene()
    scene.faults.restart(named: ["create a": .fail])
    scene.local.write(TestItem.make(uid: "a"))
    for uid in ["b", "c"] {
      scene.local.write(TestItem.make(uid: uid))
      try await scene.sync()
    }
    #expect(try await held(scene).map(\.failures) == [2])
    scene.now = 3_600
    scene.faults.restart(named: ["create a": .fail, "create d": .fail])
    scene.local.write(TestItem.make(uid: "d"))
    try await scene.sync()
    scene.faults.restart()
    try await scene.sync()
    #expect(scene.remote.items.keys.sorted() == ["a", "b", "c", "d"])
  }

  @Test("The list is not stored again if nothing failed")
  func unchanged() async throws {
    let scene = SyncScene()
    scene.local.write(TestItem.make(uid: "a"))
    scene.faults.restart()
    try await scene.sync()
    #expect(!scene.faults.calls.contains("store quarantine"))
  }

  @Test("What cannot be read is listed as long as it is there, and looked at every time")
  func unreadable() async throws {
    let scene = SyncScene()
    scene.local.write(Array("nothing".utf8), as: "odd.ics")
    for _ in 1...2 { try await scene.sync() }
    #expect(try await held(scene).map(\.uid) == [UID("odd.ics")])
    #expect(try await held(scene).map(\.nextTry) == [nil])
    scene.local.write(TestItem.make(uid: "odd").serialized(), as: "odd.ics")
    try await scene.sync()
    #expect(try await held(scene) == [])
  }
}
