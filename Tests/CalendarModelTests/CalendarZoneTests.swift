// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

@Suite("The zone that a calendar declares") struct CalendarZoneTests {
  private static func zone(_ line: String) throws -> CalendarZone {
    let stream = try CalendarStream(parsing: calendar([line]))
    var zone = CalendarZone()
    for property in stream.calendars[0].properties { zone.take(property) }
    return zone
  }

  @Test("Floating times are put into it, and nothing else")
  func floating() throws {
    let zone = try Self.zone("X-WR-TIMEZONE:America/New_York")
    let floating = try event([
      "DTSTART:20260701T090000", "DTEND:20260701T100000", "DTSTAMP:20260101T000000Z",
      "EXDATE:20260702T090000,20260703T090000", "RDATE;VALUE=PERIOD:20260710T090000/PT1H",
      "CREATED:20260101T000000Z", "SUMMARY:20260701T090000",
    ])
    let text = text(zone.applied(to: floating))
    #expect(
      text.split(separator: "\r\n").map(String.init) == [
        "BEGIN:VEVENT", "DTSTART;TZID=America/New_York:20260701T090000",
        "DTEND;TZID=America/New_York:20260701T100000", "DTSTAMP:20260101T000000Z",
        "EXDATE;TZID=America/New_York:20260702T090000,20260703T090000",
        "RDATE;VALUE=PERIOD;TZID=America/New_York:20260710T090000/PT1H",
        "CREATED:20260101T000000Z", "SUMMARY:20260701T090000", "END:VEVENT",
      ])
  }

  @Test(
    "A component without floating times keeps its bytes",
    arguments: [
      ["DTSTART:20260701T090000Z"], ["DTSTART;VALUE=DATE:20260701"],
      ["DTSTART;TZID=Europe/Berlin:20260701T090000"],
    ])
  func others(properties: [String]) throws {
    let zone = try Self.zone("X-WR-TIMEZONE:America/New_York")
    let component = try event(properties)
    #expect(zone.applied(to: component) == component)
  }

  @Test("A calendar that declares none leaves times as they are")
  func none() throws {
    let floating = try event(["DTSTART:20260701T090000"])
    #expect(try Self.zone("X-WR-CALNAME:Home").applied(to: floating) == floating)
    #expect(try Self.zone("X-WR-TIMEZONE:").tzID == nil)
    let definition = try component([
      "BEGIN:VTIMEZONE", "TZID:a", "BEGIN:STANDARD", "DTSTART:19700101T000000",
      "TZOFFSETFROM:+0100", "TZOFFSETTO:+0100", "END:STANDARD", "END:VTIMEZONE",
    ])
    let zone = try Self.zone("X-WR-TIMEZONE:America/New_York")
    #expect(zone.applied(to: definition) == definition)
  }

  @Test("The first declaration applies, also within a component")
  func nested() throws {
    let stream = try CalendarStream(
      parsing: calendar(["X-WR-TIMEZONE:America/New_York", "X-WR-TIMEZONE:Europe/Berlin"]))
    var zone = CalendarZone()
    for property in stream.calendars[0].properties { zone.take(property) }
    let floating = try component([
      "BEGIN:VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART:20260701T090000", "END:AVAILABLE",
      "END:VAVAILABILITY",
    ])
    #expect(
      text(zone.applied(to: floating)).split(separator: "\r\n").map(String.init) == [
        "BEGIN:VAVAILABILITY", "BEGIN:AVAILABLE", "DTSTART;TZID=America/New_York:20260701T090000",
        "END:AVAILABLE", "END:VAVAILABILITY",
      ])
  }
}
