// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import CivilTime
import TestSupport
import Testing

/// RFC 6578 §3.5: what was added after a token and deleted before the next report is in no report.
@Suite("An item that no report ever names")
struct UnlistedItemTests {
  typealias Script = CalDAVScript
  typealias Exchange = ScriptedTransport.Exchange

  private let local = MemoryLocalCalendar()
  private let ledger = MemoryLedger()

  /// The first request of a run, which tells the tag and the token of the calendar.
  private static func opening(_ state: String) -> Exchange {
    let response = Script.calendarResponse.replacing(
      "</d:prop>", with: Script.state(ctag: "c\(state)", token: "t\(state)") + "</d:prop>")
    return Exchange(
      .propfind, Script.root,
      answer: .multiStatus(response, fields: ["DAV": "1, 3, calendar-access"]))
  }

  private static let names = ["a", "b", "c"]
  private static let old = names.map { Script.member("/cal/\($0).ics") }.joined()

  private static func list(_ members: String) -> Exchange {
    Exchange(
      .propfind, Script.root, fields: ["Depth": "1"], answer: .multiStatus(Script.own + members))
  }

  private static func report(_ responses: String) -> Exchange {
    Exchange(.report, Script.root, answer: .multiStatus(responses))
  }

  private func run(_ script: [Exchange]) async throws -> RunSummary {
    try await run(ScriptedTransport(script))
  }

  private func run(_ transport: ScriptedTransport) async throws -> RunSummary {
    let remote = CalDAVRemote(
      address: try RemoteURL(parsing: Script.root),
      credentials: Credentials(user: "alice", password: "s3cret"), transport: transport)
    let summary = try await SyncEngine(
      name: "home", local: local, remote: remote, tier: .full, ledger: ledger,
      now: { Instant(secondsSinceEpoch: 0) }, report: { _ in }
    ).run()
    transport.expectFinished()
    return summary
  }

  /// Three items that the server has, all or some of which are here, and one that is added there.
  private func begin(with here: [String] = names) async throws {
    for uid in here + ["new"] { local.write(try Script.event(uid)) }
    let texts = try Self.names.map { try Script.data("/cal/\($0).ics", Script.text($0)) }
    let summary = try await run([
      Self.opening("1"), Self.list(Self.old), CalDAVChangesTests.ask(ctag: "c1", token: "t1"),
      Self.report(texts.joined()),
      Exchange(
        .put, Script.root + "new.ics", fields: ["If-None-Match": "*"],
        answer: .status(201, fields: ["ETag": "\"n\""])),
      // What was sent is read back.
      Self.report(try Script.data("/cal/new.ics", Script.text("new"), etag: "\"n\"")),
    ])
    #expect(summary.uploaded == 1)
  }

  @Test("Named by the next report, it costs no other question")
  func named() async throws {
    try await begin()
    let line = Script.member("/cal/new.ics", etag: "\"n\"")
    let summary = try await run([
      Self.opening("2"), Self.report(line + "<d:sync-token>t2</d:sync-token>"),
    ])
    #expect(summary == RunSummary())
  }

  @Test("Beside versions that were agreed last, it is not compared")
  func compared() async throws {
    try await begin(with: ["a", "b"])
    let line = Script.member("/cal/new.ics", etag: "\"n\"")
    let transport = ScriptedTransport([
      Self.opening("2"), Self.report(line + "<d:sync-token>t2</d:sync-token>"),
      // The tag of the item that the last run downloaded.
      Self.report(Script.member("/cal/c.ics")),
    ])
    #expect(try await run(transport) == RunSummary())
    let probe = String(decoding: transport.log.last?.body ?? [], as: UTF8.self)
    #expect(probe.contains("/cal/c.ics") && !probe.contains("/cal/new.ics"), "\(probe)")
  }

  @Test("Deleted on the server before that, it is deleted here, once a listing lacks it")
  func deleted() async throws {
    try await begin()
    let summary = try await run([
      Self.opening("3"), Self.report("<d:sync-token>t3</d:sync-token>"),
      CalDAVChangesTests.ask(ctag: "c3", token: "t3"), Self.list(Self.old),
      Self.report(Script.response("/cal/new.ics", status: 404)),
      Exchange(.get, Script.root + "new.ics", answer: .status(404)),
      CalDAVChangesTests.ask(ctag: "c3", token: "t3"),
    ])
    #expect(summary.deletedLocally == 1)
    #expect(local.items.keys.sorted() == Self.names)
  }

  @Test("Left out of reports and listings but given, it stays here")
  func hidden() async throws {
    try await begin()
    let summary = try await run([
      Self.opening("3"), Self.report("<d:sync-token>t3</d:sync-token>"),
      CalDAVChangesTests.ask(ctag: "c3", token: "t3"), Self.list(Self.old),
      Self.report(try Script.data("/cal/new.ics", Script.text("new"), etag: "\"n\"")),
      CalDAVChangesTests.ask(ctag: "c3", token: "t3"),
    ])
    #expect(summary == RunSummary())
    #expect(local.items.count == 4)
  }
}
