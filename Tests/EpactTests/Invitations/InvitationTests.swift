// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import ICalSyntax
import TestSupport
import Testing

/// Who the user is, what collides, and the answer in the calendar.
@Suite("Invitations") struct InvitationTests {
  private typealias Scene = InvitationScene
  private let scene: InvitationScene

  init() throws {
    scene = try InvitationScene()
  }

  // MARK: The user

  @Test("The user is the attendee with one of the configured addresses, or with the chosen one")
  func user() throws {
    let lunch = try Scene.invitation()
    func address(_ chosen: String?, _ addresses: [String]) throws -> String {
      let own = Set(addresses.map { CalendarAddress("mailto:\($0)") })
      return try lunch.attendee(as: chosen, addresses: own).address.rawValue
    }
    #expect(try address(nil, ["x@y.example", "ADA@home.example"]) == "mailto:ada@home.example")
    #expect(
      try address("mailto:Bea@Mail.example", ["ada@home.example"]) == "mailto:bea@mail.example")
    let unknown = #expect(throws: EpactError.self) { try address(nil, []) }
    #expect(unknown?.message == "lunch.ics: expected one attendee who is you, found 0")
    #expect(unknown?.details == ["Ada <ada@home.example>", "Bea <bea@mail.example>"])
    #expect(unknown?.remedy == .identifyUser)
    let both = #expect(throws: EpactError.self) {
      try address(nil, ["ada@home.example", "bea@mail.example"])
    }
    #expect(both?.message.hasSuffix("found 2") == true)
    let stranger = #expect(throws: EpactError.self) { try address("eve@e.example", []) }
    #expect(stranger?.message.contains("eve@e.example is not invited") == true)
  }

  @Test("No one is the user by being the only guest, or by the recipients of the mail")
  func others() throws {
    let me = CalendarAddress("mailto:me@example.org")
    let head = [
      "UID:a", "DTSTAMP:20260105T080000Z", "DTSTART:20260310T110000Z", "SUMMARY:A",
      "ORGANIZER:mailto:boss@x.example",
    ]
    let guests = [
      ["ATTENDEE;CN=Other:mailto:other@x.example"],
      ["ATTENDEE;CUTYPE=GROUP:mailto:team@x.example", "ATTENDEE:mailto:other@x.example"],
      ["ATTENDEE;CUTYPE=ROOM:mailto:room@x.example"],
      ["ATTENDEE;MEMBER=\"mailto:me@example.org\":mailto:other@x.example"],
      ["ATTENDEE;DELEGATED-TO=\"mailto:me@example.org\":mailto:other@x.example"],
      ["ATTENDEE:mailto:me@example.org.evil.example", "ATTENDEE:mailto:notme@example.org"],
    ]
    for lines in guests {
      let invitation = try Scene.invitation(base: head + lines)
      #expect(invitation.candidates(for: [me]).isEmpty, "\(lines)")
      for addresses in [[me], []] as [Set<CalendarAddress>] {
        let error = #expect(throws: EpactError.self) {
          try invitation.attendee(as: nil, addresses: addresses)
        }
        #expect(error?.message.hasSuffix("expected one attendee who is you, found 0") == true)
      }
    }
    // A mail that was passed on, and one to the only guest.
    let mail = try ReceivedMailTests.read("calendar-twice-alternative-and-attachment")
    let invitation = try Invitation(answerableIn: mail)
    for addresses in [[me], []] as [Set<CalendarAddress>] {
      #expect(throws: EpactError.self) {
        try invitation.attendee(as: nil, addresses: addresses)
      }
    }
  }

  @Test("The user answers from an address of their own, and names the one for whom they act")
  func sender() throws {
    let me = CalendarAddress("MAILTO:Me@example.org")
    let head = Scene.lunch.filter { !$0.hasPrefix("ATTENDEE") }
    func answer(_ line: String) throws -> (from: String, attendee: Property?) {
      let invitation = try Scene.invitation(base: head + [line])
      let attendee = try invitation.attendee(as: nil, addresses: [me])
      var answer = InvitationAnswer(
        .accepted, to: invitation, by: attendee, at: scene.machine.now())
      answer.user = [me]
      let message = try answer.message(viewer: scene.viewer, machine: scene.machine)
      return (
        try answer.mail(viewer: scene.viewer, machine: scene.machine).sender.address.lowercased(),
        message.item.main?[.attendee]
      )
    }
    #expect(try answer("ATTENDEE:mailto:me@example.org").from == "me@example.org")
    #expect(try answer("ATTENDEE:me@example.org").from == "me@example.org")
    let email = try answer("ATTENDEE;EMAIL=me@example.org:mailto:alias@x.example")
    #expect(email.from == "me@example.org")
    let agent = try answer("ATTENDEE;SENT-BY=\"mailto:me@example.org\":mailto:chief@x.example")
    #expect(agent.from == "me@example.org")
    #expect(agent.attendee?[.sentBy] == "mailto:me@example.org")
    let own = try answer("ATTENDEE;SENT-BY=\"mailto:sec@x.example\":mailto:me@example.org")
    #expect(own.from == "me@example.org" && own.attendee?[.sentBy] == nil)
    let delegate = try answer(
      "ATTENDEE;DELEGATED-FROM=\"mailto:chief@x.example\":mailto:me@example.org")
    #expect(delegate.from == "me@example.org")
    #expect(delegate.attendee?[.delegatedFrom] == "mailto:chief@x.example")
  }

  @Test("An answer that the user mails marks the organizer, so that no server mails it again")
  func mailed() async throws {
    var mailed = try answer(.accepted, try Scene.invitation())
    mailed.isSentByUser = true
    try await mailed.store(in: scene.calendar("home"), machine: scene.machine)
    func agent() async throws -> String? {
      try await scene.stored("lunch@mail.example", in: "home")?.main?[.organizer]?[.scheduleAgent]
    }
    #expect(try await agent() == "CLIENT")
    // An update of the organizer keeps the decision of the attendee.
    let update = try Scene.invitation("SEQUENCE:2", "DTSTAMP:20260106T080000Z")
    try await answer(.tentative, update).store(in: scene.calendar("home"), machine: scene.machine)
    #expect(try await agent() == "CLIENT")
    try await answer(.accepted, try Scene.invitation())
      .store(in: scene.calendar("work"), machine: scene.machine)
    #expect(
      try await scene.stored("lunch@mail.example", in: "work")?.main?[.organizer]?[.scheduleAgent]
        == nil)
  }

  @Test("Rooms and the organizer are not the user; EMAIL names an address, too")
  func guests() throws {
    let base =
      Scene.lunch.filter { !$0.hasPrefix("ATTENDEE") } + [
        "ATTENDEE:mailto:joerg@mail.example", "ATTENDEE;CUTYPE=ROOM:mailto:room@mail.example",
        "ATTENDEE;EMAIL=ada@home.example:urn:uuid:1",
      ]
    let lunch = try Scene.invitation(base: base)
    #expect(lunch.candidates(for: []).map(\.address.rawValue) == ["urn:uuid:1"])
    #expect(lunch.attendees(with: [CalendarAddress("mailto:ada@home.example")]).count == 1)
  }

  @Test("Only requests with an organizer and attendees can be answered, one at a time")
  func answerable() throws {
    for method in ["REPLY", "CANCEL", "PUBLISH", "COUNTER", "REFRESH"] {
      #expect(try !Scene.invitation(method: method).isAnswerable, "\(method)")
    }
    #expect(try Scene.invitation(method: "REQUEST").isAnswerable)
    let two = try ReceivedMailTests.read("two-invitations")
    let error = #expect(throws: EpactError.self) { try Invitation(answerableIn: two) }
    #expect(error?.details == ["Mittagessen bei Jörg", "Abendessen"])
    let cancellation = try ReceivedMailTests.read("cancellation")
    #expect(throws: EpactError.self) { try Invitation(answerableIn: cancellation) }
  }

  // MARK: Collisions

  @Test("Busy events that overlap collide, and no others")
  func collisions() async throws {
    try scene.add("inside", to: "work", "DTSTART:20260310T111500Z", "DTEND:20260310T113000Z")
    try scene.add("across", to: "work", "DTSTART:20260310T100000Z", "DTEND:20260310T111500Z")
    try scene.add("before", to: "work", "DTSTART:20260310T100000Z", "DTEND:20260310T110000Z")
    try scene.add("after", to: "work", "DTSTART:20260310T120000Z", "DTEND:20260310T130000Z")
    try scene.add("day", to: "home", "DTSTART;VALUE=DATE:20260310")
    try scene.add("free", to: "home", "DTSTART;VALUE=DATE:20260310", "TRANSP:TRANSPARENT")
    try scene.add(
      "gone", to: "home", "DTSTART:20260310T110000Z", "DTEND:20260310T120000Z", "STATUS:CANCELLED")
    try scene.add(
      "declined", to: "home", "DTSTART:20260310T110000Z", "DTEND:20260310T120000Z",
      "ATTENDEE;PARTSTAT=DECLINED:mailto:ada@home.example")
    try scene.add(
      "weekly", to: "home", "DTSTART:20260106T113000Z", "DTEND:20260106T114500Z",
      "RRULE:FREQ=WEEKLY")
    try scene.add(
      "lunch@mail.example", to: "home", "DTSTART:20260310T110000Z", "DTEND:20260310T120000Z")
    var request = ReviewRequest(
      [scene.calendar("work"), scene.calendar("home"), scene.calendar("missing")],
      viewer: scene.viewer)
    request.user = [CalendarAddress("mailto:ada@home.example")]
    let review = try await InvitationReview(
      of: try Scene.invitation(), request, machine: scene.machine
    ) { event in Issue.record("\(event)") }
    #expect(review.occurrences.count == 1)
    #expect(
      review.collisions.map { "\($0.other.uid) in \($0.calendar)" }
        == ["day in home", "across in work", "inside in work", "weekly in home"])
    #expect(review.copies.map(\.standing) == [.update])
  }

  @Test("A series collides in each occurrence, and a transparent invitation does not")
  func series() async throws {
    try scene.add("busy", to: "home", "DTSTART:20260317T111500Z", "DTEND:20260317T113000Z")
    let request = ReviewRequest([scene.calendar("home")], viewer: scene.viewer)
    let weekly = try Scene.invitation("RRULE:FREQ=WEEKLY")
    let review = try await InvitationReview(of: weekly, request, machine: scene.machine) { _ in }
    #expect(review.occurrences.count == 52)
    #expect(review.collisions.map(\.occurrence.start.rfc3339) == ["2026-03-17T12:00:00+01:00"])
    let free = try Scene.invitation("RRULE:FREQ=WEEKLY", "TRANSP:TRANSPARENT")
    let none = try await InvitationReview(of: free, request, machine: scene.machine) { _ in }
    #expect(none.collisions.isEmpty)
  }

  // MARK: The calendar

  private func answer(
    _ status: ParticipationStatus, _ invitation: Invitation, seconds: Int64 = 0
  ) throws -> InvitationAnswer {
    let time = try #require(scene.machine.now().adding(seconds: seconds))
    return InvitationAnswer(status, to: invitation, by: try scene.attendee(invitation), at: time)
  }

  @Test(
    "An answer is stored with the event, answering again changes only the answer",
    arguments: ["home", "home.ics"])
  func store(_ name: String) async throws {
    let (lunch, home) = (try Scene.invitation(), scene.calendar(name))
    #expect(try await answer(.accepted, lunch).store(in: home, machine: scene.machine))
    let item = try #require(try await scene.stored("lunch@mail.example", in: name))
    #expect(item.calendar[.method] == nil)
    let event = Event(try #require(item.main))
    #expect(event.attendees.map(\.participationStatus) == [.accepted, .needsAction])
    #expect(event.comments == [] && event.location == "Café")
    let second = try answer(.declined, lunch, seconds: 60)
    #expect(try await second.store(in: home, machine: scene.machine))
    #expect(try await !second.store(in: home, machine: scene.machine))
    let changed = try #require(try await scene.stored("lunch@mail.example", in: name)?.main)
    #expect(Event(changed).attendees.map(\.participationStatus) == [.declined, .needsAction])
    let review = try await InvitationReview(
      of: lunch, ReviewRequest([home], viewer: scene.viewer), machine: scene.machine
    ) { _ in }
    #expect(review.copies.map(\.standing) == [.same])
    #expect(try review.copies.first?.answer(of: scene.attendee(lunch)) == .declined)
  }

  @Test("An answer to an older version than the stored one is refused and changes nothing")
  func outdated() async throws {
    let home = scene.calendar("home")
    let new = try Scene.invitation("SEQUENCE:2", "DTSTAMP:20260106T080000Z")
    try await answer(.accepted, new).store(in: home, machine: scene.machine)
    let before = try #require(try await scene.stored("lunch@mail.example", in: "home"))
    let old = try Scene.invitation()
    let late = try answer(.declined, old, seconds: 60)
    await #expect(throws: EpactError.self) {
      try await late.store(in: home, machine: scene.machine)
    }
    #expect(try await scene.stored("lunch@mail.example", in: "home") == before)
    let review = try await InvitationReview(
      of: old, ReviewRequest([home], viewer: scene.viewer), machine: scene.machine
    ) { _ in }
    #expect(review.copies.map(\.standing) == [.outdated])
  }

  @Test("The destination is the chosen calendar, the one with the event, or the default one")
  func destinations() async throws {
    try scene.folder.makeFolder("config/epact")
    for name in ["home", "work", "other", "tasks", "old"] { try scene.folder.makeFolder(name) }
    try scene.folder.write(
      lines: [
        "default-calendar = \"work\"", "[calendar.home]",
        "path = \"\(scene.folder.path(of: "home"))\"",
        "[calendar.work]", "path = \"\(scene.folder.path(of: "work"))\"",
        "[calendar.tasks]", "path = \"\(scene.folder.path(of: "tasks"))\"",
        "components = [\"VTODO\"]",
        "[calendar.old]", "path = \"\(scene.folder.path(of: "old"))\"", "read-only = true",
      ], to: "config/epact/config.toml")
    let library = CalendarLibrary(machine: scene.machine)
    let mail = try Scene.invitation().mail
    func destination(_ chosen: CalendarLocation?) async throws -> [String] {
      let calendars = try InvitationCalendars(library, chosen: chosen)
      return try await calendars.destinations(of: [mail]).map(\.calendar.name)
    }
    #expect(try await destination(nil) == ["work"])
    #expect(try await destination(scene.calendar("other")) == ["other"])
    try await answer(.accepted, try Scene.invitation())
      .store(in: scene.calendar("home"), machine: scene.machine)
    #expect(try await destination(nil) == ["home"])
    let chosen = try InvitationCalendars(library, chosen: scene.calendar("home"))
    #expect(chosen.all.map(\.name) == ["home", "old", "tasks", "work"])
    let refusal = await #expect(throws: EpactError.self) {
      try await destination(scene.calendar("tasks"))
    }
    #expect(refusal?.message == "the calendar is not for VEVENT")
    // An invitation can be shown beside a calendar that may only be read.
    let readOnly = try InvitationCalendars(library, chosen: scene.calendar("old"))
    await #expect(throws: EpactError.self) { try await readOnly.destinations(of: [mail]) }
  }
}
