// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import ICalSyntax
import TestSupport
import Testing

/// Attendees whose invitation the organizer withdraws (RFC 5546 §3.2.5).
struct WithdrawalTests {
  private static let own = CalendarAddress("mailto:maria@example.net")

  private let world: EditScene
  private let editor: LibraryEditor

  init() throws {
    world = try EditScene()
    var editor = world.editor
    editor.addresses = [Self.own]
    self.editor = editor
  }

  private func people(
    _ invited: [String] = [], withdrawing withdrawn: [String] = []
  ) -> MeetingDetails {
    MeetingDetails(
      by: Organizer(Self.own),
      invited.map { Attendee(CalendarAddress("mailto:\($0)"), commonName: nil) },
      withdrawing: withdrawn.map { CalendarAddress("mailto:\($0)") })
  }

  private func meeting(
    _ kind: ItemKind = .event, repeating: String? = nil
  ) throws -> FoundItem {
    var details = ItemDetails()
    details.title = "Review"
    details.start = try world.dates.newTime("2026-12-01 10:00")
    details.repetition = repeating.map { Repetition($0) }
    details.invitation = people(["ana@example.org", "ben@example.org"])
    try editor.adding(
      details, as: kind, to: try world.calendar(kind == .event ? "private" : "tasks")
    ).commit()
    return try world.item("Review")
  }

  private func withdrawing(_ addresses: [String]) -> ItemDetails {
    var details = ItemDetails()
    details.invitation = people(withdrawing: addresses)
    return details
  }

  private func attendees(_ component: Component?) -> [String] {
    component?.properties(named: .attendee).map(\.rawValue) ?? []
  }

  @Test(
    "The attendee is gone, and gets a CANCEL; the others get the new list",
    arguments: [
      ItemKind.event, .reminder,
    ])
  func one(_ kind: ItemKind) throws {
    let found = try meeting(kind)
    let edit = try editor.changing(found, withdrawing(["BEN@example.org"]), .all)
    let main = try #require(edit.changes.first?.item?.main)
    #expect(attendees(main) == ["mailto:maria@example.net", "mailto:ana@example.org"])
    let mails = try MeetingMails(for: edit, editor).all()
    #expect(mails.map(\.subject) == ["No longer invited: Review", "Updated: Review"])
    #expect(
      mails.map { $0.recipients.map(\.address) } == [["ben@example.org"], ["ana@example.org"]])
  }

  @Test("Changed occurrences lose the attendee with the series")
  func series() throws {
    _ = try meeting(repeating: "weekly")
    let monday = EventTime.zoned(
      try CivilDateTime(parsing: "20261208T100000"), tzID: "Europe/Berlin")
    var moved = ItemDetails()
    moved.location = "Room 2"
    try editor.changing(world.item("Review"), moved, .occurrence(monday)).commit()
    let edit = try editor.changing(
      world.item("Review"), withdrawing(["ben@example.org"]), .all)
    let item = try #require(edit.changes.first?.item)
    #expect(item.components.count == 2)
    for component in item.components {
      #expect(attendees(component) == ["mailto:maria@example.net", "mailto:ana@example.org"])
    }
  }

  @Test("An event without attendees is no meeting any more")
  func last() throws {
    let edit = try editor.changing(
      meeting(), withdrawing(["ana@example.org", "ben@example.org"]), .all)
    let main = try #require(edit.changes.first?.item?.main)
    #expect(attendees(main) == [])
    #expect(main[.organizer] == nil)
    let mails = try MeetingMails(for: edit, editor).all()
    #expect(mails.map { $0.recipients.map(\.address) } == [["ana@example.org", "ben@example.org"]])
  }

  @Test("Only attendees can lose an invitation, and only to the organizer")
  func errors() throws {
    let found = try meeting()
    for addresses in [["carl@example.org"], ["maria@example.net"]] {
      #expect(throws: EpactError.self) {
        try editor.changing(found, withdrawing(addresses), .all)
      }
    }
    var other = ItemDetails()
    other.invitation = MeetingDetails(
      by: Organizer(CalendarAddress("mailto:peter@example.org")), [],
      withdrawing: [CalendarAddress("mailto:ben@example.org")])
    #expect(throws: EpactError.self) { try editor.changing(found, other, .all) }
    // An event without an organizer does not become a meeting by it.
    var plain = ItemDetails()
    plain.title = "Alone"
    plain.start = try world.dates.newTime("2026-12-02 10:00")
    try editor.adding(plain, as: .event, to: try world.calendar("private")).commit()
    #expect(throws: EpactError.self) {
      try editor.changing(world.item("Alone"), withdrawing(["ben@example.org"]), .all)
    }
  }
}
