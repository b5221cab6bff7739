// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

@Suite("Starts of reminders")
struct ReminderStartTests {
  @Test(
    "A reminder begins when it is due, in the form of its due time",
    arguments: [
      ("DUE;VALUE=DATE:20261201", "DTSTART;VALUE=DATE:20261201"),
      ("DUE:20261201T090000", "DTSTART:20261201T090000"),
      ("DUE:20261201T090000Z", "DTSTART:20261201T090000Z"),
    ])
  func begin(due: String, expected: String) throws {
    var todo = try component(
      ["BEGIN:VTODO", "UID:a", "DTSTAMP:20260101T000000Z", due, "X-KEPT:1", "END:VTODO"])
    var reminder = Reminder(todo)
    reminder.beginWhenDue()
    reminder.write(to: &todo)
    let lines = text(todo).split(separator: "\r\n").map(String.init)
    for line in [due, expected, "X-KEPT:1"] { #expect(lines.contains(line)) }
    #expect(Reminder(todo) == reminder)
  }

  @Test("The due time of a duration is known only for zero")
  func dueTime() throws {
    for (line, isKnown) in [("DURATION:PT0S", true), ("DURATION:PT1H", false)] {
      let todo = try component([
        "BEGIN:VTODO", "UID:a", "DTSTAMP:20260101T000000Z", "DTSTART:20261201T090000Z", line,
        "END:VTODO",
      ])
      #expect((Reminder(todo).dueTime == Reminder(todo).start) == isKnown)
    }
  }

  @Test(
    "An occurrence of a reminder that recurs by its due date alone can be edited and deleted",
    arguments: [
      ("DUE:20261201T090000Z", "20261203T090000Z"), ("DUE;VALUE=DATE:20261201", "20261203"),
    ])
  func dueAlone(due: String, third: String) throws {
    let item = try CalendarItem(
      parsing: calendar([
        "BEGIN:VTODO", "UID:a", "DTSTAMP:20260101T000000Z", due, "RRULE:FREQ=DAILY",
        "SUMMARY:Drops", "END:VTODO",
      ]))
    let text = third
    let isDate = text.count == 8
    let time = try CivilDateTime(parsing: isDate ? text + "T000000" : String(text.dropLast()))
    let third: EventTime = isDate ? .date(time.date) : .utc(time)
    let editor = ItemEditor(now: Instant(secondsSinceEpoch: 1_790_000_000))
    let one = try editor.edit(item, .occurrence(third)) { (reminder: inout Reminder) in
      reminder.summary = "More drops"
    }
    let override = try #require(one.item?.overrides.first)
    #expect(Reminder(override).recurrenceID?.time == third)
    #expect(Reminder(override).dueTime == third)
    #expect(override[.summary]?.text == "More drops")
    #expect(one.item?.main?[.dtStart]?.rawValue == item.main?[.due]?.rawValue)
    let split = try editor.edit(item, .future(from: third)) { (reminder: inout Reminder) in
      reminder.summary = "Other drops"
    }
    #expect(try Reminder(#require(split.successor?.main)).dueTime == third)
    let rest = try editor.delete(item, .occurrence(third)).item
    #expect(rest?.main?[.exDate]?.rawValue == text)
    // A change of all keeps the form of the series.
    let all = try editor.edit(item, .all) { (reminder: inout Reminder) in reminder.summary = "X" }
    #expect(all.item?.main?[.dtStart] == nil)
  }

  @Test("Without a due time, nothing changes")
  func none() throws {
    var reminder = Reminder()
    reminder.beginWhenDue()
    #expect(reminder == Reminder())
  }
}
