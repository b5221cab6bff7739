// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import TestSupport
import Testing

/// What an edit says that it did: the viewer is in Berlin, and now is noon of Tuesday 2026-11-24.
struct ChangeWordsTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  /// Adds an event by the words of a sentence.
  @discardableResult
  private func add(
    _ sentence: [String], to calendar: String = "private",
    _ change: (inout ItemDetails) -> Void = { _ in }
  ) throws -> [String] {
    var details = ItemDetails()
    let split = try world.dates.split(sentence, SentenceOptions())
    details.title = split.title.joined(separator: " ")
    (details.zone, details.repetition) = (split.zone, split.repetition)
    let span = try #require(split.span)
    details.start = .moment(span.start)
    details.end = span.end.map { .moment($0) }
    change(&details)
    return try lines(
      world.editor.adding(details, as: .event, to: try world.calendar(calendar)))
  }

  /// Makes an edit, and returns what it says.
  private func lines(_ edit: PreparedEdit) throws -> [String] {
    let lines = edit.changes.flatMap { world.editor.words(for: $0, of: edit).lines }
    try edit.commit()
    return lines
  }

  private func change(
    _ title: String, _ span: EditSpan = .all, _ change: (inout ItemDetails) throws -> Void
  ) throws -> [String] {
    var details = ItemDetails()
    try change(&details)
    return try lines(world.editor.changing(try world.item(title), details, span))
  }

  private func time(_ text: String) throws -> NewTime { try world.dates.newTime(text) }

  @Test func aNewEventSaysItsLength() throws {
    #expect(try add(["Gym", "2026-12-01", "9:00-10:30"]) == ["1 hour 30 minutes"])
    #expect(try add(["Trip", "2026-12-07..2026-12-11"]) == ["5 days"])
    #expect(try add(["Birthday", "2026-12-20"]) == ["1 day"])
    #expect(try add(["Night train", "2026-12-22", "22:00", "for", "1d"]) == ["1 day"])
  }

  @Test func aSeriesInUTCNamesItsTimeAfterTheNextChangeOfTheClocks() throws {
    let series = try add(["Call", "2026-12-01", "10:00", "every", "tuesday", "UTC"])
    let stored = "stored in UTC, so at 12:00 from Sun 2027-03-28 on"
    #expect(series == ["1 hour, \(stored), every week on Tuesday"])
    let later = try change("Call") { $0.start = try time("9:30") }
    #expect(later.first?.contains("so at 10:30 from Sun 2027-03-28 on") == true, "\(later)")
    let single = try add(["Talk", "2026-12-01", "10:00", "UTC"])
    #expect(single == ["1 hour, stored in UTC"])
  }

  @Test("A reminder that recurs by a due date in UTC says so, as todoman writes one")
  func dueInUTC() throws {
    try world.scene.folder.write(
      lines: [
        "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//a//b//EN", "BEGIN:VTODO", "UID:drops",
        "DTSTAMP:20261101T000000Z", "DUE:20261201T070000Z", "RRULE:FREQ=DAILY", "SUMMARY:Drops",
        "END:VTODO", "END:VCALENDAR",
      ], to: "calendars/tasks/drops.ics")
    let later = try change("Drops") { $0.end = try time("9:00") }
    #expect(later.first?.contains("stored in UTC, so at 10:00 from Sun 2027-03-28 on") == true)
    let moved = try change("Drops") { $0.zone = "Europe/Berlin" }
    #expect(moved.last?.contains("was stored in UTC") == true, "\(moved)")
    let one = try world.editor.span(.this(world.dates.moment("3 dec")), of: world.item("Drops"))
    let edited = try change("Drops", one) { $0.note = "After lunch" }
    #expect(edited.contains { $0.contains("After lunch") }, "\(edited)")
  }

  @Test("A note that grows below its first line is named, and so is a new status of a reminder")
  func noteAndStatus() throws {
    try add(["Lunch", "2026-12-01", "12:00-13:00"]) { $0.note = "Agenda" }
    #expect(
      try change("Lunch") { $0.note = "Agenda\nBudget" } == ["1 hour, note \"Agenda\""])
    var details = ItemDetails()
    details.title = "Slides"
    try world.editor.adding(details, as: .reminder, to: world.calendar("tasks")).commit()
    #expect(try change("Slides") { $0.status = .completed } == ["status completed"])
  }

  @Test func aLengthOverAChangeOfTheClocksIsTheRealOne() throws {
    // The clocks of Berlin show 2:00 to 3:00 twice on 2027-10-31 and 2028-10-29, and never on 2027-03-28.
    let details = { (change: inout ItemDetails) in
      change.end = nil
      change.duration = DurationText.duration("2h")
    }
    #expect(
      try add(["Watch", "2027-10-31", "1:30"], details) == ["2 hours, the clocks change in between"]
    )
    #expect(
      try add(["Autumn", "2028-10-29", "1:30-3:30"]) == ["3 hours, the clocks change in between"])
    #expect(
      try add(["Spring", "2027-03-28", "1:30-3:30"]) == ["1 hour, the clocks change in between"])
    #expect(try add(["Lunch", "2027-10-31", "4:00-5:00"]) == ["1 hour"])
    #expect(try add(["Days", "2027-10-30..2027-10-31"]) == ["2 days"])
  }

  @Test(
    "A new item whose time is over says so",
    arguments: [
      (["Dentist", "today", "9:00"], true), (["Dentist", "2026-11-23"], true),
      (["Dentist", "2026-11-20", "9:00", "Asia/Tokyo"], true), (["Call", "today", "12:30"], false),
      (["Day", "today"], false), (["Days", "2026-11-23..2026-11-25"], false),
      (["Series", "2026-11-23", "9:00", "weekly"], false),
    ])
  func timesThatAreOver(sentence: [String], isOver: Bool) throws {
    #expect(try add(sentence).contains("this time is in the past") == isOver)
    var details = ItemDetails()
    let split = try world.dates.split(sentence, SentenceOptions())
    details.title = "Reminder"
    (details.zone, details.repetition) = (split.zone, split.repetition)
    details.end = split.span.map { .moment($0.start) }
    let edit = try world.editor.adding(details, as: .reminder, to: try world.calendar("tasks"))
    let first = split.span?.start == .date(CivilDate(year: 2026, month: 11, day: 23) ?? .first)
    #expect(try lines(edit).contains("this time is in the past") == (isOver || first))
  }

  @Test func aFlightSaysItsTimeHere() throws {
    let end = try time("12:30 America/New_York")
    let lines = try add(["Flight", "2026-12-10", "10:00"]) { $0.end = end }
    #expect(
      // The first line of the reply has the end.
      lines == ["8 hours 30 minutes", "here Thu 2026-12-10 10:00-18:30"])
  }

  @Test func theStateOfAReminderSaysHowItGoesOn() throws {
    var details = ItemDetails()
    let split = try world.dates.split(
      ["Pills", "2026-11-25", "8:00", "daily", "until", "2026-11-28"], SentenceOptions())
    details.title = "Pills"
    details.repetition = split.repetition
    details.end = split.span.map { .moment($0.start) }
    let tasks = try world.calendar("tasks")
    _ = try lines(world.editor.adding(details, as: .reminder, to: tasks))
    func set(_ status: ReminderStatus, isWhole: Bool = false) throws -> [String] {
      let finder = try ItemFinder(world.editor)
      let found = try finder.items("Pills").filter { $0.item.isSeries(of: Reminder.self) }
      return try lines(
        world.editor.setting(status, of: try #require(found.first), isWhole: isWhole))
    }
    let rule = "every day, until 28 November 2026"
    #expect(try set(.inProcess) == [rule])
    #expect(try set(.completed) == [rule])
    #expect(try set(.cancelled, isWhole: true) == [rule])
    #expect(try set(.needsAction) == [rule])
  }

  @Test func anOccurrenceThatIsCompletedInItsPlaceSaysWhatComesNext() throws {
    let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//X//EN"]
    let main = [
      "BEGIN:VTODO", "UID:s", "DTSTAMP:20260102T030405Z", "SUMMARY:Water",
      "DTSTART:20261125T090000", "DUE:20261125T090000", "RRULE:FREQ=DAILY;COUNT=4", "END:VTODO",
    ]
    let first = [
      "BEGIN:VTODO", "UID:s", "DTSTAMP:20260102T030405Z", "SUMMARY:Water", "STATUS:CANCELLED",
      "RECURRENCE-ID:20261125T090000", "DTSTART:20261125T090000", "DUE:20261125T090000",
      "END:VTODO",
    ]
    try world.scene.folder.write(
      lines: head + main + first + ["END:VCALENDAR"], to: "calendars/tasks/s.ics")
    let edit = try world.editor.setting(.completed, of: try world.item("s"))
    #expect(try lines(edit) == ["every day, 4 times", "next Fri 2026-11-27 09:00"])
  }

  @Test func timesThatCannotBeReadAreShownAsTheyAre() throws {
    let text = TestItem.text(uid: "odd", summary: "Odd")
    let start = try #require(text.split(separator: "\r\n").first { $0.hasPrefix("DTSTART") })
    try world.scene.folder.write(
      text.replacing(start, with: "DTSTART:tomorrow").utf8, to: "calendars/private/odd.ics")
    let rows = ItemCard(try world.item("Odd"), world.editor).rows
    #expect(rows.filter { $0.label == "unreadable" }.map(\.text) == ["DTSTART:tomorrow"])
    #expect(rows.first { $0.label == "when" }?.text.isEmpty == true)
  }

  @Test func theStartOfAReminderIsNamed() throws {
    var details = ItemDetails()
    (details.title, details.start, details.end) = (
      "Report", try time("2026-12-01"), try time("2026-12-04")
    )
    let tasks = try world.calendar("tasks")
    #expect(
      try lines(world.editor.adding(details, as: .reminder, to: tasks)) == ["start Tue 2026-12-01"]
    )
    #expect(
      try change("Report") { $0.start = try time("2026-12-02") } == [
        "start Wed 2026-12-02", "was start Tue 2026-12-01",
      ])
  }

  @Test func aChangedOccurrenceInAnotherZoneNamesIt() throws {
    try add(["Meet", "2026-12-10", "10:00", "daily"])
    let meet = try world.item("Meet")
    let span = try world.editor.span(.this(try world.dates.moment("2026-12-11")), of: meet)
    var details = ItemDetails()
    details.zone = "Asia/Tokyo"
    try world.editor.changing(meet, details, span).commit()
    let rows = ItemCard(try world.item("Meet"), world.editor).rows
    let changed = rows.filter { $0.label == "changed" }.map(\.text)
    #expect(changed == ["Fri 2026-12-11 10:00: Fri 2026-12-11 10:00-11:00 Asia/Tokyo"])
  }

  @Test func theFirstLineOfAFlightNamesBothZones() throws {
    let end = try time("12:30 America/New_York")
    try add(["Flight", "2026-12-10", "10:00"]) { $0.end = end }
    let flight = try world.item("Flight")
    let text =
      "Thu 2026-12-10 10:00 Europe/Berlin to Thu 2026-12-10 12:30 America/New_York"
    var details = ItemDetails()
    details.location = "Gate 5"
    let edit = try world.editor.changing(flight, details, .all)
    #expect(edit.changes.map { world.editor.when($0) } == [text])
    #expect(ItemCard(flight, world.editor).rows.first { $0.label == "when" }?.text == text)
    // In the text of an editor, the start alone can be read again.
    let form = ItemForm(flight, .all, world.editor).text()
    #expect(form.contains("\nwhen: Thu 2026-12-10 10:00\n"))
    let later = form.replacing("when: Thu 2026-12-10 10:00", with: "when: Thu 2026-12-10 11:00")
    let values = try ItemForm(flight, .all, world.editor).values(
      of: Array(later.utf8), world.dates)
    let moved = try world.editor.changing(flight, values.details, .all)
    #expect(
      moved.changes.map { world.editor.when($0) } == [
        "Thu 2026-12-10 11:00 Europe/Berlin to Thu 2026-12-10 13:30 America/New_York"
      ])
  }

  @Test func anEditSaysTheOtherTextsThatChange() throws {
    try add(["Dentist", "2026-12-01", "9:00-10:00"])
    #expect(
      try change("Dentist") { ($0.categories, $0.priority) = (["health", "money"], 1) } == [
        "1 hour, category health, money, priority high"
      ])
    #expect(
      try change("Dentist") {
        ($0.note, $0.url) = ("Bring the card.\nAnd the form.", "https://example.org/a")
      } == ["1 hour, https://example.org/a, note \"Bring the card.\""])
    #expect(
      try change("Dentist") { ($0.categories, $0.priority) = ([], 5) } == [
        "1 hour, priority medium", "was category health, money, priority high",
      ])
    #expect(
      try change("Dentist") { ($0.note, $0.url) = ("", "") } == [
        "1 hour", "was https://example.org/a, note \"Bring the card.\"",
      ])
    #expect(try change("Dentist") { $0.classification = .private } == ["1 hour, private"])
    #expect(
      try change("Dentist") { $0.classification = .public } == ["1 hour", "was private"])
    #expect(try change("Dentist") { $0.location = "Here" } == ["1 hour, at Here"])
    let long = String(repeating: "a", count: 70)
    #expect(
      try change("Dentist") { $0.note = long } == [
        "1 hour, at Here, note \"\(long.prefix(60))…\""
      ])
  }

  @Test(
    "An address that is no URI is rejected",
    arguments: [
      ("not a url", false), ("example.org", false), ("https://exa mple.org", false), (":a", false),
      ("https:", false), ("https://example.org/a?b#c", true), ("mailto:ana@example.org", true),
      ("tel:+49-30-1", true), ("", true),
    ])
  func addresses(text: String, isValid: Bool) throws {
    try add(["Dentist", "2026-12-01", "9:00-10:00"])
    var details = ItemDetails()
    details.url = text
    let edit = Result { try world.editor.changing(try world.item("Dentist"), details, .all) }
    #expect(((try? edit.get()) != nil) == isValid)
  }

  @Test(
    "A repetition says which months and years it skips",
    arguments: [
      (["2028-02-29", "yearly"], "only in years with a 29 February"),
      (["2026-12-31", "monthly"], "skips months without a 31st"),
      (["2026-11-30", "monthly"], "skips months without a 30th"),
      (["2026-11-29", "monthly"], "skips February, except in leap years"),
      (["2026-12-31", "every", "month", "on", "the", "31st"], "skips months without a 31st"),
      (["2026-12-31", "yearly"], nil), (["2026-11-28", "monthly"], nil),
      (["2026-12-31", "every", "12", "months"], nil), (["2026-12-31", "weekly"], nil),
      (["2026-11-29", "every", "6", "months"], nil), (["2026-12-30", "every", "4", "months"], nil),
      (["2026-11-29", "every", "3", "months"], "skips February, except in leap years"),
      (["2026-12-31", "every", "6", "months"], "skips months without a 31st"),
    ])
  func skippedPeriods(words: [String], hint: String?) throws {
    let lines = try add(["Rent"] + words)
    #expect(lines.dropFirst().first == hint)
  }

  @Test(
    "A rule that has an earlier day or the last one in each month skips no month",
    arguments: [
      ("FREQ=MONTHLY;BYMONTHDAY=1,31", "skips the 31st in months without it"),
      ("FREQ=MONTHLY;BYMONTHDAY=15,29,30", "skips the 29th and the 30th in months without it"),
      ("FREQ=YEARLY;BYMONTH=1,3;BYMONTHDAY=1,31", nil), ("FREQ=MONTHLY;BYMONTHDAY=-1,31", nil),
      ("FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", nil),
      ("FREQ=MONTHLY;BYMONTHDAY=30,31", "skips months without a 30th"),
    ])
  func daysInEachMonth(rule: String, hint: String?) throws {
    let lines = try add(["Rent", "2026-12-31"]) { $0.repetition = Repetition(rule) }
    #expect(lines.first { $0.hasPrefix("skips") } == hint)
  }

  @Test func itSaysTheRepetitionTheAlarmAndThePlace() throws {
    let lines = try add(["Choir", "2026-12-06", "18:00-19:00", "weekly", "until", "2027-02-28"]) {
      $0.location = "Café"
      $0.alarms = [try? AlarmTime(parsing: "15m")].compactMap(\.self)
    }
    #expect(lines == ["1 hour, every week, until 28 February 2027, alarm 15m, at Café"])
  }

  @Test func anEditSaysTheTimeBefore() throws {
    try add(["Dentist", "2026-12-01", "9:00-10:00"])
    #expect(
      try change("Dentist") { $0.start = try time("11:30") } == [
        "1 hour", "was Tue 2026-12-01 09:00-10:00",
      ])
    #expect(try change("Dentist") { $0.location = "Upstairs" } == ["1 hour, at Upstairs"])
    let alarm = try AlarmTime(parsing: "15m")
    #expect(
      try change("Dentist") { ($0.location, $0.alarms) = ("Room 2", [alarm]) } == [
        "1 hour, alarm 15m, at Room 2", "was at Upstairs",
      ])
    #expect(
      try change("Dentist") {
        ($0.start, $0.location, $0.alarms) = (try time("2026-12-02 8:00-10:00"), "", [])
      } == ["2 hours", "was Tue 2026-12-01 11:30-12:30, alarm 15m, at Room 2"])
    #expect(
      try change("Dentist") { $0.repetition = Repetition("daily") } == ["2 hours, every day"])
    #expect(
      try change("Dentist") { $0.repetition = Repetition("never") } == [
        "2 hours", "was every day",
      ])
  }

  @Test func oneOccurrenceSaysBothTimes() throws {
    try add(["Stand-up", "2026-12-01", "9:30-9:45", "daily"])
    let found = try world.item("Stand-up")
    let span = try world.editor.span(.this(try world.dates.moment("2026-12-04")), of: found)
    #expect(
      try change("Stand-up", span) { $0.start = try time("10:00") } == [
        "15 minutes", "now Fri 2026-12-04 10:00-10:15", "was Fri 2026-12-04 09:30-09:45",
      ])
  }

  @Test func anotherZoneIsSaidInLocalTime() throws {
    #expect(
      try add(["Call", "2026-12-01", "9:00", "America/New_York", "for", "30m"]) == [
        "30 minutes", "here Tue 2026-12-01 15:00-15:30",
      ])
  }

  @Test func itSaysWhatItOverlaps() throws {
    try add(["A", "2026-12-01", "9:00-10:00"])
    try add(["Whole day", "2026-12-01"])
    try add(["Standup", "2026-11-25", "9:45-10:15", "daily"], to: "work")
    #expect(
      try add(["B", "2026-12-01", "9:30-10:00"]) == [
        "30 minutes", "overlaps A, Tue 2026-12-01 09:00-10:00 in private",
        "overlaps Standup, Tue 2026-12-01 09:45-10:15 in work",
      ])
    // Adjacent events do not overlap, and neither does an event with itself.
    #expect(try add(["C", "2026-12-01", "10:15-11:00"]) == ["45 minutes"])
    #expect(
      try change("C") { $0.start = try time("10:30") } == [
        "45 minutes", "was Tue 2026-12-01 10:15-11:00",
      ])
    let many = (1...4).map { "N\($0)" }
    for title in many { try add([title, "2026-12-02", "12:00-13:00"], to: "work") }
    let lines = try add(["M", "2026-12-02", "12:00-13:00"])
    #expect(lines.count == 5)
    #expect(lines.last == "overlaps 1 other event")
  }

  @Test func aMoveSaysTheOtherCalendar() throws {
    try add(["Dentist", "2026-12-01", "9:00-10:00"])
    #expect(
      try lines(world.editor.moving(try world.item("Dentist"), to: try world.calendar("work")))
        == ["1 hour", "was in private"])
  }

  @Test func aReminderSaysWhenItWasDue() throws {
    var details = ItemDetails()
    details.title = "Pay"
    details.end = try time("2026-12-01")
    #expect(
      try lines(world.editor.adding(details, as: .reminder, to: try world.calendar("tasks"))) == [])
    #expect(
      try change("Pay") { $0.end = try time("2026-12-03") } == ["was due Tue 2026-12-01"])
  }

  @Test func aDeletionSaysNothingMore() throws {
    try add(["Dentist", "2026-12-01", "9:00-10:00"])
    #expect(try lines(world.editor.deleting(try world.item("Dentist"), .all)) == [])
  }
}
