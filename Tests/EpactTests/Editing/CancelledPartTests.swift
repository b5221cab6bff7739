// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import TestSupport
import Testing

/// Cancelled and moved occurrences in searches, edits and tasks: it is noon of Tuesday 2026-11-24.
struct CancelledPartTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  /// A series with its changed occurrences in a calendar.
  private func write(_ kind: ItemKind, _ title: String, _ parts: [[String]]) throws {
    let components = parts.flatMap { lines in
      ["BEGIN:\(kind.rawValue)", "UID:series", "DTSTAMP:20260101T000000Z", "SUMMARY:\(title)"]
        + lines + ["END:\(kind.rawValue)"]
    }
    let lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:x"] + components + ["END:VCALENDAR"]
    try world.scene.write(
      TestItem.parse(lines.map { $0 + "\r\n" }.joined()), to: "calendars/private/series.ics")
  }

  private func span(_ words: String, isFuture: Bool = false) throws -> EditSpan {
    let moment = try world.dates.moment(words)
    return try world.editor.span(
      isFuture ? .future(moment) : .this(moment), of: try world.item("series"))
  }

  private func lines(_ edit: PreparedEdit) -> [String] {
    edit.changes.flatMap { change in
      world.editor.words(for: change, of: edit).lines + world.editor.partWords(for: change)
    }
  }

  private func search(_ text: String) throws -> [SearchMatch] {
    let query = try ItemQuery(
      parsing: text,
      phrases: DatePhrases(
        now: Instant(secondsSinceEpoch: 1_795_613_840), zone: world.editor.viewer))
    let matcher = QueryMatcher(query, machine: world.scene.machine, viewer: world.editor.viewer)
    let location = try world.calendar("private").location
    return try ItemSearch(matcher, in: [location], machine: world.scene.machine) { _ in }.matches
  }

  private static let board = [
    ["DTSTART:20261130T110000Z", "DTEND:20261130T120000Z", "RRULE:FREQ=WEEKLY;COUNT=6"],
    [
      "RECURRENCE-ID:20261130T110000Z", "DTSTART:20261130T110000Z", "DTEND:20261130T120000Z",
      "STATUS:CANCELLED",
    ],
  ]

  @Test func aSearchShowsTheNextOccurrenceThatIsNotCancelled() throws {
    try write(.event, "Board", Self.board)
    #expect(
      try search("board").map { "\($0.occurrence?.start.time.wallTime.description ?? "")" }
        == ["20261207T110000"])
    #expect(try search("board").map(\.title) == ["Board"])
    #expect(try search("status:cancelled").map(\.title) == ["Board (cancelled)"])
    try write(.reminder, "Desk", [["DUE:20261130T110000Z", "STATUS:CANCELLED"]])
    #expect(try search("desk").map(\.title) == ["☑ Desk (cancelled)"])
  }

  @Test func anEditOfACancelledOccurrenceSaysThatItIsCancelled() throws {
    try write(.event, "Board", Self.board)
    var details = ItemDetails()
    details.start = try world.dates.newTime("1 dec")
    let edit = try world.editor.changing(world.item("series"), details, span("30 nov"))
    #expect(lines(edit).contains { $0.contains("status cancelled") }, "\(lines(edit))")
  }

  @Test func anEditOfTheLaterPartNamesTheOccurrencesThatWereMovedOverItsFirstDay() throws {
    let gym = ["DTSTART:20270105T170000Z", "RRULE:FREQ=WEEKLY;COUNT=4"]
    var details = ItemDetails()
    details.location = "Hall 2"
    // The occurrence of 5 January is on 14 January.
    try write(
      .event, "Gym", [gym, ["RECURRENCE-ID:20270105T170000Z", "DTSTART:20270114T170000Z"]])
    let kept = try world.editor.changing(
      world.item("series"), details, span("2027-01-12", isFuture: true))
    #expect(
      lines(kept).contains(
        "the changed occurrence of Tue 2027-01-05 18:00 keeps its own values"), "\(lines(kept))")
    // The occurrence of 19 January is on 11 January.
    try write(
      .event, "Gym", [gym, ["RECURRENCE-ID:20270119T170000Z", "DTSTART:20270111T170000Z"]])
    let followed = try world.editor.changing(
      world.item("series"), details, span("2027-01-12", isFuture: true))
    #expect(
      lines(followed).contains(
        "the changed occurrence of Tue 2027-01-19 18:00 was moved, and changes, too"),
      "\(lines(followed))")
  }

  @Test func theFirstOccurrenceOfTheLaterPartGetsTheNewValues() throws {
    try write(
      .event, "Course",
      [
        ["DTSTART:20261201T170000Z", "RRULE:FREQ=WEEKLY;COUNT=6"],
        ["RECURRENCE-ID:20261208T170000Z", "DTSTART:20261208T170000Z", "LOCATION:Hall"],
        ["RECURRENCE-ID:20261215T170000Z", "DTSTART:20261215T170000Z", "LOCATION:Attic"],
      ])
    var details = ItemDetails()
    (details.title, details.location) = ("Course B", "Room 1")
    let edit = try world.editor.changing(
      world.item("series"), details, span("2026-12-08", isFuture: true))
    #expect(edit.changes.last?.item?.title == "Course B")
    #expect(
      lines(edit).filter { $0.contains("keep") }
        == ["the changed occurrence of Tue 2026-12-15 18:00 keeps its own values"])
  }

  @Test func anEndInUTCKeepsItsDistanceFromAStartInAZone() throws {
    let before = [
      "DTSTART;TZID=Europe/Berlin:20270302T180000", "DTEND:20270302T180000Z",
      "RRULE:FREQ=WEEKLY;COUNT=6",
    ]
    let override = [
      "RECURRENCE-ID;TZID=Europe/Berlin:20270316T180000",
      "DTSTART;TZID=Europe/Berlin:20270316T173000", "DTEND:20270316T173000Z",
    ]
    try write(.event, "Jour fixe", [before, override])
    func lengths(_ change: (inout ItemDetails) throws -> Void, _ span: EditSpan) throws -> [Int64] {
      var details = ItemDetails()
      try change(&details)
      let edit = try world.editor.changing(world.item("series"), details, span)
      var query = OccurrenceQuery(
        in: Instant(secondsSinceEpoch: 1_805_000_000)..<Instant(secondsSinceEpoch: 1_806_400_000),
        viewer: world.editor.viewer, zones: world.scene.machine.zoneResolver)
      for item in edit.changes.compactMap(\.item) { query.add(item) }
      return query.occurrences().map {
        $0.interval.upperBound.secondsSinceEpoch - $0.interval.lowerBound.secondsSinceEpoch
      }
    }
    for (zone, start, span) in try [
      (nil, "19:00", EditSpan.all), ("Europe/London", nil, .all), ("Asia/Tokyo", nil, .all),
      (nil, "18:00", span("2027-03-16", isFuture: true)), ("UTC", nil, .all),
    ] as [(String?, String?, EditSpan)] {
      let found = try lengths(
        { details in
          details.zone = zone
          details.start = try start.map { try world.dates.newTime($0) }
        }, span)
      // 18:00 in UTC is 19:00 in Berlin.
      #expect(Set(found) == [3600], "\(zone ?? start ?? "")")
    }
  }

  @Test func aClosedOccurrenceIsOpenedAgainByItsDate() throws {
    let knee = ["DTSTART:20261124T190000Z", "DUE:20261124T200000Z", "RRULE:FREQ=DAILY;COUNT=10"]
    let closed = [
      "RECURRENCE-ID:20261125T190000Z", "DTSTART:20261125T190000Z", "DUE:20261125T200000Z",
      "STATUS:COMPLETED", "COMPLETED:20261124T100000Z",
    ]
    try write(.reminder, "Knee", [knee, closed])
    let finder = try ItemFinder(world.editor, dates: world.dates)
    let named = try finder.item("knee 25 nov")
    let edit = try world.editor.setting(.needsAction, of: named)
    #expect(edit.changes.map(\.kind) == [.reopened])
    #expect(edit.changes.map(\.occurrence).first??.wallTime.description == "20261125T190000")
    let item = try #require(edit.changes.first?.item)
    #expect(item.overrides.map { Reminder($0).statedStatus } == [.needsAction])
    #expect(item.main?[.status] == nil)
    // Other dates are open.
    for status in [ReminderStatus.needsAction, .inProcess] {
      let open = try finder.item("knee 27 nov")
      #expect(throws: EpactError.self) { try world.editor.setting(status, of: open) }
    }
    let first = try finder.item("knee 24 nov")
    #expect(try world.editor.setting(.inProcess, of: first).changes.map(\.kind) == [.started])
  }
}
