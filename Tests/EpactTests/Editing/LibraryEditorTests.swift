// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import ICalSyntax
import TestSupport
import Testing

/// New, changed and deleted items, as files have them.
struct LibraryEditorTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  /// Adds an event with values, and returns its content lines without those of the program.
  @discardableResult
  private func added(
    _ span: String, kind: ItemKind = .event, _ change: (inout ItemDetails) throws -> Void = { _ in }
  ) throws -> [String] {
    var details = ItemDetails()
    details.title = "Lunch"
    if !span.isEmpty {
      let span = try world.dates.span(span)
      details.start = kind == .event ? .moment(span.start) : nil
      details.end = kind == .event ? span.end.map { .moment($0) } : .moment(span.start)
    }
    try change(&details)
    let calendar = try world.calendar(kind == .event ? "private" : "tasks")
    let edit = try world.editor.adding(details, as: kind, to: calendar)
    try edit.commit()
    return Self.lines(of: try #require(edit.changes[0].item))
  }

  private static func lines(of item: CalendarItem) -> [String] {
    let ignored = ["UID", "DTSTAMP", "CREATED", "LAST-MODIFIED", "BEGIN", "END", "ACTION"]
    return item.components.flatMap { component in
      Serializer().bytes(of: component).split(separator: 10)
    }
    .map { String(decoding: $0, as: UTF8.self).filter { !$0.isNewline } }
    .filter { line in !line.isEmpty && !ignored.contains { line.hasPrefix($0 + ":") } }
  }

  // MARK: Alarms

  @Test(
    "An alarm of a reminder is before its due time, unless it names the start",
    arguments: [
      ("1h", "TRIGGER;RELATED=END:-PT1H"), ("+5m", "TRIGGER;RELATED=END:PT5M"),
      ("1h@end", "TRIGGER;RELATED=END:-PT1H"), ("1h@start", "TRIGGER:-PT1H"),
    ])
  func alarmOfReminder(text: String, trigger: String) throws {
    let lines = try added("4 dec 17:00", kind: .reminder) { details in
      details.start = .moment(try world.dates.span("1 dec 9:00").start)
      details.alarms = [try AlarmTime(parsing: text)]
    }
    #expect(lines.contains(trigger), "\(lines)")
    let start = try added("", kind: .reminder) { details in
      details.start = .moment(try world.dates.span("1 dec 9:00").start)
      details.alarms = [try AlarmTime(parsing: "1h")]
    }
    #expect(start.contains("TRIGGER:-PT1H"), "a start alone; \(start)")
    let event = try added("4 dec 17:00") { $0.alarms = [try AlarmTime(parsing: "1h")] }
    #expect(event.contains("TRIGGER:-PT1H"), "an event; \(event)")
  }

  // MARK: New items

  @Test func aTimeIsInTheViewersZoneAndLastsAnHour() throws {
    let lines = try added("tomorrow 12:30")
    #expect(
      lines == [
        "DTSTART;TZID=Europe/Berlin:20261125T123000", "SUMMARY:Lunch",
        "DTEND;TZID=Europe/Berlin:20261125T133000",
      ])
    let item = try world.item("Lunch").item
    #expect(item.timeZones.compactMap { $0[.tzID]?.text } == ["Europe/Berlin"])
  }

  @Test(
    "A time in the second of two hours is not written as the first one",
    arguments: [
      ("2027-10-31 02:30 for 1h", "DTSTART;TZID=Europe/Berlin:20271031T023000", "DURATION:PT1H"),
      (
        "2027-10-31 01:30..2027-10-31T02:30:00+01:00", "DTSTART;TZID=Europe/Berlin:20271031T013000",
        "DURATION:PT2H"
      ),
      (
        "2027-10-31T02:30:00+01:00", "DTSTART:20271031T013000Z",
        "DTEND:20271031T023000Z"
      ),
      (
        "2027-10-31T02:30:00+02:00", "DTSTART;TZID=Europe/Berlin:20271031T023000", "DURATION:PT1H"
      ),
    ])
  func secondOfTwoHours(span: String, start: String, end: String) throws {
    #expect(try added(span) == [start, "SUMMARY:Lunch", end])
    // A series follows the clock.
    let series = try added(span) { $0.repetition = Repetition("daily") }
    #expect(series.contains { $0.hasPrefix("DTSTART;TZID=Europe/Berlin:20271031T0") })
    if end.hasPrefix("DURATION") { #expect(series.contains(end)) }
    let length = try added(String(span.prefix(16))) { $0.duration = CivilDuration(hours: 2) }
    #expect(length.contains { $0.hasPrefix("DTEND;") || $0 == "DURATION:PT2H" })
  }

  @Test(
    "A typed time that the clocks skip is rejected with both readings, as a start and as an end")
  func skippedTimes() throws {
    func isRejected(_ change: (inout ItemDetails) throws -> Void) {
      let error = #expect(throws: EpactError.self) { try added("", change) }
      let readings = ["2027-03-28 01:", "2027-03-28 03:", "Europe/Berlin"]
      #expect(
        readings.allSatisfy { error?.message.contains($0) == true }, "\(String(describing: error))")
    }
    isRejected { $0.start = try world.dates.newTime("28 mar 2027 2:30") }
    isRejected {
      $0.start = try world.dates.newTime("28 mar 2027 1:30")
      $0.end = try world.dates.newTime("2:15")
    }
    let due = #expect(throws: EpactError.self) {
      try added("", kind: .reminder) { $0.end = try world.dates.newTime("2027-03-28 02:30") }
    }
    #expect(due?.message.contains("does not exist") == true)
    // An edit that keeps the time of day.
    try added("2027-03-27 02:30")
    var details = ItemDetails()
    details.start = try world.dates.newTime("2027-03-28")
    let edit = #expect(throws: EpactError.self) {
      try world.editor.changing(try world.item("Lunch"), details, .all)
    }
    #expect(edit?.message.contains("02:30 does not exist on 2027-03-28") == true)
    details.start = try world.dates.newTime("2027-03-28 3:30")
    #expect(throws: Never.self) {
      try world.editor.changing(try world.item("Lunch"), details, .all)
    }
  }

  @Test func daysAreDates() throws {
    #expect(
      try added("2026-12-01..2026-12-03") == [
        "DTSTART;VALUE=DATE:20261201", "SUMMARY:Lunch", "DTEND;VALUE=DATE:20261204",
      ])
  }

  @Test func allValuesAreWritten() throws {
    let lines = try added("fri 9-10:30") { details in
      (details.location, details.note, details.url) = ("Café", "One; two", "https://example.org/")
      details.categories = ["food", "friends"]
      details.classification = .confidential
      details.repetition = Repetition("every 2 weeks", count: 5)
      details.alarms = [try AlarmTime(parsing: "15m"), try AlarmTime(parsing: "1d")]
      details.zone = "America/New_York"
    }
    #expect(lines.contains("DTSTART;TZID=America/New_York:20261127T090000"))
    #expect(lines.contains("DTEND;TZID=America/New_York:20261127T103000"))
    #expect(lines.contains("RRULE:FREQ=WEEKLY;COUNT=5;INTERVAL=2"))
    #expect(lines.contains("CATEGORIES:food,friends"))
    #expect(lines.contains("CLASS:CONFIDENTIAL"))
    #expect(lines.contains("DESCRIPTION:One\\; two"))
    #expect(lines.contains("URL:https://example.org/"))
    #expect(lines.contains("LOCATION:Café"))
    #expect(lines.contains("TRIGGER:-PT15M") && lines.contains("TRIGGER:-P1D"))
  }

  struct Rule: CustomTestStringConvertible, Sendable {
    let start: String
    let until: String
    let line: String
    var testDescription: String { "\(start) until \(until)" }
  }

  @Test(arguments: [
    Rule(start: "2026-12-01", until: "2026-12-24", line: "RRULE:FREQ=DAILY;UNTIL=20261224"),
    Rule(
      start: "2026-12-01 9:00", until: "2026-12-24",
      line: "RRULE:FREQ=DAILY;UNTIL=20261224T225959Z"),
    Rule(
      start: "2026-12-01 9:00", until: "2026-12-24 9:00",
      line: "RRULE:FREQ=DAILY;UNTIL=20261224T080000Z"),
  ])
  func theEndOfARuleHasTheFormOfTheStart(rule: Rule) throws {
    let lines = try added(rule.start) { details in
      details.repetition = Repetition("daily", until: try world.dates.moment(rule.until))
    }
    #expect(lines.contains(rule.line), "\(lines)")
  }

  @Test func aReminderIsDueAndASeriesHasAStart() throws {
    #expect(
      try added("tomorrow", kind: .reminder) == [
        "SUMMARY:Lunch", "DUE;VALUE=DATE:20261125", "STATUS:NEEDS-ACTION",
      ])
    let lines = try added("tomorrow 9:00", kind: .reminder) { details in
      details.repetition = Repetition("weekly")
      details.priority = 1
      details.parent = "parent"
    }
    #expect(lines.contains("DTSTART;TZID=Europe/Berlin:20261125T090000"))
    #expect(lines.contains("DUE;TZID=Europe/Berlin:20261125T090000"))
    #expect(lines.contains("PRIORITY:1"))
    #expect(lines.contains("RELATED-TO:parent"))
  }

  @Test(arguments: ["", "zzz", "FREQ=NEVER", "every 0 days"])
  func anInvalidValueIsAnErrorAndNothingIsWritten(rule: String) throws {
    let before = try world.files()
    #expect(throws: EpactError.self) {
      _ = try added(rule.isEmpty ? "" : "tomorrow") { $0.repetition = Repetition(rule) }
    }
    #expect(try world.files() == before)
  }

  // MARK: Changes

  /// A series with unknown properties in an unusual order.
  private static let series = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//Example//EN
    BEGIN:VEVENT
    X-FIRST;X-P=1:kept
    UID:series
    SUMMARY;LANGUAGE=en:Stand-up
    DTSTAMP:20260102T030405Z
    DTSTART:20261201T090000
    DTEND:20261201T091500
    RRULE:FREQ=DAILY;COUNT=5
    X-LAST:kept
    END:VEVENT
    END:VCALENDAR

    """

  private func series() throws -> FoundItem {
    try world.scene.folder.write(Self.series.utf8, to: "calendars/private/s.ics")
    return try world.item("series")
  }

  private func span(_ choice: SpanChoice, _ found: FoundItem) throws -> EditSpan {
    try world.editor.span(choice, of: found)
  }

  @Test func onlyNamedPropertiesChange() throws {
    let found = try series()
    var details = ItemDetails()
    details.location = "Room 2"
    details.start = try world.dates.newTime("2026-12-01 10:00")
    try world.editor.changing(found, details, .all).commit()
    let item = try world.item("series").item
    #expect(
      Self.lines(of: item) == [
        "X-FIRST;X-P=1:kept", "SUMMARY;LANGUAGE=en:Stand-up", "DTSTART:20261201T100000",
        "DTEND:20261201T101500", "RRULE:FREQ=DAILY;COUNT=5", "X-LAST:kept", "LOCATION:Room 2",
        "SEQUENCE:1",
      ])
  }

  @Test func oneOccurrenceGetsAnOverride() throws {
    let found = try series()
    var details = ItemDetails()
    details.title = "Moved"
    details.start = try world.dates.newTime("2026-12-03 11:00")
    let part = try span(.this(try world.dates.moment("2026-12-03")), found)
    try world.editor.changing(found, details, part).commit()
    let override = try #require(try world.item("series").item.overrides.first)
    #expect(override[.recurrenceID]?.rawValue == "20261203T090000")
    #expect(override[.dtStart]?.rawValue == "20261203T110000")
    #expect(override[.dtEnd]?.rawValue == "20261203T111500")
  }

  @Test func laterOccurrencesBecomeASeriesOfTheirOwn() throws {
    let found = try series()
    var details = ItemDetails()
    details.title = "Later"
    let part = try span(.future(try world.dates.moment("2026-12-04")), found)
    try world.editor.changing(found, details, part).commit()
    #expect(try world.item("series").item.main?[.rRule]?.rawValue == "FREQ=DAILY;COUNT=3")
    #expect(try world.item("Later").item.main?[.rRule]?.rawValue == "FREQ=DAILY;COUNT=2")
  }

  @Test func oneOccurrenceIsExcluded() throws {
    let found = try series()
    let part = try span(.this(try world.dates.moment("2026-12-02")), found)
    try world.editor.deleting(found, part).commit()
    #expect(try world.item("series").item.main?[.exDate]?.rawValue == "20261202T090000")
  }

  @Test func aDateWithoutAnOccurrenceIsAnErrorWithTheNextOne() throws {
    let found = try series()
    let moment = try world.dates.moment("2026-11-20")
    let error = try #require(throws: EpactError.self) { try span(.this(moment), found) }
    #expect(error.details == ["the next one is Tue 2026-12-01 09:00"])
  }

  /// Now is 24 November: "16 nov" is a date of next year, on which the series does not take place.
  @Test func aDateWithoutAYearIsThatOfAnOccurrence() throws {
    let text = Self.series.replacing("202612", with: "202611")
      .replacing("COUNT=5", with: "COUNT=40")
    try world.scene.folder.write(text.utf8, to: "calendars/private/s.ics")
    let found = try world.item("series")
    for (date, start) in [("16 nov", "20261116T090000"), ("28 nov", "20261128T090000")] {
      let moments = try world.dates.occurrence(date)
      let part = try span(.this(moments.first, or: moments.other), found)
      #expect(part == .occurrence(.floating(try CivilDateTime(parsing: start))), "\(date)")
    }
    let moments = try world.dates.occurrence("20 jan")
    #expect(throws: EpactError.self) { try span(.this(moments.first, or: moments.other), found) }
  }

  @Test(arguments: ["next week", "december", "2026-12", "this weekend", "30 nov to 4 dec"])
  func aPeriodIsNoOccurrence(text: String) throws {
    let dates = try world.dates
    let this = try #require(throws: EpactError.self) { try dates.this(text) }
    #expect(this.message.contains("expected a single date or time, found"))
    #expect(throws: EpactError.self) { try dates.future(text) }
    _ = try dates.this("1 dec")
  }

  // MARK: Calendars that cannot be changed

  @Test func aFeedAndAWriteOnlyCalendarAreRefused() throws {
    try world.scene.write(TestItem.make(uid: "a"), to: "calendars/holidays/a.ics")
    let feed = try #require(throws: LibraryError.self) {
      try world.editor.deleting(try world.item("a"), .all)
    }
    #expect(feed.code == .readOnly)
    #expect(feed.message.contains("is the copy of a read-only remote"))
    try world.scene.write(
      LibraryScene.configuration + "access = \"write-only\"\n[calendar.extra]\npath = \"~/extra\"\n"
    )
    try world.scene.write(TestItem.make(uid: "b"), to: "calendars/tasks/b.ics")
    let error = try #require(throws: EpactError.self) {
      try world.editor.deleting(try world.item("b"), .all)
    }
    #expect(error.code == .noAccess)
    #expect(error.message.contains("write-only access"))
  }

  @Test func aCopyHasItsOwnUIDAndAMoveKeepsIt() throws {
    try world.scene.write(TestItem.make(uid: "a"), to: "calendars/private/a.ics")
    let work = try world.calendar("work")
    try world.editor.copying(try world.item("a"), to: work).commit()
    try world.editor.moving(try world.item("a"), to: work).commit()
    let uids = try world.library.contents(of: work).entries.keys
    #expect(uids.count == 2 && uids.contains("a"))
    #expect(try world.library.contents(of: try world.calendar("private")).entries.isEmpty)
  }

  @Test func aReminderIsNoPartOfItselfOrOfItsParts() throws {
    func reminder(_ title: String, of parent: String? = nil) throws {
      var details = ItemDetails()
      details.title = title
      details.parent = try parent.map { try world.item($0).item.uid }
      let edit = try world.editor.adding(
        details, as: .reminder, to: try world.calendar("tasks"))
      let words = edit.changes.flatMap { world.editor.words(for: $0, of: edit).lines }
      #expect(words == [(parent.map { "part of \($0), " } ?? "") + "no due date"])
      try edit.commit()
    }
    try reminder("Shop")
    try reminder("Milk", of: "Shop")
    for (title, parent) in [("Shop", "Milk"), ("Shop", "Shop")] {
      var details = ItemDetails()
      details.parent = try world.item(parent).item.uid
      #expect(throws: EpactError.self) {
        try world.editor.changing(try world.item(title), details, .all)
      }
    }
    for _ in 1...2 {
      let isOpen = try world.item("Milk").item.main?[.completed] == nil
      let done = try world.editor.setting(.completed, of: try world.item("Shop"))
      #expect(
        done.changes.flatMap { world.editor.partWords(for: $0) }
          == (isOpen ? ["its part stays open: \"Milk\""] : []))
      try world.editor.setting(.completed, of: try world.item("Milk")).commit()
    }
    let deletion = try world.editor.deleting(try world.item("Shop"), .all)
    #expect(
      deletion.changes.flatMap { world.editor.partWords(for: $0) } == ["its part stays: \"Milk\""])
  }

  @Test func anEmptyEndRemovesTheEndOfARepetition() throws {
    var details = ItemDetails()
    details.title = "Choir"
    details.start = try world.dates.newTime("2026-12-01 18:00")
    details.repetition = Repetition("weekly", count: 3)
    try world.editor.adding(details, as: .event, to: try world.calendar("private")).commit()
    var endless = ItemDetails()
    endless.repetition = Repetition(nil)
    endless.repetition?.isEndless = true
    try world.editor.changing(try world.item("Choir"), endless, .all).commit()
    #expect(try world.item("Choir").item.main?[.rRule]?.rawValue == "FREQ=WEEKLY")
  }

  @Test func theTextOfAnAlarmFollowsTheTitle() throws {
    var details = ItemDetails()
    details.title = "Dentist"
    details.start = try world.dates.newTime("2026-12-01 9:00")
    details.alarms = [try AlarmTime(parsing: "10m")]
    try world.editor.adding(details, as: .event, to: try world.calendar("private")).commit()
    var title = ItemDetails()
    title.title = "Cinema"
    try world.editor.changing(try world.item("Dentist"), title, .all).commit()
    let main = try #require(try world.item("Cinema").item.main)
    #expect(Event(main).alarms.map(\.descriptionText) == ["Cinema"])
    title.title = " "
    #expect(throws: EpactError.self) {
      try world.editor.changing(try world.item("Cinema"), title, .all)
    }
  }
}
