// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
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
      #expect(
        "\(objection)".hasPrefix("\(row.deleted) of \(row.known) items would be deleted"))
      #expect("\(objection)".hasSuffix("nothing was changed"))
      #expect(plan.description.hasSuffix("stopped: \(objection)"))
    }
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
