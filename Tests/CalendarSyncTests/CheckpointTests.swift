// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("A run that begins where the last one ended")
struct CheckpointTests {
  private func scene(_ quirks: MemoryRemote.Quirks = []) -> SyncScene {
    SyncScene(quirks: quirks.union(.keepsCursors))
  }

  private func edit(_ uid: String, _ summary: String) -> CalendarItem {
    TestItem.make(uid: uid, summary: summary)
  }

  @Test("Where nothing changed it asks one question, and looks at no entry")
  func rest() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.faults.restart()
    let outcome = try await scene.sync()
    #expect(scene.remote.log == ["open calendar", "changes"])
    #expect(!scene.faults.calls.contains { $0.contains("places") || $0.contains("entries") })
    // It holds a snapshot of all items.
    #expect(scene.faults.calls.count { $0 == "checkpoint" } == 1)
    #expect(outcome.summary == RunSummary())
  }

  @Test("Where only this side changed, the ledger is asked for what changed and for nothing else")
  func changedHere() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3", "d": "4"])
    scene.local.write(edit("a", "edited"))
    scene.local.remove("b")
    scene.local.write(edit("e", "5"))
    scene.faults.restart()
    try await scene.sync()
    #expect(scene.faults.calls.filter { $0.contains("places") } == ["places of some"])
    scene.expectBoth(["a": "edited", "c": "3", "d": "4", "e": "5"])
    try await scene.expectRest()
  }

  @Test("Where only this side changed, deletions are guarded by what share of all they are")
  func removedHere() async throws {
    let scene = scene()
    let titles = Dictionary(uniqueKeysWithValues: (10...29).map { ("\($0)", "\($0)") })
    for count in [5, 6] {
      try await scene.agree(on: titles)
      try await scene.expectRest()
      for uid in titles.keys.sorted().prefix(count) { scene.local.remove(uid) }
      scene.faults.restart()
      #expect(try await scene.sync().summary.stoppedByGuard == (count > 5))
      #expect(scene.faults.calls.filter { $0.contains("places") } == ["places of some"])
      #expect(scene.titles.remote.count == (count > 5 ? 20 : 15))
    }
  }

  /// The calls that looked up entries of the ledger without contents.
  private func lookups(_ scene: SyncScene) -> [String] {
    scene.faults.calls.filter { $0.contains("places") }
  }

  @Test("Where few items changed, the ledger is asked for these alone, on either side")
  func changedThere() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3", "d": "4"])
    scene.remote.write(edit("a", "edited"))
    scene.remote.remove("b")
    scene.local.write(edit("c", "here"))
    scene.remote.write(edit("e", "5"))
    scene.faults.restart()
    try await scene.sync()
    #expect(lookups(scene) == ["places of some", "places of some"])
    scene.expectBoth(["a": "edited", "c": "here", "d": "4", "e": "5"])
    scene.faults.restart()
    try await scene.expectRest()
    #expect(lookups(scene) == ["places of some"])
    scene.faults.restart()
    try await scene.expectRest()
    #expect(lookups(scene).isEmpty)
  }

  @Test("More changes than a part holds are compared with all items")
  func changedManyThere() async throws {
    for count in [2, 3] {
      var scene = scene()
      try await scene.agree(on: ["a": "1", "b": "2", "c": "3", "d": "4"])
      scene.options.partSize = 2
      for uid in ["a", "b", "c"].prefix(count) { scene.remote.write(edit(uid, "edited")) }
      scene.faults.restart()
      try await scene.sync()
      #expect(lookups(scene) == [count > 2 ? "places" : "places of some"])
      #expect(scene.titles.local == scene.titles.remote)
    }
  }

  @Test("Deletions there are guarded by what share of all they are")
  func removedThere() async throws {
    for count in [5, 6] {
      let scene = scene()
      let titles = Dictionary(uniqueKeysWithValues: (10...29).map { ("\($0)", "\($0)") })
      try await scene.agree(on: titles)
      for uid in titles.keys.sorted().prefix(count) { scene.remote.remove(uid) }
      scene.faults.restart()
      #expect(try await scene.sync().summary.stoppedByGuard == (count > 5))
      #expect(lookups(scene) == ["places of some"])
      #expect(scene.titles.local.count == (count > 5 ? 20 : 15))
    }
  }

  @Test("An item that is found elsewhere on the remote is the known one", arguments: [false, true])
  func foundElsewhere(isMoved: Bool) async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    let before = scene.local.contents
    if isMoved {
      scene.remote.move("a", to: "other")
    } else {
      scene.remote.write(edit("a", "1"), at: "other")
    }
    scene.faults.restart()
    let outcome = try await scene.sync()
    #expect(lookups(scene).allSatisfy { $0 == "places of some" })
    #expect(outcome.summary.failed == (isMoved ? 0 : 1), "a duplicate is left alone")
    #expect(outcome.summary.deletedLocally == 0 && outcome.summary.uploaded == 0)
    #expect(scene.local.contents == before)
    scene.local.write(edit("a", "edited"))
    try await scene.sync()
    let there = scene.remote.contents.filter { $0.key == (isMoved ? "other" : "a.ics") }
    #expect(there.values.contains { String(decoding: $0, as: UTF8.self).contains("edited") })
  }

  @Test("A version from before a run that is put back here is an edit if that is accepted")
  func putBackHere() async throws {
    var scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    try await scene.sync()
    scene.remote.write(edit("a", "edited"))
    scene.remote.remove("b")
    let before = scene.local.contents
    try await scene.sync()
    #expect(scene.local.contents.count == 1)
    for (name, bytes) in before { scene.local.write(bytes, as: name) }
    #expect(try await scene.sync().summary.stoppedByGuard)
    scene.options.rollback = .accept
    try await scene.sync()
    scene.expectBoth(["a": "1", "b": "2"])
  }

  @Test("What cannot be read here is told by each run, whatever else changed")
  func unreadableHere() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.local.write(Array("nonsense".utf8), as: "c.ics")
    for title in ["x", "y"] {
      scene.local.write(edit("a", title))
      #expect(try await scene.sync().summary.failed == 1)
      #expect(scene.titles.remote == ["a": title, "b": "2"])
    }
  }

  @Test("What changed on the remote is fetched, and nothing else")
  func changed() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.remote.write(edit("b", "edited"))
    scene.remote.remove("c")
    try await scene.sync()
    scene.expectBoth(["a": "1", "b": "edited"])
    #expect(scene.remote.log == ["open calendar", "changes", "fetch b.ics"])
    try await scene.expectRest()
  }

  @Test("What a run brought and somebody deleted at once is deleted there")
  func deletedAtOnce() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1"])
    scene.remote.write(edit("b", "2"))
    try await scene.sync()
    scene.local.remove("b")
    try await scene.sync()
    scene.expectBoth(["a": "1"])
    try await scene.expectRest()
  }

  @Test("What is not told is not gone, whatever a cursor is silent about")
  func silence() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.local.write(edit("a", "edited"))
    try await scene.sync()
    scene.expectBoth(["a": "edited", "b": "2", "c": "3"])
  }

  @Test("A deletion that could not be done is told again")
  func removalAgain() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.remote.remove("a")
    scene.faults.restart(named: ["deleteLocal a.ics": .fail])
    #expect(try await scene.sync().summary.failed == 1)
    scene.faults.restart()
    try await scene.sync()
    scene.expectBoth(["b": "2", "c": "3"])
    try await scene.expectRest()
  }

  @Test("A download that could not be done is fetched again, although nothing is told of it")
  func downloadAgain() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1"])
    scene.remote.write(edit("a", "edited"))
    scene.faults.restart(named: ["updateLocal a": .fail])
    #expect(try await scene.sync().summary.failed == 1)
    scene.faults.restart()
    try await scene.sync()
    scene.expectBoth(["a": "edited"])
    try await scene.expectRest()
  }

  @Test("An upload that was refused is tried again, although nothing changed")
  func uploadAgain() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1"])
    scene.local.write(edit("a", "edited"))
    scene.remote.refuse("a", because: "too long")
    #expect(try await scene.sync().summary.failed == 1)
    scene.remote.refuse("a", because: nil)
    try await scene.sync()
    scene.expectBoth(["a": "edited"])
  }

  @Test("A remote item that cannot be read is told of by each run, until it can")
  func unreadableAgain() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.remote.write(Array("<html>".utf8), at: "a.ics")
    for _ in 1...3 {
      #expect(try await scene.sync().summary.failed == 1)
      #expect(scene.local.items.count == 2)
    }
    scene.remote.write(edit("a", "edited"), at: "a.ics")
    #expect(try await scene.sync().summary.failed == 0)
    scene.expectBoth(["a": "edited", "b": "2"])
  }

  @Test("A place that stays taken is told as left undone by each run")
  func deferred() async throws {
    let scene = scene()
    scene.remote.write(Array("<html>".utf8), at: "a.ics")
    scene.local.write(edit("a", "mine"))
    for _ in 1...2 {
      let summary = try await scene.sync().summary
      #expect(summary.deferred == 1)
      #expect(summary.uploaded == 0)
    }
  }

  @Test("A conflict waits in the summary of each run")
  func conflict() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "Base"])
    scene.local.write(edit("a", "Mine"))
    scene.remote.write(edit("a", "Theirs"))
    for _ in 1...3 { #expect(try await scene.sync().summary.conflicts == 1) }
    scene.remote.write(edit("a", "Mine"))
    #expect(try await scene.sync().summary.conflicts == 0)
    try await scene.expectRest()
  }

  @Test("Without entries a cursor of another time deletes nothing")
  func lostEntries() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    let other = SyncScene(
      faults: scene.faults, local: scene.local, remote: scene.remote, ledger: MemoryLedger())
    try await other.sync()
    #expect(other.remote.writes == [])
    other.expectBoth(["a": "1", "b": "2"])
  }

  @Test("An item whose tag hides a change is found by a verification, and by none before")
  func verification() async throws {
    var scene = scene()
    try await scene.agree(on: ["a": "1", "b": "2"])
    scene.remote.replaceSilently("a", by: edit("a", "hidden"))
    try await scene.sync()
    #expect(scene.local.items["a"]?.title == "1")
    scene.options.isVerifying = true
    try await scene.sync()
    scene.expectBoth(["a": "hidden", "b": "2"])
  }

  @Test("A verification is due after the days that are set")
  func verificationDue() async throws {
    var scene = scene()
    scene.options.verificationInterval = 3
    try await scene.agree(on: ["a": "1"])
    scene.remote.replaceSilently("a", by: edit("a", "hidden"))
    scene.now = 3 * 86_400 - 1
    try await scene.sync()
    #expect(scene.local.items["a"]?.title == "1")
    scene.now = 3 * 86_400
    try await scene.sync()
    scene.expectBoth(["a": "hidden"])
    scene.remote.clearLog()
    try await scene.sync()
    #expect(scene.remote.log == ["open calendar", "changes"])
  }

  @Test(
    "An item in conflict is fetched when its tag changed, and not before",
    arguments: [MemoryRemote.Quirks.keepsCursors, []])
  func conflictIsFetchedOnce(_ quirks: MemoryRemote.Quirks) async throws {
    var scene = SyncScene(quirks: quirks)
    try await scene.agree(on: ["a": "Base", "b": "1"])
    scene.local.write(edit("a", "Mine"))
    scene.remote.write(edit("a", "Theirs"))
    try await scene.sync()
    for _ in 1...2 {
      scene.remote.clearLog()
      #expect(try await scene.sync().summary.conflicts == 1)
      #expect(!scene.remote.log.contains { $0.hasPrefix("fetch") })
    }
    scene.remote.write(edit("a", "Third"))
    try await scene.sync()
    #expect(scene.remote.log.last == "fetch a.ics")
    let conflict = try await scene.ledger.conflicts(of: scene.binding).first
    #expect(conflict?.remote == edit("a", "Third").serialized())
    // A verification believes no tag.
    scene.remote.replaceSilently("a", by: edit("a", "Mine"))
    scene.options.isVerifying = true
    #expect(try await scene.sync().summary.conflicts == 0)
    scene.expectBoth(["a": "Mine", "b": "1"])
  }

  @Test("What was sent of an item in conflict is read once, whatever tag was told for it")
  func sentConflictIsRead() async throws {
    let scene = scene()
    try await scene.agree(on: ["a": "Base"])
    func lines(_ summary: String, _ line: String) -> CalendarItem {
      TestItem.parse(
        TestItem.text(uid: "a", summary: summary).replacing(
          "SEQUENCE:0\r\n", with: "\(line)\r\nSEQUENCE:0\r\n"))
    }
    scene.local.write(lines("Mine", "CONTACT:here"))
    scene.remote.write(lines("Theirs", "LOCATION:there"))
    #expect(try await scene.sync().summary.conflicts == 1)
    #expect(scene.remote.writes == ["update a"])
    for fetches in [1, 0, 0] {
      scene.remote.clearLog()
      #expect(try await scene.sync().summary.conflicts == 1)
      #expect(scene.remote.log.count { $0 == "fetch a.ics" } == fetches)
      #expect(scene.remote.writes == [])
    }
  }

  @Test(
    "One bad item does not make each run a verification, and what that found of it is not forgotten",
    arguments: [MemoryRemote.Quirks.keepsCursors, []])
  func verificationWithFailure(_ quirks: MemoryRemote.Quirks) async throws {
    var scene = SyncScene(quirks: quirks)
    scene.options.verificationInterval = 3
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.local.write(edit("b", "refused"))
    scene.remote.refuse("b", because: "too long")
    scene.remote.replaceSilently("a", by: edit("a", "hidden"))
    scene.now = 3 * 86_400
    scene.faults.restart(named: ["updateLocal a": .fail])
    #expect(try await scene.sync().summary.failed == 2)
    scene.faults.restart()
    scene.remote.clearLog()
    #expect(try await scene.sync().summary.failed == 1)
    #expect(!scene.remote.log.contains { $0.hasPrefix("fetch") && $0.contains("c.ics") })
    #expect(scene.titles.local == ["a": "hidden", "b": "refused", "c": "3"])
  }
}
