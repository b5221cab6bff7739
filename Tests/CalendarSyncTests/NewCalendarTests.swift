// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("The first run of a sync")
struct NewCalendarTests {
  @Test func `Only the first run opens the remote as a new one`() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    scene.remote.write(TestItem.make(uid: "there", summary: "S"))
    _ = try await scene.sync()
    #expect(scene.remote.firsts == 1)
    #expect(scene.faults.calls.count { $0 == "checkpoint" } == 1)
    _ = try await scene.sync()
    #expect(scene.remote.firsts == 1)
  }

  @Test func `Without full access the checkpoint is not read`() async throws {
    var scene = SyncScene(quirks: .keepsCursors)
    scene.tier = .writeOnly
    _ = try await scene.sync()
    #expect(!scene.faults.calls.contains("checkpoint"))
  }

  @Test func `A run after one that found nothing is not the first`() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    _ = try await scene.sync()
    _ = try await scene.sync()
    #expect(scene.remote.firsts == 1)
  }

  /// What an earlier run may have left behind, in which an absent item means something.
  static let traces: [String: @Sendable (SyncScene) async throws -> Void] = [
    "an entry": { try await $0.remember([entry]) },
    "an intent": { scene in
      try await scene.remember(intents: [
        Intent(
          uid: UID("i"), action: .createRemote, content: item.serialized(),
          fingerprint: item.fingerprint, before: nil, href: nil, etag: nil)
      ])
    },
    "a conflict": { scene in
      try await scene.remember(conflicts: [
        StoredConflict(
          uid: UID("i"), title: "S", base: nil, local: item.serialized(), remote: nil, etag: nil)
      ])
    },
    "an addition without read access": { scene in
      try await scene.remember(appended: [
        AppendRecord(uid: UID("i"), href: Href("i.ics"), etag: nil, fingerprint: item.fingerprint)
      ])
    },
  ]

  private static let item = TestItem.make(uid: "i", summary: "S")
  private static var entry: LedgerEntry {
    LedgerEntry(
      uid: UID("i"), localName: "i.ics", localBase: item.fingerprint, href: Href("i.ics"),
      etag: EntityTag("\"1\""), remoteBase: item.fingerprint, base: item.serialized())
  }

  @Test(arguments: traces.keys.sorted())
  func `A run that was cut off is followed by one that is not the first`(
    _ trace: String
  ) async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    try await Self.traces[trace]?(scene)
    _ = try await scene.sync()
    #expect(scene.remote.firsts == 0)
  }

  @Test func `Additions are preceded by one comparison with a listing`() async throws {
    var scene = SyncScene(quirks: .keepsCursors)
    (scene.options.requestBatchSize, scene.options.partSize) = (1, 1)
    for uid in ["here", "also"] { scene.local.write(TestItem.make(uid: uid, summary: "S")) }
    scene.remote.write(TestItem.make(uid: "there", summary: "S"))
    _ = try await scene.sync()
    #expect(scene.remote.comparisons == 1)
    #expect(scene.remote.items.count == 3)
    scene.local.write(TestItem.make(uid: "later", summary: "S"))
    _ = try await scene.sync()
    #expect(scene.remote.comparisons == 1)
    #expect(scene.remote.items.count == 4)
  }

  @Test func `Where both sides are equal, no listing is needed`() async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    scene.local.write(TestItem.make(uid: "both", summary: "S"))
    scene.remote.write(TestItem.make(uid: "both", summary: "S"))
    _ = try await scene.sync()
    #expect(scene.remote.comparisons == 0)
  }

  /// Without the comparison, the server would hold the item twice.
  @Test(arguments: [[], ["seen"]])
  func `An item that the first answer omits is not added a second time`(
    _ others: [String]
  ) async throws {
    let scene = SyncScene(quirks: .keepsCursors)
    for uid in others { scene.remote.write(TestItem.make(uid: uid, summary: "S")) }
    for uid in ["i", "new"] { scene.local.write(TestItem.make(uid: uid, summary: "S")) }
    scene.remote.write(TestItem.make(uid: "i", summary: "S"), at: "of-another-program.ics")
    scene.remote.omitAtFirst("of-another-program.ics", isForgotten: true)
    let outcome = try await scene.sync()
    #expect(outcome.summary.deferred == 2)
    #expect(scene.remote.writes.isEmpty)
    _ = try await scene.sync()
    #expect(scene.remote.firsts == 1)
    #expect(scene.remote.writes == ["create new"])
    try await scene.expectRest()
    #expect(scene.local.items.count == 2 + others.count)
  }
}
