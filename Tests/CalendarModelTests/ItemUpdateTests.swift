// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

@Suite struct ItemUpdateTests {
  static func item(_ components: [String]...) throws -> CalendarItem {
    try CalendarItem(parsing: calendar(components.flatMap { $0 }))
  }

  static func main(_ properties: String...) -> [String] {
    ["BEGIN:VEVENT", "UID:1"] + properties + ["END:VEVENT"]
  }

  static func override(_ day: Int, _ properties: String...) -> [String] {
    ["BEGIN:VEVENT", "UID:1", "RECURRENCE-ID:2026010\(day)T090000Z"] + properties + ["END:VEVENT"]
  }

  @Test("A new item is added")
  func added() throws {
    let item = try Self.item(Self.main("SUMMARY:A"))
    #expect(ItemUpdate(of: nil, by: item) == .added(item))
  }

  @Test("An item that says the same changes nothing")
  func unchanged() throws {
    let stored = try Self.item(Self.main("SUMMARY:A", "DTSTAMP:20260101T000000Z"))
    let incoming = try Self.item(Self.main("DTSTAMP:20260202T000000Z", "SUMMARY:A"))
    #expect(ItemUpdate(of: stored, by: incoming) == .unchanged)
  }

  @Test("An item with a main component replaces the stored one with all its overrides")
  func replaced() throws {
    let stored = try Self.item(Self.main("SUMMARY:A"), Self.override(2))
    let incoming = try Self.item(Self.main("SUMMARY:B"), Self.override(3))
    #expect(ItemUpdate(of: stored, by: incoming) == .updated(incoming))
  }

  @Test("Occurrences that were changed here since stay, if the series itself is as old")
  func laterOverrides() throws {
    let main = Self.main("SUMMARY:A", "DTSTART:20260101T090000Z", "DTSTAMP:20260101T000000Z")
    let edited = Self.override(2, "SUMMARY:B", "DTSTAMP:20260105T000000Z")
    let stored = try Self.item(main, edited)
    #expect(
      ItemUpdate(of: stored, by: try Self.item(main))
        == .older(
          stored: SchedulingRevision(sequence: 0, stamp: "20260105T000000Z"),
          incoming: SchedulingRevision(sequence: 0, stamp: "20260101T000000Z")))
    // An earlier version of the same occurrence, and another one that is new.
    let before = Self.override(2, "SUMMARY:C", "DTSTAMP:20260103T000000Z")
    let other = Self.override(3, "SUMMARY:D", "DTSTAMP:20260103T000000Z")
    #expect(
      ItemUpdate(of: stored, by: try Self.item(main, before, other))
        == .updated(try Self.item(main, edited, other)))
    // A later version of it.
    let after = Self.override(2, "SUMMARY:E", "DTSTAMP:20260106T000000Z")
    let incoming = try Self.item(main, after)
    #expect(ItemUpdate(of: stored, by: incoming) == .updated(incoming))
    // A later version of the series.
    let series = try Self.item(
      Self.main("SUMMARY:F", "DTSTART:20260101T090000Z", "DTSTAMP:20260107T000000Z"))
    #expect(ItemUpdate(of: stored, by: series) == .updated(series))
  }

  @Test("A lower SEQUENCE is an older version")
  func older() throws {
    let stored = try Self.item(Self.main("SUMMARY:A", "SEQUENCE:3"))
    let incoming = try Self.item(Self.main("SUMMARY:B", "SEQUENCE:2"))
    #expect(
      ItemUpdate(of: stored, by: incoming)
        == .older(
          stored: SchedulingRevision(sequence: 3, stamp: ""),
          incoming: SchedulingRevision(sequence: 2, stamp: "")))
    #expect(ItemUpdate(of: incoming, by: stored) == .updated(stored))
  }

  @Test(
    "With the same SEQUENCE, an earlier time of change is an older version",
    arguments: [
      // The stored properties, the incoming ones, and whether the incoming version is older.
      (["DTSTAMP:20260105T000000Z"], ["DTSTAMP:20260101T000000Z"], true),
      (["DTSTAMP:20260101T000000Z"], ["DTSTAMP:20260105T000000Z"], false),
      // A file that was edited by hand has the time of its first version.
      (["DTSTAMP:20260101T000000Z"], ["DTSTAMP:20260101T000000Z"], false),
      (["DTSTAMP:20260105T000000Z"], [], false),
      // Exports have a new DTSTAMP.
      (
        ["DTSTAMP:20260105T000000Z", "LAST-MODIFIED:20260105T000000Z"],
        ["DTSTAMP:20260109T000000Z", "LAST-MODIFIED:20260101T000000Z"], true
      ),
      (
        ["DTSTAMP:20260105T000000Z", "LAST-MODIFIED:20260105T000000Z"],
        ["DTSTAMP:20260109T000000Z"], false
      ),
      (["SEQUENCE:1", "DTSTAMP:20260101T000000Z"], ["DTSTAMP:20260105T000000Z"], true),
    ])
  func earlier(stored: [String], incoming: [String], isOlder: Bool) throws {
    func item(_ summary: String, _ lines: [String]) throws -> CalendarItem {
      try Self.item(["BEGIN:VEVENT", "UID:1", "SUMMARY:\(summary)"] + lines + ["END:VEVENT"])
    }
    let update = ItemUpdate(of: try item("A", stored), by: try item("B", incoming))
    if case .older = update { #expect(isOlder) } else { #expect(!isOlder) }
  }

  @Test("Overrides alone replace or add their occurrences, byte for byte, and nothing else")
  func overrides() throws {
    let stored = try Self.item(
      Self.main("SUMMARY:A", "X-B:c"), Self.override(2, "SUMMARY:old"), Self.override(3, "x:Y"))
    let incoming = try Self.item(Self.override(2, "SUMMARY:new"), Self.override(4, "SUMMARY:more"))
    let expected = calendar(
      Self.main("SUMMARY:A", "X-B:c") + Self.override(2, "SUMMARY:new") + Self.override(3, "x:Y")
        + Self.override(4, "SUMMARY:more"))
    guard case .updated(let item) = ItemUpdate(of: stored, by: incoming) else {
      Issue.record("expected an update")
      return
    }
    #expect(item.serialized() == expected)
  }

  @Test("Overrides bring the time zones that they use")
  func timeZones() throws {
    let stored = try Self.item(ItemGroupingTests.zone("A"), Self.main("SUMMARY:A"))
    let incoming = try Self.item(
      ItemGroupingTests.zone("A", "+0500"), ItemGroupingTests.zone("B"), Self.override(2))
    guard case .updated(let item) = ItemUpdate(of: stored, by: incoming) else {
      Issue.record("expected an update")
      return
    }
    #expect(item.timeZones.map { $0[.tzID]?.text } == ["A", "B"])
    #expect(item.timeZones.first == stored.timeZones.first)
  }

  @Test("An override for all later occurrences is about the same one as an override for one")
  func range() throws {
    let stored = try Self.item(
      Self.main("SUMMARY:A"),
      [
        "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID;RANGE=THISANDFUTURE:20260102T090000Z", "END:VEVENT",
      ])
    let incoming = try Self.item(Self.override(2, "SUMMARY:B"))
    guard case .updated(let item) = ItemUpdate(of: stored, by: incoming) else {
      Issue.record("expected an update")
      return
    }
    #expect(item.overrides.map { $0[.summary]?.text } == ["B"])
  }

  @Test("An older override changes nothing, a newer one beside it does")
  func olderOverride() throws {
    let stored = try Self.item(Self.main("SUMMARY:A"), Self.override(2, "SEQUENCE:5", "SUMMARY:B"))
    let old = try Self.item(Self.override(2, "SEQUENCE:4", "SUMMARY:C"))
    #expect(
      ItemUpdate(of: stored, by: old)
        == .older(
          stored: SchedulingRevision(sequence: 5, stamp: ""),
          incoming: SchedulingRevision(sequence: 4, stamp: "")))
    let mixed = try Self.item(Self.override(2, "SEQUENCE:4", "SUMMARY:C"), Self.override(3))
    guard case .updated(let item) = ItemUpdate(of: stored, by: mixed) else {
      Issue.record("expected an update")
      return
    }
    #expect(item.overrides.map { $0[.summary]?.text } == ["B", nil])
  }

  @Test("A main component completes the overrides that came before it")
  func completed() throws {
    let stored = try Self.item(Self.override(2, "SUMMARY:B"), Self.override(3, "SUMMARY:C"))
    let incoming = try Self.item(Self.main("SUMMARY:A"), Self.override(3, "SUMMARY:D"))
    guard case .updated(let item) = ItemUpdate(of: stored, by: incoming) else {
      Issue.record("expected an update")
      return
    }
    #expect(item.components.map { $0[.summary]?.text } == ["A", "D", "B"])
  }

  @Test("An item of another kind is not the same thing")
  func otherKind() throws {
    let stored = try Self.item(Self.main("SUMMARY:A"))
    let incoming = try Self.item(["BEGIN:VTODO", "UID:1", "END:VTODO"])
    #expect(
      ItemUpdate(of: stored, by: incoming) == .otherKind(stored: .event, incoming: .reminder))
  }
}

extension ItemUpdateTests {
  @Test("An override keeps its instant where its calendar defines a TZID differently")
  func otherDefinition() throws {
    func main(_ offset: String) -> [String] {
      ItemGroupingTests.zone("Own", offset)
        + ["BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Own:20260101T090000", "RRULE:FREQ=DAILY"]
        + ["END:VEVENT"]
    }
    func override(_ offset: String, _ time: String) -> [String] {
      ItemGroupingTests.zone("Own", offset)
        + ["BEGIN:VEVENT", "UID:1", "RECURRENCE-ID;TZID=Own:\(time)"]
        + ["DTSTART;TZID=Own:\(time)", "SUMMARY:moved", "END:VEVENT"]
    }
    let form = NormalForm(zones: ZoneResolver())
    let stored = try CalendarItem(parsing: calendar(main("+0100")), normalForm: form)
    // The same instant as 20260102T090000 on the clock of the series.
    let incoming = try CalendarItem(
      parsing: calendar(override("+0300", "20260102T110000")), normalForm: form)
    for (first, second) in [(stored, incoming), (incoming, stored)] {
      guard case .updated(let item) = ItemUpdate(of: first, by: second) else {
        Issue.record("expected an update")
        return
      }
      let utc = try ZoneDatabase(folders: ZoneDatabase.systemFolders).rules(named: "UTC")
      let start = try Instant(utc: CivilDateTime(parsing: "20260102T000000"))
      var query = OccurrenceQuery(
        in: start..<(start.adding(seconds: 86_400) ?? start), viewer: utc, zones: ZoneResolver())
      query.add(item)
      let found = Array(query.occurrences())
      #expect(found.map(\.start.instant.description) == ["20260102T080000Z"])
      #expect(found.map { $0.component[.summary]?.text } == ["moved"])
      #expect(Set(item.timeZones.compactMap { $0[.tzID]?.text }) == ["Own", "Own 2"])
    }
  }
}
