// SPDX-License-Identifier: Apache-2.0

import CalendarModel
@testable import CalendarRemotes
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

/// Occurrences of another person's series, of which the user has no more than these.
///
/// At Google such an event names a series by `recurringEventId` that the user's calendar does not have.
@Suite("Occurrences without their series", .timeLimit(.minutes(60)))
struct LoneOccurrenceTests {
  private struct Invited {
    let scene: VendorScene
    /// Adds the occurrences of some days of March 2026.
    func invite(_ days: [Int]) async throws {
      switch scene.kind {
      case .google:
        for day in days {
          let date = "2026-03-\(day < 10 ? "0" : "")\(day)"
          try await scene.double.control(
            "POST", scene.account, "events",
            #"""
            {"event": {"id": "theirs_\#(date.replacing("-", with: ""))T090000Z",
            "recurringEventId": "theirs", "iCalUID": "theirs@example.com", "summary": "Round \#(day)",
            "originalStartTime": {"dateTime": "\#(date)T09:00:00Z", "timeZone": "Europe/London"},
            "start": {"dateTime": "\#(date)T10:00:00Z", "timeZone": "Europe/London"},
            "end": {"dateTime": "\#(date)T11:00:00Z", "timeZone": "Europe/London"},
            "organizer": {"email": "bea@example.com"},
            "attendees": [{"email": "\#(scene.account)@example.com", "responseStatus": "accepted"}]}}
            """#.replacing("\n", with: " "))
        }
      case .graph:
        let list = days.map { "\"2026-03-\($0 < 10 ? "0" : "")\($0)\"" }.joined(separator: ", ")
        try await scene.double.control(
          "POST", scene.account, "received",
          #"""
          {"subject": "Round", "occurrences": [\#(list)],
          "organizer": {"name": "Bea", "address": "bea@example.com"},
          "attendees": [{"emailAddress": {"address": "me@example.com", "name": "Me"}, "type": "required"}],
          "start": {"dateTime": "2026-03-02T09:00:00", "timeZone": "Europe/London"},
          "end": {"dateTime": "2026-03-02T10:00:00", "timeZone": "Europe/London"},
          "recurrence": {"pattern": {"type": "weekly", "interval": 1, "daysOfWeek": ["monday"],
          "firstDayOfWeek": "monday"},
          "range": {"type": "noEnd", "startDate": "2026-03-02"}}}
          """#.replacing("\n", with: " "))
      }
    }

    func open() async throws -> any RemoteCalendar { try await scene.remote().openCalendar() }

    func held(_ href: Href, _ read: (item: CalendarItem, etag: EntityTag)) -> HeldItem {
      HeldItem(href: href, etag: read.etag, item: read.item)
    }

    /// The item and the tag at a place, as a fresh connection reads them.
    func read(_ href: Href) async throws -> (item: CalendarItem, etag: EntityTag)? {
      for case .item(_, let etag?, let item) in try await open().fetch([href]) {
        return (item, etag)
      }
      return nil
    }
  }

  private func noted(_ item: CalendarItem) throws -> CalendarItem {
    try CalendarItem(
      components: item.components.map { component in
        var component = component
        component.properties.append(Property("X-NOTE", rawValue: "mine"))
        return component
      }, timeZones: item.timeZones)
  }

  @Test("They are read, read again, changed and deleted", arguments: VendorConformanceTests.kinds)
  func life(_ kind: VendorDouble.Kind) async throws {
    let invited = Invited(scene: try await VendorScene(kind))
    try await invited.invite([9])
    let calendar = try await invited.open()
    guard case .complete(let entries, let cursor?) = try await calendar.changes(since: nil),
      let entry = entries.first
    else {
      Issue.record("the occurrence is not listed")
      return
    }
    #expect(entries.count == 1)
    let read = try #require(try await invited.read(entry.href), "it is read alone")
    #expect(read.item.main == nil && read.item.overrides.count == 1)
    #expect(
      Event(read.item.overrides[0]).recurrenceID?.time.spelled == "2026-03-09 09:00 Europe/London")
    #expect(entry.etag == nil || entry.etag == read.etag)
    // An item can be changed in its own part, and what returns is what was sent.
    let changed = try noted(read.item)
    let holding = try #require(calendar.holding)
    if case .refused(let refusal) = holding.fit(
      of: changed, replacing: invited.held(entry.href, read))
    {
      Issue.record("\(refusal)")
    }
    #expect(
      try await calendar.update(entry.href, to: changed, ifMatch: EntityTag("\"old\""))
        == .conditionFailed)
    let outcome = try await calendar.update(entry.href, to: changed, ifMatch: read.etag)
    guard case .written(entry.href, let etag?) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    let again = try #require(try await invited.read(entry.href))
    #expect(again.etag == etag)
    #expect(again.item.overrides[0]["X-NOTE"]?.rawValue == "mine")
    guard
      case .some(let listed, _, let later) = try await invited.open().changes(since: cursor)
    else {
      Issue.record("the change is not listed")
      return
    }
    #expect(listed.map(\.href) == [entry.href])
    // A deletion is reported when it happened.
    #expect(try await calendar.delete(entry.href, ifMatch: read.etag) == .conditionFailed)
    #expect(try await calendar.delete(entry.href, ifMatch: etag) == .deleted)
    #expect(try await invited.open().list().isEmpty)
    #expect(try await invited.read(entry.href) == nil)
    guard case .some(_, let removed, _) = try await invited.open().changes(since: later) else {
      Issue.record("the deletion is not listed")
      return
    }
    #expect(removed.contains(entry.href))
    #expect(try await calendar.delete(entry.href, ifMatch: etag) == .deleted)
    try await invited.scene.expectNoViolations()
  }

  @Test("A new one is refused before it is sent", arguments: VendorConformanceTests.kinds)
  func refusals(_ kind: VendorDouble.Kind) async throws {
    let invited = Invited(scene: try await VendorScene(kind))
    try await invited.invite([9])
    let calendar = try await invited.open()
    let href = try #require(try await calendar.list().first?.href)
    let read = try #require(try await invited.read(href))
    let holding = try #require(calendar.holding)
    #expect(holding.fit(of: read.item, replacing: nil) == .refused(.noSeries))
    guard case .refused = try await calendar.create(read.item) else {
      Issue.record("an item without a series is created")
      return
    }
    // The series itself is not the user's.
    let whole = try RemoteConformance.event(read.item.uid.rawValue, summary: "Series")
    #expect(holding.fit(of: whole, replacing: invited.held(href, read)) == .refused(.foreignSeries))
    guard case .refused = try await calendar.update(href, to: whole, ifMatch: read.etag) else {
      Issue.record("a series takes the place of an occurrence")
      return
    }
    #expect(try await invited.read(href)?.etag == read.etag)
  }

  @Test("Several of a series at Google are one item")
  func several() async throws {
    let invited = Invited(scene: try await VendorScene(.google))
    try await invited.invite([9, 16])
    let calendar = try await invited.open()
    guard case .complete(let entries, let cursor?) = try await calendar.changes(since: nil) else {
      return
    }
    let href = try #require(entries.first?.href)
    #expect(entries.count == 1)
    let read = try #require(try await invited.read(href))
    #expect(read.item.overrides.count == 2 && read.etag == entries.first?.etag)
    // A third one changes the item, whose other occurrences are not in the answer.
    try await invited.invite([23])
    let fresh = try await invited.open()
    guard case .some(let changed, _, _) = try await fresh.changes(since: cursor) else { return }
    #expect(changed.map(\.href) == [href])
    let third = try #require(try await invited.read(href))
    #expect(third.item.overrides.count == 3)
    // Without one of its occurrences, the item deletes that one alone.
    let fewer = try CalendarItem(
      components: Array(third.item.components.dropLast()), timeZones: third.item.timeZones)
    _ = try await fresh.update(href, to: fewer, ifMatch: third.etag)
    let last = try #require(try await invited.read(href))
    #expect(last.item.overrides.count == 2)
    #expect(try await fresh.delete(href, ifMatch: last.etag) == .deleted)
    #expect(try await invited.open().list().isEmpty)
  }
}
