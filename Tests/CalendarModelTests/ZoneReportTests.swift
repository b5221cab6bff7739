// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

@Suite struct ZoneReportTests {
  private static let resolver = ZoneResolver(
    database: ZoneDatabase(folders: ZoneDatabase.systemFolders))
  private static let horizon = Instant(secondsSinceEpoch: 2_000_000_000)  // 2033-05-18

  /// A definition whose clocks are always at one offset.
  private static func zone(_ tzID: String, _ offset: String) throws -> Component {
    try component([
      "BEGIN:VTIMEZONE", "TZID:\(tzID)", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
    ])
  }

  private static func report(_ tzID: String, _ definition: Component?, _ properties: [String])
    throws
    -> (report: ZoneReport, said: [String])
  {
    var uses = TimeZoneUses()
    uses.add(try event(properties))
    let use = try #require(uses[tzID])
    let report = resolver.report(
      on: tzID, definitions: definition.map { [$0] } ?? [], use: use, horizon: horizon)
    let said = report.diagnostics(at: use.property).map {
      "\($0.severity) \($0.code): \($0.message)"
    }
    return (report, said)
  }

  @Test("Says over which of the instants in use a definition differs")
  func differences() throws {
    let (report, said) = try Self.report(
      "Europe/Berlin", try Self.zone("Europe/Berlin", "+0100"),
      ["DTSTART;TZID=Europe/Berlin:20250101T090000", "RRULE:FREQ=WEEKLY;UNTIL=20260101T000000Z"])
    #expect(report.zone.source == .name)
    #expect(
      report.differences.map { "\($0.start) \($0.end) \($0.offset) \($0.otherOffset)" }
        == ["20250330T010000Z 20251026T010000Z +0100 +0200"])
    #expect(
      said == [
        "warning time-zone.different: expected the offsets of Europe/Berlin, found +0100 instead of "
          + "+0200 from 20250330T010000Z to 20251026T010000Z; the definition is not used"
      ])
  }

  @Test("Looks at the instants in use only")
  func onlyInUse() throws {
    let definition = try Self.zone("Europe/Berlin", "+0100")
    for (properties, count) in [
      (["DTSTART;TZID=Europe/Berlin:20250101T090000"], 0),
      (["DTSTART;TZID=Europe/Berlin:20250701T090000"], 1),
      (["DTSTART;TZID=Europe/Berlin:20250101T090000", "RRULE:FREQ=YEARLY"], 9),
      (["DTSTART;TZID=Europe/Berlin:20500101T090000", "RRULE:FREQ=YEARLY"], 1),
      (["DTSTART;TZID=Europe/Berlin:20250101T090000", "RRULE:FREQ=MONTHLY;COUNT=3"], 0),
      (["DTSTART;TZID=Europe/Berlin:20250101T090000", "RRULE:FREQ=MONTHLY;COUNT=5"], 1),
      (
        [
          "DTSTART;TZID=Europe/Berlin:20250101T090000", "DURATION:P100D",
          "RRULE:FREQ=DAILY;COUNT=1",
        ], 1
      ),
      (
        [
          "DTSTART;TZID=Europe/Berlin:20250101T090000",
          "RDATE;TZID=Europe/Berlin;VALUE=PERIOD:20250301T000000/20250501T000000",
        ], 1
      ),
      (["DTSTART;TZID=Europe/Berlin:soon"], 0),
    ] {
      let report = try Self.report("Europe/Berlin", definition, properties).report
      #expect(report.differences.count == count, "\(properties)")
    }
  }

  @Test("Says what cannot be used, and nothing of a definition that agrees or is all there is")
  func other() throws {
    let use = ["DTSTART;TZID=Asia/Tokyo:20250101T090000", "RRULE:FREQ=YEARLY"]
    #expect(try Self.report("Asia/Tokyo", try Self.zone("Asia/Tokyo", "+0900"), use).said == [])
    #expect(try Self.report("Asia/Tokyo", nil, use).said == [])
    let empty = try component(["BEGIN:VTIMEZONE", "TZID:Asia/Tokyo", "END:VTIMEZONE"])
    #expect(
      try Self.report("Asia/Tokyo", empty, use).said == [
        "warning time-zone.bad-definition: expected a usable definition of the time zone "
          + "'Asia/Tokyo', found that the definition has no observance that can be read "
          + "(RFC 5545 §3.6.5)"
      ])
    let own = try Self.report(
      "Ours", try Self.zone("Ours", "+0117"), ["DTSTART;TZID=Ours:20250101T090000"])
    #expect(own.report.zone.source == .definition && own.report.differences.isEmpty)
    #expect(
      own.said == [
        "note time-zone.resolved: expected a name of the time zone database, found 'Ours', which "
          + "only the calendar defines"
      ])
    let offset = try Self.report(
      "UTC+2", try Self.zone("UTC+2", "+0300"), ["DTSTART;TZID=UTC+2:20250101T090000"])
    #expect(offset.report.differences.count == 1)
    #expect(offset.report.zone.source == .definition)
  }

  @Test("A definition whose changes are an hour off is no reason against a name of Windows")
  func hourOff() throws {
    let name = "(GMT-05:00) Eastern Time (US & Canada)"
    let definition = try component([
      "BEGIN:VTIMEZONE", "TZID:\(name)", "BEGIN:STANDARD", "DTSTART:16011104T010000",
      "RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11", "TZOFFSETFROM:-0400", "TZOFFSETTO:-0500",
      "END:STANDARD", "BEGIN:DAYLIGHT", "DTSTART:16010311T030000",
      "RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3", "TZOFFSETFROM:-0500", "TZOFFSETTO:-0400",
      "END:DAYLIGHT", "END:VTIMEZONE",
    ])
    let report = try Self.report(
      name, definition,
      ["DTSTART;TZID=\"\(name)\":20180104T100000", "RRULE:FREQ=WEEKLY;INTERVAL=1"]
    ).report
    #expect(report.zone.name == "America/New_York")
    #expect(!report.differences.isEmpty)
  }

  @Test(
    "A definition wins over a name of Windows if they disagree about the times in use",
    arguments: [
      ("DTSTART;TZID=Egypt Standard Time:20240715T090000", "", "+0200", true),
      ("DTSTART;TZID=Egypt Standard Time:20240115T090000", "", "+0200", false),
      ("DTSTART;TZID=Egypt Standard Time:20240115T090000", "RRULE:FREQ=WEEKLY", "+0200", true),
      ("DTSTART;TZID=Egypt Standard Time:20200115T090000", "RRULE:FREQ=WEEKLY", "+0200", false),
      ("DTSTART;TZID=Egypt Standard Time:20240115T090000", "", "+0300", true),
    ])
  func contest(start: String, rule: String, offset: String, isOverruled: Bool) throws {
    let name = "Egypt Standard Time"
    let (report, said) = try Self.report(
      name, try Self.zone(name, offset), rule.isEmpty ? [start] : [start, rule])
    #expect(report.zone.source == (isOverruled ? .definition : .windows))
    #expect(report.zone.overruledName == (isOverruled ? "Africa/Cairo" : nil))
    #expect(
      said.first
        == (isOverruled
          ? "warning time-zone.different: expected the time zone '\(name)' to be Africa/Cairo, found "
            + "a definition with other offsets; the definition is used"
          : "note time-zone.resolved: expected a name of the time zone database, found '\(name)', "
            + "which is taken for Africa/Cairo"))
  }
}
