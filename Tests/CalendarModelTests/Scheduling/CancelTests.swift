// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

/// CANCEL (RFC 5546 §3.2.5, examples in §4.2.9, §4.2.10 and §4.4).
@Suite("Cancellations") struct CancelTests {
  private typealias Scene = SchedulingScene

  static func cancel(_ properties: String..., sequence: Int = 2) throws -> SchedulingMessage {
    try SchedulingScene.message(
      "CANCEL",
      ["DTSTAMP:20260201T000000Z", "SEQUENCE:\(sequence)", "ORGANIZER:mailto:a@example.com"]
        + properties)
  }

  @Test("What is cancelled stays, with all its overrides, and the SEQUENCE of the message")
  func whole() throws {
    let stored = try Scene.item(Scene.series, RequestTests.override(10, "STATUS:CONFIRMED"))
    let (item, outcomes) = Scene.applying(
      try Self.cancel("STATUS:CANCELLED", "COMMENT:No room"), to: stored)
    #expect(outcomes == [.updated(.cancelled)])
    #expect(
      Scene.difference(stored.main, item?.main) == [
        "-DTSTAMP:20260101T000000Z", "-SEQUENCE:1", "+DTSTAMP:20260201T000000Z", "+SEQUENCE:2",
        "+STATUS:CANCELLED", "+COMMENT:No room",
      ])
    #expect(item?.overrides.map { $0[.status]?.text } == ["CANCELLED"])
    let late = try Scene.message(
      "REQUEST",
      [
        "DTSTAMP:20260301T000000Z", "SEQUENCE:1", "ORGANIZER:mailto:a@example.com",
        "SUMMARY:as if nothing were",
      ])
    #expect(Scene.applying(late, to: item).outcomes[0].isStale)
  }

  @Test(
    "What was cancelled as a whole comes back as a whole, and one cancelled occurrence does not")
  func reinstated() throws {
    let stored = try Scene.item(
      Scene.series, RequestTests.override(10, "SEQUENCE:1", "SUMMARY:tenth"))
    let cancelled = Scene.applying(
      try Self.cancel("RECURRENCE-ID:20260311T080000Z"), try Self.cancel(sequence: 3), to: stored)
    #expect(cancelled.item?.components.allSatisfy { $0[.status]?.text == "CANCELLED" } == true)
    let late = try Scene.message(
      "REQUEST",
      ["DTSTAMP:20260115T000000Z", "SEQUENCE:2", "RECURRENCE-ID:20260310T080000Z", "SUMMARY:B"])
    #expect(Scene.applying(late, to: cancelled.item).outcomes[0].isStale)
    let again = try Scene.message(
      "REQUEST",
      components: [Scene.series.map { $0.replacing("SEQUENCE:1", with: "SEQUENCE:4") }])
    let (item, outcomes) = Scene.applying(again, to: cancelled.item)
    #expect(outcomes == [.updated(.revised)])
    #expect(item?.main?[.status] == nil)
    #expect(
      item?.overrides.map { $0[.recurrenceID]?.rawValue } == ["20260311T090000"])
  }

  @Test("A cancelled occurrence is an override, made of the series where there is none")
  func occurrence() throws {
    let stored = try Scene.item(Scene.series, RequestTests.override(10, "SUMMARY:tenth"))
    let (item, outcomes) = Scene.applying(
      try Self.cancel("RECURRENCE-ID:20260310T080000Z"),
      try Self.cancel("RECURRENCE-ID:20260311T080000Z", "STATUS:CANCELLED"),
      try Self.cancel("RECURRENCE-ID:20260303T080000Z"),
      try Self.cancel("RECURRENCE-ID:20260311T083000Z"), to: stored)
    #expect(
      outcomes == [
        .updated(.cancelled), .updated(.cancelled), .unchanged, .refused(.noOccurrence),
      ])
    #expect(item?.main == stored.main)
    #expect(item?.overrides.map { $0[.summary]?.text } == ["tenth", "Board meeting"])
    #expect(item?.overrides.map { $0[.status]?.text } == ["CANCELLED", "CANCELLED"])
    #expect(item?.overrides.map { $0[.sequence]?.text } == ["2", "2"])
  }

  @Test("An occurrence and all later ones are cancelled by the end of the series before them")
  func future() throws {
    let stored = try Scene.item(
      Scene.series, RequestTests.override(10, "SUMMARY:tenth"),
      RequestTests.override(20, "SUMMARY:twentieth"))
    let (item, outcomes) = Scene.applying(
      try Self.cancel("RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Vienna:20260315T090000"),
      to: stored)
    #expect(outcomes == [.updated(.cancelledFuture)])
    #expect(item?.main?[.rRule]?.rawValue == "FREQ=DAILY;COUNT=14")
    #expect(item?.main?[.sequence]?.rawValue == "2")
    #expect(item?.main?[.status] == nil)
    #expect(item?.overrides.map { $0[.status]?.text } == [nil, "CANCELLED"])
    let (none, _) = Scene.applying(
      try Self.cancel("RECURRENCE-ID;RANGE=THISANDFUTURE:20260301T080000Z"), to: stored)
    #expect(none?.components.map { $0[.status]?.text } == ["CANCELLED", "CANCELLED", "CANCELLED"])
  }

  @Test("Overrides that a cancellation of later occurrences does not concern keep their revision")
  func futureOverrides() throws {
    let stored = try Scene.item(
      Scene.series, RequestTests.override(10, "SEQUENCE:1"),
      RequestTests.override(18, "SEQUENCE:1"), RequestTests.override(20, "SEQUENCE:5"))
    let (item, outcomes) = Scene.applying(
      try Self.cancel("RECURRENCE-ID:20260318T080000Z"),
      try Self.cancel("RECURRENCE-ID;RANGE=THISANDFUTURE:20260315T080000Z", sequence: 3),
      to: stored)
    #expect(outcomes == [.updated(.cancelled), .updated(.cancelledFuture)])
    #expect(item?.overrides.map { $0[.status]?.text } == [nil, "CANCELLED", nil])
    #expect(item?.overrides.map { $0[.sequence]?.text } == ["1", "2", "5"])
  }

  @Test("A repeated cancellation of an occurrence changes nothing, and a later one raises it")
  func repeated() throws {
    let stored = try Scene.item(Scene.series, RequestTests.override(10, "SEQUENCE:1"))
    let cancel = try Self.cancel("RECURRENCE-ID:20260310T080000Z")
    let later = try Self.cancel("RECURRENCE-ID:20260310T080000Z", sequence: 3)
    let (item, outcomes) = Scene.applying(cancel, cancel, later, to: stored)
    #expect(outcomes == [.updated(.cancelled), .unchanged, .updated(.cancelled)])
    #expect(item?.overrides.map { $0[.sequence]?.text } == ["3"])
  }

  @Test(
    "A cancellation with the stored revision is applied",
    arguments: [[], ["RECURRENCE-ID:20260310T080000Z"]])
  func sameRevision(_ scope: [String]) throws {
    let stored = try Scene.item(
      Scene.series, RequestTests.override(10, "DTSTAMP:20260101T000000Z", "SEQUENCE:1"))
    let cancel = try Scene.message(
      "CANCEL",
      ["DTSTAMP:20260101T000000Z", "SEQUENCE:1", "ORGANIZER:mailto:a@example.com"] + scope)
    let (item, outcomes) = Scene.applying(cancel, cancel, to: stored)
    #expect(outcomes == [.updated(.cancelled), .unchanged])
    #expect(item?.overrides.map { $0[.status]?.text } == ["CANCELLED"])
  }

  @Test("A CANCEL without STATUS that names some attendees removes these")
  func uninvited() throws {
    let stored = try Scene.item(Scene.series, RequestTests.override(10))
    let cancel = try Self.cancel("ATTENDEE:mailto:c@EXAMPLE.com", "COMMENT:You are free")
    let (item, outcomes) = Scene.applying(cancel, to: stored)
    #expect(outcomes == [.updated(.uninvited([CalendarAddress("mailto:c@example.com")]))])
    #expect(
      Scene.difference(stored.main, item?.main) == [
        "-DTSTAMP:20260101T000000Z", "-SEQUENCE:1",
        "-ATTENDEE;RSVP=TRUE;CN=Cleo:Mailto:C@example.com", "+DTSTAMP:20260201T000000Z",
        "+SEQUENCE:2", "+COMMENT:You are free",
      ])
    #expect(Scene.applying(cancel, cancel, to: stored).outcomes.last == .unchanged)
    let all = try Self.cancel("ATTENDEE:mailto:c@example.com", "ATTENDEE:mailto:b@example.com")
    #expect(Scene.applying(all, to: stored).outcomes == [.updated(.cancelled)])
    let stranger = try Self.cancel("ATTENDEE:mailto:z@example.com")
    #expect(
      Scene.applying(stranger, to: stored).outcomes
        == [.refused(.unknownAttendee(CalendarAddress("mailto:z@example.com")))])
  }

  @Test("A CANCEL that withdraws the invitation of the calendar's owner cancels the meeting there")
  func uninvitedOwner() throws {
    let stored = try Scene.item(Scene.series, RequestTests.override(10))
    let cancel = try Self.cancel("ATTENDEE:mailto:c@EXAMPLE.com")
    var scheduled = ScheduledItem(stored, zones: Scene.resolver)
    scheduled.userAddresses = [CalendarAddress("mailto:c@example.com")]
    #expect(scheduled.apply(cancel).map(\.outcome) == [.updated(.cancelled)])
    #expect(scheduled.item?.components.allSatisfy { $0[.status]?.text == "CANCELLED" } == true)
    var other = ScheduledItem(stored, zones: Scene.resolver)
    other.userAddresses = [CalendarAddress("mailto:b@example.com")]
    #expect(
      other.apply(cancel).map(\.outcome)
        == [.updated(.uninvited([CalendarAddress("mailto:c@example.com")]))])
  }

  @Test("A journal is cancelled, but not answered")
  func journal() throws {
    let stored = try Scene.item(["BEGIN:VJOURNAL", "UID:meeting", "SUMMARY:A", "END:VJOURNAL"])
    let cancel = try Scene.message("CANCEL", ["SEQUENCE:1"], kind: "VJOURNAL")
    #expect(Scene.applying(cancel, to: stored).outcomes == [.updated(.cancelled)])
    let reply = try Scene.message("REPLY", ["ATTENDEE:mailto:b@example.com"], kind: "VJOURNAL")
    #expect(Scene.applying(reply, to: stored).outcomes == [.refused(.otherMethod(.journal))])
  }
}
