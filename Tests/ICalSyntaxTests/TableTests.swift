// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

@Suite("Components as rows and lines")
struct TableTests {
  private func component(_ lines: String...) throws -> Component {
    let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).map { $0 + "\r\n" }.joined()
    return try #require(try CalendarStream(parsing: text).calendars.first?.components.first)
  }

  private func line(_ component: Component) -> String {
    var bytes: [UInt8] = []
    NDJSONWriter().write(component, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func row(_ component: Component, isSafe: Bool = false) -> String {
    var bytes: [UInt8] = []
    CSVWriter(isSafeForSpreadsheets: isSafe).write(component, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func event(_ lines: String...) throws -> Component {
    try component((["BEGIN:VEVENT"] + lines + ["END:VEVENT"]).joined(separator: "\r\n"))
  }

  @Test("Times are told with their zone, and days without one")
  func times() throws {
    let flight = ComponentSummary(
      of: try event(
        "DTSTART;TZID=Europe/Berlin:20260102T090000", "DTEND;TZID=America/New_York:20260102T120000",
        "RECURRENCE-ID:20260102T080000Z"))
    #expect(flight.start == "2026-01-02T09:00:00")
    #expect(flight.end == "2026-01-02T12:00:00")
    #expect(flight.zone == "Europe/Berlin")
    #expect(flight.endZone == "America/New_York")
    #expect(flight.recurrenceID == "2026-01-02T08:00:00Z")
    #expect(!flight.isAllDay)
    let day = ComponentSummary(of: try event("DTSTART;VALUE=DATE:20260102"))
    #expect(day.start == "2026-01-02" && day.isAllDay && day.zone == nil && day.end == nil)
    let utc = ComponentSummary(of: try event("DTSTART:20260102T090000Z", "DURATION:PT1H"))
    #expect(utc.zone == "UTC" && utc.duration == "PT1H" && utc.end == nil)
    let broken = ComponentSummary(of: try event("DTSTART:tomorrow", "SEQUENCE:x"))
    #expect(broken.start == nil && broken.sequence == nil && !broken.isAllDay)
    let reminder = ComponentSummary(
      of: try component("BEGIN:VTODO", "DUE;VALUE=DATE:20260102", "END:VTODO"))
    #expect(reminder.kind == "reminder" && reminder.end == "2026-01-02" && reminder.isAllDay)
  }

  @Test("Every fixture gives lines of JSON, each with the same members, and rows of all columns")
  func fixtures() throws {
    for fixture in try Fixture.allCalendars() {
      guard let stream = try? CalendarStream(parsing: fixture.bytes) else { continue }
      for component in stream.calendars.flatMap({ Array($0.components) }) {
        var bytes: [UInt8] = []
        NDJSONWriter().write(component, to: &bytes)
        #expect(bytes.last == 0x0A && !bytes.dropLast().contains(0x0A), "\(fixture.path)")
        let members = try JSONScanner.parse(bytes).members?.map(\.name)
        #expect(members == Self.members, "\(fixture.path)")
        #expect(
          fields(ofRow: row(component)).count == CSVWriter.columnNames.count, "\(fixture.path)")
      }
    }
  }

  private static let members = [
    "kind", "uid", "recurrenceId", "start", "end", "allDay", "zone", "endZone", "duration",
    "summary", "description", "location", "url", "status", "categories", "organizer", "attendees",
    "rrule", "rdate", "exdate", "alarms", "sequence", "created", "lastModified", "properties",
    "components",
  ]

  @Test("A line holds everything, in the types of jCal")
  func everything() throws {
    let line = line(
      try event(
        "X-A;B=c:d", "GEO:1.50;2", "BEGIN:VALARM", "ACTION:AUDIO", "TRIGGER;RELATED=END:-PT5M",
        "END:VALARM", "BEGIN:PARTICIPANT", "UID:p", "END:PARTICIPANT"))
    #expect(
      line.contains(
        #""alarms":[{"action":"AUDIO","trigger":"-PT5M","related":"END","description":null,"#
          + #""properties":[{"name":"action","parameters":{},"type":"text","values":["AUDIO"]},"#
          + #"{"name":"trigger","parameters":{"related":["END"]},"type":"duration","#
          + #""values":["-PT5M"]}],"components":[]}]"#))
    #expect(
      line.contains(
        #""properties":[{"name":"x-a","parameters":{"b":["c"]},"type":"unknown","values":["d"]},"#
          + #"{"name":"geo","parameters":{},"type":"float","values":[[1.50,2]]}],"#
          + #""components":[{"name":"participant","properties":[{"name":"uid","parameters":{},"#
          + #""type":"text","values":["p"]}],"components":[]}]}"#))
  }

  @Test func formulasAreHarmlessByDefault() throws {
    let event = try event(
      "SUMMARY:=HYPERLINK(1)", "LOCATION:+49 30 1", "BEGIN:VALARM", "ACTION:AUDIO",
      "TRIGGER:-PT15M", "END:VALARM")
    var bytes: [UInt8] = []
    CSVWriter().write(event, to: &bytes)
    let row = String(decoding: bytes, as: UTF8.self)
    #expect(row.contains(",'=HYPERLINK(1),"))
    #expect(row.contains(",'+49 30 1,"))
    #expect(row.contains(",-PT15M,"))
  }

  @Test(
    "Fields are quoted where RFC 4180 wants it, and formulas made harmless where it is asked for")
  func quoting() throws {
    let event = try event(
      "UID:=1+1", #"SUMMARY:a "b"\, c"#, #"DESCRIPTION:one\ntwo"#, "LOCATION: x", "STATUS:@x",
      "CATEGORIES:a,b", "ATTENDEE:MAILTO:ann@example.org", "ATTENDEE:urn:x", "URL:-u")
    #expect(
      row(event)
        == "event,=1+1,,,,false,,,,\"a \"\"b\"\", c\",\"one\ntwo\",\" x\",-u,@x,a;b,,"
        + "ann@example.org;urn:x,,,,,,,\r\n")
    #expect(row(event, isSafe: true).hasPrefix("event,'=1+1,,,,false,,,,\"a "))
    #expect(row(event, isSafe: true).contains(",\" x\",'-u,'@x,a;b,"))
    #expect(fields(ofRow: row(event))[9...11] == ["a \"b\", c", "one\ntwo", " x"])
  }

  @Test("The names of the columns are a row of their own")
  func header() {
    var bytes: [UInt8] = []
    CSVWriter().writeHeader(to: &bytes)
    #expect(String(decoding: bytes, as: UTF8.self).hasPrefix("kind,uid,recurrence_id,start,"))
    #expect(fields(ofRow: String(decoding: bytes, as: UTF8.self)) == CSVWriter.columnNames)
  }

  /// The fields of one row, read as RFC 4180 wants it.
  private func fields(ofRow row: String) -> [String] {
    var fields: [[UInt8]] = [[]]
    var isQuoted = false
    for byte in row.utf8.dropLast(2) {
      switch byte {
      case UInt8(ascii: "\""):
        // A doubled quote closes and opens again; the quote itself is what lies between.
        if !isQuoted, fields[fields.count - 1].last == 0 {
          fields[fields.count - 1][fields[fields.count - 1].count - 1] = byte
        } else if isQuoted {
          fields[fields.count - 1].append(0)
        }
        isQuoted.toggle()
      case UInt8(ascii: ",") where !isQuoted: fields.append([])
      default: fields[fields.count - 1].append(byte)
      }
    }
    return fields.map { String(decoding: $0.filter { $0 != 0 }, as: UTF8.self) }
  }
}
