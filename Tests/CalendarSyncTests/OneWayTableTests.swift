// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport
import Testing

/// What a one-way sync plans for each state of the sides, with and without a base.
@Suite("The table of one-way syncs")
struct OneWayTableTests {
  /// What one sync does about an item; a side is a summary, nil if it lacks the item, "?" if it is unreadable.
  struct Case: CustomTestStringConvertible {
    let rules: Rules
    let base: String?
    let local: String?
    let remote: String?
    let plan: String
    var testDescription: String {
      "\(rules): base \(base ?? "-"), here \(local ?? "-"), there \(remote ?? "-")"
    }

    init(_ rules: Rules, _ base: String?, _ local: String?, _ remote: String?, _ plan: String) {
      (self.rules, self.base, self.local, self.remote) = (rules, base, local, remote)
      self.plan = plan
    }
  }

  enum Rules: CaseIterable {
    case pull, pullOwn, pullMarked, release, push, pushOwn

    func apply(to options: inout SyncOptions) {
      switch self {
      case .pull: options.direction = .pull
      case .pullOwn: (options.direction, options.edits) = (.pull, .restoreOwn)
      case .pullMarked:
        (options.direction, options.edits) = (.pull, .restoreOwn)
        options.ownSuffix = "x"
      case .release: (options.direction, options.edits) = (.pull, .release)
      case .push, .pushOwn: options.direction = .push
      }
    }
  }

  static let pulls = [Rules.pull, .pullOwn, .pullMarked].flatMap { rules in
    [
      Case(rules, "1", "1", "1", "nothing"),
      Case(rules, "1", "1", "2", "update-local changed-remote"),
      Case(rules, "1", "1", nil, "delete-local deleted-remote"),
      Case(rules, "1", "2", "1", "update-local overruled-edit-local"),
      Case(rules, "1", "2", "2", "record alike"),
      Case(rules, "1", "2", "3", "update-local overruled-edit-local"),
      Case(rules, "1", "2", nil, "delete-local deleted-over-edit-local"),
      Case(rules, "1", nil, "1", "create-local overruled-deletion-local"),
      Case(rules, "1", nil, "2", "create-local overruled-deletion-local"),
      Case(rules, "1", nil, nil, "forget deleted-both"),
      Case(
        rules, nil, "1", nil,
        rules == .pullMarked
          ? "delete-local deleted-remote" : rules == .pull ? "skip only-local" : "nothing"),
      Case(rules, nil, nil, "1", "create-local added-remote"),
    ]
  }

  static let strangers = [
    Case(.pull, nil, "1", "1", "record alike"),
    Case(.pull, nil, "1", "2", "update-local overruled-edit-local"),
    Case(.pullOwn, nil, "1", "1", "skip not-own-local"),
    Case(.pullOwn, nil, "1", "2", "skip not-own-local"),
    // The UID ends as only this sync makes it.
    Case(.pullMarked, nil, "1", "1", "record alike"),
    Case(.pullMarked, nil, "1", "2", "update-local overruled-edit-local"),
    Case(.release, nil, "1", "1", "skip not-own-local"),
    Case(.release, nil, "1", "2", "skip not-own-local"),
  ]

  static let releases = [
    Case(.release, "1", "1", "1", "nothing"),
    Case(.release, "1", "1", "2", "update-local changed-remote"),
    Case(.release, "1", "1", nil, "delete-local deleted-remote"),
    Case(.release, "1", "2", "1", "skip released"),
    Case(.release, "1", "2", "2", "record alike"),
    Case(.release, "1", "2", "3", "skip released"),
    Case(.release, "1", "2", nil, "forget released"),
    Case(.release, "1", nil, "1", "skip released"),
    Case(.release, "1", nil, "2", "skip released"),
    Case(.release, "1", nil, nil, "forget deleted-both"),
    Case(.release, nil, "1", nil, "nothing"),
    Case(.release, nil, nil, "1", "create-local added-remote"),
  ]

  static let pushes = [Rules.push, .pushOwn].flatMap { rules in
    [
      Case(rules, "1", "1", "1", "nothing"),
      Case(rules, "1", "1", "2", "update-remote overruled-edit-remote"),
      Case(rules, "1", "1", nil, "create-remote overruled-deletion-remote"),
      Case(rules, "1", "2", "1", "update-remote changed-local"),
      Case(rules, "1", "2", "2", "record alike"),
      Case(rules, "1", "2", "3", "update-remote overruled-edit-remote"),
      Case(rules, "1", "2", nil, "create-remote overruled-deletion-remote"),
      Case(
        rules, "1", nil, "1",
        rules == .pushOwn ? "delete-remote deleted-local" : "forget not-own-remote"),
      Case(
        rules, "1", nil, "2",
        rules == .pushOwn ? "delete-remote deleted-over-edit-remote" : "forget not-own-remote"),
      Case(rules, "1", nil, nil, "forget deleted-both"),
      Case(rules, nil, "1", nil, "create-remote added-local"),
      Case(rules, nil, nil, "1", "skip only-remote"),
      Case(rules, nil, "1", "1", "record alike"),
      Case(rules, nil, "1", "2", "update-remote overruled-edit-remote"),
    ]
  }

  /// Whatever is unknown on one side, both sides stay as they are.
  static let unknown = Rules.allCases.flatMap { rules in
    ["1", "2", nil].map { Case(rules, "1", $0, "?", "skip unreadable") }
      + ["1", "2", nil].map { Case(rules, "1", "?", $0, "skip unreadable") }
  }

  @Test(
    "Each item has its operation, its reason, and never a conflict",
    arguments: [pulls, strangers, releases, pushes, unknown].joined())
  func table(_ row: Case) async throws {
    let plan = try await Self.scene(row, conflict: false).plan()
    #expect(Self.text(plan) == row.plan)
    #expect(plan.conflicts == 0)
  }

  @Test(
    "A stored conflict ends with the version of the side that decides",
    arguments: [
      Case(.pull, "1", "2", "3", "update-local overruled-edit-local"),
      Case(.pull, "1", "2", nil, "delete-local deleted-over-edit-local"),
      Case(.pull, "1", nil, "3", "create-local overruled-deletion-local"),
      Case(.pull, "1", "1", "1", "record unchanged"),
      Case(.pull, nil, "2", nil, "forget only-local"),
      Case(.release, "1", "2", "3", "record released"),
      Case(.push, "1", "2", "3", "update-remote overruled-edit-remote"),
      Case(.push, "1", "2", nil, "create-remote overruled-deletion-remote"),
    ])
  func conflicts(_ row: Case) async throws {
    let scene = try await Self.scene(row, conflict: true)
    let plan = try await scene.plan()
    #expect(Self.text(plan) == row.plan)
    #expect(plan.conflicts == 0)
    try await scene.sync()
    #expect(try await scene.ledger.conflicts(of: scene.binding) == [])
  }

  @Test("Every combination of the states is in the table")
  func isComplete() {
    let rows = [Self.pulls, Self.strangers, Self.releases, Self.pushes].joined()
    for rules in Rules.allCases {
      let own = rows.filter { $0.rules == rules }.map {
        "\($0.base != nil) \(Self.state($0.local, $0)) \(Self.state($0.remote, $0))"
      }
      // With a base three states of each side, and one more where both changed alike; without one
      // all but nothing on both sides, and two for different contents.
      #expect(Set(own).count == 9 + 3)
      #expect(own.count == 10 + 4)
    }
  }

  private static func state(_ side: String?, _ row: Case) -> String {
    guard let side, let base = row.base else { return side == nil ? "absent" : "there" }
    return side == base ? "unchanged" : "changed"
  }

  private static func text(_ plan: SyncPlan) -> String {
    plan.operations.first { $0.uid == UID("x") }.map { "\($0.verb) \($0.reason.code)" } ?? "nothing"
  }

  /// The sides and the ledger of a row.
  private static func scene(_ row: Case, conflict hasConflict: Bool) async throws -> SyncScene {
    var scene = SyncScene()
    row.rules.apply(to: &scene.options)
    scene.options.safeguards.allowed = 1
    let broken = Array("broken".utf8)
    switch row.local {
    case nil: break
    case "?"?: scene.local.write(broken, as: "x.ics")
    case let summary?: scene.local.write(item(summary))
    }
    switch row.remote {
    case nil: break
    case "?"?: scene.remote.write(broken, at: "x.ics", tag: EntityTag("?"))
    case let summary?: scene.remote.write(item(summary), at: "x.ics", tag: EntityTag(summary))
    }
    let entry = row.base.map { base in
      LedgerEntry(
        uid: UID("x"), localName: "x.ics", localBase: item(base).fingerprint, href: Href("x.ics"),
        etag: EntityTag(base), remoteBase: item(base).fingerprint, base: item(base).serialized(),
        isOwn: row.rules == .pushOwn)
    }
    let conflict = StoredConflict(
      uid: UID("x"), title: "x", base: row.base.map { item($0).serialized() },
      local: row.local.map { item($0).serialized() },
      remote: row.remote.map { item($0).serialized() }, etag: row.remote.map { EntityTag($0) })
    try await scene.remember(
      [entry].compactMap(\.self), conflicts: hasConflict ? [conflict] : [])
    return scene
  }

  private static func item(_ summary: String) -> CalendarItem {
    TestItem.make(uid: "x", summary: summary)
  }
}
