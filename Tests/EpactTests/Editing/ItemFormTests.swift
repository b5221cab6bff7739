// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import ICalSyntax
import TestSupport
import Testing

/// The text of an item for an editor.
struct ItemFormTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  private static let event = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//Example//EN
    BEGIN:VEVENT
    UID:lunch
    SUMMARY:Lunch with Ana
    DTSTAMP:20260102T030405Z
    DTSTART;TZID=America/New_York:20261127T123000
    DTEND;TZID=America/New_York:20261127T133000
    LOCATION:Café
    RRULE:FREQ=WEEKLY
    DESCRIPTION:One\\nTwo
    BEGIN:VALARM
    ACTION:DISPLAY
    TRIGGER:-PT15M
    DESCRIPTION:Lunch
    X-KEPT:1
    END:VALARM
    END:VEVENT
    END:VCALENDAR

    """

  private func form() throws -> ItemForm {
    try world.scene.folder.write(Self.event.utf8, to: "calendars/private/lunch.ics")
    return ItemForm(try world.item("lunch"), .all, world.editor)
  }

  private func values(_ old: String, _ new: String) throws -> ItemForm.Values {
    let form = try form()
    let text = form.text()
    try #require(text.contains(old))
    return try form.values(of: Array(text.replacing(old, with: new).utf8), try world.dates)
  }

  @Test func allValuesAreInTheForm() throws {
    #expect(
      try form().text() == """
        # An empty value removes the property; a removed line keeps it.
        # Lines that begin with # before the note are ignored.
        title: Lunch with Ana
        when: Fri 2026-11-27 12:30-13:30
        zone: America/New_York
        calendar: private
        where: Café
        repeat: weekly
        alarms: 15m
        categories:
        class:
        url:
        note:
        One
        Two

        """)
  }

  @Test func anUnchangedFormChangesNothing() throws {
    let form = try form()
    #expect(try form.values(of: Array(form.text().utf8), world.dates).details.isEmpty)
    let edited = form.text().split(separator: "\n").filter { !$0.hasPrefix("where") }
      .joined(separator: "\r\n")
    #expect(try form.values(of: Array(edited.utf8), world.dates).details.isEmpty)
  }

  @Test func changedLinesAreTheNewValues() throws {
    #expect(try values("Lunch with Ana", "Dinner: late").details.title == "Dinner: late")
    #expect(try values("where: Café", "where:").details.location == "")
    #expect(try values("15m", "15m, 1d").details.alarms?.count == 2)
    #expect(try values("weekly", "never").details.repetition == Repetition("never"))
    #expect(
      try values("Two\n", "Two\n# three\n\nfour\n").details.note == "One\nTwo\n# three\n\nfour")
    #expect(try values("note:\nOne\nTwo\n", "note:\n").details.note == "")
    #expect(try values("calendar: private", "calendar: work").calendar == "work")
    #expect(try values("class:", "class: Private").details.classification == .private)
    #expect(try values("categories:", "categories: a, b,").details.categories == ["a", "b"])
    let times = try values("Fri 2026-11-27 12:30-13:30", "Sat 2026-11-28 10:00-11:00").details
    #expect(try times.start == world.dates.newTime("Sat 2026-11-28 10:00-11:00"))
  }

  @Test func aTimeStaysInTheZoneOfTheItemAndUnknownPropertiesStay() throws {
    let values = try values("12:30-13:30", "14:00-15:00")
    let found = try world.item("lunch")
    try world.editor.changing(found, values.details, .all).commit()
    let main = try #require(try world.item("lunch").item.main)
    #expect(main[.dtStart]?.rawValue == "20261127T140000")
    #expect(main[.dtStart]?[.tzID] == "America/New_York")
    let text = String(decoding: try world.item("lunch").item.serialized(), as: UTF8.self)
    #expect(text.contains("X-KEPT:1"))
  }

  @Test(arguments: [
    ("when: Fri", "when: Xyz", "line 4: "), ("title:", "titel:", "line 3: expected one of title"),
    ("alarms: 15m", "alarms: soon", "line 9: expected an alarm"),
    ("repeat: weekly", "repeat weekly", "line 8: expected one of"),
    ("class:", "class: secret", "line 11: expected a class of public, private or confidential"),
  ])
  func anInvalidValueNamesItsLine(old: String, new: String, message: String) throws {
    let error = try #require(throws: EpactError.self) { try values(old, new) }
    #expect(error.message.hasPrefix(message), "\(error.message)")
    #expect(error.code == .argument)
    let shown = ItemForm.comment(error)
    #expect(shown.hasPrefix("# error: line "))
    #expect(ItemForm.withoutErrors(Array((shown + "title: x\n").utf8)) == Array("title: x\n".utf8))
  }
}
