// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// The rules of a plan in whose order one decides about another.
@Suite("The order of the rules")
struct PlanRuleOrderTests {
  private let uids = ["a", "b", "c", "d", "e", "f"]

  private func scene() async throws -> SyncScene {
    let scene = SyncScene()
    try await scene.agree(on: Dictionary(uniqueKeysWithValues: uids.map { ($0, "1") }))
    return scene
  }

  @Test("Items that wait for their arrival elsewhere are no deletions", arguments: [1, 500])
  func arrivals(_ partSize: Int) async throws {
    var scene = try await scene()
    scene.options.partSize = partSize
    for uid in uids.dropLast() { scene.local.remove(uid) }
    scene.options.moves.withheld = Set(uids.dropLast().map { UID($0) })
    scene.remote.write(TestItem.make(uid: "f", summary: "2"))
    #expect(try await !scene.sync().summary.stoppedByGuard)
    #expect(scene.remote.items.count == uids.count)
    #expect(scene.titles.local == ["f": "2"])
    // Without the move, they are.
    scene.options.moves.withheld = []
    #expect(try await scene.sync().summary.stoppedByGuard)
  }

  @Test("Items that another sync adds first are no deletions")
  func otherSync() async throws {
    var scene = try await scene()
    for uid in uids.dropLast() { scene.local.remove(uid) }
    scene.options.moves.awaited = Set(uids.dropLast().map { UID($0) })
    #expect(try await !scene.sync().summary.stoppedByGuard)
    #expect(scene.remote.items.count == uids.count)
  }

  @Test("Deletions that are held back after failures do not count again")
  func quarantine() async throws {
    var scene = try await scene()
    scene.options.safeguards.allowed = 9
    for uid in uids.dropLast() {
      scene.local.remove(uid)
      scene.remote.refuse(uid, because: "read-only")
    }
    for _ in 1...2 {
      scene.now += 2
      #expect(try await scene.sync().summary.failed == 5)
    }
    scene.options.safeguards.allowed = 0
    scene.remote.write(TestItem.make(uid: "f", summary: "2"))
    let outcome = try await scene.sync()
    #expect(!outcome.summary.stoppedByGuard)
    #expect(outcome.summary.failed == 5)
    #expect(scene.titles.local == ["f": "2"])
  }

  @Test("Deletions that wait for other parts count")
  func parts() async throws {
    var scene = try await scene()
    scene.options.partSize = 1
    for uid in uids.dropLast() { scene.local.remove(uid) }
    #expect(try await scene.sync().summary.stoppedByGuard)
    #expect(scene.remote.items.count == uids.count)
  }
}
