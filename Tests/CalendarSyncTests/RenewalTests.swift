// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Testing
import TestSupport

/// What becomes of a ledger that an older version wrote.
@Suite struct RenewalTests {
  private static let old = Fingerprint(String(repeating: "0", count: 64))

  private static func item(_ summary: String) throws -> CalendarItem {
    try CalendarItem(
      parsing: Array(
        """
        BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260101T090000Z\r
        SUMMARY:\(summary)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n
        """.utf8))
  }

  private static func entry(base: CalendarItem?) -> LedgerEntry {
    LedgerEntry(
      uid: UID("a"), localName: "a.ics", localBase: old, href: Href("/a"), etag: EntityTag("1"),
      remoteBase: old, base: base?.serialized())
  }

  /// The plan for an item that the ledger knows, and the calls to the remote.
  ///
  /// The remote holds the same item unless another is given.
  private static func plan(
    _ item: CalendarItem, base: CalendarItem?, tag: String = "1", there: CalendarItem? = nil
  ) async throws -> (fetches: [String], operations: [PlannedOperation]) {
    let scene = SyncScene()
    scene.local.write(item)
    scene.remote.write(there ?? item, at: "/a", tag: EntityTag(tag))
    try await scene.remember([entry(base: base)])
    let plan = try await scene.plan()
    return (scene.remote.log.filter { $0.hasPrefix("fetch") }, plan.operations)
  }

  @Test("What is as it was is only written down in the new form")
  func unchanged() async throws {
    let item = try Self.item("A")
    let plan = try await Self.plan(item, base: item)
    #expect(plan.fetches.isEmpty)
    guard case .record(let entry)? = plan.operations.first?.action else {
      Issue.record("expected a record, found \(plan.operations)")
      return
    }
    #expect(plan.operations.count == 1)
    #expect(entry.localBase == item.fingerprint)
    #expect(entry.remoteBase == item.fingerprint)
  }

  @Test("What changed since is uploaded, and what changed there is downloaded")
  func changed() async throws {
    let old = try Self.item("A")
    let new = try Self.item("B")
    let upload = try await Self.plan(new, base: old, there: old).operations
    #expect(upload.map(\.verb) == ["update-remote"])
    let download = try await Self.plan(old, base: old, tag: "2", there: new).operations
    #expect(download.map(\.verb) == ["update-local"])
  }

  @Test("What was added without reading is looked at, and agreed on if it is the same")
  func appended() async throws {
    let item = try Self.item("A")
    let plan = try await Self.plan(item, base: nil)
    #expect(plan.fetches == ["fetch /a"])
    guard case .record? = plan.operations.first?.action else {
      Issue.record("expected a record, found \(plan.operations)")
      return
    }
  }

  @Test("Under write-only access nothing is said of what an older version added")
  func appendOnly() async throws {
    let item = try Self.item("A")
    var scene = SyncScene()
    scene.tier = .writeOnly
    scene.local.write(item)
    try await scene.remember(appended: [
      AppendRecord(uid: item.uid, href: Href("/a"), etag: nil, fingerprint: Self.old)
    ])
    #expect(try await scene.plan().operations.isEmpty)
  }
}
