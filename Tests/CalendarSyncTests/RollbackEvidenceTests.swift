// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// The evidence of a restored remote beside later changes of other clients.
@Suite("The evidence of a restored remote")
struct RollbackEvidenceTests {
  @Test("Deletions after the restore do not hide what it lost", arguments: [false, true])
  func deletedSince(_ hasReappeared: Bool) async throws {
    var scene = SyncScene()
    scene.options.safeguards.allowed = 9
    try await scene.agree(on: ["a": "old", "b": "old", "c": "old", "d": "old"])
    for uid in ["a", "b"] { scene.remote.write(TestItem.make(uid: uid, summary: "new")) }
    for _ in 1...2 { try await scene.sync() }
    let backup = scene.remote.backUp()
    scene.remote.write(TestItem.make(uid: "added", summary: "new"))
    if hasReappeared {
      scene.local.remove("c")
    } else {
      scene.local.write(TestItem.make(uid: "c", summary: "new"))
    }
    for _ in 1...2 { try await scene.sync() }
    scene.options.safeguards.allowed = 0
    scene.remote.restore(backup)
    // At the time of the first run, more items are missing than at that of the last one.
    for uid in ["a", "b", "d"] { scene.remote.remove(uid) }
    try await scene.expectUntouched {
      let rollback = try #require(try await scene.sync().rollback)
      #expect(rollback.returned == (hasReappeared ? 0 : 1))
      #expect(rollback.reappeared == (hasReappeared ? 1 : 0))
    }
  }
}
