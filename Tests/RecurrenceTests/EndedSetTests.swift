// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite("Recurrence sets that end before their start")
struct EndedSetTests {
  struct End: CustomTestStringConvertible, Sendable {
    let clock: String
    let ends: [String]
    let isBeforeStart: Bool
    var testDescription: String { "\(clock) \(ends)" }
  }

  private static let ends = [
    End(clock: "date", ends: ["20260109"], isBeforeStart: true),
    End(clock: "date", ends: ["20260110"], isBeforeStart: false),
    End(clock: "date", ends: ["20260109", "20260110"], isBeforeStart: false),
    End(clock: "utc", ends: ["20260110T085959Z"], isBeforeStart: true),
    End(clock: "utc", ends: ["20260110T090000Z"], isBeforeStart: false),
    End(clock: "utc", ends: ["20260109T000000Z", "20260111T000000Z"], isBeforeStart: false),
    End(clock: "utc", ends: [], isBeforeStart: false),
    // In New York, 09:00 is 14:00 in UTC.
    End(clock: "zone", ends: ["20260110T135959Z"], isBeforeStart: true),
    End(clock: "zone", ends: ["20260110T140000Z"], isBeforeStart: false),
  ]

  @Test(
    "A series ends before its start if all its rules do, on the clock of the start",
    arguments: ends)
  func endsBeforeStart(_ row: End) throws {
    let start = try CivilDateTime(parsing: "20260110T090000")
    var set =
      switch row.clock {
      case "date": RecurrenceSet(date: start.date)
      case "utc": RecurrenceSet(start: start, clock: .utc)
      default:
        RecurrenceSet(start: start, clock: .zone(try systemZones.rules(named: "America/New_York")))
      }
    set.rules = try row.ends.map { try RecurrenceRule(parsing: "FREQ=DAILY;UNTIL=\($0)") }
    #expect(set.endsBeforeStart == row.isBeforeStart)
  }
}
