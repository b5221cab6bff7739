// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// Edits of occurrences at local times that a changed clock omits.
///
/// "If the local time described does not occur (when changing from standard to daylight time), the
/// DATE-TIME value is interpreted using the UTC offset before the gap" (RFC 5545 §3.3.5).
@Suite("Edits of occurrences in a gap")
struct GapEditingTests {
  struct Row: CustomTestStringConvertible {
    let name: String
    let lines: [String]
    var testDescription: String { name }
  }

  private static let zone = ";TZID=Europe/Vienna:"

  static let rows = [
    Row(
      name: "within a series",
      lines: [
        "DTSTART\(zone)20260327T023000", "DTEND\(zone)20260327T024500", "RRULE:FREQ=DAILY;COUNT=5",
      ]),
    Row(
      name: "without an end",
      lines: [
        "DTSTART\(zone)20260315T020000", "DURATION:PT1H",
        "RRULE:FREQ=WEEKLY;UNTIL=20260420T000000Z",
      ]),
    Row(
      name: "the first occurrence",
      lines: [
        "DTSTART\(zone)20260329T021500", "DTEND\(zone)20260329T033000", "RRULE:FREQ=DAILY;COUNT=3",
      ]),
    Row(
      name: "added",
      lines: [
        "DTSTART\(zone)20260320T090000", "DTEND\(zone)20260320T100000",
        "RRULE:FREQ=WEEKLY;COUNT=3", "RDATE\(zone)20260329T020000",
      ]),
  ]

  private static func item(_ row: Row) throws -> CalendarItem {
    try ItemEditorTests.item(
      ["BEGIN:VEVENT", "UID:1"] + row.lines + ["SUMMARY:A", "END:VEVENT"])
  }

  /// The occurrences of some items.
  private static func occurrences(_ items: CalendarItem?...) throws -> [Occurrence] {
    let resolver = ZoneResolverTests.resolver
    var query = OccurrenceQuery(
      in: Instant(utc: wall("20260101T000000"))..<Instant(utc: wall("20270101T000000")),
      viewer: try resolver.rules(of: resolver.resolve("UTC")), zones: resolver)
    for item in items.compactMap(\.self) { query.add(item) }
    return Array(query.occurrences())
  }

  private static func rename(_ event: inout Event) { event.summary = "C" }

  /// An occurrence as its interval and its title.
  private static func line(_ occurrence: Occurrence) -> String {
    "\(occurrence.interval) \(Event(occurrence.component).summary ?? "")"
  }

  private static func lines(_ occurrences: [Occurrence], renamed: (Int) -> Bool) -> [String] {
    occurrences.enumerated().map { "\($1.interval) \(renamed($0) ? "C" : "A")" }
  }

  @Test("Each occurrence can be changed", arguments: rows)
  func change(_ row: Row) throws {
    let item = try Self.item(row)
    let all = try Self.occurrences(item)
    for (place, occurrence) in all.enumerated() {
      let time = try #require(occurrence.recurrenceID?.time)
      let edited = try ItemEditorTests.editor.edit(item, .occurrence(time), Self.rename)
      let new = try Self.occurrences(edited.item)
      #expect(new.map(Self.line) == Self.lines(all) { $0 == place })
      let again = try #require(new[place].recurrenceID?.time)
      #expect(again == time)
      let other = try ItemEditorTests.editor.edit(
        try #require(edited.item), .occurrence(again)
      ) { (event: inout Event) in
        event.summary = "A"
      }
      #expect(other.item?.overrides.count == 1)
      #expect(try Self.occurrences(other.item).map(Self.line) == Self.lines(all) { _ in false })
    }
  }

  @Test("Each occurrence can be deleted", arguments: rows)
  func delete(_ row: Row) throws {
    let item = try Self.item(row)
    let all = try Self.occurrences(item)
    for (place, occurrence) in all.enumerated() {
      let time = try #require(occurrence.recurrenceID?.time)
      let edited = try ItemEditorTests.editor.delete(item, .occurrence(time))
      var rest = all
      rest.remove(at: place)
      #expect(try Self.occurrences(edited.item).map(Self.line) == Self.lines(rest) { _ in false })
    }
  }

  @Test("A series can be split at each occurrence", arguments: rows)
  func split(_ row: Row) throws {
    let item = try Self.item(row)
    let all = try Self.occurrences(item)
    for (place, occurrence) in all.enumerated() {
      let time = try #require(occurrence.recurrenceID?.time)
      let edited = try ItemEditorTests.editor.edit(item, .future(from: time), Self.rename)
      let new = try Self.occurrences(edited.item, edited.successor)
      #expect(new.map(Self.line) == Self.lines(all) { $0 >= place })
      let shortened = try ItemEditorTests.editor.delete(item, .future(from: time))
      #expect(
        try Self.occurrences(shortened.item).map(Self.line)
          == Self.lines(Array(all.prefix(place))) { _ in false })
    }
  }

  @Test("The component of a changed occurrence has the time of the rule")
  func timeOfRule() throws {
    let item = try Self.item(Self.rows[0])
    let time = EventTime.zoned(wall("20260329T033000"), tzID: "Europe/Vienna")
    let changed = try ItemEditorTests.editor.edit(item, .occurrence(time), Self.rename).item
    let lines = ItemEditorTests.lines(changed).last ?? []
    #expect(lines.contains("RECURRENCE-ID\(Self.zone)20260329T023000"))
    let rest = try ItemEditorTests.editor.delete(item, .occurrence(time)).item
    #expect(ItemEditorTests.lines(rest).joined().contains("EXDATE\(Self.zone)20260329T023000"))
  }
}
