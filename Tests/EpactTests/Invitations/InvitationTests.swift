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

  @Test("The user is the attendee with one of the configured addresses, or the only one who fits")
  func user() throws {
    let lunch = try Scene.invitation()
    func address(_ chosen: String?, _ addresses: [String]) throws -> String {
      let own = Set(addresses.map { CalendarAddress("mailto:\($0)") })
      return try lunch.attendee(as: chosen, addresses: own).address.rawValue
    }
    #expect(try address(nil, ["x@y.example", "ADA@home.example"]) == "mailto:ada@home.example")
    #expect(
      try address("mailto:Bea@Mail.example", ["ada@home.example"]) == "mailto:bea@mail.example")
    let ambiguous = #expect(throws: EpactError.self) { try address(nil, []) }
    #expect(
      ambiguous?.details == ["Ada <ada@home.example>", "Bea <bea@mail.example>"])
    let stranger = #expect(throws: EpactError.self) { try address("eve@e.example", []) }
    #expect(stranger?.message.contains("eve@e.example is not invited") == true)
    // The mail was sent to one of the attendees.
    let mail = try ReceivedMailTests.read("calendar-twice-alternative-and-attachment")
    let invitation = try Invitation(answerableIn: mail)
    #expect(
      try invitation.attendee(as: nil, addresses: []).address.rawValue == "mailto:ada@home.example")
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
    for name in ["home", "work", "other"] { try scene.folder.makeFolder(name) }
    try scene.folder.write(
      lines: [
        "default-calendar = \"work\"", "[calendar.home]",
        "path = \"\(scene.folder.path(of: "home"))\"",
        "[calendar.work]", "path = \"\(scene.folder.path(of: "work"))\"",
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
    #expect(chosen.all.map(\.name) == ["home", "work"])
  }
}
