// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// Parts of all kinds that a server does not store, and the same parts deleted by another client.
@Suite("A server that stores less than it is sent")
struct ReductionTests {
  private typealias Reductions = MemoryRemote.Reductions

  private static let kinds: [MemoryRemote.Quirks] = [
    [], .noTagAfterWrite, .churnsTags, .keepsCursors, [.keepsCursors, .noTagAfterWrite],
    .rewrites, [.rewrites, .tellsTagOfRewritten], .weakTags,
  ]

  private static let form = NormalForm(
    zones: ZoneResolver(database: ZoneDatabase(folders: ZoneDatabase.systemFolders)))

  private func scene(
    _ quirks: MemoryRemote.Quirks = [], _ reductions: MemoryRemote.Reductions = []
  ) -> SyncScene {
    var scene = SyncScene(quirks: quirks, reductions: reductions)
    scene.merge = ThreeWayMerge(normalForm: Self.form)
    return scene
  }

  private func losses(_ outcome: SyncScene.Outcome) -> [RemoteLoss] {
    outcome.events.compactMap { if case .lost(let loss) = $0 { loss } else { nil } }
  }

  @Test("Each part is reported by the run that sends it, and never downloaded", arguments: kinds)
  func kept(_ quirks: MemoryRemote.Quirks) async throws {
    for reductions in Reductions.each {
      var scene = scene(quirks, reductions)
      scene.local.write(RichItem.make())
      let first = losses(try await scene.sync())
      #expect(first.isEmpty == false, "\(reductions)")
      let before = scene.local.contents
      for isVerifying in [false, true, true, false] {
        scene.options.isVerifying = isVerifying
        scene.remote.clearLog()
        let outcome = try await scene.sync()
        #expect(scene.local.contents == before, "\(reductions)")
        #expect(scene.remote.writes == [], "\(reductions)")
        #expect(outcome.summary == RunSummary(), "\(reductions)")
        #expect(losses(outcome) == (isVerifying ? first : []), "\(reductions)")
      }
      if !quirks.contains(.churnsTags) { try await scene.expectRest() }
    }
  }

  @Test("An edit of another part arrives, and nothing else changes here", arguments: kinds)
  func editedThere(_ quirks: MemoryRemote.Quirks) async throws {
    for reductions in Reductions.each {
      let scene = scene(quirks, reductions)
      scene.local.write(RichItem.make())
      try await scene.sync()
      for (name, value) in [("PRIORITY", "3"), ("URL", nil), ("SUMMARY", "Dinner")] {
        let stored = try #require(scene.remote.items["a"])
        let here = try #require(scene.local.items["a"])
        scene.remote.write(RichItem.setting(name, to: value, in: stored))
        let outcome = try await scene.sync()
        #expect(outcome.summary.conflicts == 0, "\(reductions)")
        let expected = RichItem.setting(name, to: value, in: here)
        #expect(
          scene.local.items["a"]?.normalized(by: Self.form).fingerprint
            == expected.normalized(by: Self.form).fingerprint, "\(reductions)")
        #expect(losses(outcome) == [], "\(reductions)")
      }
      if !quirks.contains(.churnsTags) { try await scene.expectRest() }
    }
  }

  @Test("A participation status arrives, and the parameters that were dropped stay here")
  func person() async throws {
    let scene = scene([], .parameters)
    scene.local.write(RichItem.make())
    try await scene.sync()
    let stored = RichItem.unfolded(try #require(scene.remote.items["a"]))
      .map { $0.replacing("NEEDS-ACTION", with: "ACCEPTED") + "\r\n" }.joined()
    scene.remote.write(TestItem.parse(stored))
    try await scene.sync()
    let lines = RichItem.unfolded(try #require(scene.local.items["a"]))
    #expect(
      lines.contains(
        "ATTENDEE;CN=Oma;ROLE=OPT-PARTICIPANT;PARTSTAT=ACCEPTED:mailto:oma@example.org"))
    try await scene.expectRest()
  }

  @Test("A local edit is sent, its losses are reported again, and nothing conflicts")
  func editedHere() async throws {
    for reductions in Reductions.each {
      var scene = scene([], reductions)
      scene.local.write(RichItem.make())
      let first = losses(try await scene.sync())
      scene.local.write(RichItem.setting("PRIORITY", to: "3", in: RichItem.make()))
      let outcome = try await scene.sync()
      #expect(outcome.summary.uploaded == 1, "\(reductions)")
      #expect(outcome.summary.conflicts == 0, "\(reductions)")
      #expect(losses(outcome) == first, "\(reductions)")
      #expect(RichItem.unfolded(try #require(scene.remote.items["a"])).contains("PRIORITY:3"))
      scene.options.isVerifying = true
      try await scene.expectUntouched { try await scene.sync() }
    }
  }

  @Test("The same parts deleted by another client are deleted here", arguments: kinds)
  func deletedThere(_ quirks: MemoryRemote.Quirks) async throws {
    // Extensions and the definitions of zones are dropped by servers, and hardly by people.
    for reductions in Reductions.each where ![.unknown, .zones].contains(reductions) {
      let scene = scene(quirks)
      scene.local.write(RichItem.make())
      try await scene.sync()
      let stored = reductions.reduced(try #require(scene.remote.items["a"]))
      scene.remote.write(stored)
      let outcome = try await scene.sync()
      #expect(losses(outcome) == [], "\(reductions)")
      #expect(outcome.summary.downloaded == 1, "\(reductions)")
      let expected = reductions.reduced(RichItem.make())
      let lines = RichItem.unfolded(try #require(scene.local.items["a"]))
      #expect(
        Set(lines).subtracting(["X-SERVER:seen"]) == Set(RichItem.unfolded(expected)),
        "\(reductions)")
    }
  }

  @Test(
    "An undone deletion gives each side the version that it held", arguments: [true, false])
  func undoneDeletion(_ isHere: Bool) async throws {
    let scene = scene([], .location)
    let item = TestItem.make(uid: "a", location: "Room 1")
    scene.local.write(item)
    scene.local.write(TestItem.make(uid: "b"))
    for _ in 1...2 { try await scene.sync() }
    let stored = scene.remote.items["a"]
    #expect(stored == TestItem.make(uid: "a"))
    if isHere { scene.local.remove("a") } else { scene.remote.remove("a") }
    try await scene.sync()
    try await scene.undoLast()
    #expect(scene.local.items["a"] == item)
    #expect(scene.remote.items["a"] == stored)
    try await scene.expectRest()
  }

  @Test("A part that the server lost is no addition after a merge that was written here alone")
  func halfMerged() async throws {
    let scene = scene([], .location)
    let item = TestItem.make(uid: "a", location: "Room 1")
    scene.local.write(item)
    for _ in 1...2 { try await scene.sync() }
    scene.local.write(RichItem.setting("PRIORITY", to: "3", in: item))
    scene.remote.write(TestItem.make(uid: "a", summary: "Dinner"))
    scene.faults.restart(named: ["update a": .fail])
    try await scene.sync()
    scene.faults.restart()
    let entry = try #require(try await scene.ledger.entries(of: scene.binding).first)
    let content = try #require(entry.base)
    let base = try CalendarItem(parsing: content)
    #expect(base.main?[.location]?.text == "Room 1")
    #expect(base.main?[.summary]?.text == "Dinner")
    try await scene.sync()
    // The place is not in the way of another one.
    let stored = try #require(scene.remote.items["a"])
    scene.remote.write(RichItem.setting("LOCATION", to: "Room 2", in: stored))
    #expect(try await scene.sync().summary.conflicts == 0)
    #expect(scene.location("a").local == "Room 2")
  }

  @Test("A restore from a backup that loses edits stops the run, too", arguments: kinds)
  func restored(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = scene(quirks, .location)
    for uid in ["a", "b", "c", "d"] {
      scene.local.write(TestItem.make(uid: uid, summary: "old", location: "Room 1"))
    }
    for _ in 1...2 { try await scene.sync() }
    let backup = scene.remote.backUp()
    for uid in ["a", "b"] { scene.remote.write(TestItem.make(uid: uid, summary: "new there")) }
    for _ in 1...2 { try await scene.sync() }
    #expect(scene.titles.local["a"] == "new there")
    #expect(scene.location("a").local == "Room 1")
    scene.remote.restore(backup)
    try await scene.expectUntouched {
      let rollback = try #require(try await scene.sync().rollback)
      #expect(rollback.returned == 2)
    }
  }

  @Test("What was lost of a write without an answer, or not read back, is lost all the same")
  func interrupted() async throws {
    let faults: [[String: FaultPlan.Fault]] = [
      ["create a": .loseAnswer], ["create a": .crashAfter], ["fetch a.ics": .fail],
      ["fetch a.ics": .crashBefore], ["fetch a.ics": .crashAfter],
    ]
    for reductions in Reductions.each {
      for fault in faults {
        for quirks in [[], MemoryRemote.Quirks.noTagAfterWrite] {
          var scene = scene(quirks, reductions)
          scene.local.write(RichItem.make())
          scene.faults.restart(named: fault)
          _ = try? await scene.sync()
          scene.faults.restart()
          scene.options.isVerifying = true
          let outcome = try await scene.sync()
          #expect(losses(outcome).isEmpty == false, "\(reductions) \(fault)")
          #expect(outcome.summary.conflicts == 0, "\(reductions) \(fault)")
          #expect(scene.local.items["a"] == RichItem.make(), "\(reductions) \(fault)")
          scene.options.isVerifying = false
          try await scene.expectRest()
        }
      }
    }
  }

  @Test("An edit that another client made right after the write is merged by parts")
  func interloper() async throws {
    for reductions in Reductions.each where ![.texts, .overrides].contains(reductions) {
      let scene = scene(.noTagAfterWrite, reductions)
      scene.local.write(RichItem.make())
      let stored = reductions.reduced(RichItem.make())
      let edited = RichItem.setting("SUMMARY", to: "Dinner", in: stored)
      scene.remote.writeAfterNextWrite(RichItem.setting("PRIORITY", to: "3", in: edited))
      for _ in 1...2 { try await scene.sync() }
      let expected = RichItem.setting(
        "PRIORITY", to: "3", in: RichItem.setting("SUMMARY", to: "Dinner", in: RichItem.make()))
      #expect(
        scene.local.items["a"]?.normalized(by: Self.form).fingerprint
          == expected.normalized(by: Self.form).fingerprint, "\(reductions)")
      try await scene.expectRest()
    }
  }

  @Test("A run reads back only until each kind of part is known to be kept")
  func readBack() async throws {
    var scene = scene()
    scene.options.requestBatchSize = 1
    for uid in ["a", "b", "c"] { scene.local.write(RichItem.make(uid: uid)) }
    scene.local.write(TestItem.make(uid: "d", summary: "Plain", location: "there"))
    try await scene.sync()
    #expect(scene.remote.log.filter { $0.hasPrefix("fetch") } == ["fetch a.ics"])
  }
}
