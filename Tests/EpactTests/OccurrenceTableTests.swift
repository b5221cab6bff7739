// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import TestSupport
import Testing

/// Occurrences as rows for a spreadsheet.
struct OccurrenceTableTests {
  /// A series with a moved occurrence, a flight in another zone, whole days and a formula.
  private static let lines = [
    "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Example//EN",
    "BEGIN:VEVENT", "UID:standup", "DTSTAMP:20261101T000000Z",
    "DTSTART;TZID=Europe/Berlin:20261123T090000", "DTEND;TZID=Europe/Berlin:20261123T091500",
    "RRULE:FREQ=DAILY;COUNT=3", "SUMMARY:Stand-up", "LOCATION:Room 1\\, left", "END:VEVENT",
    "BEGIN:VEVENT", "UID:standup", "DTSTAMP:20261101T000000Z",
    "RECURRENCE-ID;TZID=Europe/Berlin:20261124T090000",
    "DTSTART;TZID=Europe/Berlin:20261124T110000", "DTEND;TZID=Europe/Berlin:20261124T111500",
    "SUMMARY:Stand-up (\"moved\")", "STATUS:TENTATIVE", "END:VEVENT",
    "BEGIN:VEVENT", "UID:call", "DTSTAMP:20261101T000000Z",
    "DTSTART;TZID=America/New_York:20261124T200000", "DURATION:PT1H",
    "SUMMARY:=HYPERLINK(\"x\")", "CATEGORIES:work,far", "DESCRIPTION:two\\nlines", "END:VEVENT",
    "BEGIN:VEVENT", "UID:trip", "DTSTAMP:20261101T000000Z", "DTSTART;VALUE=DATE:20261125",
    "DTEND;VALUE=DATE:20261127", "SUMMARY:Trip", "URL:https://example.org/", "END:VEVENT",
    "END:VCALENDAR",
  ]

  private func table(isSafe: Bool, limit: Int = .max) throws -> (text: String, count: Int) {
    let folder = try TemporaryFolder()
    let path = try folder.write(lines: Self.lines, to: "work.ics")
    let machine = Machine.live()
    let berlin = try machine.viewerZone("Europe/Berlin")
    func instant(_ text: String) throws -> Instant {
      try Moment(parsing: text).instant(in: berlin)
    }
    let range = try instant("2026-11-23")..<instant("2026-11-30")
    var request = ViewRequest(
      [CalendarLocation(path: path, name: "work")], in: range, viewer: berlin)
    request.includesCancelled = false
    let view = try OccurrenceView(request, machine: machine) { Issue.record("\($0)") }
    var bytes: [UInt8] = []
    let written = try view.writeTable(isSafe: isSafe, limit: limit) { bytes += $0 }
    #expect(written.findings.isEmpty)
    return (String(decoding: bytes, as: UTF8.self), written.count)
  }

  @Test func eachOccurrenceIsARowInTheZoneOfTheViewer() throws {
    let (text, count) = try table(isSafe: false)
    #expect(count == 5)
    let rows = [
      "start,end,all_day,summary,location,calendar,status,categories,description,url,kind,uid,"
        + "recurrence_id",
      "2026-11-23 09:00:00,2026-11-23 09:15:00,false,Stand-up,\"Room 1, left\",work,,,,,event,"
        + "standup,2026-11-23 09:00:00",
      "2026-11-24 11:00:00,2026-11-24 11:15:00,false,\"Stand-up (\"\"moved\"\")\",,work,TENTATIVE,"
        + ",,,event,standup,2026-11-24 09:00:00",
      // The end of whole days is exclusive, as DTEND is (RFC 5545 §3.6.1).
      "2026-11-25,2026-11-27,true,Trip,,work,,,,https://example.org/,event,trip,",
      "2026-11-25 02:00:00,2026-11-25 03:00:00,false,\"=HYPERLINK(\"\"x\"\")\",,work,,work;far,"
        + "\"two\nlines\",,event,call,",
      "2026-11-25 09:00:00,2026-11-25 09:15:00,false,Stand-up,\"Room 1, left\",work,,,,,event,"
        + "standup,2026-11-25 09:00:00",
    ]
    #expect(text == rows.map { $0 + "\r\n" }.joined())
  }

  @Test func formulasAreMadeText() throws {
    let (text, _) = try table(isSafe: true)
    #expect(text.contains(",\"'=HYPERLINK(\"\"x\"\")\","))
    #expect(text.contains(",Trip,"))
  }

  @Test func aLimitEndsTheTable() throws {
    let (text, count) = try table(isSafe: false, limit: 2)
    #expect(count == 2)
    #expect(text.split(separator: "\r\n").count == 3)
  }
}
