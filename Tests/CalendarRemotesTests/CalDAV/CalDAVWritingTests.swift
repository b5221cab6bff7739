// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Testing

@Suite struct CalDAVWritingTests {
  typealias Script = CalDAVScript
  static let place = "https://h/cal/a_40x.ics"
  static let tag = EntityTag("\"1\"")

  /// The body of a refusal, as sabre/dav and Radicale write it.
  static func refusal(_ condition: String, _ words: String = "") -> String {
    #"<?xml version="1.0"?><d:error xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav" "#
      + #"xmlns:s="http://sabredav.org/ns"><s:message>\#(words)</s:message>\#(condition)</d:error>"#
  }

  struct Case: CustomTestStringConvertible {
    let answer: ScriptedTransport.Answer
    let outcome: WriteOutcome
    var testDescription: String { "\(answer)" }
  }

  static let creations = [
    Case(
      answer: .status(201, fields: ["ETag": "\"2\""]),
      outcome: .written(href: Href("/cal/a_40x.ics"), etag: EntityTag("\"2\""))),
    Case(
      answer: .status(201, fields: ["ETag": "2"]),
      outcome: .written(href: Href("/cal/a_40x.ics"), etag: EntityTag("\"2\""))),
    Case(answer: .status(204), outcome: .written(href: Href("/cal/a_40x.ics"), etag: nil)),
    Case(answer: .status(412, body: refusal("<d:if-none-match/>")), outcome: .conditionFailed),
    Case(
      answer: .status(201, fields: ["ETag": "\"2-gzip\""]),
      outcome: .written(href: Href("/cal/a_40x.ics"), etag: EntityTag("\"2\""))),
    Case(
      answer: .status(412, body: refusal("<c:valid-calendar-data/>")),
      outcome: .refused(reason: "the server refuses it with status 412 (valid-calendar-data)")),
    Case(
      answer: .status(409, body: refusal("<d:resource-must-be-null/>", "it  is\n taken")),
      outcome: .refused(
        reason: "the server refuses it with status 409 (resource-must-be-null): it is taken")),
    Case(
      answer: .status(403, body: refusal("<d:need-privileges/>")),
      outcome: .refused(
        reason: "the server refuses it with status 403 (need-privileges): "
          + "this user may not change it")),
    Case(
      answer: .status(405),
      outcome: .refused(
        reason: "the server refuses it with status 405: "
          + "it does not support this request at this address")),
    Case(
      answer: .status(405, fields: ["Allow": "GET, HEAD"]),
      outcome: .refused(
        reason: "the server refuses it with status 405: "
          + "it does not support this request at this address, only GET, HEAD")),
    Case(
      answer: .status(403, body: refusal("<c:supported-calendar-component/>")),
      outcome: .refused(
        reason: "the server refuses it with status 403 (supported-calendar-component): "
          + "the calendar is not for items of this kind")),
    Case(
      answer: .status(
        400, fields: ["Content-Type": "text/plain"], body: "Bad \u{1B}[31mDTSTART\u{202E}"),
      outcome: .refused(
        reason: "the server refuses it with status 400: Bad \\u{1B}[31mDTSTART\\u{202E}")),
    Case(
      answer: .status(404), outcome: .refused(reason: "the server refuses it with status 404")),
    Case(
      answer: .status(415), outcome: .refused(reason: "the server refuses it with status 415")),
    Case(
      answer: .status(423), outcome: .refused(reason: "the server refuses it with status 423")),
  ]

  @Test(arguments: creations) func `A new item is put where nothing is`(_ row: Case) async throws {
    let script = try await Script([
      .init(
        .put, Self.place,
        fields: ["If-None-Match": "*", "Content-Type": "text/calendar; charset=utf-8"],
        answer: row.answer)
    ])
    #expect(try await script.calendar.create(Script.event("a@x")) == row.outcome)
    #expect(script.transport.log.last?.headers["If-Match"] == nil)
  }

  static let updates = [
    Case(
      answer: .status(204, fields: ["ETag": "\"2\""]),
      outcome: .written(href: Href("/cal/%61.ics"), etag: EntityTag("\"2\""))),
    Case(answer: .status(412), outcome: .conditionFailed),
    Case(answer: .status(412, body: refusal("<d:if-match/>")), outcome: .conditionFailed),
    Case(
      answer: .status(412, body: refusal("<c:valid-calendar-data/>")),
      outcome: .refused(reason: "the server refuses it with status 412 (valid-calendar-data)")),
    Case(
      answer: .status(403), outcome: .refused(reason: "the server refuses it with status 403")),
  ]

  /// What a server with another version says when it is asked which one it has.
  private static func version(_ place: String) -> ScriptedTransport.Exchange {
    .init(
      .propfind, place, fields: ["Depth": "0"],
      answer: .multiStatus(Script.member("/cal/a.ics", etag: "\"2\"")))
  }

  @Test(arguments: updates) func `An item is replaced if it is as it was seen`(
    _ row: Case
  ) async throws {
    let place = "https://h/cal/%61.ics"
    let script = try await Script([
      .init(.put, place, fields: ["If-Match": "\"1\""], answer: row.answer), Self.version(place),
    ])
    let outcome = try await script.calendar.update(
      Href("/cal/%61.ics"), to: Script.event("a"), ifMatch: Self.tag)
    #expect(outcome == row.outcome)
    #expect(script.transport.log.last?.headers["If-None-Match"] == nil)
  }

  @Test func `An item that is gone is left to the next run`() async throws {
    let place = "https://h/cal/%61.ics"
    for status in [404, 410] {
      let script = try await Script([
        .init(.put, place, answer: .status(status)),
        .init(.propfind, place, fields: ["Depth": "0"], answer: .status(404)),
        .init(.propfind, Script.root, fields: ["Depth": "1"], answer: .multiStatus(Script.own)),
      ])
      let outcome = try await script.calendar.update(
        Href("/cal/%61.ics"), to: Script.event("a"), ifMatch: Self.tag)
      #expect(outcome == .conditionFailed)
      script.transport.expectFinished()
    }
  }

  @Test func `An item that is there, but cannot be changed, is refused`() async throws {
    let place = "https://h/cal/%61.ics"
    let gone = ScriptedTransport.Exchange(.propfind, place, answer: .status(404))
    let listed = ScriptedTransport.Exchange(
      .propfind, Script.root, fields: ["Depth": "1"],
      answer: .multiStatus(Script.own + Script.member("/cal/a.ics")))
    for answers in [[Self.version(place)], [gone, listed]] {
      let script = try await Script([.init(.put, place, answer: .status(404))] + answers)
      let outcome = try await script.calendar.update(
        Href("/cal/%61.ics"), to: Script.event("a"), ifMatch: Self.tag)
      #expect(
        outcome
          == .refused(reason: "the server lists it, and answers a change with status 404"))
      script.transport.expectFinished()
    }
  }

  @Test(arguments: [nil, 4] as [Int?])
  func `An item that is too large is refused with both sizes`(_ limit: Int?) async throws {
    let size = try Script.event("a@x").serialized(forStorage: true).count
    let property = limit.map { "<c:max-resource-size>\($0)</c:max-resource-size>" } ?? ""
    let script = try await Script([
      .init(.put, Self.place, answer: .status(413)),
      .init(
        .propfind, Script.root, fields: ["Depth": "0"],
        answer: .multiStatus(Script.response("/cal/", property))),
    ])
    let most = limit.map { ", and the server accepts at most \($0)" } ?? ""
    #expect(
      try await script.calendar.create(Script.event("a@x"))
        == .refused(reason: "the server refuses it with status 413: it has \(size) bytes\(most)"))
    script.transport.expectFinished()
  }

  @Test func `A password that reads but does not write is no wrong password`() async throws {
    let script = try await Script([.init(.put, Self.place, answer: .status(401))])
    let error = await #expect(throws: RemoteError.self) {
      try await script.calendar.create(Script.event("a@x"))
    }
    #expect(error?.code == .forbidden)
    #expect(
      error?.message
        == "the server accepts this user for reading, but not for changes (status 401)")
  }

  struct Deletion: CustomTestStringConvertible {
    let answer: ScriptedTransport.Answer
    let outcome: WriteOutcome
    var testDescription: String { "\(answer)" }
  }

  static let deletions = [
    Deletion(answer: .status(200), outcome: .deleted),
    Deletion(answer: .status(204), outcome: .deleted),
    Deletion(answer: .status(412), outcome: .conditionFailed),
    Deletion(
      answer: .status(403), outcome: .refused(reason: "the server refuses it with status 403")),
    Deletion(
      answer: .multiStatus(""), outcome: .refused(reason: "the server could not delete all of it")),
  ]

  @Test(arguments: deletions) func `An item is deleted if it is as it was seen`(
    _ row: Deletion
  ) async throws {
    let place = "https://h/cal/a.ics"
    let script = try await Script([
      .init(.delete, place, fields: ["If-Match": "\"1\""], answer: row.answer),
      Self.version(place),
    ])
    #expect(try await script.calendar.delete(Href("/cal/a.ics"), ifMatch: Self.tag) == row.outcome)
  }

  @Test(arguments: [404, 410])
  func `An item that is gone is deleted, and one that stays listed is not`(
    _ status: Int
  ) async throws {
    let place = "https://h/cal/a.ics"
    let refusal = ScriptedTransport.Exchange(.delete, place, answer: .status(status))
    let gone = ScriptedTransport.Exchange(.propfind, place, answer: .status(404))
    let empty = ScriptedTransport.Exchange(
      .propfind, Script.root, fields: ["Depth": "1"], answer: .multiStatus(Script.own))
    let listed = ScriptedTransport.Exchange(
      .propfind, Script.root, fields: ["Depth": "1"],
      answer: .multiStatus(Script.own + Script.member("/cal/a.ics")))
    let refused = WriteOutcome.refused(
      reason: "the server lists it, and answers its deletion with status \(status)")
    for (answers, outcome) in [
      ([gone, empty], .deleted), ([Self.version(place)], refused), ([gone, listed], refused),
    ] {
      let script = try await Script([refusal] + answers)
      #expect(
        try await script.calendar.delete(Href("/cal/a.ics"), ifMatch: Self.tag) == outcome)
      script.transport.expectFinished()
    }
  }

  @Test(arguments: [500, 502, 504])
  func `A write that was carried out and answered with an error is read back`(
    _ status: Int
  ) async throws {
    let item = try Script.event("a@x")
    let text = try Script.text("a@x")
    let href = Href("/cal/a_40x.ics")
    let held = ScriptedTransport.Exchange(
      .report, Script.root, answer: .multiStatus(Script.data("/cal/a_40x.ics", text, etag: "\"2\""))
    )
    let script = try await Script([
      .init(.put, Self.place, answer: .status(status)), held,
      .init(.put, Self.place, answer: .status(status)), held,
    ])
    let written = WriteOutcome.written(href: href, etag: EntityTag("\"2\""))
    #expect(try await script.calendar.create(item) == written)
    #expect(try await script.calendar.update(href, to: item, ifMatch: Self.tag) == written)
    script.transport.expectFinished()
  }

  @Test func `A write that was not carried out is an error after it was read back`() async throws {
    let old = try Script.text("a@x", summary: "Old")
    let script = try await Script([
      .init(.put, Self.place, answer: .status(500)),
      .init(
        .report, Script.root, answer: .multiStatus(Script.data("/cal/a_40x.ics", old))),
    ])
    let error = await #expect(throws: RemoteError.self) {
      try await script.calendar.update(
        Href("/cal/a_40x.ics"), to: Script.event("a@x"), ifMatch: Self.tag)
    }
    #expect(error?.code == .failed)
    script.transport.expectFinished()
  }

  @Test(arguments: [
    (ScriptedTransport.Answer.status(507), RemoteError.Code.failed), (.status(401), .forbidden),
    (.status(503), .temporarilyUnavailable),
    (.failure(.interrupted), .interrupted), (.failure(.timeout), .unreachable),
    (.failure(.redirected), .redirected),
  ])
  func `A write of which nothing is known is an error`(
    _ answer: ScriptedTransport.Answer, _ code: RemoteError.Code
  ) async throws {
    let item = try Script.event("a@x")
    let put = try await Script([.init(.put, Self.place, answer: answer)])
    let putError = await #expect(throws: RemoteError.self) {
      try await put.calendar.create(item)
    }
    #expect(putError?.code == code)
    let delete = try await Script([.init(.delete, Self.place, answer: answer)])
    let deleteError = await #expect(throws: RemoteError.self) {
      try await delete.calendar.delete(Href("/cal/a_40x.ics"), ifMatch: Self.tag)
    }
    #expect(deleteError?.code == code)
  }

  @Test(arguments: [
    "/cal/", "/cal", "", ".", "/cal/sub/", "/other/a.ics", "../a.ics", "/cal/%2e%2e/a.ics",
    "https://evil.example/cal/a.ics", "//evil.example/cal/a.ics", "file:///cal/a.ics",
  ])
  func `Nothing is written or deleted outside, nor the calendar itself`(
    _ href: String
  ) async throws {
    let script = try await Script([])
    let item = try Script.event("a")
    await #expect(throws: RemoteError.self) {
      try await script.calendar.delete(Href(href), ifMatch: Self.tag)
    }
    await #expect(throws: RemoteError.self) {
      try await script.calendar.update(Href(href), to: item, ifMatch: Self.tag)
    }
    #expect(script.transport.log.count == 1)
  }

  @Test func `The item is stored without METHOD`() async throws {
    let text = try Script.text("a@x")
    let message = try CalendarItem(
      parsing: Array(
        text.replacing("VERSION:2.0\r\n", with: "VERSION:2.0\r\nMETHOD:\r\n REQUEST\r\n").utf8))
    let script = try await Script([.init(.put, Self.place, answer: .status(201))])
    _ = try await script.calendar.create(message)
    #expect(script.transport.log.last?.body == Array(text.utf8))
  }

  /// The question for the tag of one item, just before a write.
  static func question(_ tag: String?) -> ScriptedTransport.Exchange {
    .init(
      .propfind, "https://h/cal/a.ics", fields: ["Depth": "0"],
      answer: tag.map { .multiStatus(Script.member("/cal/a.ics", etag: $0)) } ?? .status(404))
  }

  @Test func `A weak tag is compared before the write`() async throws {
    let weak = EntityTag("W/\"1\"")
    let item = try Script.event("a")
    let script = try await Script([
      Self.question("W/\"1\""),
      .init(.put, "https://h/cal/a.ics", fields: ["If-Match": "*"], answer: .status(204)),
      Self.question("W/\"2\""), Self.question(nil), Self.question("W/\"1\""),
      .init(.delete, "https://h/cal/a.ics", fields: ["If-Match": "*"], answer: .status(204)),
      Self.question("W/\"2\""),
    ])
    let (calendar, href) = (script.calendar, Href("/cal/a.ics"))
    #expect(
      try await calendar.update(href, to: item, ifMatch: weak) == .written(href: href, etag: nil))
    #expect(try await calendar.update(href, to: item, ifMatch: weak) == .conditionFailed)
    #expect(try await calendar.update(href, to: item, ifMatch: weak) == .conditionFailed)
    #expect(try await calendar.delete(href, ifMatch: weak) == .deleted)
    #expect(try await calendar.delete(href, ifMatch: weak) == .conditionFailed)
    script.transport.expectFinished()
  }

  @Test(arguments: ["SOPE%/4.9.r1664", "SOGo/5.8"])
  func `A server that obeys no condition is asked before each write`(
    _ server: String
  ) async throws {
    let (item, href) = (try Script.event("a"), Href("/cal/a.ics"))
    let script = try await Script(
      server: ["Server": server],
      [
        Self.question("\"9\""), Self.question(nil),
        .init(.put, "https://h/cal/a.ics", fields: ["If-None-Match": "*"], answer: .status(201)),
        Self.question("\"2\""), Self.question("\"1\""),
        .init(.put, "https://h/cal/a.ics", fields: ["If-Match": "\"1\""], answer: .status(204)),
        Self.question("\"2\""), Self.question("\"1\""),
        .init(.delete, "https://h/cal/a.ics", fields: ["If-Match": "\"1\""], answer: .status(204)),
      ])
    let calendar = script.calendar
    #expect(try await calendar.create(item) == .conditionFailed)
    #expect(try await calendar.create(item) == .written(href: href, etag: nil))
    #expect(try await calendar.update(href, to: item, ifMatch: Self.tag) == .conditionFailed)
    #expect(
      try await calendar.update(href, to: item, ifMatch: Self.tag)
        == .written(href: href, etag: nil))
    #expect(try await calendar.delete(href, ifMatch: Self.tag) == .conditionFailed)
    #expect(try await calendar.delete(href, ifMatch: Self.tag) == .deleted)
    script.transport.expectFinished()
  }
}
