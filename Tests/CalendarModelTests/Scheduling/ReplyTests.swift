// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

/// REPLY (RFC 5546 §3.2.3, examples in §4.2.2 and §4.2.5).
@Suite("Replies") struct ReplyTests {
  private typealias Scene = SchedulingScene

  static func reply(
    _ attendee: String, _ more: String..., sequence: Int = 1, stamp: String = "20260201T000000Z"
  ) throws -> SchedulingMessage {
    try SchedulingScene.message(
      "REPLY",
      [
        "DTSTAMP:\(stamp)", "SEQUENCE:\(sequence)", "ORGANIZER:mailto:a@example.com",
        "ATTENDEE\(attendee)",
      ] + more)
  }

  static let ben = CalendarAddress("mailto:b@example.com")

  @Test("An answer changes the PARTSTAT of one attendee, whatever the case of the address")
  func accepts() throws {
    let stored = try Scene.item(Scene.single)
    let (item, outcomes) = Scene.applying(
      try Self.reply(
        ";PARTSTAT=ACCEPTED:MAILTO:B@Example.COM", "REQUEST-STATUS:2.0;Success",
        "COMMENT:With pleasure", "SUMMARY:not this one", "LOCATION:nor this"),
      to: stored)
    #expect(outcomes == [.updated(.answered(Self.ben, .accepted))])
    #expect(
      Scene.difference(stored.main, item?.main) == [
        "-ATTENDEE;RSVP=TRUE;CN=Ben:mailto:b@example.com",
        "+ATTENDEE;RSVP=TRUE;CN=Ben;PARTSTAT=ACCEPTED;X-EPACT-REPLY=1/20260201T000000Z:"
          + "mailto:b@example.com",
        "+REQUEST-STATUS:2.0;Success", "+COMMENT:With pleasure",
      ])
    #expect(item?.main?.components == stored.main?.components)
  }

  @Test("Attendees without an answer that stand beside the one who answers stay as they are")
  func several() throws {
    let stored = try Scene.item(
      Scene.single.map { $0.replacing("CN=Cleo", with: "PARTSTAT=ACCEPTED;CN=Cleo") })
    let (item, outcomes) = Scene.applying(
      try Self.reply(
        ":mailto:a@example.com", "ATTENDEE;PARTSTAT=NEEDS-ACTION:mailto:c@example.com",
        "ATTENDEE;PARTSTAT=DECLINED:mailto:b@example.com"),
      to: stored)
    #expect(outcomes == [.updated(.answered(Self.ben, .declined))])
    #expect(Scene.difference(stored.main, item?.main).count == 2)
    let none = try Self.reply(":mailto:a@example.com", "ATTENDEE:mailto:b@example.com")
    #expect(Scene.applying(none, to: stored).outcomes == [.refused(.noAttendee)])
  }

  @Test("An answer to one occurrence makes an override of it, in whatever zone it is named")
  func occurrence() throws {
    let stored = try Scene.item(Scene.series)
    let (item, outcomes) = Scene.applying(
      try Self.reply(";PARTSTAT=DECLINED:mailto:b@example.com", "RECURRENCE-ID:20260304T080000Z"),
      to: stored)
    #expect(outcomes == [.updated(.answered(Self.ben, .declined))])
    #expect(item?.main == stored.main)
    #expect(item?.overrides.count == 1)
    #expect(
      Scene.difference(stored.main, item?.overrides.first) == [
        "-DTSTART;TZID=Europe/Vienna:20260301T090000", "-DTEND;TZID=Europe/Vienna:20260301T100000",
        "-RRULE:FREQ=DAILY;COUNT=31", "-EXDATE;TZID=Europe/Vienna:20260303T090000",
        "-ATTENDEE;RSVP=TRUE;CN=Ben:mailto:b@example.com",
        "+DTSTART;TZID=Europe/Vienna:20260304T090000", "+DTEND;TZID=Europe/Vienna:20260304T100000",
        "+ATTENDEE;RSVP=TRUE;CN=Ben;PARTSTAT=DECLINED;X-EPACT-REPLY=1/20260201T000000Z:"
          + "mailto:b@example.com",
        "+RECURRENCE-ID;TZID=Europe/Vienna:20260304T090000",
      ])
  }

  @Test("An answer to an occurrence that is excluded or never was is refused")
  func noOccurrence() throws {
    let stored = try Scene.item(Scene.series)
    for time in ["20260303T080000Z", "20260304T083000Z", "20270304T080000Z"] {
      let (item, outcomes) = Scene.applying(
        try Self.reply(";PARTSTAT=DECLINED:mailto:b@example.com", "RECURRENCE-ID:\(time)"),
        to: stored)
      #expect(outcomes == [.refused(.noOccurrence)], "\(time)")
      #expect(item == stored)
    }
  }

  @Test("An occurrence of what takes place once is the item itself")
  func occurrenceOfOne() throws {
    let (item, outcomes) = Scene.applying(
      try Self.reply(";PARTSTAT=TENTATIVE:mailto:b@example.com", "RECURRENCE-ID:20260301T080000Z"),
      to: try Scene.item(Scene.single))
    #expect(outcomes == [.updated(.answered(Self.ben, .tentative))])
    #expect(item?.components.count == 1)
  }

  @Test("An answer to an earlier revision, and an answer before the last one, are stale")
  func stale() throws {
    let stored = try Scene.item(Scene.single)
    let early = try Self.reply(";PARTSTAT=ACCEPTED:mailto:b@example.com", sequence: 0)
    #expect(
      Scene.applying(early, to: stored).outcomes == [
        .stale(
          stored: SchedulingRevision(sequence: 1, stamp: "20260101T000000Z"),
          incoming: SchedulingRevision(sequence: 0, stamp: "20260201T000000Z"))
      ])
    let first = try Self.reply(
      ";PARTSTAT=ACCEPTED:mailto:b@example.com", stamp: "20260202T000000Z")
    let last = try Self.reply(
      ";PARTSTAT=DECLINED:mailto:b@example.com", stamp: "20260203T000000Z")
    let (item, outcomes) = Scene.applying(last, first, to: stored)
    #expect(
      outcomes.last
        == .stale(
          stored: SchedulingRevision(sequence: 1, stamp: "20260203T000000Z"),
          incoming: SchedulingRevision(sequence: 1, stamp: "20260202T000000Z")))
    #expect(item == Scene.applying(first, last, to: stored).item)
  }

  @Test("An answer by someone who is not invited is refused, unless an attendee delegated")
  func delegation() throws {
    let stored = try Scene.item(Scene.single)
    let delegate = CalendarAddress("mailto:e@example.com")
    let crasher = try Self.reply(";PARTSTAT=ACCEPTED:mailto:e@example.com")
    #expect(
      Scene.applying(crasher, to: stored).outcomes == [.refused(.unknownAttendee(delegate))])
    #expect(Scene.applying(crasher, to: stored).item == stored)

    let delegating = try Self.reply(
      ";PARTSTAT=DELEGATED;DELEGATED-TO=\"mailto:e@example.com\":mailto:b@example.com")
    let accepting = try Self.reply(
      ";PARTSTAT=ACCEPTED;DELEGATED-FROM=\"mailto:b@example.com\":mailto:e@example.com")
    let both = Scene.applying(delegating, accepting, to: stored)
    #expect(
      both.item?.fingerprint == Scene.applying(accepting, delegating, to: stored).item?.fingerprint)
    #expect(
      Scene.difference(stored.main, both.item?.main) == [
        "-ATTENDEE;RSVP=TRUE;CN=Ben:mailto:b@example.com",
        "+ATTENDEE;RSVP=TRUE;CN=Ben;PARTSTAT=DELEGATED;DELEGATED-TO=mailto:e@example.com;"
          + "X-EPACT-REPLY=1/20260201T000000Z:mailto:b@example.com",
        "+ATTENDEE;PARTSTAT=ACCEPTED;DELEGATED-FROM=mailto:b@example.com;"
          + "X-EPACT-REPLY=1/20260201T000000Z:mailto:e@example.com",
      ])
    // The delegate need not say from whom, once the other one has.
    #expect(
      Scene.applying(delegating, crasher, to: stored).outcomes.last
        == .updated(.answered(delegate, .accepted)))
  }

  @Test("An answer without a stored item, or to another kind of item, is refused")
  func noItem() throws {
    let reply = try Self.reply(";PARTSTAT=ACCEPTED:mailto:b@example.com")
    let (item, outcomes) = Scene.applying(reply, to: nil)
    #expect(outcomes == [.refused(.noItem)])
    #expect(item == nil)
    let reminder = try Scene.item(["BEGIN:VTODO", "UID:meeting", "END:VTODO"])
    #expect(
      Scene.applying(reply, to: reminder).outcomes == [.refused(.otherKind(stored: .reminder))])
  }

  @Test("A reminder is answered like an event, and a question changes nothing")
  func reminder() throws {
    let stored = try Scene.item(
      ["BEGIN:VTODO", "UID:meeting", "SUMMARY:A", "ATTENDEE:mailto:b@example.com", "END:VTODO"])
    let reply = try Scene.message(
      "reply", ["ATTENDEE;PARTSTAT=COMPLETED:mailto:b@example.com", "PERCENT-COMPLETE:100"],
      kind: "VTODO")
    let (item, outcomes) = Scene.applying(reply, to: stored)
    #expect(outcomes == [.updated(.answered(Self.ben, .completed))])
    #expect(item?.main?[.summary]?.text == "A")
    #expect(item?.main?[.percentComplete] == nil)
    for method in ["REFRESH", "COUNTER", "DECLINECOUNTER"] {
      let question = try Scene.message(method, ["SEQUENCE:9", "SUMMARY:B"], kind: "VTODO")
      let (item, outcomes) = Scene.applying(question, to: stored)
      #expect(outcomes == [.informative])
      #expect(item == stored)
    }
    let unknown = try Scene.message("FORWARD", ["SUMMARY:B"], kind: "VTODO")
    #expect(Scene.applying(unknown, to: stored).outcomes == [.refused(.unknownMethod)])
  }
}
