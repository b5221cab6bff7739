// SPDX-License-Identifier: Apache-2.0

import CalendarModel
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

  @Test("Without a due time, nothing changes")
  func none() throws {
    var reminder = Reminder()
    reminder.beginWhenDue()
    #expect(reminder == Reminder())
  }
}
