// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Testing

@Suite struct CalDAVFetchingTests {
  typealias Script = CalDAVScript

  static func report(_ responses: String, status: Int = 207) -> ScriptedTransport.Exchange {
    .init(
      .report, Script.root, fields: ["Depth": "1"],
      answer: .multiStatus(responses, status: status))
  }

  static func get(
    _ path: String, _ answer: ScriptedTransport.Answer
  ) -> ScriptedTransport.Exchange {
    .init(.get, "https://h\(path)", answer: answer)
  }

  /// Fetches these hrefs and returns the results on one line each.
  func results(
    of hrefs: [String], _ exchanges: [ScriptedTransport.Exchange]
  ) async throws -> [String] {
    let script = try await Script(exchanges)
    let results = try await script.calendar.fetch(hrefs.map { Href($0) })
    script.transport.expectFinished()
    return results.map(\.summary)
  }

  @Test func `Items come in one report, by hrefs as they were received`() async throws {
    let script = try await Script([
      Self.report(
        Script.data("/cal/b%26.ics", try Script.text("b"), etag: "2")
          + Script.data("https://h/cal/a%40x.ics", try Script.text("a")))
    ])
    let results = try await script.calendar.fetch([Href("/cal/a@x.ics"), Href("/cal/b&.ics")])
    #expect(results.map(\.summary) == ["/cal/a@x.ics \"1\" a", "/cal/b&.ics \"2\" b"])
    let body = String(decoding: try #require(script.transport.log.last?.body), as: UTF8.self)
    #expect(body.contains("<d:href>/cal/a@x.ics</d:href><d:href>/cal/b&amp;.ics</d:href>"))
  }

  @Test func `An item keeps its line ends, which XML takes away`() async throws {
    let text = try Script.text("a")
    let script = try await Script([
      Self.report(Script.data("/cal/a.ics", text.replacing("\r\n", with: "\n")))
    ])
    guard case .item(_, _, let item) = try await script.calendar.fetch([Href("/cal/a.ics")]).first
    else {
      Issue.record("the item is not read")
      return
    }
    #expect(item.serialized() == Array(text.utf8))
  }

  @Test func `Some hundred are asked for at once`() async throws {
    let hrefs = (0..<501).map { Href("/cal/\($0).ics") }
    let batches = [0..<250, 250..<500, 500..<501].map { range in
      Self.report(range.map { Script.response("/cal/\($0).ics", status: 403) }.joined())
    }
    let script = try await Script(batches)
    let results = try await script.calendar.fetch(hrefs)
    #expect(
      results.map(\.summary)
        == hrefs.map { "\($0) unreadable: the server does not return it (status 403)" })
    script.transport.expectFinished()
  }

  @Test func `What a report leaves out is asked for alone`() async throws {
    #expect(
      try await results(
        of: ["/cal/a.ics", "/cal/b.ics", "/cal/c.ics"],
        [
          Self.report(Script.data("/cal/b.ics", try Script.text("b"))),
          Self.get(
            "/cal/a.ics", .status(200, fields: ["ETag": "9"], body: try Script.text("a"))),
          Self.get("/cal/c.ics", .status(404)),
        ]) == ["/cal/a.ics \"9\" a", "/cal/b.ics \"1\" b", "/cal/c.ics missing"])
  }

  @Test func `One odd item never stops the others`() async throws {
    let forbidden =
      "<d:response><d:href>/cal/c.ics</d:href><d:propstat><d:prop><c:calendar-data/></d:prop>"
      + "<d:status>HTTP/1.1 403 x</d:status></d:propstat></d:response>"
    let lines = try await results(
      of: ["/cal/a.ics", "/cal/b.ics", "/cal/c.ics", "/cal/d.ics", "/cal/e.ics", "/evil/f.ics"],
      [
        Self.report(
          Script.response("/cal/a.ics", status: 404) + Script.response("/cal/b.ics", status: 500)
            + forbidden + Script.data("/cal/d.ics", "<html>Log in</html>")
            + Script.data("/cal/e.ics", try Script.text("e"))),
        Self.get("/cal/a.ics", .status(404)),
      ])
    #expect(lines[0] == "/cal/a.ics missing")
    #expect(lines[1] == "/cal/b.ics unreadable: the server does not return it (status 500)")
    #expect(lines[2] == "/cal/c.ics unreadable: the server does not return it (status 403)")
    #expect(lines[3].hasPrefix("/cal/d.ics unreadable: "))
    #expect(lines[4] == "/cal/e.ics \"1\" e")
    #expect(lines[5] == "/evil/f.ics unreadable: this is not an item of https://h/cal/")
  }

  @Test(arguments: [
    ScriptedTransport.Answer.status(405), .status(501), .status(400), .status(415), .status(403),
    .status(207, body: "<d:multistatus xmlns:d=\"DAV:\"><d:response>\u{1}</d:response>"),
    .status(207),
  ])
  func `Without a useful report each item is asked for alone`(
    _ answer: ScriptedTransport.Answer
  ) async throws {
    #expect(
      try await results(
        of: ["/cal/a.ics", "/cal/b.ics"],
        [
          .init(.report, Script.root, answer: answer),
          Self.get("/cal/a.ics", .status(200, body: try Script.text("a"))),
          Self.get("/cal/b.ics", .status(500)),
        ]) == [
          "/cal/a.ics - a",
          "/cal/b.ics unreadable: the server refuses it with status 500",
        ])
  }

  @Test func `What a report does not know is asked for alone`() async throws {
    #expect(
      try await results(
        of: ["/cal/a.ics", "/cal/b.ics"],
        [
          Self.report(
            Script.response("/cal/a.ics", status: 404) + Script.response("/cal/b.ics", status: 410)),
          Self.get("/cal/a.ics", .status(200, body: try Script.text("a"))),
          Self.get("/cal/b.ics", .status(404)),
        ]) == ["/cal/a.ics - a", "/cal/b.ics missing"])
  }

  struct Failure: CustomTestStringConvertible {
    let testDescription: String
    let answer: ScriptedTransport.Answer
    let code: RemoteError.Code
  }

  static let failures = [
    Failure(testDescription: "401", answer: .status(401), code: .credentials),
    Failure(testDescription: "503", answer: .status(503), code: .temporarilyUnavailable),
    Failure(testDescription: "500", answer: .status(500), code: .failed),
    Failure(
      testDescription: "a page", answer: .status(200, body: "<html></html>"), code: .notCalendar),
    Failure(testDescription: "a cut", answer: .failure(.interrupted), code: .interrupted),
  ]

  @Test(arguments: failures) func `A server that fails altogether is not asked on and on`(
    _ row: Failure
  ) async throws {
    let script = try await Script([.init(.report, Script.root, answer: row.answer)])
    let error = await #expect(throws: RemoteError.self) {
      try await script.calendar.fetch([Href("/cal/a.ics")])
    }
    #expect(error?.code == row.code)
    script.transport.expectFinished()
  }

  @Test func `Bytes that are no UTF-8 do not trap`() async throws {
    let script = try await Script([
      Self.report("<d:response><d:href>/cal/a.ics</d:href></d:response>"),
      Self.get("/cal/a.ics", .status(200, body: "BEGIN:VCALENDAR\r\n\u{0}\u{FFFD}")),
    ])
    guard case .unreadable = try await script.calendar.fetch([Href("/cal/a.ics")]).first else {
      Issue.record("half an item is read")
      return
    }
  }
}
