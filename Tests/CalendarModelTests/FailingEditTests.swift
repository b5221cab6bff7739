// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence
import Testing

@Suite("Edits that can fail, and exports in memory")
struct FailingEditTests {
  private struct Refusal: Error {}

  private func series() throws -> CalendarItem {
    let start = EventTime.utc(try CivilDateTime(parsing: "2026-11-30T12:30"))
    var event = Event(
      stamp: Instant(secondsSinceEpoch: 1_764_547_200), start: start, summary: "Lunch")
    event.uid = UID("lunch@example.org")
    event.recurrence.rules = [RecurrenceRule(.weekly, on: [.monday], count: 4)]
    return try CalendarItem(event)
  }

  @Test("The error of a change is thrown", arguments: [0, 1, 2])
  func failures(_ kind: Int) throws {
    let item = try series()
    let second = EventTime.utc(try CivilDateTime(parsing: "2026-12-07T12:30"))
    let editor = ItemEditor(now: Instant(secondsSinceEpoch: 1_764_633_600))
    let span = [EditSpan.all, .occurrence(second), .future(from: second)][kind]
    #expect(throws: Refusal.self) {
      try editor.edit(item, span) { (event: inout Event) in
        event.summary = "Never"
        throw Refusal()
      }
    }
  }

  @Test("A value that cannot be read leaves the start as it is")
  func unreadableStart() throws {
    let item = try series()
    let editor = ItemEditor(now: Instant(secondsSinceEpoch: 1_764_633_600))
    #expect(throws: BasicFormatError.self) {
      try editor.edit(item, .all) { (event: inout Event) in
        event.start = .utc(try CivilDateTime(parsing: "tomorrow"))
      }
    }
    let edited = try editor.edit(item, .all) { (event: inout Event) in
      event.start = .utc(try CivilDateTime(parsing: "2026-11-30T13:00"))
    }
    #expect(edited.item?.main?[.dtStart]?.rawValue == "20261130T130000Z")
  }

  @Test("The bytes of an export are one calendar")
  func exports() throws {
    let item = try series()
    var other = Event(
      stamp: Instant(secondsSinceEpoch: 1_764_547_200),
      start: .zoned(try CivilDateTime(parsing: "2026-11-30T09:00"), tzID: "Europe/Berlin"),
      summary: "Tea")
    other.uid = UID("tea@example.org")
    let bytes = CalendarExport.bytes(of: [item, try CalendarItem(other)])
    let stream = try CalendarStream(parsing: bytes)
    #expect(stream.calendars.count == 1)
    #expect(stream.calendars[0].components(named: .event).count == 2)
    #expect(stream.calendars[0].components(named: .timeZone).count == 1)
    #expect(stream.diagnostics.isEmpty)
  }
}
