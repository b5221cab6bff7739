// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import ICalSyntax
import Testing

/// The start of a series is an occurrence of its rule (RFC 5545 §3.8.5.3), and a new rule moves it
/// forward.
struct RepetitionStartTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  /// A weekly series on Tuesdays from 1 December 2026 at 9:30, whose third one is excluded and whose
  /// fourth one is changed.
  private func addSeries() throws {
    var details = ItemDetails()
    details.title = "Class"
    details.start = try world.dates.newTime("2026-12-01 9:30-10:15")
    details.repetition = Repetition("weekly")
    try world.editor.adding(details, as: .event, to: try world.calendar("private")).commit()
    try world.editor.deleting(try world.item("Class"), .occurrence(try time("20261215"))).commit()
    var room = ItemDetails()
    room.location = "Room 2"
    try world.editor.changing(
      try world.item("Class"), room, .occurrence(try time("20261222"))
    ).commit()
  }

  private func time(_ day: String) throws -> EventTime {
    .zoned(try CivilDateTime(parsing: "\(day)T093000"), tzID: "Europe/Berlin")
  }

  private func change(
    _ title: String, _ repetition: Repetition, start: String? = nil, _ span: EditSpan = .all
  ) throws -> PreparedEdit {
    var details = ItemDetails()
    details.repetition = repetition
    details.start = try start.map { try world.dates.newTime($0) }
    return try world.editor.changing(try world.item(title), details, span)
  }

  private func lines(_ item: CalendarItem?, _ names: [PropertyName]) -> [String] {
    (item?.components ?? []).flatMap { component in
      names.flatMap { component.properties(named: $0) }.map {
        "\($0.name.rawName) \($0.rawValue)"
      }
    }
  }

  private static let times: [PropertyName] = [
    .recurrenceID, .dtStart, .dtEnd, .due, .rRule, .exDate,
  ]

  @Test(
    "A series with hours of its own does not move to another time of day",
    arguments: [
      "FREQ=DAILY;BYHOUR=9,15", "FREQ=DAILY;BYHOUR=9;BYMINUTE=0", "FREQ=WEEKLY;BYSECOND=0",
    ])
  func hoursOfARule(rule: String) throws {
    var details = ItemDetails()
    details.title = "Pill"
    details.start = try world.dates.newTime("2026-12-01 9:00-9:15")
    details.repetition = Repetition(rule)
    try world.editor.adding(details, as: .event, to: try world.calendar("private")).commit()
    let before = try world.item("Pill").item
    var later = ItemDetails()
    later.start = try world.dates.newTime("10:00")
    let spans: [EditSpan] = [
      .all,
      .future(
        from: .zoned(try CivilDateTime(parsing: "20261215T090000"), tzID: "Europe/Berlin")),
    ]
    for span in spans {
      // The second is the same at 10:00.
      guard !rule.contains("BYSECOND") else {
        _ = try world.editor.changing(try world.item("Pill"), later, span)
        continue
      }
      let error = try #require(throws: EpactError.self) {
        try world.editor.changing(try world.item("Pill"), later, span)
      }
      #expect(error.message.contains("expected a time of the repetition"), "\(error.message)")
    }
    #expect(try world.item("Pill").item == before)
  }

  @Test func aNewRuleMovesTheStartToItsFirstOccurrence() throws {
    try addSeries()
    let edit = try change("Class", Repetition("every friday"))
    // The rule has no Tuesdays, so that the exclusion and the changed occurrence are lost.
    #expect(
      lines(edit.changes.first?.item, Self.times) == [
        "DTSTART 20261204T093000", "DTEND 20261204T101500", "RRULE FREQ=WEEKLY;BYDAY=FR",
      ])
    #expect(
      edit.changes.map { world.editor.partWords(for: $0) } == [
        [
          "without the changed occurrence of Tue 2026-12-22 09:30",
          "without the exclusion of Tue 2026-12-15 09:30",
          "starts on Fri 2026-12-04 09:30: the repetition does not include Tue 2026-12-01 09:30",
        ]
      ])
  }

  @Test(
    "The new rule keeps changed occurrences on their days; a new time of day shifts them",
    arguments: [
      (start: nil, "093000", "101500"), (start: "11:00", "110000", "114500"),
    ] as [(String?, String, String)])
  func occurrencesThatTheNewRuleHas(_ start: String?, _ from: String, _ to: String) throws {
    try addSeries()
    // 1 December is no 2nd, 15th or 22nd; the excluded and the changed one stay on their days.
    let edit = try change("Class", Repetition("FREQ=MONTHLY;BYMONTHDAY=2,15,22"), start: start)
    #expect(
      lines(edit.changes.first?.item, Self.times) == [
        "DTSTART 20261202T\(from)", "DTEND 20261202T\(to)",
        "RRULE FREQ=MONTHLY;BYMONTHDAY=2,15,22", "EXDATE 20261215T\(from)",
        "RECURRENCE-ID 20261222T\(from)", "DTSTART 20261222T\(from)", "DTEND 20261222T\(to)",
      ])
  }

  @Test func theLaterPartOfASplitSeriesStartsAtItsFirstOccurrence() throws {
    try addSeries()
    let edit = try change(
      "Class", Repetition("every thursday"), .future(from: try time("20261208")))
    #expect(edit.changes.map(\.kind) == [.changed, .added])
    #expect(
      lines(edit.changes.last?.item, Self.times) == [
        "DTSTART 20261210T093000", "DTEND 20261210T101500", "RRULE FREQ=WEEKLY;BYDAY=TH",
      ])
    #expect(edit.changes.first.map { world.editor.partWords(for: $0) } == [])
    #expect(
      edit.changes.last.map { world.editor.partWords(for: $0) }?.last
        == "starts on Thu 2026-12-10 09:30: the repetition does not include Tue 2026-12-08 09:30")
  }

  @Test(arguments: [
    ("every 2 weeks on friday", "20261204T093000"), ("daily", "20261201T093000"),
    ("every tue and fri", "20261201T093000"), ("every last friday of the month", "20261225T093000"),
    ("every month on the 1st", "20261201T093000"), ("FREQ=YEARLY;BYMONTH=3", "20270301T093000"),
  ])
  func theStartStaysIfTheRuleContainsIt(rule: String, start: String) throws {
    try addSeries()
    let edit = try change("Class", Repetition(rule))
    #expect(edit.changes.first?.item?.main?[.dtStart]?.rawValue == start)
    let words = edit.changes.flatMap { world.editor.partWords(for: $0) }
    #expect(words.contains { $0.hasPrefix("starts on") } == (start != "20261201T093000"))
  }

  @Test func theNumberOfOccurrencesCountsFromTheNewStart() throws {
    try addSeries()
    let edit = try change("Class", Repetition("every friday", count: 2))
    #expect(
      lines(edit.changes.first?.item, [.dtStart, .rRule]) == [
        "DTSTART 20261204T093000", "RRULE FREQ=WEEKLY;COUNT=2;BYDAY=FR",
      ])
  }

  @Test func aRepetitionWithoutAnOccurrenceIsRejected() throws {
    try addSeries()
    let thursday = Moment.date(try CivilDate(parsing: "20261203"))
    #expect(throws: EpactError.self) {
      try change("Class", Repetition("every friday", until: thursday))
    }
    #expect(throws: EpactError.self) {
      try change("Class", Repetition("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"))
    }
  }

  @Test func aNewSeriesStartsAtItsFirstOccurrence() throws {
    var details = ItemDetails()
    details.title = "Swim"
    details.start = try world.dates.newTime("2026-12-31 18:00-19:00")
    details.repetition = Repetition("every friday")
    let edit = try world.editor.adding(
      details, as: .event, to: try world.calendar("private"))
    #expect(
      lines(edit.changes.first?.item, [.dtStart, .dtEnd]) == [
        "DTSTART 20270101T180000", "DTEND 20270101T190000",
      ])
    #expect(
      edit.changes.flatMap { world.editor.partWords(for: $0) } == [
        "starts on Fri 2027-01-01 18:00: the repetition does not include Thu 2026-12-31 18:00"
      ])
  }

  @Test func aReminderIsDueAtTheFirstOccurrence() throws {
    var details = ItemDetails()
    details.title = "Plants"
    details.start = try world.dates.newTime("2026-12-01")
    details.end = try world.dates.newTime("2026-12-03")
    try world.editor.adding(details, as: .reminder, to: try world.calendar("tasks")).commit()
    let edit = try change("Plants", Repetition("every friday"))
    #expect(
      lines(edit.changes.first?.item, [.dtStart, .due]) == ["DTSTART 20261204", "DUE 20261206"])
  }
}
