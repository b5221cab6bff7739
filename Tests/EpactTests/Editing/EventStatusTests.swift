// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import ICalSyntax
import TestSupport
import Testing

/// Edits of the status of an event (RFC 5545 §3.8.1.11).
@Suite("The status of an event") struct EventStatusTests {
  private let scene: EditScene

  init() throws {
    scene = try EditScene()
    let meeting = [
      "ORGANIZER:mailto:me@example.org", "ATTENDEE;PARTSTAT=ACCEPTED:mailto:ana@example.org",
    ]
    let events = [
      ("lunch", ["RRULE:FREQ=WEEKLY;COUNT=3", "STATUS:CANCELLED", "SUMMARY:Lunch"]),
      ("review", meeting + ["SUMMARY:Review"]),
    ]
    for (uid, lines) in events {
      try scene.scene.folder.write(
        lines: [
          "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VEVENT", "UID:\(uid)",
          "DTSTAMP:20261101T000000Z", "DTSTART;TZID=Europe/Berlin:20261201T120000",
          "DTEND;TZID=Europe/Berlin:20261201T130000",
        ] + lines + ["END:VEVENT", "END:VCALENDAR"], to: "calendars/private/\(uid).ics")
    }
  }

  private func edit(_ title: String, to status: EventStatus, _ span: EditSpan) throws
    -> CalendarItem
  {
    var details = ItemDetails()
    details.eventStatus = status
    try scene.editor.changing(scene.item(title), details, span).commit()
    return try scene.item(title).item
  }

  @Test("A cancelled series takes place again, as a whole or once")
  func revived() throws {
    let time = try #require(scene.item("Lunch").item.main.flatMap { Event($0).start })
    let once = try edit("Lunch", to: .tentative, .occurrence(time))
    #expect(once.main?[.status]?.text == "CANCELLED")
    #expect(once.components.first(where: \.isOverride)?[.status]?.text == "TENTATIVE")
    let all = try edit("Lunch", to: .confirmed, .all)
    #expect(all.main?[.status]?.text == "CONFIRMED")
    #expect(all.components.first(where: \.isOverride)?[.status]?.text == "TENTATIVE")
    #expect(all.main?[.rRule]?.rawValue == "FREQ=WEEKLY;COUNT=3")
  }

  @Test("A meeting with attendees is tentative or confirmed; a cancellation needs a CANCEL message")
  func meeting() throws {
    let error = #expect(throws: EpactError.self) { try edit("Review", to: .cancelled, .all) }
    #expect(
      error?.message
        == "\"Review\" has attendees; its deletion cancels it and informs them (RFC 5546 §3.2.5)")
    #expect(try edit("Review", to: .tentative, .all).main?[.status]?.text == "TENTATIVE")
  }

  @Test("The status of an event is refused for other items")
  func otherKinds() throws {
    try scene.scene.folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VTODO", "UID:milk",
        "DTSTAMP:20261101T000000Z", "SUMMARY:Milk", "END:VTODO", "END:VCALENDAR",
      ], to: "calendars/private/milk.ics")
    let error = #expect(throws: EpactError.self) { try edit("Milk", to: .confirmed, .all) }
    #expect(error?.message == "a status of confirmed, tentative or cancelled is for events")
  }
}
