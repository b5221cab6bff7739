// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import ICalSyntax
import TestSupport
import Testing

/// The kinds of changes in the replies of edits and undos, and the calendar of a new item.
struct EditReplyTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  private func details(_ title: String, _ time: String? = nil) throws -> ItemDetails {
    var details = ItemDetails()
    details.title = title
    details.start = try time.map { try world.dates.newTime($0) }
    return details
  }

  private func reminder() throws -> FoundItem {
    let milk = try world.editor.adding(
      try details("Milk"), as: .reminder, to: try world.calendar("tasks"))
    try milk.commit()
    return try world.item("Milk")
  }

  private func undoneKinds(_ result: SyncResult) -> [ItemRevision.Kind] {
    result.undo?.items.map(\.kind) ?? []
  }

  @Test("An alarm whose time is over already is named")
  func passedAlarms() throws {
    // It is Tuesday, 24 November, at 12:00.
    for (time, alarm, isOver) in [
      ("2026-11-24 14:00", "3h", true), ("2026-11-24 14:00", "1h", false),
      ("2026-11-25", "1d", true), ("2026-11-26", "1d", false),
    ] {
      var values = try details("Bus", time)
      values.alarms = [try AlarmTime(parsing: alarm)]
      let edit = try world.editor.adding(values, as: .event, to: try world.calendar("private"))
      let lines = edit.changes.flatMap { world.editor.words(for: $0, of: edit).lines }
      #expect(
        lines.contains { $0.contains("the time of the alarm \(alarm) is over") } == isOver,
        "\(time) \(alarm): \(lines)")
    }
    var series = try details("Bus", "2026-11-24 14:00")
    series.alarms = [try AlarmTime(parsing: "3h")]
    series.repetition = Repetition("daily")
    let edit = try world.editor.adding(series, as: .event, to: try world.calendar("private"))
    let lines = edit.changes.flatMap { world.editor.words(for: $0, of: edit).lines }
    #expect(!lines.contains { $0.contains("is over") })
  }

  @Test("An event in UTC keeps the time that is shown in the zone that it gets")
  func rezonedUTC() throws {
    try world.scene.write(
      TestItem.make(uid: "phone", summary: "Phone"), to: "calendars/private/phone.ics")
    // It is at 13:00 in Berlin.
    for (zone, start) in [
      ("Asia/Tokyo", "20260301T130000"), ("Europe/Berlin", "20260301T130000"),
      ("floating", "20260301T130000"),
    ] {
      var details = ItemDetails()
      details.zone = zone
      let edit = try world.editor.changing(world.item("phone"), details, .all)
      #expect(edit.changes.first?.item?.main?[.dtStart]?.rawValue == start, "\(zone)")
    }
    var utc = ItemDetails()
    utc.zone = "UTC"
    #expect(try world.editor.changing(world.item("phone"), utc, .all).isEmpty)
  }

  @Test("A word that is a time of day by itself is one, and no other")
  func clockTimes() throws {
    let dates = try world.dates
    for word in ["15:00", "3pm", "9:30"] { #expect(dates.isClockTime(word), "\(word)") }
    for word in ["12", "Room", "tomorrow", "B2", "4711", "COVID-19", ""] {
      #expect(!dates.isClockTime(word), "\(word)")
    }
  }

  @Test("A reminder that is opened again says how much of it was done")
  func progress() throws {
    try world.scene.write(
      TestItem.parse(
        TestItem.text(uid: "report", summary: "Report", kind: .reminder)
          .replacing("SEQUENCE:", with: "STATUS:IN-PROCESS\r\nPERCENT-COMPLETE:40\r\nSEQUENCE:")),
      to: "calendars/tasks/report.ics")
    let report = try world.item("Report")
    for status in [ReminderStatus.needsAction, .completed] {
      let edit = try world.editor.setting(status, of: report)
      let lines = edit.changes.flatMap { world.editor.words(for: $0, of: edit).lines }
      #expect(lines.contains { $0.contains("40 % done") }, "\(status): \(lines)")
    }
    let start = try world.editor.setting(.inProcess, of: report)
    #expect(start.isEmpty)
  }

  @Test("A reminder of a period that has begun is due on its last day, also by an option")
  func duePeriods() throws {
    // It is Tuesday, 24 November.
    for (words, day) in [
      ("this week", "2026-11-29"), ("this month", "2026-11-30"), ("this weekend", "2026-11-28"),
      ("next week", "2026-11-30"), ("tomorrow", "2026-11-25"),
    ] {
      var details = try details("Report")
      details.end = try world.dates.newTime(words)
      let edit = try world.editor.adding(details, as: .reminder, to: try world.calendar("tasks"))
      let main = try #require(edit.changes.first?.item?.main)
      #expect(main[.due]?.rawValue == day.filter { $0 != "-" }, "\(words)")
    }
  }

  @Test("The organizer who is named only for this edit asks the attendees again")
  func namedOrganizer() throws {
    let lines = [
      "ORGANIZER:mailto:maria@example.net",
      "ATTENDEE;RSVP=TRUE;PARTSTAT=ACCEPTED:mailto:peter@example.org", "SEQUENCE:",
    ]
    try world.scene.write(
      TestItem.parse(
        TestItem.text(uid: "meeting", summary: "Meeting")
          .replacing("SEQUENCE:", with: lines.joined(separator: "\r\n"))),
      to: "calendars/private/meeting.ics")
    var editor = world.editor
    let unknown = try editor.changing(world.item("Meeting"), details("Meeting", "19:00"), .all)
    #expect(
      unknown.changes.flatMap { editor.partWords(for: $0) } == [
        "in your calendar only: nobody is informed; the organizer is maria@example.net, and no "
          + "address of yours is known"
      ])
    editor.addresses = [CalendarAddress("mailto:maria@example.net")]
    let edit = try editor.changing(world.item("Meeting"), details("Meeting", "19:00"), .all)
    let main = try #require(edit.changes.first?.item?.main)
    #expect(Event(main).attendees.map(\.participationStatus) == [.needsAction])
    #expect(edit.changes.flatMap { editor.partWords(for: $0) } == [])
    #expect(try MeetingMails(for: edit, editor).all().count == 1)
  }

  @Test func aDeletedOccurrenceIsDeleted() throws {
    var series = try details("Standup", "2026-11-30 9:30-9:45")
    series.repetition = Repetition("weekly")
    try world.editor.adding(series, as: .event, to: try world.calendar("private")).commit()
    let monday = EventTime.zoned(
      try CivilDateTime(parsing: "20261207T093000"), tzID: "Europe/Berlin")
    let edit = try world.editor.deleting(try world.item("Standup"), .occurrence(monday))
    #expect(edit.changes.map(\.kind) == [.deleted])
    #expect(edit.changes.map(\.occurrence) == [monday])
    #expect(world.editor.when(edit.changes[0]) == "only Mon 2026-12-07 09:30")
    #expect(world.editor.words(for: edit.changes[0], of: edit).lines == [])
    try edit.commit()
    #expect(try world.item("Standup").item.main?[.exDate] != nil)
    // One that was moved is known by its own time.
    let moved = EventTime.zoned(
      try CivilDateTime(parsing: "20261221T093000"), tzID: "Europe/Berlin")
    var other = ItemDetails()
    other.start = try world.dates.newTime("2026-12-22 11:00")
    try world.editor.changing(try world.item("Standup"), other, .occurrence(moved)).commit()
    let gone = try world.editor.deleting(try world.item("Standup"), .occurrence(moved))
    #expect(
      gone.changes.flatMap { world.editor.words(for: $0, of: gone).lines }
        == ["was Tue 2026-12-22 11:00-11:15"])
    let later = EventTime.zoned(
      try CivilDateTime(parsing: "20261214T093000"), tzID: "Europe/Berlin")
    let rest = try world.editor.deleting(try world.item("Standup"), .future(from: later))
    #expect(rest.changes.map(\.kind) == [.changed])
  }

  @Test func theUndoOfOneOccurrenceNamesIt() async throws {
    var series = try details("Standup", "2026-11-30 9:30-9:45")
    series.repetition = Repetition("weekly")
    try world.editor.adding(series, as: .event, to: try world.calendar("private")).commit()
    let monday = EventTime.zoned(
      try CivilDateTime(parsing: "20261207T093000"), tzID: "Europe/Berlin")
    try world.editor.changing(
      try world.item("Standup"), try details("Planning"), .occurrence(monday)
    ).commit()
    let renamed = try #require(try await world.undo().undo?.items.first)
    #expect(world.editor.when(renamed) == "only Mon 2026-12-07 09:30")
    #expect(world.editor.words(for: renamed).lines == ["15 minutes", "was \"Planning\""])
    try world.editor.deleting(try world.item("Standup"), .occurrence(monday)).commit()
    let deleted = try #require(try await world.undo().undo?.items.first)
    #expect(world.editor.when(deleted) == "only Mon 2026-12-07 09:30")
    try world.editor.changing(try world.item("Standup"), try details("Review"), .all).commit()
    let whole = try #require(try await world.undo().undo?.items.first)
    #expect(world.editor.when(whole) == "Mon 2026-11-30 09:30-09:45")
    #expect(world.editor.words(for: whole).lines.last == "was \"Review\"")
  }

  @Test func theUndoOfAMoveNamesBothCalendars() async throws {
    try world.editor.adding(
      try details("Lunch", "2026-12-10 12:00"), as: .event, to: try world.calendar("private")
    ).commit()
    try world.editor.moving(try world.item("Lunch"), to: try world.calendar("work")).commit()
    let undone = try #require(try await world.undo().undo?.items)
    #expect(undone.map(\.kind) == [.moved])
    #expect(undone.map(\.calendar) == ["private"])
    #expect(undone.map { world.editor.words(for: $0).lines.last } == ["was in work"])
    let redone = try #require(try await world.redo().undo?.items)
    #expect(redone.map(\.kind) == [.moved])
    #expect(redone.map(\.calendar) == ["work"])
    #expect(redone.map { world.editor.words(for: $0).lines.last } == ["was in private"])
    var room = ItemDetails()
    room.location = "Café"
    try world.editor.changing(try world.item("Lunch"), room, .all).commit()
    #expect(try await world.undo().undo?.items.map(\.calendar) == ["work"])
  }

  @Test func anUnknownCalendarIsAnErrorWithTheNamesOfAll() throws {
    let error = try #require(throws: EpactError.self) {
      try world.library.calendar(named: "garden")
    }
    #expect(error.message == "there is no calendar \"garden\" in the configuration")
    #expect(error.details == ["the calendars are holidays, one, private, tasks, work"])
    let near = try #require(throws: EpactError.self) {
      try world.library.calendar(named: "privat")
    }
    #expect(near.message.hasSuffix("did you mean \"private\"?"), "\(near.message)")
  }

  @Test func theUndoOfAStatusIsNamedByTheStatus() async throws {
    try world.editor.setting(.completed, of: try reminder()).commit()
    #expect(undoneKinds(try await world.undo()) == [.reopened])
    #expect(undoneKinds(try await world.redo()) == [.completed])
    let done = try ItemFinder(world.editor).item("Milk", prefersClosed: true)
    let open = try world.editor.setting(.needsAction, of: done)
    #expect(open.changes.map(\.kind) == [.reopened])
    try open.commit()
    #expect(undoneKinds(try await world.undo()) == [.completed])
  }

  @Test func aLaterOccurrenceOfAReminderIsNotCompletedBeforeTheNext() throws {
    var series = try details("Timesheet", "2026-12-04 17:00")
    series.end = try world.dates.newTime("2026-12-04 17:00")
    series.repetition = Repetition("weekly")
    try world.editor.adding(series, as: .reminder, to: try world.calendar("tasks")).commit()
    let finder = try ItemFinder(world.editor, dates: try world.dates)
    let later = try finder.item("Timesheet 25 dec")
    #expect(throws: EpactError.self) { try world.editor.setting(.completed, of: later) }
    let next = try world.editor.setting(.completed, of: try finder.item("Timesheet 4 dec"))
    #expect(next.changes.map(\.kind) == [.completed, .advanced])
    // As a whole, the date only chooses among items.
    #expect(
      try world.editor.setting(.completed, of: later, isWhole: true).changes.map(\.kind)
        == [.completed])
  }

  @Test func theUndoOfADeletionRestores() async throws {
    try world.editor.deleting(try reminder(), .all).commit()
    #expect(undoneKinds(try await world.undo()) == [.restored])
    #expect(undoneKinds(try await world.redo()) == [.deleted])
  }

  @Test func oneOfSeveralCalendarsHasToBeChosen() throws {
    let several = try EditScene(
      LibraryScene.configuration.replacing(
        "default-calendar = \"private\"   # not the first one", with: ""))
    let error = try #require(throws: EpactError.self) {
      try several.editor.adding(try details("Lunch", "2026-12-01 12:30"), as: .event)
    }
    #expect(error.message == "one, private, work accept it, and none of them is the default")
    #expect(error.remedy == .chooseCalendar(key: "default-calendar"))
    // The calendar for events is that for reminders, too, if no other one is configured.
    let edit = try world.editor.adding(try details("Milk"), as: .reminder)
    #expect(edit.changes.map(\.calendar.name) == ["private"])
  }
}
