// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarRemotes
import CalendarSync
import ICalSyntax
import TestSupport
import Testing

/// The answers of the user as an attendee on a server that would mail them (RFC 6638 §3.2.2).
@Suite("Held answers") struct AnswerHoldingTests {
  private typealias Desk = InvitationTests.Desk

  private static let path = InvitationTests.path
  private static let series = "RRULE:FREQ=DAILY;COUNT=9"
  private static let reason =
    "the server would send your answer to bob@x; it does so only with invitations = \"send\""

  /// The meeting of bob with the answer of alice.
  private static func meeting(
    _ status: String? = nil, summary: String = "Plan", organizer: String = "",
    _ more: String...
  ) throws -> CalendarItem {
    let lines =
      [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Epact//Tests//EN", "BEGIN:VEVENT",
        "UID:meeting", "DTSTAMP:20260101T000000Z", "DTSTART:20260301T090000Z",
        "SUMMARY:\(summary)", "ORGANIZER\(organizer):mailto:bob@x", "ATTENDEE:mailto:bob@x",
        "ATTENDEE\(status.map { ";PARTSTAT=\($0)" } ?? ""):mailto:alice@x",
      ] + more + ["END:VEVENT", "END:VCALENDAR", ""]
    return try CalendarItem(parsing: Array(lines.joined(separator: "\r\n").utf8))
  }

  private static func override(_ status: String) -> String {
    [
      "END:VEVENT", "BEGIN:VEVENT", "UID:meeting", "DTSTAMP:20260101T000000Z",
      "RECURRENCE-ID:20260302T090000Z", "DTSTART:20260302T090000Z", "SUMMARY:Plan",
      "ORGANIZER:mailto:bob@x", "ATTENDEE:mailto:bob@x",
      "ATTENDEE;PARTSTAT=\(status):mailto:alice@x",
    ].joined(separator: "\r\n")
  }

  /// A desk with the meeting on both sides, as the server received it.
  private func desk(
    _ policy: InvitationPolicy = .hold, _ item: CalendarItem? = nil
  ) async throws -> Desk {
    var desk = Desk(server: SchedulingServerDouble())
    desk.invitations = policy
    desk.server.store(try item ?? Self.meeting(nil, Self.series), as: Self.path)
    #expect(try await desk.sync().0.downloaded == 1)
    desk.server.forget()
    return desk
  }

  @Test("A changed answer is held by name, and every edit that carries it along")
  func held() async throws {
    let edits = [
      try Self.meeting("ACCEPTED", Self.series),
      try Self.meeting("ACCEPTED", summary: "My plan", Self.series),
      try Self.meeting("DECLINED", Self.series, InvitationTests.alarm),
      try Self.meeting("DELEGATED;DELEGATED-TO=\"mailto:eve@x\"", Self.series),
      try Self.meeting(nil, Self.series, "COMMENT:Late"),
      try Self.meeting(nil, Self.series, "EXDATE:20260303T090000Z"),
      try Self.meeting(nil, Self.series, Self.override("TENTATIVE")),
      try Self.meeting("ACCEPTED", organizer: ";SCHEDULE-AGENT=CLIENT", Self.series),
    ]
    for edit in edits {
      let desk = try await desk()
      desk.local.write(edit)
      for _ in 1...2 {
        let (summary, reasons) = try await desk.sync()
        #expect(reasons == [Self.reason] && summary.failed == 1, "\(reasons) of \(edit)")
      }
      #expect(desk.server.mails == [], "\(edit)")
      #expect(!desk.server.log.contains { $0.hasPrefix("PUT") })
      // The local answer is kept.
      #expect(desk.local.items["meeting"]?.fingerprint == edit.fingerprint)
    }
  }

  @Test("Edits that are no answer are sent as they are")
  func unanswered() async throws {
    let edits = [
      try Self.meeting(nil, Self.series, InvitationTests.alarm),
      try Self.meeting("NEEDS-ACTION", Self.series, "TRANSP:TRANSPARENT"),
      try Self.meeting(nil, Self.series, Self.override("NEEDS-ACTION"), "TRANSP:TRANSPARENT"),
    ]
    for edit in edits {
      let desk = try await desk()
      desk.local.write(edit)
      #expect(try await desk.sync().0.uploaded == 1, "\(edit)")
      #expect(desk.server.mails == [])
      #expect(desk.server.items[Self.path]?.contains("SCHEDULE-AGENT") == false)
    }
  }

  @Test("An answer is removed on the server without a message", arguments: ["", "ACCEPTED"])
  func deletion(_ status: String) async throws {
    let desk = try await desk(.hold, try Self.meeting(status.isEmpty ? nil : status))
    desk.local.remove("meeting")
    #expect(try await desk.sync().0.deletedRemotely == 1)
    #expect(desk.server.mails == [])
  }

  @Test("An added meeting is marked, so that later answers are stored and not mailed")
  func added() async throws {
    for status in [nil, "ACCEPTED", "TENTATIVE"] {
      for tellsAddresses in [true, false] {
        let desk = Desk(server: SchedulingServerDouble(tellsAddresses: tellsAddresses))
        desk.local.write(try Self.meeting(status))
        let before = desk.local.contents
        #expect(try await desk.sync().0.uploaded == 1)
        let stored = try #require(desk.server.items[Self.path])
        #expect(stored.contains("ORGANIZER;SCHEDULE-AGENT=CLIENT:mailto:bob@x\r\n"), "\(stored)")
        #expect(desk.local.contents == before)
        #expect(try await desk.sync().0 == RunSummary())
        guard tellsAddresses else { continue }
        desk.local.write(try Self.meeting("DECLINED"))
        #expect(try await desk.sync().0.uploaded == 1)
        #expect(desk.server.items[Self.path]?.contains("SCHEDULE-AGENT=CLIENT:mailto:bob") == true)
        #expect(desk.server.items[Self.path]?.contains("PARTSTAT=DECLINED") == true)
        desk.local.remove("meeting")
        #expect(try await desk.sync().0.deletedRemotely == 1)
        #expect(desk.server.mails == [])
      }
    }
    let desk = Desk(server: SchedulingServerDouble())
    desk.local.write(try Self.meeting("ACCEPTED"))
    #expect(try await desk.sync(.writeOnly).0.appended == 1)
    #expect(desk.server.mails == [])
  }

  @Test("A request to send a message is never uploaded")
  func forced() async throws {
    let desk = try await desk()
    desk.local.write(
      try Self.meeting(
        nil, organizer: ";SCHEDULE-FORCE-SEND=REPLY", Self.series, InvitationTests.alarm))
    #expect(try await desk.sync().0.uploaded == 1)
    #expect(desk.server.mails == [])
    let own = Desk(server: SchedulingServerDouble())
    own.server.store(try InvitationTests.meeting(), as: Self.path)
    #expect(try await own.sync().0.downloaded == 1)
    own.server.forget()
    own.local.write(
      try InvitationTests.meeting(
        attendees: [":mailto:alice@x", ";SCHEDULE-FORCE-SEND=REQUEST:mailto:bob@x"],
        more: InvitationTests.alarm))
    #expect(try await own.sync().0.uploaded == 1)
    #expect(own.server.mails == [])
  }

  @Test("Google answers whatever an item says, so it is held there")
  func google() async throws {
    var desk = Desk(server: SchedulingServerDouble())
    desk.address = "https://apidata.googleusercontent.com/cal/"
    desk.local.write(try Self.meeting("ACCEPTED"))
    #expect(try await desk.sync().1 == [Self.reason])
    desk.local.remove("meeting")
    desk.server.store(try Self.meeting(), as: Self.path)
    _ = try await desk.sync()
    desk.server.forget()
    desk.local.remove("meeting")
    let (summary, reasons) = try await desk.sync()
    #expect(summary.deletedRemotely == 0)
    #expect(reasons.count == 1 && reasons[0].contains("bob@x"), "\(reasons)")
    #expect(desk.server.mails == [])
  }

  @Test("With send, each answer is mailed once")
  func sent() async throws {
    let desk = try await desk(.send)
    for status in ["TENTATIVE", "ACCEPTED", "DECLINED"] {
      desk.local.write(try Self.meeting(status, Self.series))
      #expect(try await desk.sync().0.uploaded == 1)
      #expect(try await desk.sync().0 == RunSummary())
      #expect(desk.server.mails == ["REPLY mailto:bob@x"])
      desk.server.forget()
    }
    // Alice mailed this answer herself.
    desk.local.remove("meeting")
    _ = try await desk.sync()
    desk.server.forget()
    desk.local.write(try Self.meeting("ACCEPTED", organizer: ";SCHEDULE-AGENT=CLIENT"))
    #expect(try await desk.sync().0.uploaded == 1)
    #expect(desk.server.mails == [])
  }

  @Test("No history of edits makes the server mail; with send, each change is mailed once")
  func histories() async throws {
    for seed in 0..<UInt64(60 * iterationFactor) {
      for policy in InvitationPolicy.allCases {
        var random = SeededGenerator(seed: seed)
        var desk = Desk(server: SchedulingServerDouble(tellsTags: Bool.random(using: &random)))
        desk.invitations = policy
        for step in 1...8 {
          try Self.change(desk, &random)
          _ = try await desk.sync()
          let mails = desk.server.mails
          #expect(
            policy == .send || mails == [],
            "seed \(seed), step \(step): \(mails) of \(desk.server.items)")
          _ = try await desk.sync()
          #expect(desk.server.mails == mails, "seed \(seed), step \(step): mailed again")
          #expect(Set(mails).count == mails.count, "seed \(seed), step \(step): \(mails)")
          guard policy == .send || mails == [] else { return }
          desk.server.forget()
        }
      }
    }
  }

  /// Makes one change: here, or by another program of alice or the organizer on the server.
  private static func change(_ desk: Desk, _ random: inout SeededGenerator) throws {
    func pick<T>(_ values: [T]) -> T { values[Int.random(in: values.indices, using: &random)] }
    let statuses: [String?] = [nil, "NEEDS-ACTION", "ACCEPTED", "DECLINED", "TENTATIVE"]
    let extras = [
      InvitationTests.alarm, "COMMENT:Late", "TRANSP:TRANSPARENT", "LOCATION:Room",
      "EXDATE:20260303T090000Z", override(pick(["ACCEPTED", "DECLINED", "NEEDS-ACTION"])),
    ]
    let isOrganizer = Int.random(in: 0..<3, using: &random) == 0
    let parameters = pick(["", "", ";SCHEDULE-AGENT=CLIENT", ";SCHEDULE-FORCE-SEND=REPLY"])
    let guests = [
      [":mailto:alice@x", ":mailto:bob@x"], [":mailto:alice@x"],
      [":mailto:alice@x", ":mailto:bob@x", ";SCHEDULE-FORCE-SEND=REQUEST:mailto:eve@x"],
    ]
    let item =
      isOrganizer
      ? try InvitationTests.meeting(
        attendees: pick(guests), summary: pick(["Plan", "Other"]), more: pick(["", series]))
      : try meeting(
        pick(statuses), summary: pick(["Plan", "Other"]), organizer: parameters, series,
        pick(extras))
    switch Int.random(in: 0..<6, using: &random) {
    case 0: desk.local.remove("meeting")
    case 1:
      desk.server.store(item, as: path)
      desk.server.forget()
    default: desk.local.write(item)
    }
  }
}
