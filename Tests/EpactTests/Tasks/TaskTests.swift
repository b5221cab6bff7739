// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Epact
import ICalSyntax
import TestSupport
import Testing

/// The list of reminders, and their completion.
struct TaskTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  private func write(_ uid: String, _ lines: [String], more: [String] = []) throws {
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//X//EN", "BEGIN:VTODO", "UID:\(uid)"]
    let stamps = ["DTSTAMP:20260102T030405Z", "CREATED:20260101T000000Z", "SUMMARY:\(uid)"]
    let end = ["END:VTODO"] + more + ["END:VCALENDAR"]
    try world.scene.folder.write(
      lines: head + stamps + lines + end, to: "calendars/tasks/\(uid).ics")
  }

  private func list(all: Bool = false, where query: String? = nil) throws -> [String] {
    let matcher = try query.map { query in
      let phrases = try DatePhrases(machine: world.scene.machine, zone: world.editor.viewer)
      return QueryMatcher(
        try ItemQuery(parsing: query, phrases: phrases), machine: world.scene.machine,
        viewer: world.editor.viewer)
    }
    return try TaskList(
      of: try world.library.calendars(), includesClosed: all, world.editor, where: matcher
    ).entries.map {
      String(repeating: "-", count: $0.depth) + $0.found.item.uid.rawValue
        + ($0.isOverdue ? "!" : "")
    }
  }

  // MARK: The list

  @Test func overdueRemindersAreFirstThenTimePriorityAndTitle() throws {
    try write("none", [])
    try write("none-high", ["PRIORITY:1"])
    try write("today", ["DUE;VALUE=DATE:20261124"])
    try write("morning", ["DUE:20261124T080000Z"])
    try write("later", ["DUE;VALUE=DATE:20261201"])
    try write("later-low", ["DUE;VALUE=DATE:20261201", "PRIORITY:9"])
    try write("old", ["DUE;VALUE=DATE:20261101"])
    try write("done", ["STATUS:COMPLETED", "DUE;VALUE=DATE:20261101"])
    #expect(
      try list() == ["old!", "morning!", "today", "later-low", "later", "none-high", "none"])
    #expect(try list(all: true).last == "done!")
  }

  @Test func partsFollowTheirReminder() throws {
    try write("house", [])
    try write("roof", ["RELATED-TO:house", "DUE;VALUE=DATE:20261101"])
    try write("tiles", ["RELATED-TO;RELTYPE=PARENT:roof"])
    try write("alone", ["RELATED-TO:missing"])
    try write("sibling", ["RELATED-TO;RELTYPE=SIBLING:house"])
    // A circle has no beginning.
    try write("x", ["RELATED-TO:y", "PRIORITY:1"])
    try write("y", ["RELATED-TO:x"])
    #expect(try list() == ["alone", "house", "-roof!", "--tiles", "sibling", "x", "-y"])
  }

  @Test func aReminderNamesItsParts() throws {
    try write("house", ["RELATED-TO;RELTYPE=CHILD:roof", "RELATED-TO;RELTYPE=CHILD:walls"])
    try write("roof", ["RELATED-TO;RELTYPE=CHILD:tiles"])
    try write("tiles", [])
    // Its own parent is the stronger statement; a reminder is no part of itself.
    try write("walls", ["RELATED-TO:tiles"])
    try write("alone", ["RELATED-TO;RELTYPE=CHILD:alone", "RELATED-TO;RELTYPE=CHILD:missing"])
    #expect(try list() == ["alone", "house", "-roof", "--tiles", "---walls"])
    let entries = try TaskList(of: try world.library.calendars(), world.editor).entries
    #expect(entries.map { $0.parent?.rawValue } == [nil, nil, "house", "roof", "tiles"])
  }

  @Test func aReminderThatRepeatsWithoutADateIsOpen() throws {
    try write("daily", ["RRULE:FREQ=DAILY"])
    try write("started", ["RRULE:FREQ=DAILY", "STATUS:IN-PROCESS"])
    try write("done", ["RRULE:FREQ=DAILY", "STATUS:COMPLETED"])
    #expect(try list() == ["daily", "started"])
    #expect(try complete("daily") == [.completed])
    #expect(try list() == ["started"])
  }

  @Test func aReminderIsDoneInTheListAsInViews() throws {
    try write("stamp", ["COMPLETED:20261101T080000Z", "DUE;VALUE=DATE:20261201"])
    try write("contradiction", ["COMPLETED:20261101T080000Z", "STATUS:NEEDS-ACTION"])
    try write("whole", ["PERCENT-COMPLETE:100"])
    try write("checked", ["PERCENT-COMPLETE:100", "STATUS:IN-PROCESS"])
    try write(
      "series", ["DUE;VALUE=DATE:20261201", "RRULE:FREQ=DAILY", "COMPLETED:20261101T080000Z"])
    #expect(try list() == ["checked"])
    #expect(try list(all: true) == ["checked", "series", "stamp", "contradiction", "whole"])
    let entries = try TaskList(
      of: try world.library.calendars(), includesClosed: true, world.editor
    ).entries
    #expect(entries.count { $0.isClosed } == 4)
    #expect(try complete("stamp") == [])
    #expect(try complete("stamp", .needsAction) == [.reopened])
    #expect(try list() == ["stamp", "checked"])
  }

  @Test func anAlarmBeforeADateNeedsADate() throws {
    var details = ItemDetails()
    details.title = "Ring"
    details.alarms = [try AlarmTime(parsing: "10m")]
    let error = try #require(throws: EpactError.self) {
      try world.editor.adding(details, as: .reminder)
    }
    #expect(error.code == .argument)
    #expect(error.message.contains("an alarm before it needs a date"))
    details.end = try world.dates.newTime("tomorrow 9:00")
    try world.editor.adding(details, as: .reminder).commit()
    // The alarm would never be triggered without the date.
    var removal = ItemDetails()
    removal.end = .removed
    #expect(throws: EpactError.self) {
      try world.editor.changing(try world.item("Ring"), removal, .all)
    }
    removal.alarms = []
    #expect(try !world.editor.changing(try world.item("Ring"), removal, .all).changes.isEmpty)
    // An earlier alarm of this kind does not prevent other edits.
    try write("old", ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT10M", "END:VALARM"])
    var title = ItemDetails()
    title.title = "older"
    #expect(try !world.editor.changing(try world.item("old"), title, .all).changes.isEmpty)
  }

  @Test func aQueryComparesTheFirstOpenOccurrence() throws {
    try write("tax", ["DUE;VALUE=DATE:20261201", "PRIORITY:1"])
    try write("rent", ["DUE;VALUE=DATE:20261202", "RRULE:FREQ=MONTHLY"])
    #expect(try list(where: "priority:high") == ["tax"])
    #expect(try list(where: "due<2026-12-10") == ["tax", "rent"])
    #expect(try list(where: "due>2026-12-10") == [])
    #expect(try list(where: "rent or calendar:private") == ["rent"])
  }

  // MARK: Completion

  private func complete(
    _ uid: String, _ status: ReminderStatus = .completed, isWhole: Bool = false
  ) throws -> [ItemRevision.Kind] {
    let edit = try world.editor.setting(status, of: try world.item(uid), isWhole: isWhole)
    try edit.commit()
    return edit.changes.map(\.kind)
  }

  private func lines(_ uid: String) throws -> [String] {
    let item = try world.item(uid).item
    let names: [PropertyName] = [
      .dtStart, .due, .rRule, .duration, .status, .completed, .percentComplete, .sequence,
      .created, .recurrenceID,
    ]
    return item.components.flatMap { component in
      names.compactMap { name in component[name].map { "\(name.rawName):\($0.rawValue)" } }
    }
  }

  @Test func aReminderIsCompletedAndOpenedAgain() throws {
    try write("a", ["DUE;VALUE=DATE:20261201", "PERCENT-COMPLETE:20"])
    #expect(try complete("a") == [.completed])
    #expect(
      try lines("a") == [
        "DUE:20261201", "STATUS:COMPLETED", "COMPLETED:\(EditScene.noon)", "PERCENT-COMPLETE:100",
        "SEQUENCE:1", "CREATED:20260101T000000Z",
      ])
    #expect(try complete("a") == [])
    #expect(try complete("a", .needsAction) == [.reopened])
    #expect(try lines("a").contains("STATUS:NEEDS-ACTION"))
    #expect(try !lines("a").contains { $0.hasPrefix("COMPLETED") || $0.hasPrefix("PERCENT") })
  }

  struct Series: CustomTestStringConvertible, Sendable {
    let lines: [String]
    let rest: [String]
    let done: [String]
    var testDescription: String { lines.joined(separator: " ") }
  }

  @Test(arguments: [
    Series(
      lines: [
        "DTSTART;VALUE=DATE:20261201", "DUE;VALUE=DATE:20261202", "RRULE:FREQ=WEEKLY;COUNT=3",
      ],
      rest: ["DTSTART:20261208", "DUE:20261209", "RRULE:FREQ=WEEKLY;COUNT=2"],
      done: ["DTSTART:20261201", "DUE:20261202"]),
    Series(
      lines: ["DUE;VALUE=DATE:20261201", "RRULE:FREQ=DAILY"],
      rest: ["DTSTART:20261202", "DUE:20261202", "RRULE:FREQ=DAILY"],
      done: ["DTSTART:20261201", "DUE:20261201"]),
    Series(
      lines: [
        "DTSTART:20261130T090000", "DUE:20261130T100000", "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1",
      ],
      rest: [
        "DTSTART:20261231T090000", "DUE:20261231T100000", "RRULE:FREQ=MONTHLY;BYMONTHDAY=-1",
      ],
      done: ["DTSTART:20261130T090000", "DUE:20261130T100000"]),
  ])
  func aSeriesGoesOnWithTheNextOccurrence(series: Series) throws {
    try write("s", series.lines + ["STATUS:IN-PROCESS", "SEQUENCE:4", "RELATED-TO:house"])
    #expect(try complete("s") == [.completed, .advanced])
    // The series stays part of a task, and does not refer to the end of a series.
    let relations = try world.item("s").item.main?.properties(named: .relatedTo).map(\.rawValue)
    #expect(relations == ["house"])
    #expect(
      try lines("s") == series.rest + [
        "STATUS:NEEDS-ACTION", "SEQUENCE:5", "CREATED:20260101T000000Z",
      ])
    let done = try TaskList(
      of: try world.library.calendars(), includesClosed: true, world.editor
    ).entries.filter(\.isClosed)
    #expect(done.count == 1)
    let uid = try #require(done.first?.found.item.uid)
    #expect(Array(try lines(uid.rawValue).prefix(2)) == series.done)
    #expect(done.first?.due != nil)
    #expect(try lines(uid.rawValue).contains("STATUS:COMPLETED"))
  }

  /// The clock changes in Berlin on 2026-10-25 and in New York on 2026-11-01.
  @Test(arguments: [
    ("DUE;VALUE=DATE:20261024", "20261025T080000Z"),
    ("DUE:20261024T090000", "20261025T080000Z"),
    ("DUE:20261024T070000Z", "20261025T070000Z"),
    ("DUE;TZID=America/New_York:20261024T030000", "20261025T070000Z"),
  ])
  func absoluteAlarmsMoveWithTheSeries(due: String, moved: String) throws {
    let alarm = "BEGIN:VALARM,UID:x,ACTION:DISPLAY,DESCRIPTION:a,TRIGGER;VALUE=DATE-TIME:"
    let alarms =
      "\(alarm)20261024T070000Z,ACKNOWLEDGED:20261024T070100Z,X-KEPT:1,END:VALARM,"
      + "BEGIN:VALARM,UID:y,ACTION:DISPLAY,DESCRIPTION:b,TRIGGER:-PT5M,END:VALARM,"
      + "BEGIN:VALARM,UID:z,ACTION:DISPLAY,DESCRIPTION:c,RELATED-TO;RELTYPE=SNOOZE:x,"
      + "TRIGGER;VALUE=DATE-TIME:20261024T071500Z,END:VALARM"
    try write("s", [due, "RRULE:FREQ=DAILY"] + alarms.split(separator: ",").map(String.init))
    _ = try complete("s")
    func triggers(_ uid: String) throws -> [String] {
      (try world.item(uid).item.main?.components ?? []).compactMap { $0[.trigger]?.rawValue }
    }
    #expect(try triggers("s") == [moved, "-PT5M"])
    let first = try world.item("s").item.main?.components.first
    #expect(first?["X-KEPT"] != nil && first?[.acknowledged] != nil)
    let done = try TaskList(
      of: try world.library.calendars(), includesClosed: true, world.editor
    ).entries.first(where: \.isClosed)
    let uid = try #require(done?.found.item.uid.rawValue)
    #expect(try triggers(uid) == ["20261024T070000Z", "-PT5M", "20261024T071500Z"])
  }

  @Test func theLastOccurrenceCompletesTheSeries() throws {
    try write("s", ["DTSTART:20261201T090000", "DUE:20261201T090000", "RRULE:FREQ=DAILY;COUNT=2"])
    #expect(try complete("s") == [.completed, .advanced])
    #expect(try complete("s") == [.completed])
    #expect(try list().isEmpty)
  }

  @Test func aSeriesWithCompletedOccurrencesGetsAnOtherOverride() throws {
    try write(
      "s", ["DTSTART:20261201T090000", "DUE:20261201T090000", "RRULE:FREQ=DAILY;COUNT=4"],
      more: [
        "BEGIN:VTODO", "UID:s", "DTSTAMP:20260102T030405Z", "RECURRENCE-ID:20261201T090000",
        "DTSTART:20261201T090000", "DUE:20261201T090000", "SUMMARY:s", "STATUS:COMPLETED",
        "END:VTODO",
      ])
    #expect(try complete("s") == [.completed])
    let ids = try lines("s").filter { $0.hasPrefix("RECURRENCE-ID") }
    #expect(ids == ["RECURRENCE-ID:20261201T090000", "RECURRENCE-ID:20261202T090000"])
    let entry = try TaskList(of: try world.library.calendars(), world.editor).entries.first
    #expect(entry?.due?.date.day == 3)
  }

  @Test func aSeriesThatBeginsWhenItIsDueMovesWithItsDueTime() throws {
    try write("s", ["DTSTART:20261201T090000", "DURATION:PT0S", "RRULE:FREQ=DAILY"])
    var details = ItemDetails()
    details.end = try world.dates.newTime("2026-12-03 10:00")
    try world.editor.changing(try world.item("s"), details, .all).commit()
    #expect(
      try lines("s").prefix(3) == [
        "DTSTART:20261203T100000", "DUE:20261203T100000", "RRULE:FREQ=DAILY",
      ])
    #expect(try list() == ["s"])
  }

  @Test func aWholeSeriesIsCompletedOrCancelled() throws {
    try write("s", ["DTSTART:20261201T090000", "DUE:20261201T090000", "RRULE:FREQ=DAILY"])
    #expect(try complete("s", .cancelled, isWhole: true) == [.cancelled])
    #expect(try lines("s").contains("STATUS:CANCELLED"))
    #expect(try list().isEmpty)
  }

  @Test func aCompletedOccurrenceIsTakenBackByteForByte() async throws {
    try write("s", ["DUE;VALUE=DATE:20261201", "RRULE:FREQ=DAILY", "X-KEPT:1"])
    let before = try world.files()
    _ = try complete("s")
    #expect(try world.files().count == 2)
    try await world.undo()
    #expect(try world.files() == before)
  }

  // MARK: Moved occurrences

  /// An override of the series `s`.
  private func override(_ id: String, at start: String, _ more: [String] = []) -> [String] {
    ["BEGIN:VTODO", "UID:s", "DTSTAMP:20260102T030405Z", "RECURRENCE-ID:\(id)", "DTSTART:\(start)"]
      + ["DUE:\(start)"] + more + ["END:VTODO"]
  }

  private let daily = [
    "DTSTART:20261123T090000", "DUE:20261123T100000", "RRULE:FREQ=DAILY;COUNT=6",
  ]

  @Test func aMovedOccurrenceOutlivesTheCompletionOfAnother() async throws {
    let notes = ["SUMMARY:Moved", "DESCRIPTION:important"]
    try write("s", daily, more: override("20261124T090000", at: "20261126T200000", notes))
    let before = try world.files()
    #expect(try complete("s") == [.completed, .advanced])
    let item = try world.item("s").item
    let main = try #require(item.main)
    #expect(
      [main[.dtStart], main[.due], main[.rRule]].map { $0?.rawValue }
        == ["20261124T090000", "20261124T100000", "FREQ=DAILY;COUNT=5"])
    let moved = try #require(item.overrides.first)
    #expect(moved[.recurrenceID]?.rawValue == "20261124T090000")
    #expect(moved[.dtStart]?.rawValue == "20261126T200000")
    #expect(moved[.descriptionText]?.text == "important")
    #expect(moved[.status] == nil)
    // The list shows the first open occurrence, which is that of 25 November.
    let entry = try TaskList(of: try world.library.calendars(), world.editor).entries.first
    #expect(entry?.due?.date.day == 25)
    try await world.undo()
    #expect(try world.files() == before)
  }

  @Test func anOccurrenceThatWasMovedToTheBeginningIsCompletedFirst() throws {
    try write("s", daily, more: override("20261125T090000", at: "20261122T080000", ["SUMMARY:E"]))
    #expect(try complete("s") == [.completed, .advanced])
    let item = try world.item("s").item
    #expect(item.overrides.isEmpty)
    #expect(item.main?[.dtStart]?.rawValue == "20261123T090000")
    #expect(item.main?[.rRule]?.rawValue == "FREQ=DAILY;COUNT=6")
    #expect(item.main?.properties(named: .exDate).map(\.rawValue) == ["20261125T090000"])
    #expect(try complete("s") == [.completed, .advanced])
    #expect(
      try lines("s").prefix(3) == [
        "DTSTART:20261124T090000", "DUE:20261124T100000",
        "RRULE:FREQ=DAILY;COUNT=5",
      ])
  }

  @Test func theLastOccurrenceIsCompletedInItsOverrideToo() throws {
    try write(
      "s", ["DTSTART:20261123T090000", "DUE:20261123T100000", "RRULE:FREQ=DAILY;COUNT=1"],
      more: override("20261123T090000", at: "20261130T090000"))
    #expect(try complete("s") == [.completed])
    #expect(
      try world.item("s").item.components.map { $0[.status]?.text } == ["COMPLETED", "COMPLETED"])
    let entry = try TaskList(of: try world.library.calendars(), includesClosed: true, world.editor)
      .entries.first
    #expect(entry?.due?.date.day == 30)
    #expect(world.editor.when(try world.item("s").item).hasPrefix("due Mon 2026-11-30"))
    #expect(try complete("s", .needsAction) == [.reopened])
    #expect(
      try world.item("s").item.components.map { $0[.status]?.text } == [
        "NEEDS-ACTION", "NEEDS-ACTION",
      ])
    #expect(try list() == ["s"])
  }

  @Test func allOpenOverridesAreClosedAndOpenedWithTheirSeries() throws {
    try write(
      "s", daily,
      more: override("20261124T090000", at: "20261126T200000")
        + override("20261125T090000", at: "20261125T090000", ["STATUS:COMPLETED"]))
    #expect(try complete("s", isWhole: true) == [.completed])
    func states() throws -> [String?] {
      try world.item("s").item.components.map { $0[.status]?.text }
    }
    #expect(try states() == ["COMPLETED", "COMPLETED", "COMPLETED"])
    #expect(try complete("s", .needsAction) == [.reopened])
    // The occurrence that was completed before stays completed.
    #expect(try states() == ["NEEDS-ACTION", "NEEDS-ACTION", "COMPLETED"])
  }

  @Test func aCancelledOccurrenceBeforeTheCompletedOneIsKept() throws {
    try write(
      "s", daily, more: override("20261123T090000", at: "20261123T090000", ["STATUS:CANCELLED"]))
    #expect(try complete("s") == [.completed])
    let ids = try lines("s").filter { $0.hasPrefix("RECURRENCE-ID") }
    #expect(ids == ["RECURRENCE-ID:20261123T090000", "RECURRENCE-ID:20261124T090000"])
  }

  @Test func aCompletionListsWhatItRemoves() throws {
    try write(
      "s",
      [
        "DTSTART:20261123T090000", "DUE:20261123T100000", "RRULE:FREQ=DAILY;COUNT=6",
        "EXDATE:20261124T090000", "BEGIN:VALARM", "UID:z", "ACTION:DISPLAY", "DESCRIPTION:c",
        "RELATED-TO;RELTYPE=SNOOZE:x", "TRIGGER;VALUE=DATE-TIME:20261123T091500Z", "END:VALARM",
      ])
    let edit = try world.editor.setting(.completed, of: try world.item("s"))
    let snoozed = try Instant(utc: CivilDateTime(parsing: "20261123T091500"))
    let excluded = try CivilDateTime(parsing: "20261124T090000")
    #expect(
      edit.changes.map(\.effects) == [
        [], [.snoozeRemoved(snoozed), .occurrence(.exclusionRemoved, .floating(excluded))],
      ])
  }

  @Test func aSecondCompletionOfTheSameOccurrenceKeepsTheFirstOne() throws {
    let lines = ["DTSTART:20261123T090000", "DUE:20261123T090000", "RRULE:FREQ=DAILY"]
    try write("s", lines)
    #expect(try complete("s") == [.completed, .advanced])
    try write("s", lines)
    #expect(try complete("s") == [.completed, .advanced])
    let copies = try world.files().keys.filter { $0.hasPrefix("calendars/tasks/") }
    #expect(copies.count == 3)
  }
}
