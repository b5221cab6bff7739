// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Epact
import ICalSyntax
import TestSupport
import Testing

/// The end of a repetition, after which a series has no occurrence.
@Suite("Ends of repetitions") struct RepetitionEndTests {
  @Test("An end of all occurrences removes added and changed occurrences after it, too")
  func until() throws {
    let scene = try EditScene()
    func override(_ day: String) -> [String] {
      [
        "BEGIN:VEVENT", "UID:runs", "DTSTAMP:20260101T000000Z",
        "RECURRENCE-ID:202612\(day)T100000Z",
        "DTSTART:202612\(day)T120000Z", "DTEND:202612\(day)T130000Z", "SUMMARY:Run", "END:VEVENT",
      ]
    }
    try scene.scene.folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VEVENT", "UID:runs",
        "DTSTAMP:20260101T000000Z", "DTSTART:20261201T100000Z", "DTEND:20261201T110000Z",
        "RRULE:FREQ=DAILY;COUNT=10", "RDATE:20261220T100000Z,20261202T150000Z", "SUMMARY:Run",
        "END:VEVENT",
      ] + override("03") + override("08") + override("20") + ["END:VCALENDAR"],
      to: "calendars/private/runs.ics")
    var details = ItemDetails()
    details.repetition = Repetition(nil, until: try scene.dates.moment("2026-12-05"))
    let edit = try scene.editor.changing(scene.item("runs"), details, .all)
    let item = try #require(edit.changes.first?.item)
    #expect(item.main?[.rDate]?.rawValue == "20261202T150000Z")
    #expect(item.overrides.map { $0[.recurrenceID]?.rawValue } == ["20261203T100000Z"])
  }
}
