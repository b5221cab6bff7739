// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import TestSupport
import Testing

/// Answers of attendees: REPLY and COUNTER (RFC 5546 §3.2.3, §3.2.7).
@Suite("Answers to invitations") struct SchedulingAnswerTests {
  private typealias Scene = SchedulingScene

  private static let now = Instant(secondsSinceEpoch: 1_769_990_400)  // 20260202T000000Z
  private static let ben = CalendarAddress("mailto:b@example.com")

  private static func invitation(_ section: String) throws -> CalendarItem {
    let file = try #require(
      try Fixture.calendars(in: "rfc5546").first { $0.path.contains("/\(section)-") })
    let stream = try CalendarStream(parsing: file.bytes)
    return try CalendarItem(parsing: Serializer().bytes(of: stream.calendars[0]))
  }

  private static func lines(_ message: SchedulingMessage) -> [String] {
    message.item.components.flatMap { Scene.lines($0) }
  }

  /// The diagnostics about a message as it is sent.
  private static func diagnostics(_ message: SchedulingMessage) throws -> [Diagnostic] {
    let bytes = Serializer(lineEnds: .refolded).bytes(of: message.object.calendar)
    var reader = ComponentReader()
    var checker = CalendarChecker()
    try reader.consume(bytes.span)
    try reader.finish()
    var found: [Diagnostic] = []
    while let element = reader.next() {
      if case .diagnostic(let diagnostic) = element { found.append(diagnostic) }
      found += checker.check(element)
    }
    return found
  }

  @Test("The reply to §4.2.1 is that of §4.2.2, but for optional properties")
  func replyOfTheRFC() throws {
    var answer = SchedulingAnswer(.accepted, by: Self.ben)
    answer.comment = "With pleasure, Ann;\nsee you"
    let reply = try answer.reply(to: try Self.invitation("4.2.1"), at: Self.now)
    #expect(reply.method == .reply)
    #expect(
      Self.lines(reply) == [
        "ORGANIZER:mailto:a@example.com",
        "ATTENDEE;CUTYPE=INDIVIDUAL;CN=B;PARTSTAT=ACCEPTED:mailto:b@example.com",
        "DTSTART:19970701T200000Z", "DTEND:19970701T2100000Z", "SUMMARY:Conference",
        "UID:calsrv.example.com-873970198738777@example.com", "DTSTAMP:20260202T000000Z",
        "SEQUENCE:0", "COMMENT:With pleasure\\, Ann\\;\\nsee you",
      ])
    // The organizer's program applies it as that of the RFC.
    let outcomes = Scene.applying(reply, to: try Self.invitation("4.2.1")).outcomes
    #expect(outcomes == [.updated(.answered(Self.ben, .accepted))])
  }

  @Test("A counter has the proposed time and the SEQUENCE of the invitation")
  func counter() throws {
    var answer = SchedulingAnswer(.tentative, by: Self.ben)
    answer.comment = "Later?"
    let start = try CivilDateTime(parsing: "19970701T160000")
    let end = try CivilDateTime(parsing: "19970701T170000")
    let invitation = try Self.invitation("4.2.4")
    let counter = try answer.counter(
      to: invitation, start: .utc(start), end: .utc(end), at: Self.now)
    #expect(counter.method == .counter)
    #expect(
      Scene.difference(invitation.main, counter.item.main) == [
        "-ATTENDEE;RSVP=TRUE;CUTYPE=INDIVIDUAL:mailto:b@example.com",
        "-DTSTART:19970701T190000Z", "-DTEND:19970701T200000Z", "-DTSTAMP:19970611T190000Z",
        "+ATTENDEE;RSVP=TRUE;CUTYPE=INDIVIDUAL;PARTSTAT=TENTATIVE:mailto:b@example.com",
        "+DTSTART:19970701T160000Z", "+DTEND:19970701T170000Z", "+DTSTAMP:20260202T000000Z",
        "+COMMENT:Later?",
      ])
    #expect(try Self.diagnostics(counter) == [])
  }

  @Test("Answers break no rule of RFC 5546, and define their time zones")
  func valid() throws {
    let series = try Scene.item(Scene.series).definingTimeZones(zones: Scene.resolver)
    for status in [ParticipationStatus.accepted, .tentative, .declined] {
      let reply = try SchedulingAnswer(status, by: Self.ben).reply(to: series, at: Self.now)
      #expect(try Self.diagnostics(reply).filter { $0.severity != .note } == [])
      #expect(reply.item.timeZones.count == 1)
      #expect(reply.item.main?[.rRule] == nil)
      #expect(reply.item.main?.components.isEmpty == true)
    }
  }

  @Test("A stranger, and an event without an organizer, have no answer")
  func refused() throws {
    let eve = SchedulingAnswer(.accepted, by: CalendarAddress("mailto:eve@example.com"))
    let single = try Scene.item(Scene.single)
    #expect(throws: SchedulingRefusal.unknownAttendee(eve.attendee)) {
      try eve.reply(to: single, at: Self.now)
    }
    let own = try Scene.item(Scene.single.filter { !$0.hasPrefix("ORGANIZER") })
    let ben = SchedulingAnswer(.accepted, by: Self.ben)
    #expect(throws: SchedulingRefusal.noOrganizer) { try ben.reply(to: own, at: Self.now) }
    let noon = EventTime.utc(try CivilDateTime(parsing: "20260301T120000"))
    #expect(throws: SchedulingRefusal.self) {
      try ben.counter(to: try Scene.item(Scene.series), start: noon, end: noon, at: Self.now)
    }
  }

  @Test("An answer to overrides only has their RECURRENCE-ID")
  func overrides() throws {
    let item = try Scene.item(
      RequestTests.override(
        10, "SEQUENCE:2", "DTSTAMP:20260101T000000Z", "ORGANIZER:mailto:a@example.com",
        "ATTENDEE:mailto:b@example.com"),
      RequestTests.override(
        11, "SEQUENCE:2", "DTSTAMP:20260101T000000Z", "ORGANIZER:mailto:a@example.com",
        "ATTENDEE:mailto:c@example.com"))
    let reply = try SchedulingAnswer(.declined, by: Self.ben).reply(to: item, at: Self.now)
    #expect(reply.item.components.count == 1)
    #expect(reply.item.components.first?[.recurrenceID] != nil)
    #expect(reply.item.components.first?[.sequence]?.rawValue == "2")
  }

  @Test("An answer applied to the invitation changes the attendee's PARTSTAT and nothing else")
  func onlyTheAttendee() {
    forAll(200) { random in
      let status = try #require(
        [ParticipationStatus.accepted, .tentative, .declined].randomElement(using: &random))
      let isSeries = Bool.random(using: &random)
      let stored = try Scene.item(isSeries ? Scene.series : Scene.single)
      let guest = try #require(
        ["mailto:b@example.com", "MAILTO:c@example.com"].randomElement(using: &random))
      let answer = SchedulingAnswer(status, by: CalendarAddress(guest))
      let reply = try answer.reply(to: stored, at: Self.now)
      let (after, _) = Scene.applying(reply, to: stored)
      let difference = Scene.difference(stored.main, after?.main)
      try #require(difference.count == 2)
      try #require(difference.allSatisfy { $0.lowercased().hasSuffix(guest.lowercased()) })
      let later = SchedulingAnswer(status, by: CalendarAddress(guest))
      let again = try later.reply(to: stored, at: Instant(secondsSinceEpoch: 1))
      let (unchanged, outcomes) = Scene.applying(again, to: after)
      try #require(unchanged == after)
      guard case .stale? = outcomes.first else {
        Issue.record("an earlier answer is not stale: \(outcomes)")
        return
      }
    }
  }
}
