// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// An undo deletes no last copy, and the guard counts its deletions.
@Suite("Undoing with missing copies")
struct UndoGuardTests {
  private static let many = Dictionary(uniqueKeysWithValues: (0..<10).map { ("i\($0)", "agreed") })

  /// Ten items that the last run added to one side, of which the other side has lost all.
  private func emptied(_ side: MergeSide) async throws -> SyncScene {
    let scene = SyncScene()
    for (uid, title) in Self.many {
      let item = TestItem.make(uid: uid, summary: title)
      if side == .local { scene.local.write(item) } else { scene.remote.write(item) }
    }
    try await scene.sync()
    for uid in Self.many.keys {
      if side == .local { scene.local.remove(uid) } else { scene.remote.remove(uid) }
    }
    let stopped = try await scene.sync()
    #expect(stopped.summary.stoppedByGuard)
    return scene
  }

  @Test("The last copies stay where they are, by name", arguments: MergeSide.allCases, [0, 10])
  func lastCopies(_ side: MergeSide, _ allowed: Int) async throws {
    var scene = try await emptied(side)
    scene.options.safeguards.allowed = allowed
    let outcome = try await scene.undoLast()
    #expect((side == .local ? scene.titles.remote : scene.titles.local) == Self.many)
    #expect(outcome.verbs == Self.many.keys.sorted().map { "skip \($0)" })
    #expect(outcome.plan.contains("\"agreed\" (i3): undo-last-copy"))
    #expect(outcome.summary.failed == 10)
    #expect(outcome.summary.deletedRemotely + outcome.summary.deletedLocally == 0)
    #expect(try await scene.ledger.places(of: scene.binding).count == 10, "they can be restored")
  }

  @Test("An item that the other side still has is taken away beside a last copy")
  func mixed() async throws {
    let scene = SyncScene()
    try await scene.agree(on: Self.many)
    for uid in ["new", "lost"] { scene.local.write(TestItem.make(uid: uid, summary: uid)) }
    try await scene.sync()
    scene.local.remove("lost")
    let outcome = try await scene.undoLast()
    #expect(
      outcome.verbs.filter { !$0.hasPrefix("record") } == ["skip lost", "delete-remote new"])
    #expect(scene.titles.remote == Self.many.merging(["lost": "lost"]) { $1 })
    #expect(scene.titles.local == Self.many.merging(["new": "new"]) { $1 })
  }

  @Test("An undo of an undo deletes no last copy of what came back", arguments: MergeSide.allCases)
  func undoOfUndo(_ side: MergeSide) async throws {
    let scene = SyncScene()
    try await scene.agree(on: Self.many)
    scene.local.remove("i1")
    try await scene.sync()
    try await scene.undoLast()
    scene.expectBoth(Self.many)
    if side == .local { scene.local.remove("i1") } else { scene.remote.remove("i1") }
    let outcome = try await scene.undoLast()
    #expect(outcome.verbs == ["skip i1"])
    #expect((side == .local ? scene.titles.remote : scene.titles.local) == Self.many)
  }

  @Test("An undo of an undo deletes what came back, if both sides have it")
  func undoOfWholeUndo() async throws {
    let scene = SyncScene()
    try await scene.agree(on: Self.many)
    scene.local.remove("i1")
    try await scene.sync()
    try await scene.undoLast()
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 0)
    scene.expectBoth(Self.many.filter { $0.key != "i1" })
  }

  @Test("An addition that was renamed, edited or moved to another place since is no last copy")
  func moved() async throws {
    let scene = SyncScene()
    try await scene.agree(on: Self.many)
    scene.local.write(TestItem.make(uid: "renamed", summary: "renamed"))
    scene.remote.write(TestItem.make(uid: "moved", summary: "moved"))
    try await scene.sync()
    scene.local.rename("renamed", to: "other.ics")
    scene.remote.move("moved", to: "elsewhere")
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 0)
    #expect(scene.titles.local == Self.many.merging(["renamed": "renamed"]) { $1 })
    #expect(scene.titles.remote == Self.many.merging(["moved": "moved"]) { $1 })
  }

  @Test("An addition whose other copy is in another calendar now counts as a last copy")
  func movedAway() async throws {
    let scene = SyncScene()
    try await scene.agree(on: Self.many)
    scene.local.write(TestItem.make(uid: "a", summary: "a"))
    try await scene.sync()
    scene.local.remove("a")
    let outcome = try await scene.undoLast()
    #expect(outcome.verbs == ["skip a"])
    #expect(scene.titles.remote["a"] == "a")
  }

  @Test("The guard counts the deletions of an undo", arguments: MergeSide.allCases)
  func counted(_ side: MergeSide) async throws {
    var scene = SyncScene()
    try await scene.agree(on: Self.many)
    let new = ["x", "y", "z", "zz"]
    for uid in new {
      let item = TestItem.make(uid: uid, summary: "new")
      if side == .remote { scene.local.write(item) } else { scene.remote.write(item) }
    }
    try await scene.sync()
    let before = scene.titles
    let stopped = try await scene.undoLast()
    #expect(stopped.summary.stoppedByGuard)
    let plan = stopped.events.compactMap { if case .planned(let plan) = $0 { plan } else { nil } }
    let objection = try #require(plan.first?.objection)
    #expect((objection.side, objection.deletions, objection.known) == (side, 4, 14))
    #expect("\(objection)" == "undo (delete-\(side.rawValue); 4 of 14)")
    #expect(scene.titles == before)
    scene.options.safeguards.allowed = 4
    let allowed = try await scene.undoLast()
    #expect(!allowed.summary.stoppedByGuard)
    #expect((side == .local ? scene.titles.local : scene.titles.remote) == Self.many)
    #expect((side == .local ? scene.titles.remote : scene.titles.local).count == 14)
  }

  @Test("The guard counts what an undo deletes on both sides")
  func countedOnBothSides() async throws {
    var scene = SyncScene()
    try await scene.agree(on: Self.many)
    for uid in ["i1", "i2", "i3"] { scene.remote.remove(uid) }
    scene.options.safeguards.allowed = 3
    try await scene.sync()
    scene.options.safeguards.allowed = 0
    try await scene.undoLast()
    scene.expectBoth(Self.many)
    let stopped = try await scene.undoLast()
    #expect(stopped.summary.stoppedByGuard)
    scene.expectBoth(Self.many)
  }

  @Test("A dry run names the last copies, too")
  func dryRun() async throws {
    var scene = try await emptied(.local)
    scene.options.isDryRun = true
    let outcome = try await scene.undoLast()
    #expect(outcome.summary.failed == 10)
    #expect(scene.titles.remote == Self.many)
  }
}
