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
    #expect(outcome.summary == RunSummary())
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
}
