// SPDX-License-Identifier: Apache-2.0

import CalendarRemotes
import CalendarSync
import Testing

@Suite struct CalDAVListingTests {
  typealias Script = CalDAVScript

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let responses: [String]
    var status = 207
    let entries: [String]
  }

  /// What servers do differently and mean alike; each entry is an href and a tag.
  static let accepted = [
    Case(
      testDescription: "nothing but the calendar itself", responses: [Script.own], entries: []),
    Case(
      testDescription: "items in the order of the server",
      responses: [Script.member("/cal/b.ics"), Script.own, Script.member("/cal/a.ics")],
      entries: ["/cal/b.ics \"1\"", "/cal/a.ics \"1\""]),
    Case(
      testDescription: "200 in place of 207",
      responses: [Script.own, Script.member("/cal/a.ics")], status: 200,
      entries: ["/cal/a.ics \"1\""]),
    Case(
      testDescription: "tags without quotes",
      responses: [Script.own, Script.member("/cal/a.ics", etag: "abc")],
      entries: ["/cal/a.ics \"abc\""]),
    Case(
      testDescription: "weak tags, kept as they are",
      responses: [Script.own, Script.member("/cal/a.ics", etag: "W/\"abc\"")],
      entries: ["/cal/a.ics W/\"abc\""]),
    Case(
      testDescription: "escaped quotes, and white space around a tag",
      responses: [Script.own, Script.member("/cal/a.ics", etag: "\n  &quot;abc&quot;  ")],
      entries: ["/cal/a.ics \"abc\""]),
    Case(
      testDescription: "no tag, or an empty one",
      responses: [
        Script.own, Script.member("/cal/a.ics", etag: nil), Script.member("/cal/b.ics", etag: " "),
      ],
      entries: ["/cal/a.ics -", "/cal/b.ics -"]),
    Case(
      testDescription: "whole addresses in place of paths",
      responses: [
        Script.response("https://h/cal/", "<d:resourcetype/>"),
        Script.member("https://H:443/cal/a.ics"),
      ],
      entries: ["https://H:443/cal/a.ics \"1\""]),
    Case(
      testDescription: "relative references",
      responses: [Script.response("", "<d:resourcetype/>"), Script.member("a.ics")],
      entries: ["a.ics \"1\""]),
    Case(
      testDescription: "escapes in either case, kept as they are",
      responses: [
        Script.response("/c%61l", "<d:resourcetype/>"), Script.member("/cal/%c3%a9@x.ics"),
        Script.member("/c%61l/%C3%A8%40x.ics"),
      ],
      entries: ["/cal/%c3%a9@x.ics \"1\"", "/c%61l/%C3%A8%40x.ics \"1\""]),
    Case(
      testDescription: "an item twice, counted once",
      responses: [
        Script.own, Script.member("/cal/a%40x.ics"), Script.member("/cal/a@x.ics"),
        Script.member("/cal/b.ics", etag: "\"1\""), Script.member("/cal/b.ics", etag: "\"2\""),
      ],
      entries: ["/cal/a%40x.ics \"1\"", "/cal/b.ics -"]),
    Case(
      testDescription: "a tag on the calendar, and collections in it",
      responses: [
        Script.response("/cal/", "<d:getetag>\"7\"</d:getetag>"),
        Script.response("/cal/sub/", "<d:resourcetype><d:collection/></d:resourcetype>"),
        Script.response("/cal/sub2", "<d:resourcetype><d:collection/></d:resourcetype>"),
      ], entries: []),
    Case(
      testDescription: "what lies outside",
      responses: [
        Script.own, Script.member("/other/a.ics"), Script.member("/cal/../a.ics"),
        Script.member("/cal/%2e%2e/a.ics"),
      ], entries: []),
    Case(
      testDescription: "the paths of items, whatever server they name (RFC 4918 §8.3)",
      responses: [
        Script.response("http://backend:8080/cal/", "<d:resourcetype/>"),
        Script.member("http://h/cal/a.ics"), Script.member("https://h:8443/cal/b.ics"),
        Script.member("http://backend:8080/cal/c%20d.ics"), Script.member("//backend/cal/e.ics"),
        Script.member("//h/cal/f.ics"), Script.member("https://me@backend/cal/g.ics?v=1"),
        Script.member("/cal/a.ics", etag: "\"2\""),
      ],
      entries: [
        "/cal/a.ics -", "/cal/b.ics \"1\"", "/cal/c%20d.ics \"1\"", "/cal/e.ics \"1\"",
        "//h/cal/f.ics \"1\"", "/cal/g.ics?v=1 \"1\"",
      ]),
    Case(
      testDescription: "an item of which the server says something odd",
      responses: [
        Script.own, Script.response("/cal/a.ics", status: 404),
        Script.response("/cal/b.ics", status: 500),
      ],
      entries: ["/cal/a.ics -", "/cal/b.ics -"]),
  ]

  @Test(arguments: accepted) func `A listing is understood`(_ row: Case) async throws {
    let script = try await Script([
      .init(
        .propfind, Script.root, fields: ["Depth": "1"],
        answer: .multiStatus(row.responses.joined(), status: row.status))
    ])
    let entries = try await script.calendar.list()
    #expect(entries.map { "\($0.href) \($0.etag?.quoted ?? "-")" } == row.entries)
    script.transport.expectFinished()
  }

  struct Failure: CustomTestStringConvertible {
    let testDescription: String
    let answer: ScriptedTransport.Answer
    let code: RemoteError.Code
  }

  static let page = "<!DOCTYPE html>\n<html><body>Log in</body></html>"
  static let whole =
    #"<d:multistatus xmlns:d="DAV:">"# + Script.own + Script.member("/cal/a.ics")
    + "</d:multistatus>"

  /// What must never be taken for a calendar, above all not for an empty one.
  static let refused = [
    Failure(testDescription: "no content", answer: .status(204), code: .failed),
    Failure(testDescription: "an empty body", answer: .status(207), code: .malformed),
    Failure(testDescription: "an empty answer", answer: .multiStatus(""), code: .malformed),
    Failure(
      testDescription: "a listing without the calendar itself",
      answer: .multiStatus(Script.member("/cal/a.ics")), code: .malformed),
    Failure(
      testDescription: "a listing that says it was cut off",
      answer: .multiStatus(Script.own + Script.response("/cal/", status: 507)), code: .malformed),
    Failure(
      testDescription: "a listing that says the calendar is gone",
      answer: .multiStatus(Script.response("/cal/", status: 404)), code: .notFound),
    Failure(
      testDescription: "an item of another server",
      answer: .multiStatus(Script.own + Script.member("http://backend/a.ics")), code: .malformed),
    Failure(
      testDescription: "an item of another server, without a scheme",
      answer: .multiStatus(Script.own + Script.member("//cal/a.ics")), code: .malformed),
    Failure(
      testDescription: "an item that is above its calendar on another server",
      answer: .multiStatus(Script.own + Script.member("https://evil.example/cal/%2e%2e/a.ics")),
      code: .malformed),
    Failure(
      testDescription: "an item that is not on the web",
      answer: .multiStatus(Script.own + Script.member("file:///cal/a.ics")), code: .malformed),
    Failure(
      testDescription: "a body that is cut off",
      answer: .status(207, body: String(whole.dropLast(20))), code: .malformed),
    Failure(
      testDescription: "a login page",
      answer: .status(200, fields: ["Content-Type": "text/html; charset=utf-8"], body: page),
      code: .notCalendar),
    Failure(
      testDescription: "a login page that claims to be XML",
      answer: .status(207, fields: ["Content-Type": "application/xml"], body: page),
      code: .notCalendar),
    Failure(
      testDescription: "the listing of another server",
      answer: .moved(to: "https://evil.example/cal/", .status(207, body: whole)),
      code: .redirected),
    Failure(testDescription: "401", answer: .status(401), code: .credentials),
    Failure(testDescription: "404", answer: .status(404), code: .notFound),
    Failure(testDescription: "410", answer: .status(410), code: .notFound),
    Failure(testDescription: "429", answer: .status(429), code: .temporarilyUnavailable),
    Failure(
      testDescription: "503",
      answer: .status(503, fields: ["Retry-After": "Wed, 21 Oct 2026 07:28:00 GMT"]),
      code: .temporarilyUnavailable),
    Failure(testDescription: "500", answer: .status(500), code: .failed),
    Failure(
      testDescription: "502 with a page", answer: .status(502, body: page), code: .failed),
    Failure(
      testDescription: "a cut connection", answer: .failure(.interrupted), code: .interrupted),
    Failure(testDescription: "no connection", answer: .failure(.unreachable), code: .unreachable),
    Failure(testDescription: "a timeout", answer: .failure(.timeout), code: .unreachable),
    Failure(testDescription: "a false certificate", answer: .failure(.untrusted), code: .untrusted),
    Failure(testDescription: "a flood", answer: .failure(.tooLarge), code: .tooLarge),
  ]

  @Test(arguments: refused) func `A failure is never an empty calendar`(
    _ row: Failure
  ) async throws {
    let script = try await Script([.init(.propfind, Script.root, answer: row.answer)])
    let error = await #expect(throws: RemoteError.self) { try await script.calendar.list() }
    #expect(error?.code == row.code, "\(error.map(String.init(describing:)) ?? "")")
    #expect(error.map { !$0.description.contains("s3cret") } ?? false)
  }

  @Test(arguments: [403, 405, 501])
  func `A calendar is listed by a query if PROPFIND is refused`(_ status: Int) async throws {
    let refused = ScriptedTransport.Exchange(.propfind, Script.root, answer: .status(status))
    let listed = try await Script([
      refused,
      .init(
        .report, Script.root, fields: ["Depth": "1"],
        answer: .multiStatus(Script.member("/cal/a.ics"))),
    ])
    #expect(try await listed.calendar.list().map(\.href.rawValue) == ["/cal/a.ics"])
    let body = String(decoding: listed.transport.log.last?.body ?? [], as: UTF8.self)
    #expect(body.contains(#"<c:filter><c:comp-filter name="VCALENDAR"/></c:filter>"#))
    let script = try await Script([refused, .init(.report, Script.root, answer: .status(403))])
    let error = await #expect(throws: RemoteError.self) { try await script.calendar.list() }
    #expect(error?.code == (status == 403 ? .forbidden : .failed))
    script.transport.expectFinished()
  }

  @Test func `An item of another server is named`() async throws {
    let script = try await Script([
      .init(
        .propfind, Script.root,
        answer: .multiStatus(Script.own + Script.member("http://al:s3cret@backend/a.ics")))
    ])
    let error = await #expect(throws: RemoteError.self) { try await script.calendar.list() }
    #expect(
      error?.message
        == "the listing contains http://…@backend/a.ics, which is not in this calendar")
  }

  @Test func `A calendar that has moved on its server is listed from there`() async throws {
    let script = try await Script([
      .init(
        .propfind, Script.root,
        answer: .moved(
          to: "https://h/moved/",
          .multiStatus(
            Script.response("/moved/", "<d:resourcetype/>") + Script.member("/cal/a.ics"))))
    ])
    #expect(try await script.calendar.list().map(\.href.rawValue) == ["/cal/a.ics"])
  }

  @Test(arguments: [
    ("86400\u{1B}[2J", "86400\\u{1B}[2J"), ("3600", "3600 seconds"),
    ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37 GMT"),
  ])
  func `The server's wish to be left alone is passed on, and made harmless`(
    field: String, words: String
  ) async throws {
    let script = try await Script([
      .init(
        .propfind, Script.root,
        answer: .status(429, fields: ["Retry-After": field]))
    ])
    let error = await #expect(throws: RemoteError.self) { try await script.calendar.list() }
    #expect(
      error?.message
        == "the server asks to retry later, after \(words) (status 429)")
  }
}
