// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
package import CalendarSync
import Testing

/// What every remote must do, whatever it is made of.
///
/// A test hands it an empty remote; every promise of the ports `RemoteCalendar` and `RemoteAppender`
/// is then put to the test, in an order that leaves the remote empty again.
package struct RemoteConformance {
  private let remote: any Remote
  /// What the write-only part is done with: the same calendar, as it is configured for that.
  private let appendOnly: any Remote
  /// Whether the kind of remote can be added to without being read.
  private let canAppend: Bool

  /// Prepares the suite for an empty remote.
  package init(_ remote: any Remote, appendOnly: (any Remote)? = nil, canAppend: Bool = true) {
    self.remote = remote
    self.appendOnly = appendOnly ?? remote
    self.canAppend = canAppend
  }

  /// Runs the whole suite.
  package func run() async throws {
    let calendar = try await remote.openCalendar()
    #expect(try await calendar.list().isEmpty, "the suite begins with an empty remote")
    try await createsOnce(calendar)
    try await updatesOnCondition(calendar)
    try await fetchesEachHref(calendar)
    try await deletesOnCondition(calendar)
    try await keepsForeignText(calendar)
    try await tellsChanges(calendar)
    if canAppend {
      try await appends(calendar)
    } else {
      await refusesToAppend()
    }
    #expect(try await calendar.list().isEmpty, "the suite leaves the remote empty")
  }

  /// Runs what holds for a remote that can only be read, and that holds these items.
  package func runReadOnly(holding items: [CalendarItem]) async throws {
    let calendar = try await remote.openCalendar()
    let entries = try await calendar.list()
    #expect(entries.count == items.count)
    #expect(entries.allSatisfy { $0.etag != nil }, "the listing tells tags")
    var held = Dictionary(items.map { ($0.uid, $0.fingerprint) }) { first, _ in first }
    let absent = Href("absent@example.org")
    for result in try await calendar.fetch(entries.map(\.href) + [absent]) {
      switch result {
      case .item(let href, let etag, let item):
        #expect(entries.contains(RemoteEntry(href: href, etag: etag)))
        #expect(held.removeValue(forKey: item.uid) == item.fingerprint)
      case .missing(let href): #expect(href == absent)
      case .unreadable(let href, let reason): Issue.record("\(href) is unreadable: \(reason)")
      }
    }
    #expect(held.isEmpty)
    #expect(try await calendar.fetch([]).isEmpty)
    try await refusesWrites(calendar, entries)
    try await tellsThatNothingChanged(calendar)
    await refusesToAppend()
  }

  private func refusesWrites(
    _ calendar: any RemoteCalendar, _ entries: [RemoteEntry]
  ) async throws {
    let item = try Self.event("refused@example.org", summary: "Refused")
    let first = try #require(entries.first)
    let tag = try #require(first.etag)
    guard case .refused = try await calendar.create(item),
      case .refused = try await calendar.update(first.href, to: item, ifMatch: tag),
      case .refused = try await calendar.delete(first.href, ifMatch: tag)
    else {
      Issue.record("a write is not refused")
      return
    }
    #expect(try await calendar.list() == entries)
  }

  private func refusesToAppend() async {
    await #expect(throws: (any Error).self, "nothing can be added") {
      try await remote.openAppender()
    }
  }

  /// What changed is told since a cursor, and a cursor of another remote is no trouble.
  private func tellsChanges(_ calendar: any RemoteCalendar) async throws {
    try await tellsThatNothingChanged(calendar)
    guard case .complete(let before, let cursor?) = try await calendar.changes(since: nil) else {
      return
    }
    let item = try Self.event("changed@example.org", summary: "Changed")
    guard case .written(let href, _) = try await calendar.create(item) else {
      Issue.record("an item is not taken")
      return
    }
    let next: RemoteCursor?
    switch try await calendar.changes(since: cursor) {
    case .none(let cursor):
      Issue.record("a new item is not told")
      next = cursor
    case .some(let changed, let removed, let cursor):
      #expect(changed.map(\.href) == [href])
      #expect(removed.isEmpty)
      next = cursor
    case .complete(let entries, let cursor):
      #expect(Set(entries.map(\.href)) == Set(before.map(\.href)).union([href]))
      next = cursor
    }
    let tag = try #require(try await calendar.list().first { $0.href == href }?.etag)
    #expect(try await calendar.delete(href, ifMatch: tag) == .deleted)
    switch try await calendar.changes(since: next) {
    case .none: Issue.record("a deletion is not told")
    case .some(let changed, let removed, _):
      #expect(changed.isEmpty)
      #expect(removed == [href])
    case .complete(let entries, _): #expect(entries == before)
    }
    guard
      case .complete(let entries, _) = try await calendar.changes(since: RemoteCursor("no cursor"))
    else {
      Issue.record("a cursor that is none is believed")
      return
    }
    #expect(entries == before)
  }

  private func tellsThatNothingChanged(_ calendar: any RemoteCalendar) async throws {
    guard case .complete(let entries, let cursor) = try await calendar.changes(since: nil) else {
      Issue.record("without a cursor, not everything is told")
      return
    }
    #expect(Set(entries) == Set(try await calendar.list()))
    guard let cursor else { return }
    switch try await calendar.changes(since: cursor) {
    case .none: break
    case .some(let changed, let removed, _):
      // The cursor may be of the moment when the calendar was opened: what came and went since is told.
      #expect(Set(changed).isSubset(of: entries))
      #expect(Set(removed).isDisjoint(with: entries.map(\.href)))
    case .complete(let again, _): #expect(again == entries)
    }
  }

  /// An event in the smallest form that every server takes.
  package static func event(_ uid: String, summary: String) throws -> CalendarItem {
    try CalendarItem(
      parsing: Array(
        """
        BEGIN:VCALENDAR\r
        VERSION:2.0\r
        PRODID:-//Epact//Tests//EN\r
        BEGIN:VEVENT\r
        UID:\(uid)\r
        DTSTAMP:20260101T000000Z\r
        DTSTART:20260301T090000Z\r
        DTEND:20260301T100000Z\r
        SUMMARY:\(summary)\r
        END:VEVENT\r
        END:VCALENDAR\r

        """.utf8))
  }

  private func createsOnce(_ calendar: any RemoteCalendar) async throws {
    let item = try Self.event("once@example.org", summary: "Once")
    guard case .written(let href, _) = try await calendar.create(item) else {
      Issue.record("an item is not taken")
      return
    }
    let entries = try await calendar.list()
    #expect(entries.map(\.href) == [href], "the listing names the item as the write did")
    #expect(entries.first?.etag != nil, "the listing tells a tag")
    #expect(
      try await calendar.create(try Self.event("once@example.org", summary: "Twice"))
        == .conditionFailed, "a place that is taken stays as it is")
    #expect(try await fetched(href, from: calendar)?.fingerprint == item.fingerprint)
  }

  private func updatesOnCondition(_ calendar: any RemoteCalendar) async throws {
    let entry = try #require(try await calendar.list().first)
    let first = try #require(entry.etag)
    let edited = try Self.event("once@example.org", summary: "Edited")
    guard case .written = try await calendar.update(entry.href, to: edited, ifMatch: first) else {
      Issue.record("an edit on the right condition is not taken")
      return
    }
    let second = try #require(try await calendar.list().first?.etag)
    #expect(second != first, "an edit changes the tag")
    let late = try Self.event("once@example.org", summary: "Late")
    #expect(
      try await calendar.update(entry.href, to: late, ifMatch: first) == .conditionFailed,
      "an edit on an old tag is not taken")
    #expect(try await fetched(entry.href, from: calendar)?.fingerprint == edited.fingerprint)
    #expect(try await calendar.list().first?.etag == second)
  }

  private func fetchesEachHref(_ calendar: any RemoteCalendar) async throws {
    let present = try #require(try await calendar.list().first).href
    let absent = Href(present.rawValue.replacing("once", with: "never"))
    let results = try await calendar.fetch([absent, present])
    #expect(results.count == 2, "there is one result for each href")
    for result in results {
      switch result {
      case .item(let href, let etag, let item):
        #expect(href == present && item.uid == UID("once@example.org"))
        #expect(etag != nil)
      case .missing(let href): #expect(href == absent)
      case .unreadable(let href, let reason): Issue.record("\(href) is unreadable: \(reason)")
      }
    }
    #expect(try await calendar.fetch([]).isEmpty)
  }

  private func deletesOnCondition(_ calendar: any RemoteCalendar) async throws {
    let entry = try #require(try await calendar.list().first)
    let old = try #require(entry.etag)
    let edited = try Self.event("once@example.org", summary: "Edited again")
    _ = try await calendar.update(entry.href, to: edited, ifMatch: old)
    #expect(
      try await calendar.delete(entry.href, ifMatch: old) == .conditionFailed,
      "what was edited meanwhile is not deleted")
    let new = try #require(try await calendar.list().first?.etag)
    #expect(try await calendar.delete(entry.href, ifMatch: new) == .deleted)
    #expect(try await calendar.list().isEmpty)
  }

  private func keepsForeignText(_ calendar: any RemoteCalendar) async throws {
    let summaries = [
      "été & <b>\"quoted\"</b>", "\\, \\; \\n and ]]>", "\u{1F4C5} 日本語",
      String(repeating: "long ", count: 300),
    ]
    var items: [UID: CalendarItem] = [:]
    for (index, summary) in summaries.enumerated() {
      let item = try Self.event("text/\(index) é_~@example.org", summary: summary)
      items[item.uid] = item
      guard case .written = try await calendar.create(item) else {
        Issue.record("\(summary.debugDescription) is not taken")
        continue
      }
    }
    let entries = try await calendar.list()
    #expect(entries.count == summaries.count)
    for case .item(let href, let etag, let item) in try await calendar.fetch(entries.map(\.href)) {
      #expect(items.removeValue(forKey: item.uid)?.fingerprint == item.fingerprint, "\(item.title)")
      #expect(try await calendar.delete(href, ifMatch: try #require(etag)) == .deleted)
    }
    #expect(items.isEmpty)
  }

  private func appends(_ calendar: any RemoteCalendar) async throws {
    let appender = try await appendOnly.openAppender()
    #expect((appender as? any RemoteCalendar) == nil, "an appender reads nothing")
    let item = try Self.event("appended@example.org", summary: "Appended")
    guard case .added(let href, _) = try await appender.append(item) else {
      Issue.record("an event is not added")
      return
    }
    let other = try Self.event("appended@example.org", summary: "Again")
    #expect(try await appender.append(other) == .alreadyPresent(href: href))
    let entry = try #require(try await calendar.list().first)
    #expect(entry.href == href)
    #expect(try await fetched(href, from: calendar)?.fingerprint == item.fingerprint)
    #expect(try await calendar.delete(href, ifMatch: try #require(entry.etag)) == .deleted)
  }

  private func fetched(_ href: Href, from calendar: any RemoteCalendar) async throws
    -> CalendarItem?
  {
    for case .item(_, _, let item) in try await calendar.fetch([href]) { return item }
    return nil
  }
}
