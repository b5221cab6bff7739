// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import Testing

/// What becomes of an item whose UID is on the server already, under another name.
@Suite struct UIDConflictTests {
  typealias Script = CalDAVScript
  typealias Exchange = ScriptedTransport.Exchange

  static let elsewhere = WriteOutcome.alreadyPresent(href: Href("/cal/other%20one.ics"))

  /// A search for the UID, and what it gives.
  static func search(_ answer: ScriptedTransport.Answer) -> Exchange {
    Exchange(.report, Script.root, fields: ["Depth": "1"], answer: answer)
  }

  /// The question whether there is something at the place, and its answer.
  static func version(_ answer: ScriptedTransport.Answer) -> Exchange {
    Exchange(.propfind, CalDAVWritingTests.place, fields: ["Depth": "0"], answer: answer)
  }

  struct Case: CustomTestStringConvertible {
    let testDescription: String
    let answer: ScriptedTransport.Answer
    var search: [Exchange] = []
    let outcome: WriteOutcome
  }

  static func refusal(
    _ status: Int, _ condition: String, _ words: String = ""
  ) -> ScriptedTransport.Answer {
    .status(status, body: CalDAVWritingTests.refusal(condition, words))
  }

  static func conflict(_ href: String) -> String {
    "<c:no-uid-conflict><d:href>\(href)</d:href></c:no-uid-conflict>"
  }

  static let found: [Exchange] = {
    let href = "/cal/other%20one.ics"
    let item = (try? Script.text("a@x")) ?? ""
    let part = (try? Script.text("aa@x")) ?? ""
    return [
      search(
        .multiStatus(
          Script.member("/cal/part.ics") + Script.member(href) + Script.member("/other/x.ics")
            + Script.member("/cal/a_40x.ics"))),
      search(.multiStatus(Script.data("/cal/part.ics", part) + Script.data(href, item))),
    ]
  }()

  static let cases =
    [400, 403, 409, 412].map { status in
      Case(
        testDescription: "told with status \(status)",
        answer: refusal(status, conflict("/cal/other%20one.ics")), outcome: elsewhere)
    } + [
      Case(
        testDescription: "told as a whole address",
        answer: refusal(409, conflict("https://h/cal/o.ics")),
        outcome: .alreadyPresent(href: Href("https://h/cal/o.ics"))),
      Case(
        testDescription: "told by Cyrus, in this calendar",
        answer: refusal(
          403,
          "<c:unique-scheduling-object-resource><d:href>/cal/o.ics</d:href>"
            + "</c:unique-scheduling-object-resource>"),
        outcome: .alreadyPresent(href: Href("/cal/o.ics"))),
      Case(
        testDescription: "in another calendar of the user (Cyrus, Fastmail, iCloud)",
        answer: refusal(403, conflict("/other/o.ics")),
        outcome: .heldElsewhere(
          href: Href("/other/o.ics"),
          reason: "the server refuses it with status 403 (no-uid-conflict); "
            + "the UID is in another calendar of the account, at /other/o.ics")),
      Case(
        testDescription: "told with another origin",
        answer: refusal(409, conflict("http://backend:8080/cal/o.ics")),
        outcome: .alreadyPresent(href: Href("/cal/o.ics"))),
      Case(
        testDescription: "told with another scheme, in another calendar",
        answer: refusal(403, conflict("http://h/other/o.ics")),
        outcome: .heldElsewhere(
          href: Href("/other/o.ics"),
          reason: "the server refuses it with status 403 (no-uid-conflict); "
            + "the UID is in another calendar of the account, at /other/o.ics")),
      Case(
        testDescription: "told with something that is no address",
        answer: refusal(403, conflict("urn:o")),
        outcome: .refused(reason: "the server refuses it with status 403 (no-uid-conflict)")),
      Case(
        testDescription: "on another server",
        answer: refusal(403, conflict("https://other/o.ics")),
        outcome: .refused(
          reason: "the server refuses it with status 403 (no-uid-conflict); "
            + "the UID is in another calendar of the account, at /o.ics")),
      Case(
        testDescription: "in this very place: another was quicker",
        answer: refusal(409, conflict("/cal/%61_40x.ics")), outcome: .conditionFailed),
      Case(
        testDescription: "told without a place, and found (Radicale)",
        answer: refusal(409, "<c:no-uid-conflict/>"), search: found, outcome: elsewhere),
      Case(
        testDescription: "told in words (Nextcloud)",
        answer: refusal(
          400, "", "Calendar object with uid already exists in this calendar collection."),
        search: found, outcome: elsewhere),
      Case(
        testDescription: "409 without a word (SOGo)", answer: .status(409), search: found,
        outcome: elsewhere),
      Case(
        testDescription: "told without a place, and not found: in the bin of Nextcloud",
        answer: refusal(409, "<c:no-uid-conflict/>"), search: [search(.multiStatus(""))],
        outcome: .refused(reason: "the server refuses it with status 409 (no-uid-conflict)")),
      Case(
        testDescription: "told without a place, by a server that cannot search",
        answer: refusal(412, "<c:no-uid-conflict/>"), search: [search(.status(501))],
        outcome: .refused(reason: "the server refuses it with status 412 (no-uid-conflict)")),
      Case(
        testDescription: "409 because there is no such calendar", answer: .status(409),
        search: [search(.status(404))],
        outcome: .refused(reason: "the server refuses it with status 409")),
      Case(
        testDescription: "412 without a word: another was quicker", answer: .status(412),
        search: [version(.multiStatus(Script.member("/cal/a_40x.ics")))], outcome: .conditionFailed),
      Case(
        testDescription: "412 without a word, and it cannot be asked", answer: .status(412),
        search: [version(.status(500))], outcome: .conditionFailed),
      Case(
        testDescription: "412 without a word, and it is in this calendar", answer: .status(412),
        search: [version(.status(404))] + found, outcome: elsewhere),
      Case(
        testDescription: "412 without a word, and it is nowhere in this calendar (iCloud)",
        answer: .status(412), search: [version(.status(404)), search(.multiStatus(""))],
        outcome: .refused(
          reason: "the server refuses it with status 412, although there is nothing at its place; "
            + "another calendar of the account may have an item with this UID")),
      Case(
        testDescription: "another refusal", answer: refusal(403, "<c:max-resource-size/>"),
        outcome: .refused(reason: "the server refuses it with status 403 (max-resource-size)")),
      Case(
        testDescription: "a description beside the precondition (Cyrus)",
        answer: .status(
          403,
          body: #"<d:error xmlns:d="DAV:" xmlns:c="urn:ietf:params:xml:ns:caldav">"#
            + "<c:valid-calendar-data/><d:responsedescription>No DTSTART</d:responsedescription>"
            + "</d:error>"),
        outcome: .refused(
          reason: "the server refuses it with status 403 (valid-calendar-data): No DTSTART")),
    ]

  @Test(arguments: cases) func `An item that is elsewhere is found there`(
    _ row: Case
  ) async throws {
    let script = try await Script(
      [.init(.put, CalDAVWritingTests.place, answer: row.answer)] + row.search)
    #expect(try await script.calendar.create(Script.event("a@x")) == row.outcome)
    script.transport.expectFinished()
  }

  @Test func `The search names the UID as text`() async throws {
    let script = try await Script([
      .init(.put, "https://h/cal/a_26_3Cb_3E.ics", answer: .status(409)),
      Self.search(.multiStatus("")),
    ])
    _ = try await script.calendar.create(Script.event("a&<b>"))
    let body = String(decoding: script.transport.log.last?.body ?? [], as: UTF8.self)
    #expect(body.contains(#"<c:text-match collation="i;octet">a&amp;&lt;b&gt;</c:text-match>"#))
    #expect(body.contains(#"<c:comp-filter name="VEVENT">"#))
  }
}
