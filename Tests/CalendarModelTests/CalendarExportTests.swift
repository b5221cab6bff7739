// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

@Suite struct CalendarExportTests {
  static func export(_ items: [CalendarItem]) throws -> (bytes: [UInt8], found: [Diagnostic]) {
    var bytes: [UInt8] = []
    let sink: CalendarExport.Sink = { span in
      for index in span.indices { bytes.append(span[index]) }
    }
    var export = CalendarExport(properties: [Property(.name, text: "All, of it")])
    try export.begin(to: sink)
    for item in items { try export.add(item, to: sink) }
    try export.end(to: sink)
    return (bytes, export.diagnostics)
  }

  static func item(_ uid: String, _ zone: [String], _ summary: String) throws -> CalendarItem {
    try CalendarItem(
      parsing: calendar(
        zone + [
          "BEGIN:VEVENT", "UID:\(uid)", "DTSTART;TZID=Z:20260101T090000", "SUMMARY:\(summary)",
          "END:VEVENT",
        ]))
  }

  @Test("Writes each time zone once, and components byte for byte")
  func timeZones() throws {
    let zone = ItemGroupingTests.zone("Z")
    let items = [
      try Self.item("1", zone, "A\r\n  folded"), try Self.item("2", zone, "B"),
    ]
    let result = try Self.export(items)
    #expect(
      result.bytes
        == lines(
          ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Epact//Epact//EN", "NAME:All\\, of it"]
            + zone + [
              "BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Z:20260101T090000", "SUMMARY:A\r\n  folded",
              "END:VEVENT", "BEGIN:VEVENT", "UID:2", "DTSTART;TZID=Z:20260101T090000", "SUMMARY:B",
              "END:VEVENT", "END:VCALENDAR",
            ]))
    #expect(result.found.isEmpty)
  }

  @Test("Writes a definition that is handed in where no item brings one, once and before its use")
  func spareTimeZones() throws {
    let spare = try component(ItemGroupingTests.zone("Z", "+0200"))
    let unused = try component(ItemGroupingTests.zone("Y"))
    var bytes: [UInt8] = []
    let sink: CalendarExport.Sink = { span in
      for index in span.indices { bytes.append(span[index]) }
    }
    var export = CalendarExport(timeZones: [spare, unused])
    try export.add(try Self.item("1", [], "A"), to: sink)
    try export.add(try Self.item("2", [], "B"), to: sink)
    #expect(
      bytes
        == lines(
          ItemGroupingTests.zone("Z", "+0200") + [
            "BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Z:20260101T090000", "SUMMARY:A", "END:VEVENT",
            "BEGIN:VEVENT", "UID:2", "DTSTART;TZID=Z:20260101T090000", "SUMMARY:B", "END:VEVENT",
          ]))
    // The definition of an item goes before one that is handed in.
    bytes = []
    export = CalendarExport(timeZones: [spare])
    try export.add(try Self.item("1", ItemGroupingTests.zone("Z"), "A"), to: sink)
    #expect(bytes.starts(with: lines(ItemGroupingTests.zone("Z"))))
    #expect(export.diagnostics.isEmpty)
  }

  @Test("Makes every line end CRLF and changes nothing else")
  func lineEnds() throws {
    let content = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:1\nx:y\nEND:VEVENT\nEND:VCALENDAR"
    let result = try Self.export([try CalendarItem(parsing: Array(content.utf8))])
    #expect(
      String(decoding: result.bytes, as: UTF8.self)
        .hasSuffix("BEGIN:VEVENT\r\nUID:1\r\nx:y\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"))
  }

  /// An event at nine in the zone `Own`.
  static func own(_ uid: String, _ offset: String?) throws -> CalendarItem {
    let zone = offset.map { ItemGroupingTests.zone("Own", $0) } ?? []
    return try CalendarItem(
      parsing: calendar(
        zone + ["BEGIN:VEVENT", "UID:\(uid)", "DTSTART;TZID=Own:20260101T090000", "END:VEVENT"]))
  }

  @Test("A time zone that items define differently gets another name, which is reported")
  func conflict() throws {
    let items = [
      try Self.own("1", "+0100"), try Self.own("2", "+0200"), try Self.own("3", "+0100"),
      try Self.own("4", "+0200"), try Self.own("5", "+0300"), try Self.own("6", nil),
    ]
    let result = try Self.export(items)
    let outcome = try ItemGroupingTests.Outcome(of: result.bytes)
    #expect(
      outcome.items.map { $0.main?[.dtStart]?[.tzID] }
        == ["Own", "Own 2", "Own", "Own 2", "Own 3", "Own 4"])
    let form = NormalForm(zones: ZoneResolver())
    #expect(
      outcome.items.prefix(5).map { $0.normalized(by: form).fingerprint }
        == items.prefix(5).map { $0.normalized(by: form).fingerprint })
    // A TZID without a definition stays without one.
    #expect(outcome.items.last?.timeZones.isEmpty == true)
    #expect(
      result.found.map(\.message) == [
        "expected one definition of the time zone 'Own', found '1' and '2' with different ones; "
          + "that of the latter becomes 'Own 2'",
        "expected one definition of the time zone 'Own', found '1' and '4' with different ones; "
          + "that of the latter becomes 'Own 2'",
        "expected one definition of the time zone 'Own', found '1' and '5' with different ones; "
          + "that of the latter becomes 'Own 3'",
        "expected one definition of the time zone 'Own', found '1' and '6' with different ones; "
          + "that of the latter becomes 'Own 4'",
      ])
  }

  @Test("A name of the database keeps its name, whatever its definitions are")
  func knownName() throws {
    func item(_ uid: String, _ offset: String) throws -> CalendarItem {
      try CalendarItem(
        parsing: calendar(
          ItemGroupingTests.zone("Europe/Berlin", offset)
            + ["BEGIN:VEVENT", "UID:\(uid)", "DTSTART;TZID=Europe/Berlin:20260101T090000"]
            + ["END:VEVENT"]))
    }
    let result = try Self.export([try item("1", "+0100"), try item("2", "+0500")])
    let outcome = try ItemGroupingTests.Outcome(of: result.bytes)
    #expect(
      outcome.items.map { $0.main?[.dtStart]?[.tzID] } == ["Europe/Berlin", "Europe/Berlin"])
    #expect(result.found.isEmpty)
  }

  @Test("What is imported again after an export is the same")
  func roundTrip() throws {
    let items = try (1...20).map { number in
      try CalendarItem(
        parsing: calendar(
          ItemGroupingTests.zone("Z")
            + ItemGroupingTests.event(
              "\(number)", "DTSTART;TZID=Z:20260101T090000", "RRULE:FREQ=DAILY")
            + ItemGroupingTests.event("\(number)", "RECURRENCE-ID;TZID=Z:20260102T090000")))
    }
    let outcome = try ItemGroupingTests.Outcome(of: try Self.export(items).bytes)
    #expect(outcome.items.map(\.fingerprint) == items.map(\.fingerprint))
    #expect(outcome.items.map(\.timeZones) == items.map(\.timeZones))
    #expect(outcome.diagnostics.isEmpty)
  }

  @Test("An empty calendar is a calendar too")
  func empty() throws {
    let stream = try CalendarStream(parsing: try Self.export([]).bytes)
    #expect(stream.calendars.count == 1)
    #expect(stream.diagnostics.isEmpty)
  }
}
