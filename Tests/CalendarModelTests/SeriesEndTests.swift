// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import TestSupport
import Testing

/// The UNTIL of a series that moves or ends earlier: its day is that of an occurrence, or the same as before.
@Suite("The ends of edited series")
struct SeriesEndTests {
  /// A series until the end of 14 March in its zone, and its start after the edit.
  struct Move: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let start: String
    let rule: String
    let end: EventTime
    let until: String
  }

  private static let zone = ";TZID=Europe/Vienna:"
  private static let daily = "FREQ=DAILY;UNTIL=20260314T225959Z"

  static let moves = [
    Move(
      testDescription: "later on the same day", start: "\(zone)20260302T100000", rule: daily,
      end: ItemEditorTests.at("20260302T200000"), until: "20260314T225959Z"),
    Move(
      testDescription: "over midnight", start: "\(zone)20260302T230000", rule: daily,
      end: ItemEditorTests.at("20260303T010000"), until: "20260315T225959Z"),
    Move(
      testDescription: "back over midnight", start: "\(zone)20260302T010000", rule: daily,
      end: ItemEditorTests.at("20260301T230000"), until: "20260313T225959Z"),
    Move(
      testDescription: "to a zone in the east", start: "\(zone)20260302T100000", rule: daily,
      end: .zoned(wall("20260302T100000"), tzID: "Asia/Tokyo"), until: "20260314T145959Z"),
    Move(
      testDescription: "to a zone in the west, at another time",
      start: "\(zone)20260302T100000", rule: daily,
      end: .zoned(wall("20260302T200000"), tzID: "America/New_York"), until: "20260315T035959Z"),
    Move(
      testDescription: "to whole days", start: "\(zone)20260302T100000", rule: daily,
      end: .date(day("20260303")), until: "20260315"),
    Move(
      testDescription: "without a zone", start: ":20260302T100000",
      rule: "FREQ=DAILY;UNTIL=20260314T235959", end: .floating(wall("20260303T220000")),
      until: "20260315T235959"),
    Move(
      testDescription: "an UNTIL that is an occurrence", start: "\(zone)20260302T100000",
      rule: "FREQ=DAILY;UNTIL=20260314T090000Z", end: ItemEditorTests.at("20260303T110000"),
      until: "20260315T100000Z"),
    Move(
      testDescription: "a weekly series", start: "\(zone)20260302T230000",
      rule: "FREQ=WEEKLY;UNTIL=20260316T225959Z;BYDAY=MO",
      end: ItemEditorTests.at("20260303T010000"), until: "20260317T225959Z"),
  ]

  private static func count(_ item: CalendarItem?) throws -> Int {
    let resolver = ZoneResolverTests.resolver
    var query = OccurrenceQuery(
      in: Instant(utc: wall("20260101T000000"))..<Instant(utc: wall("20270101T000000")),
      viewer: try resolver.rules(of: resolver.resolve("UTC")), zones: resolver)
    query.add(try #require(item))
    return Array(query.occurrences()).count
  }

  private static func item(_ start: String, _ rule: String) throws -> CalendarItem {
    try ItemEditorTests.item([
      "BEGIN:VEVENT", "UID:1", "DTSTART\(start)", "RRULE:\(rule)", "END:VEVENT",
    ])
  }

  @Test(
    "A series that moves keeps the number of its occurrences, and its last day", arguments: moves)
  func moved(_ move: Move) throws {
    let item = try Self.item(move.start, move.rule)
    let edited = try ItemEditorTests.editor.edit(item, .all) { (event: inout Event) in
      event.start = move.end
    }
    let rule = try #require(edited.item?.main?[.rRule]?.rawValue)
    #expect(rule.split(separator: ";").contains("UNTIL=\(move.until)"), "\(rule)")
    #expect(try Self.count(edited.item) == Self.count(item))
  }

  @Test("A series that ends before an occurrence ends with the last one that is left")
  func ended() throws {
    let days = try Self.item(";VALUE=DATE:20260302", "FREQ=WEEKLY")
    let rest = try ItemEditorTests.editor.delete(days, .future(from: .date(day("20260323")))).item
    #expect(rest?.main?[.rRule]?.rawValue == "FREQ=WEEKLY;UNTIL=20260316")
    let yearly = try Self.item("\(Self.zone)20200229T230000", "FREQ=YEARLY")
    let leap = try ItemEditorTests.editor.delete(
      yearly, .future(from: ItemEditorTests.at("20280229T230000"))
    ).item
    #expect(leap?.main?[.rRule]?.rawValue == "FREQ=YEARLY;UNTIL=20240229T220000Z")
    let minutes = try Self.item("\(Self.zone)20260302T090000", "FREQ=MINUTELY;INTERVAL=7")
    let some = try ItemEditorTests.editor.delete(
      minutes, .future(from: ItemEditorTests.at("20260302T092100"))
    ).item
    #expect(some?.main?[.rRule]?.rawValue == "FREQ=MINUTELY;UNTIL=20260302T081400Z;INTERVAL=7")
  }
}
