// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import CivilTime
import Synchronization
import TestSupport
import Testing

/// An item that another calendar of the account has, on a server that has each UID once in an account.
@Suite struct CalDAVMovingTests {
  typealias Script = CalDAVScript
  typealias Exchange = ScriptedTransport.Exchange

  static let source = "https://h/other/o%20x.ics"
  static let href = Href("/other/o%20x.ics")
  static let place = Href("/cal/a_40x.ics")

  struct Case: CustomTestStringConvertible {
    let answer: ScriptedTransport.Answer
    let outcome: WriteOutcome
    var testDescription: String { "\(answer)" }
  }

  static let cases = [
    Case(answer: .status(201), outcome: .written(href: place, etag: nil)),
    Case(
      answer: .status(204, fields: ["ETag": "\"7\""]),
      outcome: .written(href: place, etag: EntityTag("\"7\""))),
    Case(answer: .status(412), outcome: .conditionFailed),
    Case(answer: .status(404), outcome: .conditionFailed),
    Case(
      answer: .status(403),
      outcome: .refused(reason: "the server refuses it with status 403")),
    Case(
      answer: .status(501),
      outcome: .refused(reason: "the server refuses it with status 501")),
    Case(
      answer: .multiStatus("", status: 207),
      outcome: .refused(reason: "the server could not move all of it")),
  ]

  @Test(arguments: cases) func `A move is conditional and overwrites nothing`(
    _ row: Case
  ) async throws {
    let script = try await Script([
      Exchange(
        .move, Self.source,
        fields: [
          "Destination": "https://h/cal/a_40x.ics", "Overwrite": "F", "If-Match": "\"1\"",
        ], answer: row.answer),
      Exchange(
        .propfind, Self.source, fields: ["Depth": "0"],
        answer: .multiStatus(Script.member("/other/o%20x.ics", etag: "\"2\""))),
    ])
    let entry = RemoteEntry(href: Self.href, etag: EntityTag("\"1\""))
    #expect(try await script.calendar.move(Script.event("a@x"), from: entry) == row.outcome)
  }

  @Test func `Without a tag that is known a move has no condition on it`() async throws {
    let script = try await Script([Exchange(.move, Self.source, answer: .status(201))])
    let entry = RemoteEntry(href: Self.href, etag: nil)
    _ = try await script.calendar.move(Script.event("a@x"), from: entry)
    #expect(script.transport.log.last?.headers["If-Match"] == nil)
  }

  @Test(arguments: ["/cal/a.ics", "/other/", "/cal/"])
  func `What is not an item of another calendar is not moved`(_ href: String) async throws {
    let script = try await Script([])
    let outcome = try await script.calendar.move(
      Script.event("a@x"), from: RemoteEntry(href: Href(href), etag: nil))
    #expect(outcome == .refused(reason: "https://h\(href) is not an item of another calendar"))
    script.transport.expectFinished()
  }

  @Test func `Nothing is moved on another server`() async throws {
    let script = try await Script([])
    let entry = RemoteEntry(href: Href("https://other/x.ics"), etag: nil)
    await #expect(throws: RemoteError.self) {
      try await script.calendar.move(Script.event("a@x"), from: entry)
    }
  }

  @Test func `A meeting of which people would be told is not moved`() async throws {
    let server = SchedulingServerDouble()
    server.store(try InvitationTests.meeting(), as: "/other/meeting.ics")
    let mails = server.mails
    let calendar = try await CalDAVRemote(
      address: try RemoteURL(parsing: "https://h/cal/"), credentials: nil, transport: server
    ).openCalendar()
    let outcome = try await calendar.move(
      try InvitationTests.meeting(),
      from: RemoteEntry(href: Href("/other/meeting.ics"), etag: nil))
    #expect(
      outcome
        == .refused(
          reason: "the server would send a cancellation to bob@x; "
            + "it does so only with invitations = \"send\""))
    #expect(server.mails == mails)
    #expect(server.last(.move) == nil)
  }

  @Test func `A run moves what the server has in another calendar`() async throws {
    let refusal = CalDAVWritingTests.refusal(
      "<c:unique-scheduling-object-resource><d:href>/other/o x.ics</d:href>"
        + "</c:unique-scheduling-object-resource>")
    let item = try Script.event("a@x")
    let listing = Script.own
    let transport = ScriptedTransport([
      .init(
        .propfind, Script.root,
        answer: .multiStatus(
          Script.calendarResponse, fields: ["DAV": "1, 3, calendar-access"])),
      .init(.propfind, Script.root, answer: .multiStatus(listing)),
      .init(.put, "https://h/cal/a_40x.ics", answer: .status(403, body: refusal)),
      .init(.move, "https://h/other/o%20x.ics", answer: .status(201)),
    ])
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: Script.root), credentials: nil, transport: transport)
    let local = MemoryLocalCalendar()
    local.write(item)
    let ledger = MemoryLedger()
    let entry = LedgerEntry(
      uid: item.uid, localName: "there.ics", localBase: item.fingerprint,
      href: Self.href, etag: EntityTag("\"1\""), remoteBase: item.fingerprint,
      base: item.serialized())
    var options = SyncOptions()
    let other = SyncBinding(name: "other", local: "/other", remote: remote.identity)
    options.moves.origins[item.uid] = MoveOrigin(binding: other, entry: entry)
    let runner = SyncEngine(
      name: "test", local: local, remote: remote, tier: .full, ledger: ledger, options: options,
      now: { Instant(secondsSinceEpoch: 1_780_000_000) }, report: { _ in })
    let summary = try await runner.run()
    #expect(summary.uploaded == 1 && summary.failed == 0)
    let binding = SyncBinding(name: "test", local: local.location, remote: remote.identity)
    let stored = try await ledger.entries(of: binding)
    #expect(stored.map(\.href) == [Self.place])
    #expect(stored.map(\.etag) == [nil])
    #expect(stored.map(\.base) == [item.serialized()])
    transport.expectFinished()
  }
}
