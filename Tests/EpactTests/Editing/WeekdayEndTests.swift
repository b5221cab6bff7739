// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import Testing

/// A weekday as the end of an event, or as the due date of a reminder, counts from the start.
struct WeekdayEndTests {
  private let world: EditScene

  init() throws { world = try EditScene() }

  /// The times of the item after an edit, as `DTSTART/DTEND` or `DTSTART/DUE`.
  private func times(
    _ kind: ItemKind, _ before: String, _ start: String?, _ end: String
  ) throws -> String {
    let dates = try world.dates
    var details = ItemDetails()
    details.title = "Item"
    if kind == .event {
      let span = try dates.span(before)
      (details.start, details.end) = (.moment(span.start), span.end.map { .moment($0) })
    } else {
      details.end = try dates.newTime(before)
    }
    let calendar = try world.calendar(kind == .event ? "private" : "tasks")
    try world.editor.adding(details, as: kind, to: calendar).commit()
    var change = ItemDetails()
    change.start = try start.map { try dates.newTime($0) }
    change.end = try dates.newTime(end)
    try world.editor.changing(try world.item("Item"), change, .all).commit()
    let main = try world.item("Item").item.main
    return [main?[.dtStart], main?[.dtEnd] ?? main?[.due]].map { $0?.rawValue ?? "" }
      .joined(separator: "/")
  }

  private static let week = "2026-12-14..2026-12-20"
  private static let days = "2026-12-11..2026-12-13"
  private static let hours = "2026-12-11 9:00..2026-12-13 17:00"

  @Test(arguments: [
    (week, String?.none, "fri", "20261214/20261219"),
    (week, "tue", "fri", "20261215/20261219"),
    (days, "sat", "sun", "20261212/20261214"),
    (hours, nil, "sat 12:00", "20261211T090000/20261212T120000"),
    (hours, nil, "sat", "20261211T090000/20261212T170000"),
    // An offset counts from the earlier end.
    (hours, nil, "+1d", "20261211T090000/20261214T170000"),
    // The year of the end is that of the start.
    (days, "1 jun", "5 jun 2028", "20280601/20280606"),
  ])
  func events(before: String, start: String?, end: String, after: String) throws {
    #expect(try times(.event, before, start, end) == after)
  }

  @Test(arguments: [
    (String?.none, "thu", "20261207/20261210"), ("tue", "thu", "20261208/20261210"),
    (nil, "mon", "20261207/20261207"), (nil, "+1d", "20261207/20261212"),
  ])
  func reminders(start: String?, due: String, after: String) throws {
    #expect(try times(.reminder, "2026-12-07..2026-12-11", start, due) == after)
  }

  @Test("The year of an end beside the words of a new event is that of its start")
  func newEvent() throws {
    for (word, end, expected) in [
      ("1 jun", "5 jun 2028", "20280601/20280606"), ("1 jun", "5 jun", "20270601/20270606"),
      ("21 dec", "2029-01-03", "20281221/20290104"),
      ("1 jun 9:00", "5 jun 2028 10:00", "20280601T090000/20280605T100000"),
      ("tomorrow", "3 jan 2027", "20261125/20270104"),
    ] {
      let dates = try world.dates
      var details = ItemDetails()
      details.end = try dates.newTime(end)
      try dates.take(
        ["Trip"] + word.split(separator: " ").map(String.init), into: &details, end: details.end)
      details.end = try dates.newTime(end)
      try world.editor.adding(details, as: .event, to: world.calendar("private")).commit()
      let found = try world.item("Trip")
      let main = found.item.main
      let times = [main?[.dtStart], main?[.dtEnd]].map { $0?.rawValue ?? "" }
      #expect(times.joined(separator: "/") == expected)
      try world.editor.deleting(found, .all).commit()
    }
  }

  @Test("A new reminder is due from its start on, without the time of day of the start")
  func newReminder() throws {
    let dates = try world.dates
    var details = ItemDetails()
    details.title = "Paper"
    details.start = try dates.newTime("8 dec")
    details.end = try dates.newTime("thu")
    try world.editor.adding(details, as: .reminder, to: world.calendar("tasks")).commit()
    #expect(try world.item("Paper").item.main?[.due]?.rawValue == "20261210")
  }
}
