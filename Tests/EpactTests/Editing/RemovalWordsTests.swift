// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import Testing

/// What an edit of a recurrence takes away from single occurrences: it is named, and an undo restores it.
struct RemovalWordsTests {
  private let world: EditScene

  /// A series on Mondays at 9:30 without 14 December, whose other Mondays from 7 December on are changed.
  init() throws {
    world = try EditScene()
    var details = ItemDetails()
    details.title = "Standup"
    details.start = try world.dates.newTime("2026-11-30 9:30-9:45")
    details.repetition = Repetition("weekly")
    try world.editor.adding(details, as: .event, to: try world.calendar("private")).commit()
    for day in ["2026-12-07", "2026-12-21", "2026-12-28", "2027-01-04", "2027-01-11", "2027-01-18"]
    {
      var other = ItemDetails()
      other.location = "Room 2"
      try world.editor.changing(item, other, .occurrence(try time(day))).commit()
    }
    try world.editor.deleting(item, .occurrence(try time("2026-12-14"))).commit()
  }

  private var item: FoundItem { get throws { try world.item("Standup") } }

  private func time(_ day: String) throws -> EventTime {
    .zoned(try CivilDateTime(parsing: "\(day.filter { $0 != "-" })T093000"), tzID: "Europe/Berlin")
  }

  private func removals(_ repetition: Repetition, _ span: EditSpan = .all) throws -> [String] {
    var details = ItemDetails()
    details.repetition = repetition
    let edit = try world.editor.changing(item, details, span)
    try edit.commit()
    return edit.changes.flatMap { world.editor.words(for: $0.effects) }
  }

  @Test func aShorterSeriesNamesWhatItLoses() async throws {
    let before = try world.files()
    #expect(
      try removals(Repetition(nil, count: 2)) == [
        "without 5 changed occurrences: Mon 2026-12-21 09:30, Mon 2026-12-28 09:30, "
          + "Mon 2027-01-04 09:30, Mon 2027-01-11 09:30, and 1 more",
        "without the exclusion of Mon 2026-12-14 09:30",
      ])
    #expect(try item.item.overrides.count == 1)
    try await world.undo()
    #expect(try world.files() == before)
  }

  @Test func aLongerSeriesLosesNothing() throws {
    #expect(try removals(Repetition(nil, count: 20)) == [])
    #expect(try item.item.overrides.count == 6)
  }

  @Test func theLaterPartNamesWhatItLoses() throws {
    let words = try removals(
      Repetition(nil, count: 1), .future(from: try time("2027-01-11")))
    #expect(
      words == [
        "without the changed occurrence of Mon 2027-01-18 09:30",
        "the changed occurrence of Mon 2027-01-11 09:30 changes, too, and keeps its other values",
      ])
  }

  @Test func aSingleEventNamesWhatTheSeriesLoses() throws {
    let words = try removals(Repetition("never"))
    #expect(words.first?.hasPrefix("without 6 changed occurrences: Mon 2026-12-07 09:30, ") == true)
  }

  @Test func anEditOfAllNamesWhatKeepsItsOwnValues() async throws {
    let before = try world.files()
    var details = ItemDetails()
    details.title = "Daily"
    details.location = "Room 3"
    let edit = try world.editor.changing(item, details, .all)
    try edit.commit()
    #expect(
      edit.changes.flatMap { world.editor.partWords(for: $0) } == [
        "6 changed occurrences keep their own values: Mon 2026-12-07 09:30, "
          + "Mon 2026-12-21 09:30, Mon 2026-12-28 09:30, Mon 2027-01-04 09:30, and 2 more"
      ])
    let overrides = try world.item("Daily").item.overrides.map { Event($0) }
    #expect(overrides.allSatisfy { $0.summary == "Daily" && $0.location == "Room 2" })
    try await world.undo()
    #expect(try world.files() == before)
  }

  @Test func theLaterPartNamesWhatKeepsItsOwnValues() throws {
    var details = ItemDetails()
    details.location = "Room 3"
    let edit = try world.editor.changing(item, details, .future(from: try time("2027-01-11")))
    #expect(
      edit.changes.flatMap { world.editor.partWords(for: $0) } == [
        "the changed occurrence of Mon 2027-01-18 09:30 keeps its own values"
      ])
  }

  @Test func aMovedOccurrenceThatGetsTheNewLengthIsNamed() throws {
    var details = ItemDetails()
    details.start = try world.dates.newTime("2026-12-08 14:00")
    try world.editor.changing(item, details, .occurrence(try time("2026-12-07"))).commit()
    details.start = nil
    details.duration = CivilDuration(minutes: 45)
    let edit = try world.editor.changing(item, details, .all)
    #expect(
      edit.changes.flatMap { world.editor.partWords(for: $0) }.contains(
        "the changed occurrence of Mon 2026-12-07 09:30 was moved, and changes, too"))
  }

  @Test func aMovedOccurrenceKeepsItsTimeAndIsNamed() throws {
    var details = ItemDetails()
    details.start = try world.dates.newTime("2026-12-08 9:30")
    try world.editor.changing(item, details, .occurrence(try time("2026-12-07"))).commit()
    details.start = try world.dates.newTime("2026-11-30 10:00")
    let edit = try world.editor.changing(item, details, .all)
    #expect(
      edit.changes.flatMap { world.editor.partWords(for: $0) } == [
        "the changed occurrence of Mon 2026-12-07 09:30 keeps its own values"
      ])
  }

  @Test(
    "An occurrence with a length of its own is named, when its series moves",
    arguments: [
      (nil, "9:00", ["moves with the series, and keeps its own length"]),
      (nil, "9:15-9:45", ["moves with the series, and keeps its own length"]),
      (nil, "2026-11-30 all day", ["moves with the series, and loses its own length"]),
      ("2026-12-14", "9:00", ["changes, too, and keeps its other values"]),
      ("2026-12-07", "9:00", ["moves with the series, and keeps its own length"]),
    ])
  func ownLength(_ cut: String?, _ start: String, _ expected: [String]) throws {
    var details = ItemDetails()
    details.title = "Yoga"
    details.start = try world.dates.newTime("2026-11-30 9:30-9:45")
    details.repetition = Repetition("weekly")
    try world.editor.adding(details, as: .event, to: try world.calendar("private")).commit()
    var longer = ItemDetails()
    longer.end = try world.dates.newTime("10:30")
    let day = try time("2026-12-14")
    try world.editor.changing(try world.item("Yoga"), longer, .occurrence(day)).commit()
    var moved = ItemDetails()
    moved.start = try world.dates.newTime(start)
    let span = try cut.map { EditSpan.future(from: try time($0)) } ?? .all
    let edit = try world.editor.changing(try world.item("Yoga"), moved, span)
    let words = edit.changes.flatMap { world.editor.partWords(for: $0) }
    #expect(words == expected.map { "the changed occurrence of Mon 2026-12-14 09:30 \($0)" })
  }

  @Test func aSeriesOnAnotherDayNamesTheDeletedAndChangedOccurrencesThatMove() throws {
    var details = ItemDetails()
    details.start = try world.dates.newTime("2026-12-07")
    let edit = try world.editor.changing(item, details, .all)
    #expect(
      edit.changes.flatMap { world.editor.partWords(for: $0) } == [
        "7 deleted or changed occurrences move with the series, 7 days later: Mon 2026-12-07 09:30, "
          + "Mon 2026-12-14 09:30, Mon 2026-12-21 09:30, Mon 2026-12-28 09:30, and 3 more"
      ])
    details.start = try world.dates.newTime("2026-11-30 11:00")
    let sameDay = try world.editor.changing(item, details, .all)
    #expect(sameDay.changes.flatMap { world.editor.partWords(for: $0) } == [])
  }

  @Test func aDeletedLaterPartNamesTheOccurrencesThatWereMovedOverItsStart() throws {
    for (day, target) in [("2026-12-21", "2026-12-09 9:30"), ("2026-12-07", "2027-01-06 9:30")] {
      var details = ItemDetails()
      details.start = try world.dates.newTime(target)
      try world.editor.changing(item, details, .occurrence(try time(day))).commit()
    }
    let edit = try world.editor.deleting(item, .future(from: try time("2026-12-21")))
    #expect(
      edit.changes.flatMap { world.editor.partWords(for: $0) } == [
        "without the changed occurrence of Mon 2026-12-21 09:30",
        "the changed occurrence of Mon 2026-12-07 09:30 keeps its own values",
      ])
  }

  @Test func aMovedOccurrenceIsNamedByItsOriginalDayToo() throws {
    var details = ItemDetails()
    details.start = try world.dates.newTime("2026-12-09 14:00")
    try world.editor.changing(item, details, .occurrence(try time("2026-12-07"))).commit()
    for day in ["2026-12-07", "2026-12-09"] {
      let moment = try world.dates.moment(day)
      #expect(
        try world.editor.span(.this(moment), of: item) == .occurrence(try time("2026-12-07")))
    }
  }
}
