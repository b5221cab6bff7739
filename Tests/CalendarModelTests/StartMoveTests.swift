// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Recurrence
import Testing

/// Times that keep their distance to a start.
struct StartMoveTests {
  /// Monday, 2 March 2026, 09:00.
  private static let nine = EventTime.floating(wall("20260302T090000"))

  @Test func `A time keeps its distance on the clock, in the form of the new start`() {
    let vienna = EventTime.zoned(wall("20260303T103000"), tzID: "Europe/Vienna")
    let move = StartMove(from: Self.nine, to: vienna)
    #expect(move.days == 1)
    #expect(
      move.moved(wall("20260330T223000"))
        == .zoned(wall("20260401T000000"), tzID: "Europe/Vienna"))
    #expect(move.moved(day("20260331")) == day("20260401"))
  }

  @Test func `A time that becomes a day, or a day that becomes a time, moves by days`() {
    let toDay = StartMove(from: Self.nine, to: .date(day("20260305")))
    #expect(toDay.moved(wall("20260309T080000")) == .date(day("20260312")))
    #expect(toDay.moved(wall("20260309T233000")) == .date(day("20260312")))
    let toTime = StartMove(from: .date(day("20260302")), to: .utc(wall("20260301T180000")))
    #expect(toTime.moved(wall("20260309T000000")) == .utc(wall("20260308T180000")))
  }

  @Test(
    arguments: [
      ("FREQ=DAILY", "20260316T235959", "20260316T235959"),
      ("FREQ=DAILY", "20260316T090000", "20260316T100000"),
      ("FREQ=DAILY;BYHOUR=9,23", "20260316T235959", "20260317T005959"),
      ("FREQ=HOURLY", "20260302T235959", "20260303T005959"),
    ])
  func `The end of the last day stays, if the rule has one instance a day`(
    rule: String, until: String, moved: String
  ) throws {
    let move = StartMove(from: Self.nine, to: .floating(wall("20260302T100000")))
    #expect(
      move.movedUntil(wall(until), of: try RecurrenceRule(parsing: rule))
        == .floating(wall(moved)))
  }

  @Test func `A time outside of the calendar has none`() {
    let move = StartMove(from: Self.nine, to: .floating(wall("20260303T090000")))
    #expect(move.moved(wall("99991231T120000")) == nil)
    #expect(move.moved(day("99991231")) == nil)
  }
}
