// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// The properties of calendars, accounts and moves in one-way syncs.
@Suite("What a one-way sync does beside its items")
struct OneWayPropertyTests {
  private let here: MemoryProperties
  private let there: MemoryProperties
  private var scene: SyncScene

  init() {
    let faults = FaultPlan()
    here = MemoryProperties("here", faults: faults)
    there = MemoryProperties("there", faults: faults)
    scene = SyncScene(here, there)
  }

  @Test("A sync that pulls takes the properties of the remote, and keeps a name of its own")
  mutating func pull() async throws {
    scene.options.direction = .pull
    (there[.name], there[.color], here[.description]) = ("Team", "#102030", "mine")
    try await scene.sync()
    #expect((here[.name], here[.color], here[.description]) == ("Team", "#102030", "mine"))
    here[.name] = "Mine"
    (there[.name], there[.color]) = ("Club", "#405060")
    scene.wait()
    try await scene.sync()
    #expect((here[.name], here[.color]) == ("Mine", "#405060"))
    there[.name] = "Choir"
    here[.color] = nil
    scene.wait()
    try await scene.sync()
    #expect(here[.name] == "Mine")
    #expect(there.writes == [])
    #expect(try await scene.sync().summary.properties == 0)
  }

  @Test("A sync that pushes sets the properties of this side, and removes none")
  mutating func push() async throws {
    scene.options.direction = .push
    (here[.name], there[.color]) = ("Mine", "#102030")
    try await scene.sync()
    #expect((there[.name], there[.color]) == ("Mine", "#102030"))
    there[.name] = "Theirs"
    scene.wait()
    try await scene.sync()
    #expect(there[.name] == "Mine")
    here[.name] = nil
    scene.wait()
    try await scene.sync()
    #expect(there[.name] == "Mine")
    #expect(here.writes == [])
  }

  @Test("The undo of a sync that pulled restores the properties of this side alone")
  mutating func undo() async throws {
    scene.options.direction = .pull
    there[.name] = "Team"
    try await scene.sync()
    there[.name] = "Club"
    scene.wait()
    try await scene.sync()
    #expect(here[.name] == "Club")
    try await scene.undoLast()
    #expect(here[.name] == "Team")
    #expect(there.writes == [])
  }

  // MARK: Moves

  private static func scenes(_ directions: [SyncDirection]) -> [SyncScene] {
    let faults = FaultPlan()
    let ledger = MemoryLedger(faults: faults)
    let remotes = directions.indices.map {
      MemoryRemote("\($0)", quirks: .tellsPaths, faults: faults)
    }
    remotes[0].share(anAccountWith: remotes[1])
    return directions.enumerated().map { index, direction in
      var scene = SyncScene(
        "\(index)", faults: faults,
        local: MemoryLocalCalendar(location: "/calendars/\(index)", faults: faults),
        remote: remotes[index], ledger: ledger)
      scene.options.direction = direction
      scene.options.safeguards.allowed = 9
      return scene
    }
  }

  @Test("A file that leaves a calendar that pulls comes back, and its remote moves nothing")
  func departure() async throws {
    let scenes = Self.scenes([.pull, .both])
    scenes[0].remote.write(TestItem.make(uid: "x", summary: "1"))
    scenes[0].remote.write(TestItem.make(uid: "y", summary: "2"))
    _ = try await SyncScene.sync(scenes, isAccount: true)
    let item = try #require(scenes[0].local.items["x"])
    scenes[0].local.remove("x")
    scenes[1].local.write(item)
    for _ in 1...2 { _ = try await SyncScene.sync(scenes, isAccount: true, isTroubled: true) }
    scenes[0].expectBoth(["x": "1", "y": "2"])
    #expect(scenes[0].remote.writes == [])
    #expect(!scenes[1].remote.writes.contains { $0.hasPrefix("move") })
    #expect(scenes[1].titles.local == ["x": "1"])
  }

  @Test("A file that enters a calendar that pulls stays in it, and is withheld nowhere")
  func arrival() async throws {
    let scenes = Self.scenes([.both, .pull])
    for uid in ["x", "y"] { scenes[0].local.write(TestItem.make(uid: uid, summary: "1")) }
    _ = try await SyncScene.sync(scenes, isAccount: true)
    let item = try #require(scenes[0].local.items["x"])
    scenes[0].local.remove("x")
    scenes[1].local.write(item)
    for _ in 1...2 { _ = try await SyncScene.sync(scenes, isAccount: true) }
    scenes[0].expectBoth(["y": "1"])
    #expect(scenes[1].titles.local == ["x": "1"])
    #expect(scenes[1].remote.writes == [])
  }

  @Test("From a calendar that pushes, the server moves only what was sent there")
  func pushedDeparture() async throws {
    let scenes = Self.scenes([.push, .both])
    scenes[0].remote.write(TestItem.make(uid: "theirs", summary: "1"))
    for uid in ["theirs", "own"] {
      scenes[0].local.write(TestItem.make(uid: uid, summary: "1"))
    }
    _ = try await SyncScene.sync(scenes, isAccount: true)
    for uid in ["theirs", "own"] {
      let item = try #require(scenes[0].local.items[uid])
      scenes[0].local.remove(uid)
      scenes[1].local.write(item)
    }
    for _ in 1...2 { _ = try await SyncScene.sync(scenes, isAccount: true, isTroubled: true) }
    #expect(scenes[0].titles.remote == ["theirs": "1"])
    #expect(scenes[1].titles.remote == ["own": "1"])
    #expect(scenes[1].titles.local == ["own": "1", "theirs": "1"])
  }
}
