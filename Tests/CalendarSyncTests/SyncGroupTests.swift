// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Synchronization
import TestSupport
import Testing

@Suite("Several syncs over one ledger")
struct SyncGroupTests {
  /// Syncs with a ledger in common.
  private static func scenes(_ names: [String], quirks: MemoryRemote.Quirks = []) -> [SyncScene] {
    let faults = FaultPlan()
    let ledger = MemoryLedger(faults: faults)
    return names.map { name in
      var scene = SyncScene(
        name, faults: faults,
        local: MemoryLocalCalendar(location: "/calendars/\(name)", faults: faults),
        remote: MemoryRemote(name, quirks: quirks, faults: faults), ledger: ledger)
      scene.options.safeguards.allowed = 9
      return scene
    }
  }

  private static func run(_ scenes: [SyncScene]) async throws -> [Result<RunSummary, any Error>] {
    try await SyncGroup.run(scenes.map { $0.engine { _ in } })
  }

  private static func move(_ uid: String, from source: SyncScene, to target: SyncScene) throws {
    let item = try #require(source.local.items[uid])
    source.local.remove(uid)
    target.local.write(item)
  }

  @Test("A moved item is added to its new remote before it leaves the old one")
  func order() async throws {
    for isForward in [true, false] {
      let scenes = Self.scenes(["a", "b"])
      let (from, to) = isForward ? (scenes[0], scenes[1]) : (scenes[1], scenes[0])
      try await from.agree(on: ["x": "1", "y": "2"])
      try await to.agree(on: ["z": "3"])
      try Self.move("x", from: from, to: to)
      from.faults.restart()
      let results = try await Self.run(scenes)
      #expect(try results.map { try $0.get().failed } == [0, 0])
      let calls = from.faults.calls.filter { $0 == "create x" || $0 == "delete x.ics" }
      #expect(calls == ["create x", "delete x.ics"])
      from.expectBoth(["y": "2"])
      to.expectBoth(["x": "1", "z": "3"])
    }
  }

  @Test("An item that was moved to a remote that may only be added to leaves the old one after it")
  func writeOnly() async throws {
    for isForward in [true, false] {
      var scenes = Self.scenes(["a", "b"])
      scenes[isForward ? 1 : 0].tier = .writeOnly
      let (from, to) = isForward ? (scenes[0], scenes[1]) : (scenes[1], scenes[0])
      try await from.agree(on: ["x": "1", "y": "2"])
      try Self.move("x", from: from, to: to)
      from.faults.restart()
      let results = try await Self.run(scenes)
      #expect(try results.map { try $0.get().failed } == [0, 0])
      let calls = from.faults.calls.filter { $0 == "append x" || $0 == "delete x.ics" }
      #expect(calls == ["append x", "delete x.ics"])
      from.expectBoth(["y": "2"])
      to.expectBoth(["x": "1"])
    }
  }

  @Test("Items that change places are in neither calendar twice, after one run of the group")
  func circle() async throws {
    let scenes = Self.scenes(["a", "b"])
    try await scenes[0].agree(on: ["x": "1", "k": "1"])
    try await scenes[1].agree(on: ["y": "2", "l": "2"])
    try Self.move("x", from: scenes[0], to: scenes[1])
    try Self.move("y", from: scenes[1], to: scenes[0])
    let results = try await Self.run(scenes)
    scenes[0].expectBoth(["y": "2", "k": "1"])
    scenes[1].expectBoth(["x": "1", "l": "2"])
    #expect(try results.map { try $0.get().uploaded } == [1, 1])
    #expect(try results.map { try $0.get().deletedRemotely } == [1, 1])
  }

  @Test("A server that has each UID once in an account is asked to move it")
  func account() async throws {
    let scenes = Self.scenes(["a", "b"])
    try await scenes[0].agree(on: ["x": "1", "k": "1"])
    try await scenes[1].agree(on: ["l": "2"])
    scenes[0].remote.share(anAccountWith: scenes[1].remote)
    try Self.move("x", from: scenes[0], to: scenes[1])
    let results = try await Self.run(scenes)
    #expect(try results.map { try $0.get().failed } == [0, 0])
    #expect(scenes[1].remote.writes == ["create x", "move x"])
    #expect(scenes[0].remote.writes == [])
    scenes[0].expectBoth(["k": "1"])
    scenes[1].expectBoth(["x": "1", "l": "2"])
  }

  @Test("An item whose new remote rejects it stays on the old one")
  func refused() async throws {
    let scenes = Self.scenes(["a", "b"])
    try await scenes[0].agree(on: ["x": "1", "k": "1"])
    try await scenes[1].agree(on: ["l": "2"])
    scenes[1].remote.refuse("x", because: "no")
    try Self.move("x", from: scenes[0], to: scenes[1])
    let results = try await Self.run(scenes)
    #expect(try results.map { try $0.get().failed } == [0, 1])
    #expect(scenes[0].titles.remote == ["x": "1", "k": "1"])
    scenes[1].remote.refuse("x", because: nil)
    scenes[1].local.write(TestItem.make(uid: "x", summary: "2"))
    _ = try await Self.run(scenes)
    scenes[0].expectBoth(["k": "1"])
    scenes[1].expectBoth(["x": "2", "l": "2"])
  }

  @Test("An error of one sync does not stop the others")
  func failure() async throws {
    let scenes = Self.scenes(["a", "b", "c"])
    for scene in scenes { scene.local.write(TestItem.make(uid: "x\(scene.name)", summary: "1")) }
    scenes[1].remote.failListings()
    let results = try await Self.run(scenes)
    #expect(throws: FaultPlan.Failure.self) { try results[1].get() }
    #expect(scenes.map(\.titles.remote) == [["xa": "1"], [:], ["xc": "1"]])
  }

  @Test("A dry run withholds nothing, because the ledger lacks what would be added first")
  func dryRun() async throws {
    var scenes = Self.scenes(["a", "b"])
    try await scenes[0].agree(on: ["x": "1", "k": "1"])
    try await scenes[1].agree(on: ["l": "2"])
    try Self.move("x", from: scenes[0], to: scenes[1])
    for index in scenes.indices { scenes[index].options.isDryRun = true }
    let verbs = Mutex<[String]>([])
    _ = try await SyncGroup.run(
      scenes.map { scene in
        scene.engine { event in
          guard case .planned(let plan) = event else { return }
          verbs.withLock { $0 += plan.operations.map { "\(scene.name) \($0.verb) \($0.uid)" } }
        }
      })
    #expect(verbs.withLock { $0.sorted() } == ["a delete-remote x", "b create-remote x"])
    #expect(scenes.map(\.titles.remote) == [["x": "1", "k": "1"], ["l": "2"]])
  }

  @Test("What one sync of the ledger was about to add is awaited although that sync does not run")
  func besides() async throws {
    let scenes = Self.scenes(["a", "b"])
    try await scenes[0].agree(on: ["x": "1", "k": "1"])
    try await scenes[1].agree(on: ["l": "2"])
    try Self.move("x", from: scenes[0], to: scenes[1])
    try await scenes[1].crash(before: "create x")
    let engines = [scenes[0].engine { _ in }]
    _ = try await SyncGroup.run(engines, beside: [scenes[1].binding])
    #expect(scenes[0].titles.remote == ["x": "1", "k": "1"])
    _ = try await Self.run(scenes)
    scenes[0].expectBoth(["k": "1"])
    scenes[1].expectBoth(["x": "1", "l": "2"])
  }

  @Test("The summary of two turns counts the changes of both, and what the second one left")
  func twoTurns() {
    let fields: [WritableKeyPath<RunSummary, Int>] = [
      \.uploaded, \.downloaded, \.deletedRemotely, \.deletedLocally, \.appended, \.properties,
      \.conflicts, \.failed, \.deferred,
    ]
    var (first, second) = (RunSummary(), RunSummary())
    for (index, field) in fields.enumerated() {
      first[keyPath: field] = 1 << index
      second[keyPath: field] = 1_000 << index
    }
    first.stoppedByGuard = true
    let sum = first.followed(by: second)
    for (index, field) in fields.enumerated() {
      #expect(sum[keyPath: field] == (index < 6 ? 1_001 : 1_000) << index)
    }
    #expect(!sum.stoppedByGuard)
  }
}
