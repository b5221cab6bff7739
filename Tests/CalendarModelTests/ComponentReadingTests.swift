// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Testing

/// Properties of an event as some program writes them, what they say, and what is wrong with them.
struct ReadingCase: CustomTestStringConvertible, Sendable {
  let properties: [String]
  let messages: [String]
  let set: @Sendable (inout Event) -> Void

  init(
    _ properties: String..., messages: [String] = [], set: @escaping @Sendable (inout Event) -> Void
  ) {
    self.properties = properties
    self.messages = messages
    self.set = set
  }

  var testDescription: String { properties.joined(separator: " ") }
}

/// Which properties count where there are several, and values that are not written as most are.
@Suite struct ComponentReadingTests {
  static let places: [ReadingCase] = [
    ReadingCase("SUMMARY:A", "SUMMARY:B") { $0.summary = "A" },
    ReadingCase(
      "SEQUENCE:x", "SEQUENCE:1",
      messages: ["expected an integer from -2147483648 through 2147483647, found \"x\""]
    ) { _ in },
    ReadingCase("COMMENT:B", "SUMMARY:A", "COMMENT:A") {
      $0.comments = ["B", "A"]
      $0.summary = "A"
    },
    ReadingCase("CATEGORIES:B,A", "categories:C") { $0.categories = ["B", "A", "C"] },
    ReadingCase("DTEND:20260101T100000Z", "DURATION:PT1H") {
      $0.end = .time(.utc(wall("20260101T100000")))
    },
    ReadingCase("DURATION:x", "DTEND:20260101T100000Z") {
      $0.end = .time(.utc(wall("20260101T100000")))
    },
    ReadingCase(
      "DURATION:PT1H", "DTEND:x", "DURATION:PT2H", "DTEND:20260101T100000Z",
      messages: ["expected a year from 0001 through 9999, found \"x\""]
    ) { $0.end = CivilDuration(hours: 1).map { .duration($0) } },
    ReadingCase(
      "PRIORITY:10", "DTSTAMP:20260101T000000", "X-A:1", "TRANSP:A",
      messages: [
        "expected a number from 0 through 9, found \"10\"",
        "expected a time in UTC, found \"20260101T000000\"",
        "expected a word that TRANSP can be, found \"A\"",
      ]
    ) { _ in },
  ]

  static let spellings: [ReadingCase] = [
    ReadingCase("DTSTART;VALUE=DATE-TIME;TZID=A/B:20260101T090000") {
      $0.start = .zoned(wall("20260101T090000"), tzID: "A/B")
    },
    ReadingCase("DTSTART;tzid=\"A/B\";TZID=C:20260101T090000") {
      $0.start = .zoned(wall("20260101T090000"), tzID: "A/B")
    },
    ReadingCase("DTSTART;TZID=A/B:20260101T090000Z") { $0.start = .utc(wall("20260101T090000")) },
    ReadingCase("DTSTART;X-VALUE=DATE:20260101T090000") {
      $0.start = .floating(wall("20260101T090000"))
    },
    ReadingCase(
      "DTSTART:20260101",
      messages: ["expected VALUE=DATE before a date, found none"]
    ) { $0.start = .date(day("20260101")) },
    ReadingCase(
      "DTSTART;VALUE=DATE:20260101T090000",
      messages: ["expected a date as VALUE=DATE says, found a date-time"]
    ) { $0.start = .floating(wall("20260101T090000")) },
    ReadingCase("DTSTAMP;X-A=1:19700101T000001Z") { $0.stamp = Instant(secondsSinceEpoch: 1) },
    ReadingCase("EXDATE;TZID=A/B:20260101T090000,20260102T090000") {
      $0.recurrence.excludedDates = [
        .zoned(wall("20260101T090000"), tzID: "A/B"), .zoned(wall("20260102T090000"), tzID: "A/B"),
      ]
    },
    ReadingCase("SEQUENCE;X-A=1:4") { $0.sequence = 4 },
    ReadingCase("STATUS:Confirmed") { $0.status = .confirmed },
    ReadingCase("STATUS;X-A=1:CON\\FIRMED") { $0.status = .confirmed },
    ReadingCase("CLASS:x-Friends") { $0.classification = Classification(rawValue: "X-FRIENDS") },
    ReadingCase("DURATION;X-A=1:PT1H") { $0.end = CivilDuration(hours: 1).map { .duration($0) } },
  ]

  static let persons: [ReadingCase] = [
    ReadingCase("ATTENDEE:MailTo:A@b") { $0.attendees = [Attendee(CalendarAddress("MailTo:A@b"))] },
    ReadingCase("ATTENDEE:https://a.b") {
      $0.attendees = [Attendee(CalendarAddress("https://a.b"))]
    },
    ReadingCase(
      "ATTENDEE:a@b",
      messages: ["expected a URI, such as mailto:ann@example.org, found \"a@b\""]
    ) { $0.attendees = [Attendee(CalendarAddress("a@b"))] },
    ReadingCase(
      "ATTENDEE;VALUE=TEXT:mailto:a@b",
      messages: ["expected a value of type CAL-ADDRESS, found VALUE=TEXT"]
    ) { $0.attendees = [Attendee(CalendarAddress("mailto:a@b"))] },
    ReadingCase("ATTENDEE;CN=A;CN=B;ROLE=chair;role=X;PARTSTAT=\"Declined\":mailto:a@b") {
      $0.attendees = [
        attendee {
          $0.commonName = "A"
          $0.role = .chair
          $0.participationStatus = .declined
        }
      ]
    },
    ReadingCase("ATTENDEE;ROLE=X-Cook,CHAIR;RSVP=\"true\";X-A=B;CUTYPE=:mailto:a@b") {
      $0.attendees = [
        attendee {
          $0.role = Role(rawValue: "X-COOK")
          $0.expectsReply = true
          $0.userType = CalendarUserType(rawValue: "")
        }
      ]
    },
    ReadingCase("ATTENDEE;MEMBER=\"mailto:c@d;e\",\"f\";member=g:mailto:a@b") {
      $0.attendees = [
        attendee { $0.memberships = ["mailto:c@d;e", "f", "g"].map { CalendarAddress($0) } }
      ]
    },
    ReadingCase("ORGANIZER;SENT-BY=\"mailto:c@d\";CN=A^'B:mailto:a@b") {
      $0.organizer = Organizer(CalendarAddress("mailto:a@b"), commonName: "A\"B")
      $0.organizer?.sentBy = CalendarAddress("mailto:c@d")
    },
  ]

  private static func attendee(_ set: (inout Attendee) -> Void) -> Attendee {
    var attendee = Attendee(CalendarAddress("mailto:a@b"))
    set(&attendee)
    return attendee
  }

  @Test(
    "Values are read from the right properties, whatever these look like",
    arguments: places + spellings + persons)
  func reading(_ example: ReadingCase) throws {
    var expected = Event()
    example.set(&expected)
    let parsed = try event(example.properties)
    var diagnostics: [Diagnostic] = []
    #expect(Event(parsed, diagnostics: &diagnostics) == expected)
    #expect(diagnostics.map(\.message) == example.messages)
    // The same, put together in memory.
    let copy = Component(.event, properties: parsed.properties.map { $0 })
    #expect(Event(copy) == expected)
  }
}
