// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence
import TestSupport
import Testing

/// The examples of the documentation, each between two marks: they compile, and do what is said.
@Suite("Examples of the documentation")
struct DocumentationExamples {
  /// What an example prints.
  private final class Console {
    var lines: [String] = []
  }

  private let console = Console()

  private func print(_ items: Any...) {
    console.lines.append(items.map { "\($0)" }.joined(separator: " "))
  }

  @Test("Every example of an article is here, and the landing page leads to every article")
  func articles() throws {
    let catalogue = CatalogueExamples(of: "CalendarModel", in: #filePath)
    try catalogue.check()
    try catalogue.checkLinks()
  }

  @Test("The landing page")
  func landing() throws {
    var component = try event(["UID:1", "SUMMARY:Lunch", "LOCATION:Room 1"])
    let before = component
    // example: CalendarModel
    var event = Event(component)
    event.location = "Room 2"
    event.write(to: &component)  // changes the LOCATION and nothing else
    // end
    #expect(component[.location]?.text == "Room 2")
    component[.location] = before[.location]
    #expect(component == before)
  }

  @Test("From bytes to next week's events")
  func reading() throws {
    let bytes = calendar([
      "BEGIN:VEVENT", "UID:1", "DTSTART;TZID=W. Europe Standard Time:20261102T090000",
      "RRULE:FREQ=WEEKLY", "SUMMARY:Standup", "END:VEVENT",
      "BEGIN:VEVENT", "UID:2", "DTSTART;VALUE=DATE:20261205", "SUMMARY:Day off", "END:VEVENT",
      "BEGIN:VEVENT", "UID:3", "DTSTART;TZID=Nowhere:20261202T090000", "SUMMARY:Lunch",
      "END:VEVENT",
    ])
    // example: FromBytesToNextWeek
    let stream = try CalendarStream(parsing: bytes)
    for diagnostic in stream.diagnostics { print(diagnostic.formatted(path: "team.ics")) }
    // end
    #expect(console.lines == [])
    // example: FromBytesToNextWeek
    let zones = ZoneResolver()
    let berlin = try zones.rules(of: zones.resolve("Europe/Berlin"))
    let monday = berlin.instant(of: try CivilDateTime(parsing: "20261130T000000"))
    let nextMonday = berlin.instant(of: try CivilDateTime(parsing: "20261207T000000"))
    // end
    // example: FromBytesToNextWeek
    var query = OccurrenceQuery(in: monday..<nextMonday, viewer: berlin, zones: zones)
    query.add(stream)
    for occurrence in query.occurrences() {
      let event = Event(occurrence.component)
      print(occurrence.start.rfc3339, event.summary ?? "no title")
    }
    // end
    #expect(
      console.lines == [
        "2026-11-30T09:00:00+01:00 Standup", "2026-12-02T09:00:00+01:00 Lunch",
        "2026-12-05 Day off",
      ])
    console.lines = []
    // example: FromBytesToNextWeek
    for finding in query.findings { print(finding.diagnostic.formatted(path: "team.ics")) }
    // end
    #expect(console.lines.count == 1)
    #expect(console.lines.first?.contains("team.ics:17:") == true)
  }

  @Test("Building an event")
  func building() throws {
    // example: BuildingAnEvent
    var event = Event()
    event.uid = UID("lunch@example.org")
    event.stamp = Instant(utc: try CivilDateTime(parsing: "20261124T080000"))
    event.start = .zoned(try CivilDateTime(parsing: "2026-11-30T12:30"), tzID: "Europe/Berlin")
    event.end = .duration(.minutes(45))
    event.summary = "Lunch"
    // end
    // example: BuildingAnEvent
    event.recurrence.rules = [RecurrenceRule(.weekly, on: [.monday], count: 10)]
    event.organizer = Organizer(CalendarAddress("mailto:ann@example.org"), commonName: "Ann")
    event.attendees = [Attendee(CalendarAddress("mailto:bob@example.org"), commonName: "Bob")]
    var alarm = Alarm()
    alarm.action = .display
    alarm.descriptionText = "Lunch"
    alarm.trigger = .relative(-.minutes(10), to: .start)
    event.alarms = [alarm]
    // end
    // example: BuildingAnEvent
    let item = try CalendarItem(event)
    let bytes = item.serialized()
    // end
    #expect(item.timeZones.count == 1)
    let component = try #require(CalendarItem(parsing: bytes).main)
    #expect(Event(component) == event)
    #expect(ComponentChecker().diagnostics(for: item.calendar).isEmpty)
    // example: BuildingAnEvent
    let rules = SavingRules(zones: ZoneResolver())
    for error in rules.errors(in: item) { print(error) }
    // end
    #expect(console.lines == [])
    event.uid = UID("dinner@example.org")
    let another = try CalendarItem(event)
    // example: BuildingAnEvent
    var file: [UInt8] = []
    var export = CalendarExport()
    let sink: CalendarExport.Sink = { bytes in
      for index in bytes.indices { file.append(bytes[index]) }
    }
    try export.begin(to: sink)
    for item in [item, another] { try export.add(item, to: sink) }
    try export.end(to: sink)
    // end
    let calendar = try #require(CalendarStream(parsing: file).calendars.first)
    #expect(calendar.components(named: .timeZone).count == 1)
    #expect(calendar.components(named: .event).count == 2)
  }

  @Test("The normal form")
  func normalForm() throws {
    let bytes = calendar(CalendarItemTests.main)
    let resolver = ZoneResolver()
    // example: TheNormalForm
    let form = NormalForm(zones: resolver)
    let item = try CalendarItem(parsing: bytes, normalForm: form)
    let digest = item.fingerprint  // such as 4:f18faa6a3582…
    // end
    #expect(digest.isCurrent)
  }

  @Test("Editing an occurrence")
  func editing() throws {
    let resolver = ZoneResolver()
    let item = try CalendarItem(parsing: calendar(CalendarItemTests.main))
    let now = Instant(secondsSinceEpoch: 1_764_000_000)
    let makeUID: @Sendable () -> UID = { UID("2") }
    let start = EventTime.zoned(
      try CivilDateTime(parsing: "20261125T090000"), tzID: "Europe/Vienna")
    // example: EditingItems
    let editor = ItemEditor(zones: resolver, now: now, makeUID: makeUID)
    let edited = try editor.edit(item, .occurrence(start)) { (event: inout Event) in
      event.location = "Room 2"
    }
    // end
    #expect(edited.item?.overrides.map { $0[.location]?.text } == ["Room 2"])
  }
}
