// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence
import TestSupport
import Testing

/// Overrides and exclusions whose occurrence an edit of the recurrence removes (RFC 5545 §3.8.4.4).
@Suite("Occurrences that a series loses")
struct LostOccurrenceTests {
  private static let zone = ";TZID=Europe/Vienna:"
  /// Mondays at nine, without the third; the second and the fourth are changed.
  private static let main = [
    "BEGIN:VEVENT", "UID:1", "DTSTART\(zone)20260302T090000", "DTEND\(zone)20260302T100000",
    "RRULE:FREQ=WEEKLY", "EXDATE\(zone)20260316T090000", "SUMMARY:A", "END:VEVENT",
  ]

  private static func override(_ id: String, _ start: String? = nil) -> [String] {
    [
      "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID\(zone)\(id)", "DTSTART\(zone)\(start ?? id)",
      "SUMMARY:B", "END:VEVENT",
    ]
  }

  private static func item() throws -> CalendarItem {
    try ItemEditorTests.item(main, override("20260309T090000"), override("20260323T090000"))
  }

  private static func ids(_ item: CalendarItem?) -> [String] {
    (item?.overrides ?? []).compactMap { $0[.recurrenceID]?.rawValue }.sorted()
  }

  private static func exclusions(_ item: CalendarItem?) -> String? {
    item?.main?[.exDate]?.rawValue
  }

  private static func edited(
    _ rule: String, _ span: EditSpan = .all, start: EventTime? = nil, of item: CalendarItem? = nil
  ) throws -> EditedItem {
    let rules = rule.isEmpty ? [] : [try RecurrenceRule(parsing: rule)]
    return try ItemEditorTests.editor.edit(item ?? Self.item(), span) { (event: inout Event) in
      event.recurrence.rules = rules
      if let start { event.start = start }
    }
  }

  private static func at(_ text: String) -> EventTime { ItemEditorTests.at(text) }

  private static let (second, third, fourth) = (
    at("20260309T090000"), at("20260316T090000"), at("20260323T090000")
  )

  /// The effects of an edit that removes occurrences.
  private static func lost(_ overrides: [EventTime], exclusions: [EventTime] = []) -> [EditEffect] {
    overrides.map { .occurrence(.overrideRemoved, $0) }
      + exclusions.map { .occurrence(.exclusionRemoved, $0) }
  }

  @Test("A shorter series loses what is beyond its end, and the edit names it")
  func shorter() throws {
    let three = try Self.edited("FREQ=WEEKLY;COUNT=3")
    #expect(Self.ids(three.item) == ["20260309T090000"])
    #expect(Self.exclusions(three.item) == "20260316T090000")
    #expect(three.effects == Self.lost([Self.fourth]))
    let two = try Self.edited("FREQ=WEEKLY;UNTIL=20260309T080000Z")
    #expect(Self.ids(two.item) == ["20260309T090000"])
    #expect(Self.exclusions(two.item) == nil)
    #expect(two.effects == Self.lost([Self.fourth], exclusions: [Self.third]))
    let one = try Self.edited("FREQ=WEEKLY;COUNT=1")
    #expect(Self.ids(one.item) == [])
    #expect(one.effects.starts(of: .overrideRemoved) == [Self.second, Self.fourth])
  }

  @Test("A series that keeps its occurrences keeps everything")
  func same() throws {
    for rule in ["FREQ=WEEKLY;COUNT=4", "FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU"] {
      let edited = try Self.edited(rule)
      #expect(Self.ids(edited.item) == ["20260309T090000", "20260323T090000"], "\(rule)")
      #expect(Self.exclusions(edited.item) == "20260316T090000", "\(rule)")
      #expect(edited.effects == [], "\(rule)")
    }
  }

  @Test("A series of another weekday or interval loses what no longer takes place")
  func otherDays() throws {
    let tuesdays = try Self.edited("FREQ=WEEKLY;BYDAY=TU")
    #expect(Self.ids(tuesdays.item) == [])
    #expect(tuesdays.effects == Self.lost([Self.second, Self.fourth], exclusions: [Self.third]))
    // Every other Monday: the second and the fourth go, the third stays.
    let other = try Self.edited("FREQ=WEEKLY;INTERVAL=2")
    #expect(Self.ids(other.item) == [])
    #expect(Self.exclusions(other.item) == "20260316T090000")
  }

  @Test("A series that moves takes its changed occurrences along, up to its new end")
  func moved() throws {
    let start = Self.at("20260303T100000")
    let moved = try Self.edited("FREQ=WEEKLY", start: start)
    #expect(Self.ids(moved.item) == ["20260310T100000", "20260324T100000"])
    #expect(moved.effects.starts(of: .overrideRemoved).isEmpty)
    let shorter = try Self.edited("FREQ=WEEKLY;COUNT=2", start: start)
    #expect(Self.ids(shorter.item) == ["20260310T100000"])
    // The lost occurrences are named by the times that they had.
    #expect(
      shorter.effects
        == [.occurrence(.shifted, Self.second)] + Self.lost([Self.fourth], exclusions: [Self.third])
    )
  }

  @Test("A series that moves to a day that some months lack loses the occurrences of those months")
  func missingDay() throws {
    // The invalid dates of a rule are ignored (RFC 5545 §3.3.10), so that February has none.
    let item = try ItemEditorTests.item(
      [
        "BEGIN:VEVENT", "UID:1", "DTSTART\(Self.zone)20260128T090000", "RRULE:FREQ=MONTHLY",
        "SUMMARY:A", "END:VEVENT",
      ], Self.override("20260228T090000"), Self.override("20260328T090000"))
    let edited = try Self.edited("FREQ=MONTHLY", start: Self.at("20260131T090000"), of: item)
    #expect(Self.ids(edited.item) == ["20260331T090000"])
    #expect(edited.effects.starts(of: .overrideRemoved) == [Self.at("20260228T090000")])
  }

  @Test("The later part of a split series loses what is beyond its own end")
  func future() throws {
    let edited = try Self.edited("FREQ=WEEKLY;COUNT=2", .future(from: Self.at("20260309T090000")))
    #expect(Self.ids(edited.item) == [])
    #expect(Self.ids(edited.successor) == ["20260309T090000"])
    #expect(edited.effects.starts(of: .overrideRemoved) == [Self.fourth])
  }

  @Test("What stops recurring names all that it loses")
  func single() throws {
    let edited = try Self.edited("")
    #expect(edited.item?.components.count == 1)
    #expect(edited.effects == Self.lost([Self.second, Self.fourth], exclusions: [Self.third]))
  }

  @Test("An override that described no occurrence before the edit stays")
  func stray() throws {
    let item = try ItemEditorTests.item(
      Self.main, Self.override("20260310T090000"), Self.override("20260323T090000"))
    let edited = try Self.edited("FREQ=WEEKLY;COUNT=2", of: item)
    #expect(Self.ids(edited.item) == ["20260310T090000"])
    #expect(edited.effects.starts(of: .overrideRemoved) == [Self.fourth])
  }

  @Test("An exclusion of a day belongs to the occurrences of that day")
  func excludedDay() throws {
    let item = try ItemEditorTests.item(
      Self.main.map { $0.hasPrefix("EXDATE") ? "EXDATE;VALUE=DATE:20260316,20260317" : $0 })
    let edited = try Self.edited("FREQ=WEEKLY;COUNT=2", of: item)
    #expect(Self.exclusions(edited.item) == "20260317")
    #expect(edited.effects.starts(of: .exclusionRemoved) == [.date(day("20260316"))])
  }

  @Test("A rule that cannot be expanded removes nothing")
  func unusable() throws {
    let edited = try Self.edited("RSCALE=MARS;FREQ=DAILY")
    #expect(Self.ids(edited.item) == ["20260309T090000", "20260323T090000"])
    #expect(edited.effects == [])
  }
}
