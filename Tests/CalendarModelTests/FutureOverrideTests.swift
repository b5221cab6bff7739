// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// Edits of the times of all later occurrences, some of which are modified.
@Suite struct FutureOverrideTests {
  private typealias Lines = ItemEditorTests

  /// Moves an event by an hour.
  private static func delay(_ event: inout Event) {
    event.start = event.start.map { later($0) }
    if case .time(let end)? = event.end { event.end = .time(later(end)) }
  }

  private static func later(_ time: EventTime) -> EventTime {
    let wall = time.wallTime.adding(seconds: 3600) ?? time.wallTime
    return .zoned(wall, tzID: "Europe/Vienna")
  }

  private static func lines(_ component: Component?, _ prefix: String) -> [String] {
    guard let component else { return [] }
    return text(component).split(separator: "\r\n").map(String.init).filter {
      $0.hasPrefix(prefix)
    }
  }

  /// An override of the occurrence at nine with other values, of one hour.
  private static func override(_ day: Int) -> [String] {
    [
      "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID\(Lines.zone)2026030\(day)T090000",
      "DTSTART\(Lines.zone)2026030\(day)T090000", "DTEND\(Lines.zone)2026030\(day)T100000",
      "SUMMARY:B", "END:VEVENT",
    ]
  }

  @Test(
    "An occurrence with another title moves once, with a split and without one", arguments: [1, 6])
  func once(_ day: Int) throws {
    let item = try Lines.item(Lines.main, Self.override(day))
    let edited = try Lines.editor.edit(
      item, .future(from: Lines.at("2026030\(day)T090000")), Self.delay)
    let new = edited.successor ?? edited.item
    let override = new?.overrides.first
    #expect(
      Self.lines(new?.main, "DTSTART") == ["DTSTART\(Lines.zone)2026030\(day)T100000"])
    #expect(
      Self.lines(override, "DTSTART") == ["DTSTART\(Lines.zone)2026030\(day)T100000"])
    #expect(Self.lines(override, "DTEND") == ["DTEND\(Lines.zone)2026030\(day)T110000"])
    #expect(
      Self.lines(override, "RECURRENCE-ID")
        == ["RECURRENCE-ID\(Lines.zone)2026030\(day)T100000"])
  }

  @Test("A time at midnight in an all-day series was moved, and keeps its time")
  func midnight() throws {
    let item = try Lines.item(
      [
        "BEGIN:VEVENT", "UID:1", "DTSTART;VALUE=DATE:20260301", "RRULE:FREQ=DAILY;COUNT=5",
        "END:VEVENT",
      ],
      [
        "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID;VALUE=DATE:20260303",
        "DTSTART\(Lines.zone)20260303T000000", "DTEND\(Lines.zone)20260303T235959", "END:VEVENT",
      ])
    let edited = try Lines.editor.edit(item, .all) { (event: inout Event) in
      event.start = .date(day("20260302"))
    }
    let override = edited.item?.overrides.first
    #expect(Self.lines(override, "RECURRENCE-ID") == ["RECURRENCE-ID;VALUE=DATE:20260304"])
    #expect(Self.lines(override, "DT").contains("DTSTART\(Lines.zone)20260303T000000"))
    #expect(Self.lines(override, "DT").contains("DTEND\(Lines.zone)20260303T235959"))
  }

  @Test("If times become days, an occurrence with another title lasts as long as the series")
  func days() throws {
    let item = try Lines.item(Lines.main, Self.override(6))
    let edited = try Lines.editor.edit(item, .all) { (event: inout Event) in
      event.start = .date(day("20260301"))
      event.end = .time(.date(day("20260303")))
    }
    let override = edited.item?.overrides.first
    #expect(Self.lines(override, "DTSTART") == ["DTSTART;VALUE=DATE:20260306"])
    #expect(Self.lines(override, "DTEND") == ["DTEND;VALUE=DATE:20260308"])
  }

  @Test("If a series becomes floating, or is so no longer, the end of an occurrence follows")
  func floating() throws {
    let item = try Lines.item(Lines.main, Self.override(6))
    let edited = try Lines.editor.edit(item, .all) { (event: inout Event) in
      event.start = .floating(Self.wall("20260301T170000"))
      event.end = .time(.floating(Self.wall("20260301T180000")))
    }
    let floating = try #require(edited.item)
    #expect(Self.lines(floating.overrides.first, "DTSTART") == ["DTSTART:20260306T170000"])
    #expect(Self.lines(floating.overrides.first, "DTEND") == ["DTEND:20260306T180000"])
    let back = try Lines.editor.edit(floating, .all) { (event: inout Event) in
      event.start = Lines.at("20260301T090000")
      event.end = .time(Lines.at("20260301T100000"))
    }
    let override = back.item?.overrides.first
    #expect(Self.lines(override, "DTSTART") == ["DTSTART\(Lines.zone)20260306T090000"])
    #expect(Self.lines(override, "DTEND") == ["DTEND\(Lines.zone)20260306T100000"])
  }

  private static func wall(_ text: String) -> CivilDateTime { Lines.at(text).wallTime }
}
