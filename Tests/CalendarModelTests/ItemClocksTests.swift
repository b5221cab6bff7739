// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Testing

/// Instants that move with a time of an item, such as those of alarms (RFC 5545 §3.8.6.3).
struct ItemClocksTests {
  struct Case: CustomTestStringConvertible {
    let old: EventTime
    let new: EventTime
    /// The instant that was at 2026-10-24T06:00Z, an hour before nine in Berlin.
    let expected: String
    let testDescription: String

    init(_ old: EventTime, _ new: EventTime, _ expected: String, _ testDescription: String) {
      (self.old, self.new, self.expected) = (old, new, expected)
      self.testDescription = testDescription
    }
  }

  private static func zoned(_ text: String, _ tzID: String = "Europe/Berlin") -> EventTime {
    .zoned(wall(text), tzID: tzID)
  }

  /// The clock changes in Berlin on 2026-10-25 and in New York on 2026-11-01.
  @Test(arguments: [
    Case(
      zoned("20261024T090000"), zoned("20261025T090000"), "20261025T070000",
      "keeps the time of day on one clock"),
    Case(
      zoned("20261024T090000"), zoned("20261025T090000", "America/New_York"), "20261025T120000",
      "moves to another clock"),
    Case(
      .utc(wall("20261024T070000")), .utc(wall("20261025T070000")), "20261025T060000",
      "moves exactly in UTC"),
    Case(
      zoned("20261024T090000"), .floating(wall("20261026T090000")),
      "20261026T070000", "moves to the clock of the viewer"),
    Case(
      .date(day("20261024")), .date(day("20261025")), "20261025T070000",
      "moves by days on the clock of the viewer"),
    Case(
      .date(day("20261024")), zoned("20261026T150000"), "20261026T070000",
      "moves by days from a date to a time"),
    Case(
      zoned("20261024T150000"), .date(day("20261026")), "20261026T070000",
      "moves by days from a time to a date"),
  ])
  func moves(row: Case) throws {
    let zones = ZoneResolverTests.resolver
    let clocks = ItemClocks(
      zones: zones, definitions: [],
      viewer: try zones.rules(of: zones.resolve("Europe/Berlin")))
    let instant = Instant(utc: wall("20261024T060000"))
    #expect(clocks.moved(instant, from: row.old, to: row.new) == Instant(utc: wall(row.expected)))
  }
}
