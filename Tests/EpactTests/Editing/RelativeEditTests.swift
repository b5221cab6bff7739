// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import Foundation
import ICalSyntax
import TestSupport
import Testing

/// Edits of times, which keep what they do not name.
struct RelativeEditTests {
  /// Thursday 2026-11-26 14:00 in Berlin.
  private static let now = Instant(secondsSinceEpoch: 1_795_698_000)

  private let world: EditScene

  init() throws { world = try EditScene(now: Self.now) }

  /// The new values of an edit, as a user writes them.
  struct Edit: CustomTestStringConvertible, Sendable {
    var kind = ItemKind.event
    /// The times of the item before the edit.
    let before: String
    var repetition: String?
    var start: String?
    var end: String?
    var length: String?
    var zone: String?
    var part = ""
    /// The times afterwards, as `DTSTART/DTEND` without the zone; `refused` for an error.
    let after: [String]

    var testDescription: String {
      let options = [
        start.map { "--start \($0)" }, end.map { "--end \($0)" }, length.map { "--for \($0)" },
        zone.map { "--zone \($0)" }, part,
      ]
      return "\(before), \(options.compactMap(\.self).joined(separator: " "))"
    }
  }

  /// The times of the item, with their zones.
  private func zoned(_ name: String) throws -> [String] {
    guard let main = try world.item(name).item.main else { return [] }
    return [PropertyName.dtStart, .dtEnd, .due].compactMap { name in
      main[name].map { "\($0[.tzID] ?? "") \($0.rawValue)" }
    }
  }

  @Test func eachEndHasTheZoneThatItsValueNames() throws {
    let dates = try world.dates
    func add(_ title: String, _ start: String, _ end: String) throws {
      var details = ItemDetails()
      details.title = title
      details.start = try dates.newTime(start)
      details.end = try dates.newTime(end)
      try world.editor.adding(details, as: .event, to: world.calendar("private")).commit()
    }
    try add("Flight", "2026-12-10 10:00", "12:30 America/New_York")
    #expect(
      try zoned("Flight") == [
        "Europe/Berlin 20261210T100000", "America/New_York 20261210T123000",
      ])
    try add("West", "2026-12-10 10:00 Asia/Tokyo", "03:30 America/Los_Angeles")
    #expect(
      try zoned("West") == [
        "Asia/Tokyo 20261210T100000", "America/Los_Angeles 20261210T033000",
      ])
    try add("East", "2026-12-10 23:00 America/Los_Angeles", "2026-12-12 05:00 Asia/Tokyo")
    // 05:00 of 10 December in Tokyo is before the departure.
    #expect(throws: EpactError.self) {
      try add("Wrong", "2026-12-10 23:00 America/Los_Angeles", "05:00 Asia/Tokyo")
    }
    for text in [
      "2026-12-10 America/New_York", "all day America/New_York", "12:30 America/Nowhere",
    ] {
      #expect(throws: EpactError.self) { try dates.newTime(text) }
    }
    // An edit of one end keeps the zone of the other one, and its own if it names none.
    var later = ItemDetails()
    later.start = try dates.newTime("11:00")
    try world.editor.changing(try world.item("Flight"), later, .all).commit()
    #expect(
      try zoned("Flight") == [
        "Europe/Berlin 20261210T110000", "America/New_York 20261210T133000",
      ])
    var other = ItemDetails()
    other.end = try dates.newTime("15:00 America/Chicago")
    try world.editor.changing(try world.item("Flight"), other, .all).commit()
    #expect(
      try zoned("Flight") == [
        "Europe/Berlin 20261210T110000", "America/Chicago 20261210T150000",
      ])
    var shorter = ItemDetails()
    shorter.end = try dates.newTime("14:00")
    try world.editor.changing(try world.item("Flight"), shorter, .all).commit()
    #expect(
      try zoned("Flight") == [
        "Europe/Berlin 20261210T110000", "America/Chicago 20261210T140000",
      ])
  }

  /// The times of a flight from Berlin at 10:00 to New York at 12:30, which takes 8 hours 30 minutes.
  private func flight(_ change: (inout ItemDetails) throws -> Void) throws -> [String] {
    let dates = try world.dates
    var details = ItemDetails()
    details.title = "Flight"
    details.start = try dates.newTime("2026-12-10 10:00")
    details.end = try dates.newTime("12:30 America/New_York")
    try world.editor.adding(details, as: .event, to: world.calendar("private")).commit()
    var changes = ItemDetails()
    try change(&changes)
    try world.editor.changing(try world.item("Flight"), changes, .all).commit()
    return try zoned("Flight")
  }

  @Test func aNewLengthKeepsTheZoneOfTheEnd() throws {
    #expect(
      try flight { $0.duration = DurationText.duration("9h") } == [
        "Europe/Berlin 20261210T100000", "America/New_York 20261210T130000",
      ])
  }

  @Test func aNewStartAndLengthKeepTheZoneOfTheEnd() throws {
    #expect(
      try flight {
        $0.start = try world.dates.newTime("11:00")
        $0.duration = DurationText.duration("1h")
      } == ["Europe/Berlin 20261210T110000", "America/New_York 20261210T060000"])
  }

  @Test func aNewStartKeepsTheExactLengthToAnotherZone() throws {
    // The clocks of New York change two weeks before those of Berlin.
    #expect(
      try flight { $0.start = try world.dates.newTime("2027-03-15") } == [
        "Europe/Berlin 20270315T100000", "America/New_York 20270315T133000",
      ])
  }

  @Test func aStartInAnotherZoneKeepsTheLengthAndTheZoneOfTheEnd() throws {
    #expect(
      try flight { $0.start = try world.dates.newTime("10:00 Asia/Tokyo") } == [
        "Asia/Tokyo 20261210T100000", "America/New_York 20261210T043000",
      ])
  }

  @Test func theEndOfARangeHasTheZoneOfTheEnd() throws {
    #expect(
      try flight { $0.start = try world.dates.newTime("11:00-14:00") } == [
        "Europe/Berlin 20261210T110000", "America/New_York 20261210T140000",
      ])
  }

  @Test func anEndInItsZoneBeforeTheStartIsRejected() throws {
    #expect(throws: EpactError.self) {
      try flight { $0.start = try world.dates.newTime("2026-12-10 20:00-2026-12-10 13:00") }
    }
  }

  @Test func aReminderIsDueInTheZoneThatItsValueNames() throws {
    var details = ItemDetails()
    details.title = "Call"
    details.end = try world.dates.newTime("2026-12-10 9:00 America/New_York")
    try world.editor.adding(details, as: .reminder, to: world.calendar("tasks")).commit()
    #expect(try zoned("Call") == ["America/New_York 20261210T090000"])
  }

  private static let timed = "2026-12-10 10:00-11:00"
  private static let days = "2026-12-21..2026-12-25"

  @Test(arguments: [
    // A time alone keeps the day.
    Edit(before: timed, start: "11:30", after: ["20261210T113000/20261210T123000"]),
    Edit(before: timed, start: "at 9", after: ["20261210T090000/20261210T100000"]),
    Edit(before: timed, start: "14:00-16:00", after: ["20261210T140000/20261210T160000"]),
    Edit(before: timed, start: "13:00 for 2h", after: ["20261210T130000/20261210T150000"]),
    // As an end, midnight is the next one.
    Edit(before: timed, end: "midnight", after: ["20261210T100000/20261211T000000"]),
    Edit(before: timed, start: "noon", after: ["20261210T120000/20261210T130000"]),
    // A date alone keeps the time.
    Edit(before: timed, start: "2026-12-11", after: ["20261211T100000/20261211T110000"]),
    Edit(before: timed, start: "20261211", after: ["20261211T100000/20261211T110000"]),
    Edit(before: timed, start: "9 dec", after: ["20261209T100000/20261209T110000"]),
    Edit(before: timed, start: "9 dec 9:00", after: ["20261209T090000/20261209T100000"]),
    Edit(before: timed, start: "the 9th", after: ["20261209T100000/20261209T110000"]),
    Edit(
      before: "2026-12-28 10:00..2027-01-02 16:00", end: "1 jan",
      after: ["20261228T100000/20270101T160000"]),
    Edit(kind: .reminder, before: "2026-12-10 18:00", end: "9 dec", after: ["/20261209T180000"]),
    Edit(before: timed, start: "11 dec", after: ["20261211T100000/20261211T110000"]),
    Edit(before: timed, start: "tomorrow", after: ["20261127T100000/20261127T110000"]),
    Edit(before: timed, start: "in 3 days", after: ["20261129T100000/20261129T110000"]),
    // A weekday counts from the day of the item, and so does an offset.
    Edit(before: timed, start: "fri", after: ["20261211T100000/20261211T110000"]),
    Edit(before: timed, start: "thu 9:00", after: ["20261210T090000/20261210T100000"]),
    Edit(before: timed, start: "+1d", after: ["20261211T100000/20261211T110000"]),
    Edit(before: timed, start: "+2h", after: ["20261210T120000/20261210T130000"]),
    Edit(before: timed, start: "9:30-10:30 fri", after: ["20261211T093000/20261211T103000"]),
    // Both readings are possible.
    Edit(before: timed, start: "next fri", after: ["refused"]),
    Edit(before: "2026-10-10 10:00", start: "12 oct", after: ["refused"]),
    // A date without a year of an event of another year has two readings.
    Edit(before: "2027-01-15 10:00", start: "5 dec", after: ["refused"]),
    Edit(before: "2027-03-10 10:00", start: "5 dec 11:00", after: ["refused"]),
    Edit(before: "2027-12-28 10:00", start: "2 jan", after: ["refused"]),
    Edit(before: "2027-12-10 10:00", end: "11 dec 9:00", after: ["refused"]),
    Edit(before: "2027-12-01..2027-12-03", end: "5 dec", after: ["refused"]),
    Edit(before: "2027-03-10 10:00", start: "the 5th", after: ["refused"]),
    Edit(before: "2027-03-10 10:00", start: "first monday of december", after: ["refused"]),
    Edit(before: "2027-03-10 10:00", start: "end of december", after: ["refused"]),
    Edit(
      before: "2027-03-10 10:00", start: "2027-12-05",
      after: ["20271205T100000/20271205T110000"]),
    Edit(
      before: "2027-03-10 10:00", start: "5 jul", after: ["20270705T100000/20270705T110000"]),
    Edit(before: timed, start: "5 jan", after: ["20270105T100000/20270105T110000"]),
    Edit(kind: .reminder, before: "2027-12-10 10:00", end: "5 dec", after: ["refused"]),
    Edit(before: timed, start: "the 15th", after: ["20261215T100000/20261215T110000"]),
    Edit(
      before: "2026-10-10 10:00", start: "2026-10-12", after: ["20261012T100000/20261012T110000"]),
    // A period has no time.
    Edit(before: timed, start: "next week", after: ["refused"]),
    Edit(before: timed, start: "2026-12-21..2026-12-23", after: ["refused"]),
    // Both are named.
    Edit(before: timed, start: "2026-12-11 9:00", after: ["20261211T090000/20261211T100000"]),
    Edit(
      before: timed, start: "2026-12-11 9:00-9:30", after: ["20261211T090000/20261211T093000"]),
    // Whole days.
    Edit(before: timed, start: "2026-12-11 all day", after: ["20261211/20261212"]),
    Edit(before: timed, start: "all day", after: ["20261210/20261211"]),
    Edit(
      before: "2026-12-10 22:00..2026-12-12 02:00", start: "all-day", after: ["20261210/20261213"]),
    Edit(before: timed, start: "10:00 all day", after: ["refused"]),
    Edit(before: days, start: "2026-12-23", after: ["20261223/20261228"]),
    Edit(before: days, start: "wed", after: ["20261223/20261228"]),
    Edit(before: days, start: "2026-12-23..2026-12-24", after: ["20261223/20261225"]),
    Edit(before: days, start: "10:00", after: ["refused"]),
    Edit(before: days, start: "10:00", length: "2h", after: ["20261221T100000/20261221T120000"]),
    Edit(before: days, start: "10:00-12:00", after: ["20261221T100000/20261221T120000"]),
    Edit(before: "2026-12-21", start: "10:00", after: ["20261221T100000/20261221T110000"]),
    // An end alone keeps the start.
    Edit(before: timed, end: "14:00", after: ["20261210T100000/20261210T140000"]),
    Edit(before: timed, end: "9:00", after: ["refused"]),
    Edit(before: timed, end: "10:00", after: ["refused"]),
    Edit(before: timed, end: "2026-12-11", after: ["20261210T100000/20261211T110000"]),
    Edit(before: timed, end: "2026-12-11 9:00", after: ["20261210T100000/20261211T090000"]),
    Edit(before: timed, end: "+30m", after: ["20261210T100000/20261210T113000"]),
    Edit(
      before: "2026-12-10 22:00..2026-12-11 01:00", end: "2:00",
      after: ["20261210T220000/20261211T020000"]),
    Edit(
      before: "2026-12-10 22:00..2026-12-11 01:00", end: "23:00",
      after: ["20261210T220000/20261210T230000"]),
    Edit(
      before: "2026-12-07 9:00..2026-12-09 17:00", end: "18:00",
      after: ["20261207T090000/20261209T180000"]),
    Edit(before: days, end: "2026-12-28", after: ["20261221/20261229"]),
    Edit(before: days, end: "2026-12-21", after: ["20261221/20261222"]),
    Edit(before: days, end: "2026-12-20", after: ["refused"]),
    Edit(before: days, end: "14:00", after: ["refused"]),
    // Both.
    Edit(before: timed, start: "9:00", end: "12:00", after: ["20261210T090000/20261210T120000"]),
    Edit(
      before: timed, start: "2026-12-12", end: "12:00", after: ["20261212T100000/20261212T120000"]),
    Edit(before: days, start: "2026-12-22", end: "2026-12-23", after: ["20261222/20261224"]),
    Edit(before: timed, start: "12:00", length: "30m", after: ["20261210T120000/20261210T123000"]),
    Edit(before: timed, length: "30m", after: ["20261210T100000/20261210T103000"]),
    // One zone for both ends.
    Edit(before: timed, zone: "Asia/Tokyo", after: ["20261210T100000/20261210T110000"]),
    Edit(before: timed, zone: "America/New_York", after: ["20261210T100000/20261210T110000"]),
    Edit(
      before: timed, start: "12:00", zone: "Europe/London",
      after: ["20261210T120000/20261210T130000"]),
    Edit(
      before: timed, start: "2026-12-11 9:00", zone: "UTC",
      after: ["20261211T090000Z/20261211T100000Z"]),
    Edit(before: timed, zone: "floating", after: ["20261210T100000/20261210T110000"]),
    // Reminders.
    Edit(kind: .reminder, before: "2026-12-10 18:00", end: "20:00", after: ["/20261210T200000"]),
    Edit(
      kind: .reminder, before: "2026-12-10 18:00", end: "2026-12-12", after: ["/20261212T180000"]),
    Edit(kind: .reminder, before: "2026-12-10 18:00", end: "fri", after: ["/20261211T180000"]),
    Edit(kind: .reminder, before: "2026-12-10 18:00", end: "all day", after: ["/20261210"]),
    Edit(kind: .reminder, before: "2026-12-10", end: "20:00", after: ["/20261210T200000"]),
    Edit(kind: .reminder, before: "2026-12-10", end: "2026-12-12", after: ["/20261212"]),
    Edit(
      kind: .reminder, before: "2026-12-10 18:00", start: "9:00",
      after: ["20261210T090000/20261210T180000"]),
    Edit(kind: .reminder, before: "2026-12-10 18:00", end: "", after: ["/"]),
  ])
  func times(edit: Edit) throws { #expect(try result(of: edit) == edit.after) }

  @Test("The end or the length of a new event stands beside a start of one day")
  func newDays() throws {
    func times(_ start: String, _ end: String?, _ length: String?) throws -> [String] {
      var details = ItemDetails()
      details.title = "Fair"
      details.start = try world.dates.newTime(start)
      details.end = try end.map(world.dates.newTime)
      details.duration = length.flatMap { DurationText.duration($0) }
      let edit = try world.editor.adding(details, as: .event, to: world.calendar("private"))
      guard let main = edit.changes.first?.item?.main else { return [] }
      return [PropertyName.dtStart, .dtEnd].compactMap { main[$0]?.rawValue }
    }
    #expect(try times("2026-12-10", "2026-12-12", nil) == ["20261210", "20261213"])
    #expect(try times("2026-12-10", nil, "3d") == ["20261210", "20261213"])
    #expect(try times("10 dec", "12 dec", nil) == ["20261210", "20261213"])
    #expect(try times("2026-12-10 10:00", "12:00", nil) == ["20261210T100000", "20261210T120000"])
    // It is 14:00: a time that is over today is that of tomorrow.
    #expect(try times("10:00", nil, nil) == ["20261127T100000", "20261127T110000"])
    #expect(try times("15:00", nil, nil) == ["20261126T150000", "20261126T160000"])
    #expect(throws: EpactError.self) { try times("2026-12-10..2026-12-11", "2026-12-12", nil) }
  }

  @Test("An event in UTC that is to repeat follows the user's clocks, unless UTC is named")
  func repeatedUTC() throws {
    try world.scene.write(
      TestItem.make(uid: "phone", summary: "Phone"), to: "calendars/private/phone.ics")
    let before = try world.item("phone")
    #expect(before.item.main?[.dtStart]?.rawValue.hasSuffix("Z") == true)
    var weekly = ItemDetails()
    weekly.repetition = try world.dates.repetition("weekly")
    let edit = try world.editor.changing(before, weekly, .all)
    let main = try #require(edit.changes.first?.item?.main)
    #expect(main[.dtStart]?[.tzID] == "Europe/Berlin")
    #expect(before.item.main?[.dtStart]?.rawValue == "20260301T120000Z")
    #expect(main[.dtStart]?.rawValue == "20260301T130000")
    var utc = weekly
    utc.zone = "UTC"
    let named = try world.editor.changing(before, utc, .all).changes.first?.item?.main
    #expect(named?[.dtStart]?.rawValue.hasSuffix("Z") == true)
    #expect(
      ItemCard(before, world.editor).rows.contains { $0.text == "Europe/Berlin, stored in UTC" })
  }

  @Test("An item in two files of a calendar is changed in neither of them")
  func copiedFile() throws {
    for name in ["a", "a (copy)"] {
      try world.scene.write(
        TestItem.make(uid: "a", summary: "Twice"), to: "calendars/private/\(name).ics")
    }
    let found = try world.item("twice")
    var details = ItemDetails()
    details.title = "Once"
    let error = try #require(throws: EpactError.self) {
      try world.editor.changing(found, details, .all)
    }
    #expect(error.message.contains("a.ics and a (copy).ics"))
    #expect(throws: EpactError.self) { try world.editor.deleting(found, .all) }
    #expect(throws: EpactError.self) {
      try world.editor.moving(found, to: try world.calendar("tasks"))
    }
    try FileManager.default.removeItem(
      atPath: world.scene.folder.path(of: "calendars/private/a (copy).ics"))
    #expect(try world.editor.deleting(try world.item("twice"), .all).changes.count == 1)
  }

  private static let weekly = "2026-11-30 9:30-9:45"

  @Test(arguments: [
    Edit(
      before: weekly, repetition: "weekly", start: "10:00", part: "this 2026-12-07",
      after: ["20261130T093000/20261130T094500", "20261207T100000/20261207T101500"]),
    Edit(
      before: weekly, repetition: "weekly", start: "fri", part: "this 2026-12-07",
      after: ["20261130T093000/20261130T094500", "20261211T093000/20261211T094500"]),
    Edit(
      before: weekly, repetition: "weekly", end: "11:00", part: "this 2026-12-07",
      after: ["20261130T093000/20261130T094500", "20261207T093000/20261207T110000"]),
    Edit(
      before: weekly, repetition: "weekly", start: "19:00",
      after: ["20261130T190000/20261130T191500"]),
    Edit(
      before: weekly, repetition: "weekly", start: "2026-12-01",
      after: ["20261201T093000/20261201T094500"]),
    Edit(
      before: weekly, repetition: "weekly", start: "10:00", part: "future 2026-12-07",
      after: ["20261130T093000/20261130T094500", "20261207T100000/20261207T101500"]),
  ])
  func seriesTimes(edit: Edit) throws { #expect(try result(of: edit) == edit.after) }

  @Test("A new zone applies to both ends, exclusions and modified occurrences")
  func zoneOfASeries() throws {
    let calendar = try world.calendar("private")
    let item = try CalendarItem(
      parsing: Array(
        """
        BEGIN:VCALENDAR
        VERSION:2.0
        PRODID:-//example//EN
        BEGIN:VEVENT
        UID:series
        DTSTAMP:20261101T000000Z
        DTSTART;TZID=Europe/Berlin:20261130T093000
        DTEND;TZID=Europe/Berlin:20261130T094500
        RRULE:FREQ=WEEKLY
        EXDATE;TZID=Europe/Berlin:20261214T093000
        SUMMARY:Series
        END:VEVENT
        BEGIN:VEVENT
        UID:series
        DTSTAMP:20261101T000000Z
        RECURRENCE-ID;TZID=Europe/Berlin:20261207T093000
        DTSTART;TZID=Europe/Berlin:20261207T150000
        DTEND;TZID=Europe/Berlin:20261207T160000
        SUMMARY:Series
        END:VEVENT
        BEGIN:VEVENT
        UID:series
        DTSTAMP:20261101T000000Z
        RECURRENCE-ID;TZID=Europe/Berlin:20261221T093000
        DTSTART;TZID=Europe/Berlin:20261221T093000
        DTEND;TZID=Europe/Berlin:20261221T100000
        SUMMARY:Longer
        END:VEVENT
        END:VCALENDAR

        """.utf8))
    var add = LibraryEdit()
    add.items = [.init(in: calendar.id, uid: "series", from: nil, to: item)]
    try world.library.commit(add)
    var details = ItemDetails()
    details.zone = "Asia/Tokyo"
    let edit = try world.editor.changing(try world.item("series"), details, .all)
    let changed = try #require(edit.changes.first?.item)
    let lines = changed.components.flatMap { component in
      Serializer().bytes(of: component).split(separator: 10)
    }
    .map { String(decoding: $0, as: UTF8.self).filter { !$0.isNewline } }
    .filter { $0.contains("TZID") }
    #expect(
      lines == [
        "DTSTART;TZID=Asia/Tokyo:20261130T093000", "DTEND;TZID=Asia/Tokyo:20261130T094500",
        "EXDATE;TZID=Asia/Tokyo:20261214T093000",
        "RECURRENCE-ID;TZID=Asia/Tokyo:20261207T093000", "DTSTART;TZID=Asia/Tokyo:20261207T150000",
        "DTEND;TZID=Asia/Tokyo:20261207T160000",
        "RECURRENCE-ID;TZID=Asia/Tokyo:20261221T093000", "DTSTART;TZID=Asia/Tokyo:20261221T093000",
        "DTEND;TZID=Asia/Tokyo:20261221T100000",
      ])
  }

  // MARK: The scene

  /// The times of all components after an edit.
  private func result(of edit: Edit) throws -> [String] {
    let dates = try world.dates
    var details = ItemDetails()
    details.title = "Item"
    let span = try dates.span(edit.before)
    if edit.kind == .event {
      details.start = .moment(span.start)
      details.end = span.end.map { .moment($0) }
    } else {
      details.end = .moment(span.start)
    }
    details.repetition = edit.repetition.map { Repetition($0) }
    let calendar = try world.calendar(edit.kind == .event ? "private" : "tasks")
    try world.editor.adding(details, as: edit.kind, to: calendar).commit()
    let found = try world.item("Item")
    var changes = ItemDetails()
    do {
      changes.start = try edit.start.map { try dates.newTime($0) }
      changes.end = try edit.end.map { try dates.newTime($0) }
      changes.duration = edit.length.flatMap(DurationText.duration)
      changes.zone = edit.zone
      let edited = try world.editor.changing(found, changes, try part(edit, of: found))
      return edited.changes.compactMap(\.item).flatMap(\.components).map(Self.times)
    } catch let error as EpactError where error.code == .argument {
      #expect(error.message.firstMatch(of: #/[0-9]T[0-9]/#) == nil, "\(error.message)")
      return ["refused"]
    }
  }

  private func part(_ edit: Edit, of found: FoundItem) throws -> EditSpan {
    let words = edit.part.split(separator: " ").map(String.init)
    guard words.count == 2 else { return .all }
    let moment = try world.dates.moment(words[1])
    return try world.editor.span(words[0] == "this" ? .this(moment) : .future(moment), of: found)
  }

  private static func times(of component: Component) -> String {
    let end = component[.dtEnd] ?? component[.due]
    return [component[.dtStart], end].map { $0?.rawValue ?? "" }.joined(separator: "/")
  }
}
