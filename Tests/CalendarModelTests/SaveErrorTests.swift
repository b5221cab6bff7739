// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import Foundation
import TestSupport
import Testing

/// Every reason for which an item cannot be saved: one item a reason, which has no other.
@Suite struct SaveErrorTests {
  struct Case: CustomTestStringConvertible, Sendable {
    let code: SaveError.Code
    let component: [String]
    let message: String
    var place: SavingPlace? = SavingPlace(store: "home")
    var origin: String?
    var requiresEnd = false

    init(
      _ code: SaveError.Code, _ component: String..., says message: String,
      place: SavingPlace? = SavingPlace(store: "home"), origin: String? = nil,
      requiresEnd: Bool = false
    ) {
      self.code = code
      self.component = component
      self.message = message
      self.place = place
      self.origin = origin
      self.requiresEnd = requiresEnd
    }

    var testDescription: String { "\(code)" }
  }

  private static let start = "DTSTART:20260301T090000Z"
  private static let alarm = ["BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-P2D", "END:VALARM"]

  static let cases = [
    Case(
      .noCalendar, "VEVENT", start,
      says: "expected a calendar to save the item in, found none", place: nil),
    Case(
      .calendarReadOnly, "VEVENT", start,
      says: "expected a writable calendar, found a read-only one",
      place: SavingPlace(store: "home", isReadOnly: true)),
    Case(
      .calendarDoesNotAllowEvents, "VEVENT", start,
      says: "expected a calendar that holds events, found one that does not",
      place: SavingPlace(store: "home", kinds: [.reminder])),
    Case(
      .calendarDoesNotAllowReminders, "VTODO",
      says: "expected a calendar that holds reminders, found one that does not",
      place: SavingPlace(store: "home", kinds: [.event])),
    Case(
      .objectBelongsToDifferentStore, "VEVENT", start,
      says: "expected an item of the store 'home', found one of 'work'", origin: "work"),
    Case(.noStartDate, "VEVENT", says: "expected a start, found none"),
    Case(.noEndDate, "VEVENT", start, says: "expected an end, found none", requiresEnd: true),
    Case(
      .datesInverted, "VEVENT", start, "DTEND:20260301T080000Z",
      says: "expected an end that is not before the start, found 2026-03-01 08:00 UTC "
        + "after 2026-03-01 09:00 UTC"),
    Case(
      .mixedTimes, "VEVENT", start, "DTEND;VALUE=DATE:20260302",
      says: "expected two dates or two times, found one of each"),
    Case(
      .priorityIsInvalid, "VTODO", "PRIORITY:12",
      says: "expected a priority from 0 through 9, found 12"),
    Case(
      .recurringReminderRequiresDueDate, "VTODO", start, "RRULE:FREQ=DAILY",
      says: "expected a due date in a reminder that recurs, found none"),
    Case(
      .durationGreaterThanRecurrence, "VEVENT", start, "DURATION:PT25H", "RRULE:FREQ=DAILY",
      says: "expected occurrences of at most 86400 seconds, found 90000"),
    Case(
      .alarmGreaterThanRecurrence, "VEVENT", start, "RRULE:FREQ=DAILY", alarm[0], alarm[1],
      alarm[2], alarm[3],
      says: "expected an alarm at most 86400 seconds before, found 172800"),
    Case(
      .startDateCollidesWithOtherOccurrence, "VEVENT", start, "RRULE:FREQ=DAILY", "END:VEVENT",
      "BEGIN:VEVENT", "UID:1", "RECURRENCE-ID:20260302T090000Z", "DTSTART:20260303T090000Z",
      says: "expected occurrences at different times, found two at 20260303T090000"),
  ]

  @Test("Each reason is found where it is the only one, and told in words", arguments: cases)
  func reason(_ example: Case) throws {
    let name = example.component[0]
    let item = try CalendarItem(
      parsing: calendar(
        ["BEGIN:\(name)", "UID:1"] + example.component.dropFirst() + ["END:\(name)"]))
    var rules = SavingRules(zones: ZoneResolverTests.resolver)
    rules.requiresEnd = example.requiresEnd
    let errors = rules.errors(in: item, savedIn: example.place, readFrom: example.origin)
    #expect(errors.map(\.code) == [example.code])
    #expect(errors.map(\.message) == [example.message])
  }

  @Test("No reason is without an item, and the article tells of each")
  func complete() throws {
    #expect(Set(Self.cases.map(\.code)) == Set(SaveError.Code.allCases))
    let article = try String(
      contentsOf: Fixture.root.deletingLastPathComponent()
        .appending(path: "Sources/CalendarModel/CalendarModel.docc/EditingItems.md"),
      encoding: .utf8)
    for code in SaveError.Code.allCases {
      #expect(article.contains("| ``SaveError/Code/\(code)`` |"), "\(code)")
    }
  }
}
