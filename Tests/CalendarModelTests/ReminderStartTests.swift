// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

@Suite("Starts of reminders")
struct ReminderStartTests {
  @Test(
    "A reminder that begins when it is due is valid",
    arguments: [
      ("DUE;VALUE=DATE:20261201", ["DTSTART;VALUE=DATE:20261201", "DURATION:P0D"]),
      ("DUE:20261201T090000", ["DTSTART:20261201T090000", "DURATION:PT0S"]),
      ("DUE:20261201T090000Z", ["DTSTART:20261201T090000Z", "DURATION:PT0S"]),
    ])
  func begin(due: String, expected: [String]) throws {
    var todo = try component(
      ["BEGIN:VTODO", "UID:a", "DTSTAMP:20260101T000000Z", due, "X-KEPT:1", "END:VTODO"])
    var reminder = Reminder(todo)
    reminder.beginWhenDue()
    reminder.write(to: &todo)
    let lines = text(todo).split(separator: "\r\n").map(String.init)
    #expect(!lines.contains { $0.hasPrefix("DUE") } && lines.contains("X-KEPT:1"))
    for line in expected { #expect(lines.contains(line)) }
    #expect(ComponentChecker().diagnostics(for: todo).isEmpty)
    // A zero duration reads as it was written, so that nothing is written a second time.
    let again = Reminder(todo)
    #expect(again == reminder)
    var same = todo
    again.write(to: &same)
    #expect(same == todo)
  }

  @Test("Without a due time, nothing changes")
  func none() throws {
    var reminder = Reminder()
    reminder.beginWhenDue()
    #expect(reminder == Reminder())
  }
}
