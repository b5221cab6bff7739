// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// Items that are built in code, and the time zones that they need (RFC 5545 §3.6.5).
@Suite struct BuiltItemTests {
  private static func event(_ start: EventTime, uid: String? = "1@example.org") -> Event {
    var event = Event()
    event.uid = uid.map { UID($0) }
    event.stamp = Instant(secondsSinceEpoch: 1_772_000_000)
    event.start = start
    return event
  }

  private static func zoned(_ tzID: String) throws -> EventTime {
    .zoned(try CivilDateTime(parsing: "20260302T090000"), tzID: tzID)
  }

  @Test("A new item defines the zones that it uses, in the order of their names")
  func zones() throws {
    var event = Self.event(try Self.zoned("Europe/Berlin"))
    event.end = .time(try Self.zoned("America/New_York"))
    let item = try CalendarItem(event)
    #expect(item.timeZones.map { $0[.tzID]?.text } == ["America/New_York", "Europe/Berlin"])
    let text = String(decoding: item.serialized(), as: UTF8.self)
    #expect(text.contains("PRODID:\(CalendarItem.productID)\r\n"))
    #expect(text.contains("TZID:Europe/Berlin\r\n"))
    #expect(try CalendarItem(parsing: item.serialized()).fingerprint == item.fingerprint)
  }

  @Test("An event without its stamp or its start is refused, and one with a title has all")
  func required() throws {
    let start = try Self.zoned("Europe/Berlin")
    var bare = Event()
    bare.uid = .random()
    bare.start = start
    let unstamped = try #require(throws: ItemError.self) { try CalendarItem(bare) }
    #expect(unstamped.message == "expected DTSTAMP in the VEVENT, found none")
    #expect(unstamped.code == .missingProperty)
    bare.stamp = Instant(secondsSinceEpoch: 0)
    bare.start = nil
    let unplaced = try #require(throws: ItemError.self) { try CalendarItem(bare) }
    #expect(unplaced.message == "expected DTSTART in the VEVENT, found none")
    let stamp = Instant(secondsSinceEpoch: 1_772_000_000)
    let event = Event(stamp: stamp, start: start, summary: "Lunch")
    let written = try CalendarItem(event)
    #expect(written.title == "Lunch")
    #expect(written.main?[.dtStart]?.rawValue == "20260302T090000")
    let reminder = Reminder(stamp: stamp, due: start, summary: "Call")
    #expect(try CalendarItem(reminder).main?[.due]?.rawValue == "20260302T090000")
    #expect(try CalendarItem(Reminder(stamp: stamp, summary: "Call")).main?[.due] == nil)
  }

  @Test("A random UID is a UUID of version 4, and another one each time")
  func randomUID() throws {
    struct Ones: RandomNumberGenerator {
      func next() -> UInt64 { .max }
    }
    var (ones, zeros) = (Ones(), Zeros())
    #expect(UID.random(using: &ones).rawValue == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    #expect(UID.random(using: &zeros).rawValue == "00000000-0000-4000-8000-000000000000")
    #expect(Set((0..<100).map { _ in UID.random() }).count == 100)
  }

  private struct Zeros: RandomNumberGenerator {
    func next() -> UInt64 { 0 }
  }

  @Test("A Windows name is defined by the zone that it means")
  func windows() throws {
    let item = try CalendarItem(Self.event(try Self.zoned("Tokyo Standard Time")))
    let zone = try #require(item.timeZones.first)
    #expect(zone[.tzID]?.text == "Tokyo Standard Time")
    #expect(zone["X-LIC-LOCATION"]?.text == "Asia/Tokyo")
  }

  @Test("A day and a time in UTC need no zone")
  func noZones() throws {
    let time = try CivilDateTime(parsing: "20260302T090000")
    for start in [EventTime.date(time.date), .floating(time), .utc(time)] {
      #expect(try CalendarItem(Self.event(start)).timeZones.isEmpty)
    }
  }

  @Test("A series is built with its overrides")
  func overrides() throws {
    var override = Self.event(try Self.zoned("Asia/Tokyo"))
    override.recurrenceID = RecurrenceID(try Self.zoned("Europe/Berlin"))
    let item = try CalendarItem(Self.event(try Self.zoned("Europe/Berlin")), overrides: [override])
    #expect(item.overrides.count == 1)
    #expect(item.timeZones.map { $0[.tzID]?.text } == ["Asia/Tokyo", "Europe/Berlin"])
  }

  @Test("A zone without rules, and a missing or another UID, are refused")
  func refused() throws {
    let unknown = #expect(throws: ItemError.self) {
      try CalendarItem(Self.event(try Self.zoned("Europe/Berlim")))
    }
    #expect(unknown?.code == .unknownTimeZone)
    #expect(
      unknown?.message
        == "time zone 'Europe/Berlim': the time zone is unknown, and the calendar does not define it"
    )
    let day = EventTime.date(try CivilDateTime(parsing: "20260302T090000").date)
    let unnamed = #expect(throws: ItemError.self) {
      try CalendarItem(Self.event(day, uid: nil))
    }
    #expect(unnamed?.code == .noUID)
    let mixed = #expect(throws: ItemError.self) {
      try CalendarItem(Self.event(day), overrides: [Self.event(day, uid: "2@example.org")])
    }
    #expect(mixed?.code == .severalItems)
  }

  @Test("An item that was read gets what it lacks, and is otherwise the same")
  func completed() throws {
    let bytes = calendar(CalendarItemTests.main)
    let item = try CalendarItem(parsing: bytes)
    let whole = item.definingTimeZones()
    #expect(whole.timeZones.map { $0[.tzID]?.text } == ["Europe/Vienna"])
    #expect(whole.components == item.components)
    #expect(whole.definingTimeZones().serialized() == whole.serialized())
    let none = ZoneResolver(database: ZoneDatabase(folders: []))
    #expect(item.definingTimeZones(zones: none).serialized() == bytes)
  }

  @Test(
    "An edited item keeps a definition, unless it agreed with its name and does not about the new times",
    arguments: [
      ("Europe/Berlin", "20260615T090000", "20260701T090000", false),
      ("Europe/Berlin", "20260615T090000", "20261215T090000", true),
      ("Europe/Berlin", "20261115T090000", "20261215T090000", false),
      ("W. Europe Standard Time", "20260615T090000", "20261215T090000", true),
      ("Ours", "20260615T090000", "20261215T090000", false),
    ])
  func outdated(_ tzID: String, _ start: String, _ moved: String, _ isReplaced: Bool) throws {
    // Only the summer time of 2026 is defined.
    let zone = [
      "BEGIN:VTIMEZONE", "TZID:\(tzID)", "BEGIN:DAYLIGHT", "DTSTART:20260329T030000",
      "TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "END:DAYLIGHT", "END:VTIMEZONE",
    ]
    func item(_ start: String) throws -> CalendarItem {
      try CalendarItem(
        parsing: calendar(
          zone + [
            "BEGIN:VEVENT", "UID:1", "DTSTAMP:20260101T000000Z",
            "DTSTART;TZID=\(tzID):\(start)", "DURATION:PT1H", "END:VEVENT",
          ]))
    }
    let (original, edited) = (try item(start), try item(moved))
    let result = edited.definingTimeZones(since: original)
    #expect(result.components == edited.components)
    #expect(result.timeZones.count == 1)
    #expect((result.timeZones != edited.timeZones) == isReplaced)
    if isReplaced {
      let offsets = result.timeZones[0].components.compactMap { $0[.tzOffsetTo]?.rawValue }
      #expect(offsets.contains("+0100"))
      #expect(result.timeZones[0][.tzID]?.text == tzID)
    }
    #expect(edited.definingTimeZones().timeZones == edited.timeZones)
  }

  @Test("What several items lack is defined once, and what cannot be defined is reported")
  func missing() throws {
    let items = try [
      CalendarItem(parsing: calendar(CalendarItemTests.main)),
      CalendarItem(parsing: calendar(CalendarItemTests.zone + CalendarItemTests.main)),
      CalendarItem(components: [Self.event(try Self.zoned("Nowhere")).component]),
      CalendarItem(components: [Self.event(try Self.zoned("Asia/Tokyo")).component]),
    ]
    let all = MissingDefinitions(of: items, zones: ZoneResolver())
    #expect(all.definitions.map { $0[.tzID]?.text } == ["Asia/Tokyo"])
    #expect(all.errors.map(\.tzID) == ["Nowhere"])
    let first = MissingDefinitions(of: items.prefix(1), zones: ZoneResolver())
    #expect(first.definitions.map { $0[.tzID]?.text } == ["Europe/Vienna"])
  }
}
