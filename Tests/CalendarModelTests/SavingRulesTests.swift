// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

@Suite struct SavingRulesTests {
  static let rules = SavingRules(zones: ZoneResolverTests.resolver)

  /// Properties of an item, what is wrong with them, and what a checker of files adds to that.
  struct Case: CustomTestStringConvertible {
    let properties: [String]
    let codes: [SaveError.Code]
    let diagnostics: [String]

    init(_ properties: String..., codes: [SaveError.Code], diagnostics: [String] = []) {
      self.properties = properties
      self.codes = codes
      self.diagnostics = diagnostics
    }

    var testDescription: String { properties.joined(separator: " ") }
  }

  static let events = [
    Case("DTSTART:20260101T090000Z", codes: []),
    Case("SUMMARY:A", codes: [.noStartDate]),
    Case("DTSTART:20260101T090000Z", "DTEND:20260101T090000Z", codes: []),
    Case("DTSTART:20260101T090000Z", "DTEND:20260101T085959Z", codes: [.datesInverted]),
    Case("DTSTART;VALUE=DATE:20260101", "DTEND;VALUE=DATE:20260101", codes: []),
    Case("DTSTART;VALUE=DATE:20260102", "DTEND;VALUE=DATE:20260101", codes: [.datesInverted]),
    Case("DTSTART;VALUE=DATE:20260101", "DTEND:20260102T090000Z", codes: [.mixedTimes]),
    Case("DTSTART:20260101T090000Z", "DURATION:-PT1H", codes: [.datesInverted]),
    Case("DTSTART:20260101T090000", "DTEND:20260101T080000Z", codes: []),
    Case(
      "DTSTART;TZID=America/New_York:20260101T090000", "DTEND;TZID=Europe/Berlin:20260101T150000",
      codes: []),
    Case(
      "DTSTART;TZID=America/New_York:20260101T090000", "DTEND;TZID=Europe/Berlin:20260101T140000",
      codes: [.datesInverted],
      diagnostics: [
        "6:26 item.unsavable: expected an end that is not before the start, found "
          + "2026-01-01 14:00 Europe/Berlin after 2026-01-01 09:00 America/New_York"
      ]),
    Case(
      "DTSTART;TZID=Nowhere:20260101T090000", "DTEND;TZID=Europe/Berlin:20260101T080000", codes: []),
  ]

  @Test("An event has a start, and an end that is not before it", arguments: events)
  func event(_ example: Case) throws {
    let component = try component(["BEGIN:VEVENT"] + example.properties + ["END:VEVENT"])
    #expect(Self.rules.errors(in: Event(component)).map(\.code) == example.codes)
    #expect(Self.said(of: component) == example.diagnostics)
  }

  static let reminders = [
    Case("SUMMARY:A", codes: []),
    Case("DUE;VALUE=DATE:20260101", codes: []),
    Case("DTSTART:20260102T090000Z", "DUE:20260101T090000Z", codes: [.datesInverted]),
    Case(
      "DTSTART:20260101T090000Z", "RDATE:20260102T090000Z",
      codes: [.recurringReminderRequiresDueDate],
      diagnostics: [
        "4:1 item.unsavable: expected a due date in a reminder that recurs, found none"
      ]),
    Case("DUE:20260101T090000Z", "RDATE:20260102T090000Z", codes: []),
  ]

  @Test("A reminder that recurs is due at some time", arguments: reminders)
  func reminder(_ example: Case) throws {
    let component = try component(["BEGIN:VTODO"] + example.properties + ["END:VTODO"])
    #expect(Self.rules.errors(in: Reminder(component)).map(\.code) == example.codes)
    #expect(Self.said(of: component) == example.diagnostics)
  }

  private static func said(of component: Component) -> [String] {
    rules.diagnostics(for: component).map { "\($0.position) \($0.code): \($0.message)" }
  }
}
