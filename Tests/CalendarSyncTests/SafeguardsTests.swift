// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import TestSupport
import Testing

@Suite("The guard against deletions")
struct SafeguardsTests {
  struct Case: CustomTestStringConvertible {
    let known: Int
    let deleted: Int
    var allowed = 0
    let stops: Bool
    var testDescription: String { "\(deleted) of \(known) deleted, \(allowed) allowed" }

    init(_ deleted: Int, of known: Int, allowed: Int = 0, stops: Bool) {
      self.known = known
      self.deleted = deleted
      self.allowed = allowed
      self.stops = stops
    }
  }

  static let cases = [
    Case(0, of: 0, stops: false), Case(0, of: 1, stops: false),
    // A side is never emptied.
    Case(1, of: 1, stops: true), Case(2, of: 2, stops: true),
    Case(1, of: 1, allowed: 1, stops: false), Case(2, of: 2, allowed: 1, stops: true),
    // Two are always let through.
    Case(1, of: 2, stops: false), Case(2, of: 3, stops: false), Case(3, of: 4, stops: true),
    // A quarter is the limit, rounded down.
    Case(3, of: 11, stops: true), Case(3, of: 12, stops: false), Case(4, of: 12, stops: true),
    Case(25, of: 100, stops: false), Case(26, of: 100, stops: true),
    // What is allowed counts in all, not on top.
    Case(26, of: 100, allowed: 25, stops: true), Case(26, of: 100, allowed: 26, stops: false),
    Case(100, of: 100, allowed: 100, stops: false), Case(100, of: 100, allowed: 99, stops: true),
    Case(5, of: 100, allowed: 1, stops: false),
  ]

  @Test("It stops above the limit, on either side", arguments: cases)
  func limits(_ row: Case) async throws {
    for isRemote in [true, false] {
      let plan = try await Self.plan(row, deletesOnRemote: isRemote)
      #expect((plan.objection != nil) == row.stops)
      guard let objection = plan.objection else { continue }
      #expect(objection.side == (isRemote ? .remote : .local))
      #expect(objection.deletions == row.deleted)
      #expect(objection.known == row.known)
      #expect("\(objection)".hasSuffix("; \(row.deleted) of \(row.known))"))
      #expect(plan.description.hasSuffix("stopped: \(objection)"))
    }
  }

  @Test(
    "A side that was emptied deletes nothing on the other one, whatever was edited there",
    arguments: MergeSide.allCases, [1, 500])
  func emptied(_ side: MergeSide, partSize: Int) async throws {
    var scene = SyncScene()
    scene.options.partSize = partSize
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3"])
    for uid in ["a", "b", "c"] {
      if side == .local { scene.local.remove(uid) } else { scene.remote.remove(uid) }
    }
    let edit = TestItem.make(uid: "a", summary: "edited")
    if side == .local { scene.remote.write(edit) } else { scene.local.write(edit) }
    let outcome = try await scene.sync()
    #expect(outcome.summary.stoppedByGuard)
    #expect((side == .local ? scene.remote.items : scene.local.items).count == 3)
    // With one item left, the other two may be deleted.
    let rest = TestItem.make(uid: "b", summary: "2")
    if side == .local { scene.local.write(rest) } else { scene.remote.write(rest) }
    let second = try await scene.sync()
    #expect(!second.summary.stoppedByGuard)
    #expect(scene.local.items.keys.sorted() == ["a", "b"])
    #expect(scene.remote.items.keys.sorted() == ["a", "b"])
  }

  @Test("An item with an agreement and an open intent is counted once")
  func countedOnce() async throws {
    var scene = SyncScene()
    scene.options.safeguards.deletions = 9
    let uids = ["a", "b", "c"]
    try await scene.agree(on: Dictionary(uniqueKeysWithValues: uids.map { ($0, "agreed") }))
    try await scene.remember(
      intents: uids.map { uid in
        Intent(
          uid: UID(uid), action: .deleteLocal, content: nil, fingerprint: nil, before: nil,
          href: nil, etag: nil)
      })
    for uid in uids { scene.remote.remove(uid) }
    #expect(try await scene.plan().objection?.known == 3)
  }

  /// The plan of a run that finds items missing on one side.
  private static func plan(_ row: Case, deletesOnRemote: Bool) async throws -> SyncPlan {
    let items = (0..<row.known).map { TestItem.make(uid: "i\($0)") }
    let kept = items.dropFirst(row.deleted)
    var scene = SyncScene()
    scene.options.safeguards.allowed = row.allowed
    for item in deletesOnRemote ? kept : items[...] { scene.local.write(item) }
    for item in deletesOnRemote ? items[...] : kept {
      scene.remote.write(item, at: "\(item.uid)", tag: EntityTag("1"))
    }
    try await scene.remember(
      items.map {
        LedgerEntry(
          uid: $0.uid, localName: ItemName(of: $0.uid).rawValue, localBase: $0.fingerprint,
          href: Href("\($0.uid)"), etag: EntityTag("1"), remoteBase: $0.fingerprint, base: nil)
      })
    return try await scene.plan()
  }
}

@Suite("Deletions by commands do not count against the guard")
struct DeliberateDeletionTests {
  /// Deletes items as a command does, and records it.
  private func delete(_ uids: [String], in scene: SyncScene) async throws {
    let run = try await scene.ledger.beginRun(of: .edits, at: Instant(secondsSinceEpoch: 0))
    let intents = uids.map { uid in
      Intent(
        uid: UID(uid), action: .deleteLocal, content: nil, fingerprint: nil, before: nil,
        href: Href(scene.local.location), etag: nil)
    }
    try await scene.ledger.record(intents, in: run)
    for uid in uids { scene.local.remove(uid) }
    try await scene.ledger.settle(
      uids.map { Settlement(uid: UID($0), change: .forget) }, in: run)
    try await scene.ledger.endRun(
      run, summary: RunSummary(), at: Instant(secondsSinceEpoch: 0))
  }

  @Test("All items that a command deleted are deleted", arguments: [1, 2, 5], [1, 500])
  func all(_ count: Int, partSize: Int) async throws {
    var scene = SyncScene()
    scene.options.partSize = partSize
    let uids = (1...count).map { "\($0)" }
    try await scene.agree(on: Dictionary(uniqueKeysWithValues: uids.map { ($0, "Lunch") }))
    try await delete(uids, in: scene)
    let outcome = try await scene.sync()
    #expect(!outcome.summary.stoppedByGuard)
    #expect(outcome.summary.deletedRemotely == count)
    #expect(scene.remote.items.isEmpty)
  }

  @Test("The others count, as if those were not there", arguments: [1, 500])
  func others(partSize: Int) async throws {
    var scene = SyncScene()
    scene.options.partSize = partSize
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3", "d": "4", "e": "5"])
    try await delete(["a", "b"], in: scene)
    for uid in ["c", "d", "e"] { scene.local.remove(uid) }
    let outcome = try await scene.sync()
    #expect(outcome.summary.stoppedByGuard)
    #expect(scene.remote.items.count == 5)
    scene.local.write(TestItem.make(uid: "e", summary: "5"))
    #expect(try await scene.sync().summary.deletedRemotely == 4)
  }

  @Test("A deletion that was undone does not excuse a later one")
  func undone() async throws {
    let scene = SyncScene()
    try await scene.agree(on: ["a": "1"])
    try await delete(["a"], in: scene)
    let run = try await scene.ledger.beginRun(of: .edits, at: Instant(secondsSinceEpoch: 1))
    let back = TestItem.make(uid: "a", summary: "1")
    try await scene.ledger.record(
      [
        Intent(
          uid: UID("a"), action: .createLocal, content: back.serialized(), fingerprint: nil,
          before: nil, href: Href(scene.local.location), etag: nil)
      ], in: run)
    scene.local.write(back)
    try await scene.ledger.settle([Settlement(uid: UID("a"), change: .forget)], in: run)
    scene.local.remove("a")
    #expect(try await scene.sync().summary.stoppedByGuard)
    #expect(scene.remote.items.count == 1)
  }
}

@Suite("An edit overrides a deletion under every policy, and is reported")
struct OverriddenDeletionTests {
  @Test(arguments: MergePolicy.allCases, MergeSide.allCases)
  func edit(_ policy: MergePolicy, editedOn side: MergeSide) async throws {
    var scene = SyncScene()
    scene.merge = ThreeWayMerge(policies: MergePolicies(policy))
    try await scene.agree(on: ["a": "1", "b": "2", "c": "3", "d": "4"])
    if side == .local {
      scene.local.write(TestItem.make(uid: "a", summary: "Edited"))
      scene.remote.remove("a")
    } else {
      scene.remote.write(TestItem.make(uid: "a", summary: "Edited"))
      scene.local.remove("a")
    }
    let outcome = try await scene.sync()
    scene.expectBoth(["a": "Edited", "b": "2", "c": "3", "d": "4"])
    for case .planned(let plan) in outcome.events {
      #expect(plan.operations.filter(\.overridesDeletion).map(\.uid) == [UID("a")])
    }
  }
}
