// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import ICalSyntax
import TestSupport
import Testing

/// What belongs to the location, the description or the time of an item, and follows its edits.
@Suite("What follows an edit") struct DependentPropertyTests {
  private let scene: EditScene

  init() throws {
    scene = try EditScene()
    try scene.scene.folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VEVENT", "UID:coffee",
        "DTSTAMP:20261101T000000Z", "DTSTART;TZID=Europe/Berlin:20261201T150000",
        "DTEND;TZID=Europe/Berlin:20261201T160000", "SUMMARY:Coffee", "LOCATION:Café Central",
        "GEO:48.2104;16.3655",
        "X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE=Café Central:geo:48.2104,16.3655",
        "DESCRIPTION;ALTREP=\"data:text/html,%3Cb%3EBook%3C/b%3E\":Book",
        "X-ALT-DESC;FMTTYPE=text/html:<b>Book</b>", "X-NOTE:kept", "BEGIN:VALARM",
        "ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:20261201T130000Z", "DESCRIPTION:Coffee",
        "END:VALARM", "END:VEVENT", "END:VCALENDAR",
      ], to: "calendars/private/coffee.ics")
    try scene.scene.folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VTODO", "UID:bill",
        "DTSTAMP:20261101T000000Z", "DTSTART;TZID=Europe/Berlin:20261201T090000",
        "DUE;TZID=Europe/Berlin:20261201T090000", "SUMMARY:Bill", "BEGIN:VALARM",
        "ACTION:DISPLAY", "TRIGGER;VALUE=DATE-TIME:20261201T080000Z", "DESCRIPTION:Bill",
        "END:VALARM", "END:VTODO", "END:VCALENDAR",
      ], to: "calendars/private/bill.ics")
  }

  private func edited(
    _ title: String, _ change: (inout ItemDetails) throws -> Void
  ) throws -> Component {
    var details = ItemDetails()
    try change(&details)
    try scene.editor.changing(scene.item(title), details, .all).commit()
    return try #require(try scene.item(title).item.main)
  }

  private func alarm(_ component: Component) -> String? {
    component.components.first { $0.name == .alarm }?[.trigger]?.rawValue
  }

  @Test("A definition of one summer follows an edit that moves the item to winter")
  func definition() throws {
    try scene.scene.folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VTIMEZONE",
        "TZID:Europe/Berlin", "BEGIN:DAYLIGHT", "DTSTART:20260329T030000", "TZOFFSETFROM:+0100",
        "TZOFFSETTO:+0200", "END:DAYLIGHT", "END:VTIMEZONE", "BEGIN:VEVENT", "UID:swim",
        "DTSTAMP:20260401T000000Z", "DTSTART;TZID=Europe/Berlin:20260701T150000", "SUMMARY:Swim",
        "END:VEVENT", "END:VCALENDAR",
      ], to: "calendars/private/swim.ics")
    _ = try edited("swim") { $0.location = "Lido" }
    #expect(try scene.item("swim").item.timeZones.first?.components.count == 1)
    _ = try edited("swim") { $0.start = try scene.dates.newTime("2026-12-01") }
    let zones = try scene.item("swim").item.timeZones
    let offsets = zones.flatMap(\.components).compactMap { $0[.tzOffsetTo]?.rawValue }
    #expect(zones.count == 1 && offsets.contains("+0100"))
  }

  @Test("The reply names what goes with a former location or note")
  func words() throws {
    func lines(_ change: (inout ItemDetails) throws -> Void) throws -> [String] {
      var details = ItemDetails()
      try change(&details)
      let edit = try scene.editor.changing(scene.item("coffee"), details, .all)
      return edit.changes.flatMap { scene.editor.words(for: $0, of: edit).lines }
    }
    #expect(try lines { $0.location = "Café Korb" }.contains("without its coordinates"))
    #expect(try lines { $0.note = "Pay" }.contains("without its formatted text"))
    #expect(try !lines { $0.title = "Tea" }.contains { $0.hasPrefix("without") })
  }

  @Test("An alarm with another time keeps its text and its sound, and is not repeated")
  func alarms() throws {
    try scene.scene.folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VEVENT", "UID:opera",
        "DTSTAMP:20261101T000000Z", "DTSTART;TZID=Europe/Berlin:20261201T190000", "SUMMARY:Opera",
        "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER:-PT1H", "ATTACH;VALUE=URI:Chord",
        "DURATION:PT5M", "REPEAT:2", "ACKNOWLEDGED:20261101T000000Z", "END:VALARM", "BEGIN:VALARM",
        "ACTION:DISPLAY", "TRIGGER:-PT2H", "DESCRIPTION:Take the tickets", "END:VALARM",
        "END:VEVENT", "END:VCALENDAR",
      ], to: "calendars/private/opera.ics")
    func alarms(_ times: String...) throws -> [String] {
      let event = try edited("opera") { details in
        details.alarms = try times.map { try AlarmTime(parsing: $0) }
      }
      return event.components.map { alarm in
        [PropertyName.action, .trigger, .descriptionText, .attach, .repeatCount, .acknowledged]
          .compactMap { alarm[$0]?.rawValue }.joined(separator: " ")
      }
    }
    #expect(
      try alarms("1h", "3h") == [
        "AUDIO -PT1H Chord 2 20261101T000000Z", "DISPLAY -PT3H Take the tickets",
      ])
    let one = try alarms("30m")
    #expect(one == ["AUDIO -PT30M Chord"])
    let two = try alarms("30m", "10m")
    #expect(two == ["AUDIO -PT30M Chord", "DISPLAY -PT10M Opera"])
  }

  @Test("A new location removes the coordinates and the places of the former one")
  func location() throws {
    for location in ["Café Korb", ""] {
      let event = try edited("coffee") { $0.location = location }
      #expect(event[.location]?.text == (location.isEmpty ? nil : location))
      #expect(event[.geo] == nil && event["X-APPLE-STRUCTURED-LOCATION"] == nil)
      #expect(event["X-ALT-DESC"] != nil && event["X-NOTE"] != nil)
    }
  }

  @Test("The same location keeps them, and so does an edit of something else")
  func sameLocation() throws {
    let event = try edited("coffee") {
      $0.location = "Café Central"
      $0.title = "Coffee with Ana"
    }
    #expect(event[.geo] != nil && event["X-APPLE-STRUCTURED-LOCATION"] != nil)
    #expect(event["X-ALT-DESC"] != nil && event[.descriptionText]?[.alternateRepresentation] != nil)
  }

  @Test("A new note removes the formatted versions of the former one")
  func note() throws {
    let event = try edited("coffee") { $0.note = "Book and map" }
    #expect(event[.descriptionText]?.text == "Book and map")
    #expect(event[.descriptionText]?[.alternateRepresentation] == nil && event["X-ALT-DESC"] == nil)
    #expect(event[.geo] != nil && event["X-NOTE"] != nil)
  }

  @Test("An alarm at a fixed time moves with the start, and not with the end")
  func eventAlarm() throws {
    let longer = try edited("coffee") { $0.end = try scene.dates.newTime("17:00") }
    #expect(alarm(longer) == "20261201T130000Z")
    // 14:00 on 3 July in Berlin, an hour before the event.
    let moved = try edited("coffee") { $0.start = try scene.dates.newTime("2027-07-03 15:00") }
    #expect(alarm(moved) == "20270703T120000Z")
    let whole = try edited("coffee") { $0.start = try scene.dates.newTime("2027-07-05 all day") }
    #expect(alarm(whole) == "20270705T120000Z")
  }

  @Test("An alarm at a fixed time moves with the due time of a reminder")
  func reminderAlarm() throws {
    let moved = try edited("bill") { $0.end = try scene.dates.newTime("2026-12-04 10:00") }
    #expect(moved[.due]?.rawValue == "20261204T100000")
    #expect(alarm(moved) == "20261204T090000Z")
  }

  @Test("An alarm of the edit itself has its own time")
  func ownAlarm() throws {
    let event = try edited("coffee") {
      $0.start = try scene.dates.newTime("2026-12-02 15:00")
      $0.alarms = [try AlarmTime(parsing: "20261201T130000Z")]
    }
    #expect(alarm(event) == "20261201T130000Z")
  }
}
