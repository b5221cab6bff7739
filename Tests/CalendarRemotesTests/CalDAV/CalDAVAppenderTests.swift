// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Testing

@Suite struct CalDAVAppenderTests {
  typealias Script = CalDAVScript
  static let href = Href("/cal/a_40x.ics")

  func remote(
    _ address: String = Script.root, calendar: String? = nil, on transport: ScriptedTransport
  ) throws -> CalDAVRemote {
    CalDAVRemote(
      address: try RemoteURL(parsing: address), calendar: calendar, credentials: nil,
      transport: transport)
  }

  struct Case: CustomTestStringConvertible {
    let answer: ScriptedTransport.Answer
    let outcome: AppendOutcome
    var testDescription: String { "\(answer)" }
  }

  static let outcomes = [
    Case(answer: .status(201), outcome: .added(href: href, etag: nil)),
    Case(
      answer: .status(201, fields: ["ETag": "\"1\""]),
      outcome: .added(href: href, etag: EntityTag("\"1\""))),
    Case(answer: .status(412), outcome: .alreadyPresent(href: href)),
    Case(
      answer: .status(412, body: CalDAVWritingTests.refusal("<d:if-none-match/>")),
      outcome: .alreadyPresent(href: href)),
    Case(answer: .status(204), outcome: .added(href: href, etag: nil)),
    Case(
      answer: .status(
        409, body: CalDAVWritingTests.refusal(UIDConflictTests.conflict("/cal/o.ics"))),
      outcome: .refused(
        reason: "the server refuses it with status 409 (no-uid-conflict); the UID is at /cal/o.ics")
    ),
    Case(
      answer: .status(
        409, body: CalDAVWritingTests.refusal(UIDConflictTests.conflict("/cal/a_40x.ics"))),
      outcome: .alreadyPresent(href: href)),
    Case(
      answer: .status(409, body: CalDAVWritingTests.refusal("<c:no-uid-conflict/>")),
      outcome: .alreadyPresent(href: href)),
    Case(
      answer: .status(412, body: CalDAVWritingTests.refusal("<c:no-uid-conflict/>")),
      outcome: .alreadyPresent(href: href)),
    Case(
      answer: .status(412, body: CalDAVWritingTests.refusal("<c:valid-calendar-data/>")),
      outcome: .refused(reason: "the server refuses it with status 412 (valid-calendar-data)")),
    Case(answer: .status(415), outcome: .refused(reason: "the server refuses it with status 415")),
  ]

  @Test(arguments: outcomes) func `An event is added once, by one request`(_ row: Case) async throws
  {
    let transport = ScriptedTransport([
      .init(
        .put, "https://h/cal/a_40x.ics",
        fields: ["If-None-Match": "*", "Content-Type": "text/calendar; charset=utf-8"],
        answer: row.answer)
    ])
    let appender = try await remote(on: transport).openAppender()
    #expect(transport.log.isEmpty, "opening sends nothing")
    #expect(try await appender.append(Script.event("a@x")) == row.outcome)
    transport.expectFinished()
  }

  @Test func `The address need not end in a slash`() async throws {
    let transport = ScriptedTransport([
      .init(.put, "https://h/cal/a.ics", answer: .status(201))
    ])
    let appender = try await remote("https://h/cal", on: transport).openAppender()
    #expect(
      try await appender.append(Script.event("a")) == .added(href: Href("/cal/a.ics"), etag: nil))
  }

  @Test(arguments: [
    (ScriptedTransport.Answer.status(404), RemoteError.Code.refused),
    (.status(405), .refused), (.status(409), .refused), (.status(403), .forbidden),
    (.status(401), .credentials), (.status(503), .temporarilyUnavailable), (.status(500), .failed),
    (.failure(.interrupted), .interrupted),
  ])
  func `An event that was not added is an error`(
    _ answer: ScriptedTransport.Answer, _ code: RemoteError.Code
  ) async throws {
    let transport = ScriptedTransport([.init(.put, "https://h/cal/a.ics", answer: answer)])
    let appender = try await remote(on: transport).openAppender()
    let item = try Script.event("a")
    let error = await #expect(throws: RemoteError.self) { try await appender.append(item) }
    #expect(error?.code == code)
  }

  @Test(arguments: [("https://h/", nil as String?), ("https://h/dav/", "Work"), ("https://h", nil)])
  func `A calendar that would have to be looked for is refused`(
    _ address: String, _ calendar: String?
  ) async throws {
    let transport = ScriptedTransport([])
    let remote = try remote(address, calendar: calendar, on: transport)
    let error = await #expect(throws: RemoteError.self) { try await remote.openAppender() }
    #expect(error?.code == .configuration)
    #expect(
      error?.message
        == "under write-only access the address has to be that of the calendar itself, "
        + "since nothing may be looked up")
    #expect(transport.log.isEmpty)
  }

  @Test func `An appender cannot be made into a calendar`() async throws {
    let appender = try await remote(on: ScriptedTransport([])).openAppender()
    #expect((appender as? any RemoteCalendar) == nil)
  }
}
