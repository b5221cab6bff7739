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

  /// The plan for an item, here and on a remote where only its tag is known.
  private static func plan(
    _ item: CalendarItem, base: CalendarItem?, tag: String = "1", fetched: CalendarItem? = nil
  ) -> (asked: [Href], operations: [PlannedOperation]) {
    let planner = Planner(
      local: LocalListing(entries: [
        LocalEntry(name: "a.ics", revision: Revision("1"), item: item)
      ]),
      listing: [RemoteEntry(href: Href("/a"), etag: EntityTag(tag))],
      entries: [entry(base: base)], intents: [], conflicts: [], safeguards: Safeguards())
    let fetches = fetched.map {
      [RemoteFetch.item(href: Href("/a"), etag: EntityTag(tag), item: $0)]
    }
    return (planner.hrefsToFetch, planner.plan(fetched: fetches ?? []).operations)
  }

  @Test("What is as it was is only written down in the new form")
  func unchanged() throws {
    let item = try Self.item("A")
    let plan = Self.plan(item, base: item)
    #expect(plan.asked.isEmpty)
    guard case .record(let entry)? = plan.operations.first?.action else {
      Issue.record("expected a record, found \(plan.operations)")
      return
    }
    #expect(plan.operations.count == 1)
    #expect(entry.localBase == item.fingerprint)
    #expect(entry.remoteBase == item.fingerprint)
  }

  @Test("What changed since is uploaded, and what changed there is downloaded")
  func changed() throws {
    let old = try Self.item("A")
    let new = try Self.item("B")
    let upload = Self.plan(new, base: old).operations
    #expect(upload.map(\.verb) == ["update-remote"])
    let download = Self.plan(old, base: old, tag: "2", fetched: new).operations
    #expect(download.map(\.verb) == ["update-local"])
  }

  @Test("What was added without reading is looked at, and agreed on if it is the same")
  func appended() throws {
    let item = try Self.item("A")
    let plan = Self.plan(item, base: nil, fetched: item)
    #expect(plan.asked == [Href("/a")])
    guard case .record? = plan.operations.first?.action else {
      Issue.record("expected a record, found \(plan.operations)")
      return
    }
  }

  @Test("Under write-only access nothing is said of what an older version added")
  func appendOnly() throws {
    let item = try Self.item("A")
    let record = AppendRecord(
      uid: item.uid, href: Href("/a"), etag: nil, fingerprint: Self.old)
    let planner = AppendPlanner(
      local: LocalListing(entries: [
        LocalEntry(name: "a.ics", revision: Revision("1"), item: item)
      ]), records: [record], intents: [])
    #expect(planner.plan.operations.isEmpty)
  }
}
