// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Testing

@Suite struct CalDAVChangesTests {
  typealias Script = CalDAVScript
  typealias Exchange = ScriptedTransport.Exchange

  /// What is remembered of a calendar of many items.
  static let known = cursor(ctag: "c1", token: "t1")

  static func cursor(ctag: String?, token: String?, count: Int = 100) -> RemoteCursor {
    RemoteCursor(
      "caldav 1\npath=/cal/\ncount=\(count)" + (ctag.map { "\nctag=\($0)" } ?? "")
        + (token.map { "\ntoken=\($0)" } ?? ""))
  }

  /// The question for the state of the calendar.
  static func ask(ctag: String?, token: String?, server: HTTPHeaders = [:]) -> Exchange {
    Exchange(
      .propfind, Script.root, fields: ["Depth": "0"],
      answer: .multiStatus(
        Script.response("/cal/", Script.state(ctag: ctag, token: token)), fields: server))
  }

  static func report(_ answer: ScriptedTransport.Answer) -> Exchange {
    Exchange(.report, Script.root, fields: ["Depth": "0"], answer: answer)
  }

  static func report(_ responses: String, token: String?) -> Exchange {
    report(.multiStatus(responses + (token.map { "<d:sync-token>\($0)</d:sync-token>" } ?? "")))
  }

  static func list(_ members: String...) -> Exchange {
    Exchange(
      .propfind, Script.root, fields: ["Depth": "1"],
      answer: .multiStatus(Script.own + members.joined()))
  }

  static let listed = list(Script.member("/cal/x.ics"), Script.member("/cal/y.ics"))
  /// The state after a listing, as it was before.
  static let asked = ask(ctag: "c2", token: "t2")

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    var server: HTTPHeaders = [:]
    /// The state that the opening tells.
    var state: (ctag: String?, token: String?) = ("c2", "t2")
    var cursor: RemoteCursor? = known
    var script: [Exchange] = []
    let expected: String
  }

  static let complete2 = "complete /cal/x.ics \"1\", /cal/y.ics \"1\" then 2 c2 t2"

  static let cases = [
    Case(
      testDescription: "nothing has changed: no request besides the opening",
      state: ("c1", "t1"), expected: "none then 100 c1 t1"),
    Case(
      testDescription: "nothing has changed, by the tag alone", state: ("c1", nil),
      cursor: cursor(ctag: "c1", token: nil), expected: "none then 100 c1 -"),
    Case(
      testDescription: "nothing has changed, by the token alone", state: (nil, "t1"),
      cursor: cursor(ctag: nil, token: "t1"), expected: "none then 100 - t1"),
    Case(
      testDescription: "the first time everything is listed", cursor: nil,
      script: [listed, asked], expected: complete2),
    Case(
      testDescription: "a cursor of another form", cursor: RemoteCursor("feed 1\ntoken=t1"),
      script: [listed, asked], expected: complete2),
    Case(
      testDescription: "a cursor of another calendar",
      cursor: RemoteCursor("caldav 1\npath=/other/\ncount=1\nctag=c2\ntoken=t2"),
      script: [listed, asked], expected: complete2),
    Case(
      testDescription: "a report of changes, with the calendar itself in it",
      script: [
        report(
          Script.response("/cal/", "<d:getetag>\"9\"</d:getetag>")
            + Script.member("/cal/a%40b.ics", etag: "7")
            + Script.response("/cal/b.ics", status: 404)
            + Script.response("https://h/cal/", status: 404), token: "t2")
      ], expected: "some /cal/a%40b.ics \"7\" gone /cal/b.ics then 99 c2 t2"),
    Case(
      testDescription: "only the status 404 says that an item is gone",
      script: [
        report(
          Script.response("/cal/a.ics", status: 403) + Script.response("/cal/b.ics", status: 410)
            + Script.response("/cal/c.ics", status: 500)
            + Script.response("/cal/d.ics", status: 507)
            + Script.response("/cal/e.ics", status: 200), token: "t2")
      ],
      expected: "some /cal/a.ics -, /cal/b.ics -, /cal/c.ics -, /cal/d.ics -, /cal/e.ics -"
        + " gone nothing then 100 c2 t2"),
    Case(
      testDescription: "what lies outside, and collections in it",
      script: [
        report(
          Script.response("/other/a.ics", status: 404) + Script.response("/cal/sub/", status: 404)
            + Script.response("/cal/../b.ics", status: 404)
            + Script.response("/cal/d.ics", status: 404), token: "t2")
      ], expected: "some nothing gone /cal/d.ics then 99 c2 t2"),
    Case(
      testDescription: "the paths of items, whatever server they name",
      script: [
        report(
          Script.member("http://backend:8080/cal/a.ics")
            + Script.response("//backend/cal/c.ics", status: 404)
            + Script.response("http://backend:8080/cal/", status: 404), token: "t2")
      ], expected: "some /cal/a.ics \"1\" gone /cal/c.ics then 99 c2 t2"),
    Case(
      testDescription: "an item of another server, of which the listing decides",
      script: [report(Script.member("http://backend/a.ics"), token: "t2"), listed, asked],
      expected: complete2),
    Case(
      testDescription: "pages, of which the later one counts",
      script: [
        report(
          Script.member("/cal/a.ics") + Script.member("/cal/b.ics")
            + Script.response("/cal/", status: 507), token: "p1"),
        report(
          Script.response("/cal/%61.ics", status: 404) + Script.response("/cal", status: 507),
          token: "p2"),
        report(Script.member("/cal/c.ics"), token: "t2"),
      ],
      expected: "some /cal/b.ics \"1\", /cal/c.ics \"1\" gone /cal/%61.ics then 99 c2 t2"),
    Case(
      testDescription: "pages that do not go on",
      script: [
        report(Script.member("/cal/a.ics") + Script.response("/cal/", status: 507), token: "t1"),
        listed, asked,
      ], expected: complete2),
    Case(
      testDescription: "a page without a token",
      script: [
        report(Script.member("/cal/a.ics") + Script.response("/cal/", status: 507), token: nil),
        listed, asked,
      ], expected: complete2),
    Case(
      testDescription: "a report without a token: next time everything is listed",
      script: [report(Script.response("/cal/a.ics", status: 404), token: nil)],
      expected: "some nothing gone /cal/a.ics then 99 c2 -"),
    Case(
      testDescription: "no token is known", cursor: cursor(ctag: "c1", token: nil),
      script: [listed, asked], expected: complete2),
    Case(
      testDescription: "the server has given up its reports", state: ("c2", nil), script: [listed],
      expected: "complete /cal/x.ics \"1\", /cal/y.ics \"1\" then 2 c2 -"),
    Case(
      testDescription: "a server with neither tag nor token", state: (nil, nil), script: [listed],
      expected: "complete /cal/x.ics \"1\", /cal/y.ics \"1\" then no cursor"),
    Case(
      testDescription: "an empty report of a calendar whose tag has changed, up to its token",
      script: [report("", token: "t2")], expected: "some nothing gone nothing then 100 c2 t2"),
    Case(
      testDescription: "an empty report of a calendar whose tag has not changed",
      state: ("c1", "t2"), script: [report("", token: "t3")],
      expected: "some nothing gone nothing then 100 c1 t3"),
    Case(
      testDescription: "a token of a later time, taken for one of this and echoed (sabre/dav)",
      script: [report("", token: "t1"), listed, asked], expected: complete2),
    Case(
      testDescription: "a token that is not known, answered with all there is (DAViCal)",
      cursor: cursor(ctag: "c1", token: "t1", count: 3),
      script: [
        report(Script.member("/cal/x.ics") + Script.member("/cal/y.ics"), token: "t2"), listed,
        asked,
      ],
      expected: complete2),
    Case(
      testDescription: "a token and a tag with characters that mean something",
      state: ("\"a&amp;b\" =1", "http://x/ns?a=1&amp;b=%20"), cursor: nil,
      script: [listed, ask(ctag: "\"a&amp;b\" =1", token: "http://x/ns?a=1&amp;b=%20")],
      expected:
        "complete /cal/x.ics \"1\", /cal/y.ics \"1\" then 2 \"a&b\" =1 http://x/ns?a=1&b=%20"),
    Case(
      testDescription: "the calendar changes while it is listed: next time everything is listed",
      cursor: nil, script: [list(Script.member("/cal/x.ics")), ask(ctag: "c3", token: "t3")],
      expected: "complete /cal/x.ics \"1\" then 1 c2 -"),
    Case(
      testDescription: "the state cannot be had after the listing", cursor: nil,
      script: [
        listed,
        Exchange(.propfind, Script.root, fields: ["Depth": "0"], answer: .status(403)),
      ], expected: "complete /cal/x.ics \"1\", /cal/y.ics \"1\" then 2 c2 -"),
    Case(
      testDescription: "a tag with a line end, and an endless token",
      state: ("a\nb", String(repeating: "t", count: 3000)), cursor: nil, script: [listed],
      expected: "complete /cal/x.ics \"1\", /cal/y.ics \"1\" then no cursor"),
  ]

  static func summary(_ changes: RemoteChanges) -> String {
    let lines = { (entries: [RemoteEntry]) in
      let texts = entries.map { "\($0.href) \($0.etag?.quoted ?? "-")" }
      return texts.isEmpty ? "nothing" : texts.joined(separator: ", ")
    }
    switch changes {
    case .none(let next): return "none then \(summary(next))"
    case .some(let changed, let removed, let next):
      let gone = removed.isEmpty ? "nothing" : removed.map(\.rawValue).joined(separator: ", ")
      return "some \(lines(changed)) gone \(gone) then \(summary(next))"
    case .complete(let entries, let next):
      return "complete \(lines(entries)) then \(next.map(summary) ?? "no cursor")"
    }
  }

  /// The changes, with the cursor of a listing confirmed as a run does it.
  private static func changes(
    of calendar: any RemoteCalendar, since cursor: RemoteCursor?
  ) async throws -> RemoteChanges {
    let changes = try await calendar.changes(since: cursor)
    guard case .complete(let entries, let next?) = changes else { return changes }
    return .complete(entries, await calendar.confirm(next))
  }

  /// The count, the tag and the token of a cursor.
  private static func summary(_ cursor: RemoteCursor) -> String {
    let lines = cursor.rawValue.split(separator: "\n")
    guard lines.prefix(2) == ["caldav 1", "path=/cal/"] else { return "another cursor" }
    return ["count=", "ctag=", "token="].map { name in
      lines.first { $0.hasPrefix(name) }.map { String($0.dropFirst(name.count)) } ?? "-"
    }.joined(separator: " ")
  }

  @Test(arguments: cases) func `Changes are told by the cheapest way`(_ row: Case) async throws {
    let script = try await Script(
      server: row.server, state: Script.state(ctag: row.state.ctag, token: row.state.token),
      row.script)
    let changes = try await Self.changes(of: script.calendar, since: row.cursor)
    #expect(Self.summary(changes) == row.expected)
    script.transport.expectFinished()
  }

  @Test(arguments: [400, 403, 404, 405, 409, 410, 412, 415, 418, 422, 500, 501, 507])
  func `A report that is refused is replaced by a listing`(_ status: Int) async throws {
    let script = try await Script(
      state: Script.state(ctag: "c2", token: "t2"),
      [Self.report(.status(status)), Self.listed, Self.asked])
    let changes = try await Self.changes(of: script.calendar, since: Self.known)
    #expect(Self.summary(changes) == Self.complete2)
    script.transport.expectFinished()
  }

  static let failures: [(ScriptedTransport.Answer, RemoteError.Code)] = [
    (.status(401), .credentials), (.status(429), .temporarilyUnavailable),
    (.status(503), .temporarilyUnavailable), (.status(502, body: CalDAVListingTests.page), .failed),
    (.status(200, body: CalDAVListingTests.page), .notCalendar), (.status(204), .failed),
    (.status(207), .malformed),
    (.status(207, body: String(CalDAVListingTests.whole.dropLast(20))), .malformed),
    (
      .status(
        207, body: CalDAVListingTests.whole.replacing("</d:response><d:response>", with: "")),
      .malformed
    ),
    (
      .status(
        207,
        body: CalDAVListingTests.whole.replacing(
          "</d:response></d:multistatus>", with: "</d:multistatus></d:response>")),
      .malformed
    ),
    (.failure(.interrupted), .interrupted), (.failure(.timeout), .unreachable),
    (.failure(.tooLarge), .tooLarge),
  ]

  @Test(arguments: failures)
  func `Half a report is an error, and never what came so far`(
    _ answer: ScriptedTransport.Answer, _ code: RemoteError.Code
  ) async throws {
    for pages in [[], [Self.report(Script.response("/cal/", status: 507), token: "p1")]] {
      let script = try await Script(
        state: Script.state(ctag: "c2", token: "t2"), pages + [Self.report(answer)])
      let error = await #expect(throws: RemoteError.self) {
        try await Self.changes(of: script.calendar, since: Self.known)
      }
      #expect(error?.code == code)
      script.transport.expectFinished()
    }
  }

  @Test func `Pages have an end`() async throws {
    let pages = (1...1000).map { number in
      Self.report(Script.response("/cal/", status: 507), token: "p\(number)")
    }
    let script = try await Script(
      state: Script.state(ctag: "c2", token: "t2"), pages + [Self.listed, Self.asked])
    #expect(
      try await Self.summary(Self.changes(of: script.calendar, since: Self.known)) == Self.complete2
    )
    script.transport.expectFinished()
  }

  @Test func `The state is asked for again, and the request is a small one`() async throws {
    let script = try await Script(
      state: Script.state(ctag: "c1", token: "t1"),
      [
        Self.ask(ctag: "c1", token: "t1"), Self.ask(ctag: "c2", token: "t2"),
        Self.report(Script.member("/cal/a.ics"), token: "t2"),
      ])
    let calendar = script.calendar
    for expected in [
      "none then 100 c1 t1", "none then 100 c1 t1",
      "some /cal/a.ics \"1\" gone nothing then 100 c2 t2",
    ] {
      #expect(try await Self.summary(Self.changes(of: calendar, since: Self.known)) == expected)
    }
    script.transport.expectFinished()
    for request in script.transport.log {
      #expect(request.body.map { $0.count < 500 } ?? true)
    }
  }

  @Test func `The token is sent as it was given`() async throws {
    let script = try await Script(
      state: Script.state(ctag: "c2", token: "t2"), [Self.report("", token: "t2")])
    let cursor = Self.cursor(ctag: "c1", token: "http://x/?a=1&b=<2>")
    _ = try await Self.changes(of: script.calendar, since: cursor)
    let body = String(decoding: script.transport.log.last?.body ?? [], as: UTF8.self)
    #expect(body.contains("<d:sync-token>http://x/?a=1&amp;b=&lt;2&gt;</d:sync-token>"))
    #expect(body.contains("<d:sync-level>1</d:sync-level>"))
  }

  /// SOGo counts in seconds and gives a deleted item's tag to the next one of its name.
  @Test(arguments: [
    // The second is over: its name is a name. 1,700,000,000 is 22:13:20.
    ("Tue, 14 Nov 2023 22:13:23 GMT", "ctag=1700000000\ntoken=1700000000"),
    ("Wed, 15 Nov 2023 09:00:00 GMT", "ctag=1700000000\ntoken=1700000000"),
    // More may come in it: the next time, what has happened since it began is asked for.
    ("Tue, 14 Nov 2023 22:13:20 GMT", "token=1700000000"),
    ("Tue, 14 Nov 2023 22:13:21 GMT", "token=1700000000"),
    ("Tue, 14 Nov 2023 22:13:19 GMT", "token=1700000000"),
    ("a moment ago", "token=1700000000"),
  ])
  func `A second of SOGo is believed once it is over`(
    _ date: String, _ remembered: String
  ) async throws {
    let script = try await Script(
      server: ["Server": "SOPE/4.9", "Date": date],
      state: Script.state(ctag: "1700000000", token: "1700000000"),
      [Self.listed, Self.ask(ctag: "1700000000", token: "1700000000")])
    guard case .complete(_, let cursor) = try await Self.changes(of: script.calendar, since: nil)
    else {
      Issue.record("nothing is listed")
      return
    }
    #expect(cursor?.rawValue == "caldav 1\npath=/cal/\ncount=2\n\(remembered)")
  }

  @Test func `What SOGo reports is looked at whatever its tag is`() async throws {
    let script = try await Script(
      server: ["Server": "SOPE/4.9", "Date": "Wed, 15 Nov 2023 09:00:00 GMT"],
      state: Script.state(ctag: "1700000000", token: "1700000000"),
      [Self.report(Script.member("/cal/a.ics"), token: "1700000000")])
    let changes = try await script.calendar.changes(
      since: Self.cursor(ctag: nil, token: "1700000000"))
    #expect(
      Self.summary(changes) == "some /cal/a.ics - gone nothing then 100 1700000000 1700000000")
    script.transport.expectFinished()
  }
}
