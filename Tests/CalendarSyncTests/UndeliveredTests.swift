// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("A place that the remote lists and gives nothing for")
struct UndeliveredTests {
  private static let quirks: [MemoryRemote.Quirks] = [[], .keepsCursors, .noTags]

  /// The reasons that a run gave for what it left alone.
  private func reasons(_ outcome: SyncScene.Outcome) -> [ItemObstacle] {
    outcome.events.flatMap { event in
      guard case .planned(let plan) = event else { return [ItemObstacle]() }
      return plan.operations.filter { $0.action == .skip }.compactMap(\.obstacle)
    }
  }

  @Test("It fails once, is named once more, and is no failure any longer", arguments: quirks)
  func isNamedOnce(_ quirks: MemoryRemote.Quirks) async throws {
    let scene = SyncScene(quirks: quirks)
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.remote.write(TestItem.make(uid: "ghost"))
    scene.remote.withhold("ghost.ics")
    let reason = ItemObstacle.notDelivered
    let first = try await scene.sync()
    #expect(first.summary.failed == 1)
    #expect(reasons(first) == [reason])
    let second = try await scene.sync()
    #expect(second.summary.failed == 0)
    #expect(reasons(second) == [.stillNotDelivered])
    for _ in 1...3 {
      let later = try await scene.sync()
      #expect(later.summary == RunSummary())
      #expect(reasons(later) == [])
    }
    #expect(try await scene.ledger.quarantine(of: scene.binding).map(\.isLeft) == [true])
    #expect(scene.local.items.count == 3)
  }

  @Test("It is named again when its version changes, and forgotten when it comes or goes")
  func changes() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.remote.write(TestItem.make(uid: "ghost"))
    scene.remote.withhold("ghost.ics")
    for _ in 1...3 { try await scene.sync() }
    scene.remote.write(TestItem.make(uid: "ghost", summary: "Edited"))
    #expect(try await scene.sync().summary.failed == 1)
    #expect(try await scene.sync().summary.failed == 0)
    scene.remote.withhold("ghost.ics", false)
    try await scene.sync()
    #expect(scene.local.items["ghost"]?.title == "Edited")
    #expect(try await scene.ledger.quarantine(of: scene.binding) == [])
    scene.remote.write(TestItem.make(uid: "other"))
    scene.remote.withhold("other.ics")
    for _ in 1...3 { try await scene.sync() }
    scene.remote.remove("other")
    try await scene.sync()
    #expect(try await scene.ledger.quarantine(of: scene.binding) == [])
    #expect(scene.local.items.count == 4)
  }

  @Test("An item that both sides know stays here, and what was edited here goes on failing")
  func known() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    scene.remote.write(TestItem.make(uid: "a", summary: "Edited there"))
    scene.remote.withhold("a.ics")
    #expect(try await scene.sync().summary.failed == 1)
    #expect(try await scene.sync().summary.failed == 0)
    scene.local.write(TestItem.make(uid: "a", summary: "Edited here"))
    for _ in 1...3 { #expect(try await scene.sync().summary.failed == 1) }
    scene.local.remove("a")
    for _ in 1...3 { #expect(try await scene.sync().summary.failed == 1) }
    #expect(scene.remote.contents.count == 3)
    scene.remote.withhold("a.ics", false)
    try await scene.sync()
    scene.expectBoth(["a": "Edited there", "b": "2", "c": "3"])
  }
}
