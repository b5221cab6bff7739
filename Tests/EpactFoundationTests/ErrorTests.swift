// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import EpactFoundation
import Foundation
import ICalSyntax
import Recurrence
import TestSupport
import Testing

@Suite("Errors, data and local times for Foundation")
struct ErrorTests {
  /// The error of a closure as a program shows it.
  private func shown(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return error.localizedDescription
    }
  }

  @Test("The localized description says what was expected")
  func descriptions() throws {
    #expect(
      shown { _ = try RecurrenceRule(parsing: "FREQ=OFTEN") }.hasPrefix("expected "))
    #expect(shown { _ = try CivilDate(parsing: "2026") }.hasPrefix("expected "))
    #expect(shown { _ = try CalendarItem(parsing: Data()) }.contains("found"))
    #expect(shown { _ = try ZoneDatabase.system.rules(named: "Nowhere") }.hasPrefix("time zone"))
    #expect(shown { _ = try RecurrenceSet(parsing: "") }.hasPrefix("line 1: expected"))
    #expect(
      shown { throw SchedulingRefusal.noOrganizer } == "expected an ORGANIZER, found none")
    let concern = SchedulingConcern.otherOrganizer(
      stored: CalendarAddress("mailto:ann@example.org"), named: nil)
    #expect(
      shown { throw SchedulingRefusal.unconfirmed([concern]) }
        == "the organizer in the calendar is ann@example.org, the message names none")
  }

  @Test("Data is parsed, and written")
  func data() throws {
    let data = Data(try Fixture("tour/work.ics").bytes)
    #expect(try CalendarStream(parsing: data).calendars.count == 1)
    var event = Event(
      stamp: Instant(secondsSinceEpoch: 0), start: .date(try CivilDate(parsing: "2026-11-30")),
      summary: "Tea")
    event.uid = UID("a@example.org")
    let written = CalendarExport.data(of: [try CalendarItem(event)])
    #expect(try CalendarItem(parsing: written).uid == UID("a@example.org"))
  }

  @Test("A date is a local time of a zone")
  func localTimes() throws {
    let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
    // 2026-10-25: the hour from 02:00 is repeated, first with +0200 and then with +0100.
    let summer = Date(timeIntervalSince1970: 1_792_888_200)
    #expect(
      EventTime(summer, in: berlin)
        == .zoned(try CivilDateTime(parsing: "2026-10-25T02:30"), tzID: "Europe/Berlin"))
    #expect(
      EventTime(summer + 3600, in: berlin) == .utc(try CivilDateTime(parsing: "2026-10-25T01:30")))
    #expect(
      EventTime(summer + 7200.9, in: berlin)
        == .zoned(try CivilDateTime(parsing: "2026-10-25T03:30"), tzID: "Europe/Berlin"))
    #expect(
      EventTime(summer, in: .gmt) == .utc(try CivilDateTime(parsing: "2026-10-25T00:30")))
    #expect(EventTime(Date(timeIntervalSince1970: -1e12), in: berlin) == nil)
  }
}
