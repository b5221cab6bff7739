// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import ICalSyntax
import TestSupport
import Testing

/// Edits of journal entries (VJOURNAL, RFC 5545 §3.6.3).
@Suite("Edits of journal entries") struct JournalEditTests {
  private let scene: EditScene

  init() throws {
    scene = try EditScene()
    try scene.scene.folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VJOURNAL", "UID:diary",
        "DTSTAMP:20261101T000000Z", "DTSTART;VALUE=DATE:20261120", "SUMMARY:Diary",
        "DESCRIPTION:It rained.", "X-MOOD:grey", "END:VJOURNAL", "END:VCALENDAR",
      ], to: "calendars/private/diary.ics")
  }

  private func edited(_ change: (inout ItemDetails) throws -> Void) throws -> Component {
    var details = ItemDetails()
    try change(&details)
    try scene.editor.changing(scene.item("diary"), details, .all).commit()
    return try #require(try scene.item("diary").item.main)
  }

  @Test("The title, the start, the notes, the categories and the status change, and nothing else")
  func values() throws {
    let journal = try edited {
      $0.title = "Log"
      $0.start = try scene.dates.newTime("2026-11-21")
      $0.note = "The sun shone."
      $0.categories = ["Garden"]
      $0.journalStatus = .final
    }
    #expect(journal.name == .journal)
    #expect(journal[.summary]?.text == "Log")
    #expect(journal[.dtStart]?.rawValue == "20261121")
    #expect(journal.properties(named: .descriptionText).map(\.text) == ["The sun shone."])
    #expect(journal[.categories]?.text == "Garden")
    #expect(journal[.status]?.text == "FINAL")
    #expect(journal["X-MOOD"]?.text == "grey")
    #expect(journal[.uid]?.text == "diary")
  }

  @Test("What a journal entry cannot have is refused by name")
  func refused() throws {
    func message(_ change: (inout ItemDetails) throws -> Void) throws -> String? {
      var details = ItemDetails()
      try change(&details)
      let error = #expect(throws: EpactError.self) {
        try scene.editor.changing(scene.item("diary"), details, .all)
      }
      return error?.message
    }
    let reference = "(RFC 5545 §3.6.3)"
    #expect(
      try message { $0.location = "Garden" } == "a journal entry has no location \(reference)")
    #expect(
      try message { $0.alarms = [try AlarmTime(parsing: "15m")] }
        == "a journal entry has no alarms \(reference)")
    #expect(
      try message { $0.end = try scene.dates.newTime("2026-11-22") }
        == "a journal entry has no end \(reference)")
    for range in ["3 dec to 5 dec", "3 dec 9:00-10:00", "3 dec for 2 days", "next week"] {
      #expect(
        try message { $0.start = try scene.dates.newTime(range) }
          == "a journal entry has one date and no end \(reference)")
    }
    #expect(
      try message { $0.priority = 1 } == "a journal entry has no priority \(reference)")
    let lunch = try scene.editor.adding(
      {
        var details = ItemDetails()
        (details.title, details.start) = ("Lunch", try scene.dates.newTime("2026-11-22 12:00"))
        return details
      }(), as: .event)
    try lunch.commit()
    var status = ItemDetails()
    status.journalStatus = .draft
    let error = #expect(throws: EpactError.self) {
      try scene.editor.changing(scene.item("Lunch"), status, .all)
    }
    #expect(error?.message == "a status of draft, final or cancelled is for journal entries")
  }

  @Test("The text of a journal entry has its values, and changes them")
  func form() throws {
    let form = ItemForm(try scene.item("diary"), .all, scene.editor)
    let text = form.text()
    #expect(!text.contains("alarms:") && !text.contains("where:"))
    #expect(text.contains("when: Fri 2026-11-20") && text.hasSuffix("note:\nIt rained.\n"))
    let values = try form.values(
      of: Array(text.replacing("rained", with: "snowed").utf8), scene.dates)
    #expect(values.details.note == "It snowed.")
  }
}
