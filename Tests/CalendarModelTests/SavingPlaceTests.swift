// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax
import Testing

/// What keeps whole items from being saved, and where.
@Suite struct SavingPlaceTests {
  static let rules = SavingRules(zones: ZoneResolverTests.resolver)

  private static func item(_ lines: String...) throws -> CalendarItem {
    try CalendarItem(parsing: calendar(lines))
  }

  private static func event(_ lines: String...) throws -> CalendarItem {
    try CalendarItem(
      parsing: calendar(
        ["BEGIN:VEVENT", "UID:1", "DTSTART;TZID=Europe/Vienna:20260301T090000"] + lines
          + ["END:VEVENT"]))
  }

  /// A calendar to save in, the store that the item is from, and what is wrong.
  typealias Case = (place: SavingPlace?, origin: String?, codes: [SaveError.Code])

  static let cases: [Case] = [
    (nil, nil, [.noCalendar]),
    (SavingPlace(store: "a"), nil, []),
    (SavingPlace(store: "a"), "a", []),
    (SavingPlace(store: "a"), "b", [.objectBelongsToDifferentStore]),
    (SavingPlace(store: "a", isReadOnly: true), "a", [.calendarReadOnly]),
    (SavingPlace(store: "a", kinds: [.reminder]), "a", [.calendarDoesNotAllowEvents]),
    (
      SavingPlace(store: "a", isReadOnly: true, kinds: []), "b",
      [.objectBelongsToDifferentStore, .calendarReadOnly, .calendarDoesNotAllowEvents]
    ),
  ]

  @Test("A calendar has to be there, to be writable, and to hold such items")
  func places() throws {
    let item = try Self.event()
    for (place, origin, codes) in Self.cases {
      let errors = Self.rules.errors(in: item, savedIn: place, readFrom: origin)
      #expect(errors.map(\.code) == codes)
    }
    let reminder = try Self.item("BEGIN:VTODO", "UID:1", "END:VTODO")
    let errors = Self.rules.errors(in: reminder, savedIn: SavingPlace(store: "a", kinds: [.event]))
    #expect(errors.map(\.code) == [.calendarDoesNotAllowReminders])
    #expect(
      errors.map(\.message) == [
        "expected a calendar that holds reminders, found one that does not"
      ])
  }

  @Test("Occurrences end before the next one, and so do their alarms begin")
  func series() throws {
    let long = try Self.event("DURATION:P1DT1H", "RRULE:FREQ=DAILY")
    #expect(Self.rules.errors(in: long).map(\.code) == [.durationGreaterThanRecurrence])
    let weekly = try Self.event("DURATION:P1DT1H", "RRULE:FREQ=WEEKLY")
    #expect(Self.rules.errors(in: weekly).isEmpty)
    let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-P2D", "END:VALARM"]
    let early = try Self.event("RRULE:FREQ=DAILY", alarm[0], alarm[1], alarm[2], alarm[3])
    #expect(Self.rules.errors(in: early).map(\.code) == [.alarmGreaterThanRecurrence])
    let once = try Self.event(alarm[0], alarm[1], alarm[2], alarm[3])
    #expect(Self.rules.errors(in: once).isEmpty)
  }

  @Test("An occurrence is not moved to where another one is")
  func collisions() throws {
    func moved(to start: String, _ others: [String] = []) throws -> [SaveError.Code] {
      let zone = ";TZID=Europe/Vienna:"
      let item = try CalendarItem(
        parsing: calendar(
          [
            "BEGIN:VEVENT", "UID:1", "DTSTART\(zone)20260301T090000", "RRULE:FREQ=DAILY",
            "END:VEVENT", "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID\(zone)20260305T090000",
            "DTSTART\(zone)\(start)", "END:VEVENT",
          ] + others))
      return Self.rules.errors(in: item).map(\.code)
    }
    #expect(try moved(to: "20260305T090000").isEmpty)
    #expect(try moved(to: "20260306T100000").isEmpty)
    #expect(try moved(to: "20260306T090000") == [.startDateCollidesWithOtherOccurrence])
    let away = [
      "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID;TZID=Europe/Vienna:20260306T090000",
      "DTSTART;TZID=Europe/Vienna:20260306T120000", "END:VEVENT",
    ]
    #expect(try moved(to: "20260306T090000", away).isEmpty)
    #expect(try moved(to: "20260306T120000", away) == [.startDateCollidesWithOtherOccurrence])
  }

  @Test("A priority is from 0 through 9, and an end is wanted where EventKit wants one")
  func fields() throws {
    var event = Event()
    event.start = .date(day("20260301"))
    event.priority = 12
    #expect(Self.rules.errors(in: event).map(\.code) == [.priorityIsInvalid])
    event.priority = 9
    #expect(Self.rules.errors(in: event).isEmpty)
    var strict = Self.rules
    strict.requiresEnd = true
    #expect(strict.errors(in: event).map(\.code) == [.noEndDate])
  }
}
