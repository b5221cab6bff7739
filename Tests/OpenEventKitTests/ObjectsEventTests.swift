// SPDX-License-Identifier: Apache-2.0

import Foundation
import OpenEventKit
import TestSupport
import Testing

@Suite struct ObjectsEventTests {
  let scene: StoreScene

  init() throws { scene = try StoreScene(.all) }

  private func saved(_ change: (EKEvent) -> Void) async throws -> (EKEvent, String) {
    let store = try await scene.store()
    let event = store.newEvent(
      "Lunch", StoreScene.date(2026, 3, 10, 12), StoreScene.date(2026, 3, 10, 13),
      in: try StoreScene.calendar("home", in: store))
    change(event)
    try store.save(event, span: .thisEvent)
    return (event, try scene.onlyText(in: "home"))
  }

  private func edited(
    _ properties: String, _ change: (EKEvent) -> Void
  ) async throws -> (before: String, after: String) {
    try scene.put(.event("UID:one\n" + properties), as: "one", in: "home")
    let before = try scene.text("one", in: "home")
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    change(event)
    try store.save(event, span: .thisEvent)
    return (before, try scene.text("one", in: "home"))
  }

  @Test("Times that a program sets before it ends whole days apply")
  func endsDays() async throws {
    let (start, end) = (StoreScene.date(2026, 3, 10, 14), StoreScene.date(2026, 3, 10, 15))
    let (before, after) = try await edited(
      "DTSTART;VALUE=DATE:20260310\nDTEND;VALUE=DATE:20260311\n"
    ) { event in
      event.startDate = start
      event.endDate = end
      #expect(event.startDate == StoreScene.date(2026, 3, 10))
      event.isAllDay = false
      #expect(event.startDate == start && event.endDate == end)
      event.isAllDay = true
      event.rollback()
      event.startDate = start
      event.endDate = end
      event.isAllDay = false
    }
    #expect(before.contains("DTSTART;VALUE=DATE:20260310\n"))
    #expect(after.contains("DTSTART;TZID=Europe/Berlin:20260310T140000\n"))
    #expect(after.contains("DTEND;TZID=Europe/Berlin:20260310T150000\n"))
  }

  @Test("Whole days that end without new times are on the clock of the default zone")
  func endsOnlyDays() async throws {
    let (_, after) = try await edited("DTSTART;VALUE=DATE:20260310\n") { event in
      event.startDate = StoreScene.date(2026, 3, 11, 14)
      event.rollback()
      event.isAllDay = false
      #expect(event.startDate == StoreScene.date(2026, 3, 10))
    }
    #expect(after.contains("DTSTART;TZID=Europe/Berlin:20260310T000000\n"))
  }

  @Test("The user is the participant with an address of the configuration or of an account")
  func currentUser() async throws {
    let scene = try StoreScene(
      keys: "addresses = [\"ada@example.org\"]",
      extra: """
        [remote.dav]
        kind = "caldav"
        url = "https://dav.example.org/"
        username = "Ada@work.example"
        password-command = ["true"]
        """)
    let attendees = ["ada@example.org", "ada@work.example", "bo@example.org"]
    let lines = attendees.map { "ATTENDEE:mailto:\($0)\n" }.joined()
    try scene.put(
      .event("UID:one\nDTSTART:20260310T120000Z\n\(lines)ORGANIZER:MAILTO:ada@example.org"),
      as: "one", in: "home")
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    #expect(event.attendees?.map(\.isCurrentUser) == [true, true, false])
    #expect(event.organizer?.isCurrentUser == true)
  }

  @Test("The second of two hours that a clock repeats is not the first one (RFC 5545 §3.3.5)")
  func repeatedHour() async throws {
    let first = try #require(ISO8601DateFormatter().date(from: "2026-10-25T00:30:00Z"))
    let second = first.addingTimeInterval(3600)
    let (event, text) = try await saved {
      ($0.startDate, $0.endDate) = (first, second)
    }
    #expect(text.contains("DTSTART;TZID=Europe/Berlin:20261025T023000\nSUMMARY"))
    #expect(text.contains("DTEND:20261025T013000Z\n"))
    #expect(event.startDate == first && event.endDate == second)
    #expect(event.timeZone == StoreScene.berlin)

    let store = try await scene.store()
    let read = try #require(store.event(withIdentifier: event.eventIdentifier))
    #expect(read.startDate == first && read.endDate == second)
    (read.startDate, read.endDate) = (second, second.addingTimeInterval(3600))
    try store.save(read, span: .thisEvent)
    let moved = try scene.onlyText(in: "home")
    #expect(moved.contains("DTSTART:20261025T013000Z\n"))
    #expect(moved.contains("DTEND:20261025T023000Z\n"))
    #expect(read.startDate == second && read.endDate == second.addingTimeInterval(3600))
  }

  @Test("A series that starts in the second of two hours follows the clock")
  func repeatedHourOfSeries() async throws {
    let second = try #require(ISO8601DateFormatter().date(from: "2026-10-25T01:30:00Z"))
    let (event, text) = try await saved {
      ($0.startDate, $0.endDate) = (second, second.addingTimeInterval(3600))
      $0.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: nil))
    }
    #expect(text.contains("DTSTART;TZID=Europe/Berlin:20261025T023000\n"))
    #expect(text.contains("DURATION:PT1H\n"))
    // Each occurrence lasts an hour, also on other days.
    let store = try await scene.store()
    let lengths = store.eventsOf2026().map { $0.endDate.timeIntervalSince($0.startDate) }
    #expect(lengths.count > 60 && lengths.allSatisfy { $0 == 3600 })
    event.title = "Dinner"
    #expect(event.endDate.timeIntervalSince(event.startDate) == 3600)
  }

  @Test("An occurrence ends in the second of two hours, in a zone and on every clock")
  func repeatedEndOfSeries() async throws {
    for zone in [StoreScene.berlin, nil] {
      let first = try #require(ISO8601DateFormatter().date(from: "2026-10-25T00:30:00Z"))
      let (event, text) = try await saved {
        ($0.startDate, $0.endDate, $0.timeZone) = (first, first.addingTimeInterval(3600), zone)
        $0.addRecurrenceRule(EKRecurrenceRule(recurrenceWith: .daily, interval: 1, end: nil))
      }
      #expect(text.contains("DURATION:PT1H\n"))
      #expect(event.endDate == first.addingTimeInterval(3600))
      let read = try #require(try await scene.store().eventsOf2026().first)
      #expect(read.startDate == first && read.endDate == first.addingTimeInterval(3600))
      #expect(read.timeZone == zone)
      try FileManager.default.removeItem(atPath: scene.folder.path(of: "home"))
      try scene.folder.makeFolder("home")
    }
  }

  @Test("A new event has its zone, with the definition, and its own UID")
  func zoned() async throws {
    let (event, text) = try await saved { $0.notes = "Bring\nmoney" }
    #expect(text.contains("DTSTART;TZID=Europe/Berlin:20260310T120000\n"))
    #expect(text.contains("DTEND;TZID=Europe/Berlin:20260310T130000\n"))
    #expect(text.contains("BEGIN:VTIMEZONE\nTZID:Europe/Berlin\n"))
    #expect(text.contains("SUMMARY:Lunch\n"))
    #expect(text.contains("DESCRIPTION:Bring\\nmoney\n"))
    #expect(text.contains("UID:\(event.calendarItemExternalIdentifier ?? "")\n"))
    #expect(event.isNew == false && event.hasChanges == false)
    #expect(event.startDate == StoreScene.date(2026, 3, 10, 12))
    #expect(event.creationDate != nil && event.lastModifiedDate != nil)
  }

  @Test("UTC is written as such, no zone as a floating time, and an offset with its definition")
  func forms() async throws {
    let utc = try await saved { $0.timeZone = .gmt }.1
    #expect(utc.contains("DTSTART:20260310T110000Z\n"))
    #expect(!utc.contains("VTIMEZONE"))
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "home"))
    try scene.folder.makeFolder("home")
    let floating = try await saved { $0.timeZone = nil }.1
    #expect(floating.contains("DTSTART:20260310T120000\n"))
    try FileManager.default.removeItem(atPath: scene.folder.path(of: "home"))
    try scene.folder.makeFolder("home")
    let (event, offset) = try await saved { $0.timeZone = TimeZone(secondsFromGMT: 5400) }
    #expect(offset.contains("DTSTART;TZID=GMT+0130:20260310T123000\n"))
    #expect(offset.contains("BEGIN:VTIMEZONE\nTZID:GMT+0130\n"))
    #expect(offset.contains("TZOFFSETTO:+0130\n"))
    #expect(event.timeZone?.secondsFromGMT() == 5400)
    #expect(event.startDate == StoreScene.date(2026, 3, 10, 12))
  }

  @Test("An all-day event ends in the last second of its last day")
  func allDay() async throws {
    let (event, text) = try await saved {
      $0.isAllDay = true
      $0.endDate = StoreScene.date(2026, 3, 11, 9)
    }
    #expect(text.contains("DTSTART;VALUE=DATE:20260310\n"))
    #expect(text.contains("DTEND;VALUE=DATE:20260312\n"))
    #expect(event.startDate == StoreScene.date(2026, 3, 10))
    #expect(event.endDate == StoreScene.date(2026, 3, 11, 23, 59, 59))
    #expect(event.timeZone == nil)
  }

  @Test("Another time zone does not move the instant")
  func anotherZone() async throws {
    let (_, after) = try await edited(
      "DTSTART;TZID=Europe/Berlin:20260310T120000\nDTEND;TZID=Europe/Berlin:20260310T130000"
    ) { event in
      let start = event.startDate
      event.timeZone = TimeZone(identifier: "America/New_York")
      #expect(event.startDate == start)
    }
    #expect(after.contains("DTSTART;TZID=America/New_York:20260310T070000\n"))
    #expect(after.contains("DTEND;TZID=America/New_York:20260310T080000\n"))
    #expect(after.contains("TZID:America/New_York\n"))
  }

  /// An item with what EventKit cannot express, or does not show.
  private static let wild = """
    DTSTART;TZID=W. Europe Standard Time:20260310T120000
    DURATION:PT1H
    RRULE:RSCALE=GREGORIAN;FREQ=HOURLY;INTERVAL=30;COUNT=4;BYMINUTE=0
    RDATE;TZID=W. Europe Standard Time:20260401T120000
    EXDATE;TZID=W. Europe Standard Time:20260311T180000
    SUMMARY;LANGUAGE=de;X-A="b":Mittag\\, essen
    DESCRIPTION:with  a fold
      in it
    LOCATION;ALTREP="http://example.org/":Room 1
    X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-APPLE-RADIUS=70;X-TITLE=Room 1:geo:52.1,13.2
    X-UNKNOWN;X-P=1:Value
    TRANSP:TRANSPARENT
    URL:http://example.org/a b
    BEGIN:VALARM
    ACTION:AUDIO
    TRIGGER;RELATED=END:-PT5M
    X-ALARM:kept
    END:VALARM
    """

  @Test("Setting every property to itself and saving leaves all bytes as they were")
  func untouched() async throws {
    let (before, after) = try await edited(Self.wild) { event in
      event.title = event.title
      event.notes = event.notes
      event.location = event.location
      event.structuredLocation = event.structuredLocation
      event.url = event.url
      event.timeZone = event.timeZone
      event.startDate = event.startDate
      event.endDate = event.endDate
      event.isAllDay = event.isAllDay
      event.availability = event.availability
      event.alarms = event.alarms
      event.recurrenceRules = event.recurrenceRules
      event.calendar = event.calendar
      #expect(event.hasChanges == false)
    }
    #expect(after == before)
  }

  @Test("A new title of a whole series keeps everything else")
  func title() async throws {
    try scene.put(.event("UID:one\n" + Self.wild), as: "one", in: "home")
    let before = try scene.text("one", in: "home")
    let store = try await scene.store()
    let event = try #require(store.eventsOf2026().first)
    event.title = "Lunch"
    try store.save(event, span: .futureEvents)
    let after = try scene.text("one", in: "home").split(separator: "\n")
    let kept = before.split(separator: "\n").filter {
      !$0.hasPrefix("SUMMARY") && !$0.hasPrefix("DTSTAMP")
    }
    #expect(kept.allSatisfy { after.contains($0) })
    #expect(after.contains("SUMMARY;LANGUAGE=de;X-A=\"b\":Lunch"))
  }

  @Test("A moved event keeps the form of its end")
  func moved() async throws {
    let (_, after) = try await edited(
      "DTSTART:20260310T120000Z\nDURATION:PT1H\nSUMMARY:A"
    ) { event in
      event.startDate = event.startDate.addingTimeInterval(3600)
      event.endDate = event.endDate.addingTimeInterval(3600)
    }
    #expect(after.contains("DTSTART:20260310T130000Z\nDURATION:PT1H\n"))
  }

  @Test("The location is the title of the structured one, and replaces it")
  func location() async throws {
    let (event, text) = try await saved { event in
      let place = EKStructuredLocation(title: "Harbour")
      place.geoLocation = CLLocation(latitude: 54.5, longitude: 13.5)
      event.structuredLocation = place
      #expect(event.location == "Harbour")
    }
    #expect(text.contains("LOCATION:Harbour\n"))
    #expect(text.contains("GEO:54.5;13.5\n"))
    event.location = "Station"
    #expect(event.structuredLocation?.title == "Station")
    #expect(event.structuredLocation?.geoLocation == nil)
    #expect(event.hasChanges)
  }

  @Test("Alarms that change in place are changes of the event")
  func alarms() async throws {
    let (event, text) = try await saved { $0.addAlarm(EKAlarm(relativeOffset: -900)) }
    #expect(text.contains("TRIGGER:-PT15M\n"))
    #expect(event.hasAlarms && event.alarms?.count == 1 && !event.hasChanges)
    event.alarms?.first?.relativeOffset = -600
    #expect(event.hasChanges)
    event.reset()
    #expect(event.alarms?.first?.relativeOffset == -900)
  }

  @Test("An added alarm leaves the others as they were")
  func addedAlarm() async throws {
    let single = Self.wild.split(separator: "\n").filter {
      !$0.hasPrefix("R") && !$0.hasPrefix("EX")
    }
    let (before, after) = try await edited(single.joined(separator: "\n")) {
      $0.addAlarm(EKAlarm(relativeOffset: 0))
    }
    #expect(after.contains("X-ALARM:kept\nEND:VALARM\nBEGIN:VALARM\n"))
    #expect(after.lines(with: "X-UNKNOWN") == before.lines(with: "X-UNKNOWN"))
  }
}
