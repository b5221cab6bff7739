// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence
import Testing

/// One property as it stands in a component, and the field of a model that says the same.
struct MappingCase<Model: ComponentModel>: CustomTestStringConvertible, Sendable {
  let properties: [String]
  let set: @Sendable (inout Model) -> Void

  init(_ properties: String..., set: @escaping @Sendable (inout Model) -> Void) {
    self.properties = properties
    self.set = set
  }

  var testDescription: String { properties.joined(separator: " ") }

  /// Checks that the properties read as the field, and that the field writes the properties.
  func check() throws {
    let name = Model.componentName.rawName
    let read = try component(["BEGIN:\(name)"] + properties + ["END:\(name)"])
    var diagnostics: [Diagnostic] = []
    let model = Model(read, diagnostics: &diagnostics)
    #expect(diagnostics.isEmpty)
    var expected = Model()
    set(&expected)
    #expect(model == expected)
    #expect(text(expected.component) == text(read))
    // Setting nothing again takes the properties away.
    var emptied = read
    Model().write(to: &emptied)
    #expect(emptied == Component(Model.componentName))
  }
}

/// The date-time of a text in the basic form.
func wall(_ text: String) -> CivilDateTime {
  guard let time = try? CivilDateTime(parsing: text) else {
    preconditionFailure("\(text) is no time")
  }
  return time
}

/// The rule of a text.
func rule(_ text: String) -> RecurrenceRule? {
  try? RecurrenceRule(parsing: text)
}

/// The date of a text in the basic form.
func day(_ text: String) -> CivilDate {
  wall("\(text)T000000").date
}

@Suite struct ComponentMappingTests {
  static let events: [MappingCase<Event>] = [
    MappingCase("UID:1@example.org") { $0.uid = UID("1@example.org") },
    MappingCase("RECURRENCE-ID:20260102T090000Z") {
      $0.recurrenceID = RecurrenceID(.utc(wall("20260102T090000")))
    },
    MappingCase("RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20260102") {
      $0.recurrenceID = RecurrenceID(.date(day("20260102")), includesFuture: true)
    },
    MappingCase("DTSTAMP:19700101T000001Z") { $0.stamp = Instant(secondsSinceEpoch: 1) },
    MappingCase("CREATED:19700101T000002Z") { $0.created = Instant(secondsSinceEpoch: 2) },
    MappingCase("LAST-MODIFIED:19700101T000003Z") {
      $0.lastModified = Instant(secondsSinceEpoch: 3)
    },
    MappingCase("SEQUENCE:4") { $0.sequence = 4 },
    MappingCase("DTSTART;VALUE=DATE:20260101") { $0.start = .date(day("20260101")) },
    MappingCase("DTSTART:20260101T090000") { $0.start = .floating(wall("20260101T090000")) },
    MappingCase("DTSTART:20260101T090000Z") { $0.start = .utc(wall("20260101T090000")) },
    MappingCase("DTSTART;TZID=Europe/Vienna:20260101T090000") {
      $0.start = .zoned(wall("20260101T090000"), tzID: "Europe/Vienna")
    },
    MappingCase("DTEND;VALUE=DATE:20260102") { $0.end = .time(.date(day("20260102"))) },
    MappingCase("DURATION:P1DT2H") {
      $0.end = CivilDuration(days: 1, hours: 2).map { .duration($0) }
    },
    MappingCase("RRULE:FREQ=MONTHLY;COUNT=10;BYDAY=-1FR") {
      $0.recurrence.rules = ["FREQ=MONTHLY;COUNT=10;BYDAY=-1FR"].compactMap(rule)
    },
    MappingCase("RRULE:FREQ=DAILY", "EXRULE:FREQ=WEEKLY") {
      $0.recurrence.rules = [rule("FREQ=DAILY")].compactMap { $0 }
      $0.recurrence.exclusionRules = [rule("FREQ=WEEKLY")].compactMap { $0 }
    },
    MappingCase("RDATE:20260102T090000Z", "RDATE;VALUE=DATE:20260103") {
      $0.recurrence.dates = [
        .time(.utc(wall("20260102T090000"))), .time(.date(day("20260103"))),
      ]
    },
    MappingCase("RDATE;VALUE=PERIOD:20260102T090000Z/PT1H") {
      $0.recurrence.dates = [
        .period(
          start: .utc(wall("20260102T090000")),
          end: .duration(CivilDuration(hours: 1) ?? .zero))
      ]
    },
    MappingCase("EXDATE;TZID=A/B:20260102T090000") {
      $0.recurrence.excludedDates = [.zoned(wall("20260102T090000"), tzID: "A/B")]
    },
    MappingCase("SUMMARY:A\\, b\\; c\\\\ d\\ne") { $0.summary = "A, b; c\\ d\ne" },
    MappingCase("DESCRIPTION:A") { $0.descriptionText = "A" },
    MappingCase("LOCATION:A") { $0.location = "A" },
    MappingCase("GEO:48.2;16.37") { $0.geo = GeoPoint(latitude: 48.2, longitude: 16.37) },
    MappingCase("CATEGORIES:A,B\\,C") { $0.categories = ["A", "B,C"] },
    MappingCase("RESOURCES:A,B") { $0.resources = ["A", "B"] },
    MappingCase("COMMENT:A", "COMMENT:B") { $0.comments = ["A", "B"] },
    MappingCase("CONTACT:A") { $0.contacts = ["A"] },
    MappingCase("CLASS:PRIVATE") { $0.classification = .private },
    MappingCase("CLASS:X-FRIENDS") { $0.classification = Classification(rawValue: "x-friends") },
    MappingCase("STATUS:TENTATIVE") { $0.status = .tentative },
    MappingCase("TRANSP:TRANSPARENT") { $0.transparency = .transparent },
    MappingCase("PRIORITY:1") { $0.priority = 1 },
    MappingCase("URL:https://example.org/?a=b,c") { $0.url = "https://example.org/?a=b,c" },
    MappingCase("COLOR:turquoise") { $0.color = "turquoise" },
    MappingCase("ORGANIZER;CN=A;SENT-BY=\"mailto:c@d\";DIR=\"ldap://e\":mailto:a@b") {
      $0.organizer = Organizer(CalendarAddress("mailto:a@b"), commonName: "A")
      $0.organizer?.sentBy = CalendarAddress("mailto:c@d")
      $0.organizer?.directory = "ldap://e"
    },
    MappingCase("RELATED-TO:A", "RELATED-TO;RELTYPE=CHILD:B") {
      $0.relations = [Relation(to: "A"), Relation(to: "B", type: .child)]
    },
    MappingCase("REQUEST-STATUS:3.1;Invalid value\\; sorry;DTSTART:A") {
      $0.requestStatuses = [
        RequestStatus(code: "3.1", text: "Invalid value; sorry", data: "DTSTART:A")
      ]
    },
    MappingCase("ATTACH;FMTTYPE=text/plain:https://example.org/a") {
      $0.attachments = [Attachment(.uri("https://example.org/a"), formatType: "text/plain")]
    },
    MappingCase("ATTACH;ENCODING=BASE64;VALUE=BINARY:QUJD") {
      $0.attachments = [Attachment(.inline(base64: "QUJD"))]
    },
    MappingCase("BEGIN:VALARM", "ACTION:DISPLAY", "TRIGGER:-PT15M", "END:VALARM") {
      var alarm = Alarm()
      alarm.action = .display
      alarm.trigger = CivilDuration(isNegative: true, minutes: 15).map { .relative($0, to: .start) }
      $0.alarms = [alarm]
    },
  ]

  @Test("A field of an event stands in its property and back", arguments: events)
  func event(_ example: MappingCase<Event>) throws {
    try example.check()
  }

  static let attendees: [MappingCase<Event>] = [
    MappingCase("ATTENDEE:mailto:a@b") { $0.attendees = [Self.attendee { _ in }] },
    MappingCase("ATTENDEE;CN=\"A, B\":mailto:a@b") {
      $0.attendees = [Self.attendee { $0.commonName = "A, B" }]
    },
    MappingCase("ATTENDEE;CN=A ^'B^':mailto:a@b") {
      $0.attendees = [Self.attendee { $0.commonName = "A \"B\"" }]
    },
    MappingCase("ATTENDEE;CUTYPE=ROOM:mailto:a@b") {
      $0.attendees = [Self.attendee { $0.userType = .room }]
    },
    MappingCase("ATTENDEE;ROLE=CHAIR:mailto:a@b") {
      $0.attendees = [Self.attendee { $0.role = .chair }]
    },
    MappingCase("ATTENDEE;PARTSTAT=ACCEPTED:mailto:a@b") {
      $0.attendees = [Self.attendee { $0.participationStatus = .accepted }]
    },
    MappingCase("ATTENDEE;RSVP=TRUE:mailto:a@b") {
      $0.attendees = [Self.attendee { $0.expectsReply = true }]
    },
    MappingCase("ATTENDEE;MEMBER=\"mailto:c@d\",\"mailto:e@f\":mailto:a@b") {
      $0.attendees = [
        Self.attendee {
          $0.memberships = [CalendarAddress("mailto:c@d"), CalendarAddress("mailto:e@f")]
        }
      ]
    },
    MappingCase("ATTENDEE;DELEGATED-TO=\"mailto:c@d\":mailto:a@b") {
      $0.attendees = [Self.attendee { $0.delegatedTo = [CalendarAddress("mailto:c@d")] }]
    },
    MappingCase("ATTENDEE;DELEGATED-FROM=\"mailto:c@d\":mailto:a@b") {
      $0.attendees = [Self.attendee { $0.delegatedFrom = [CalendarAddress("mailto:c@d")] }]
    },
    MappingCase("ATTENDEE;SENT-BY=\"mailto:c@d\":mailto:a@b") {
      $0.attendees = [Self.attendee { $0.sentBy = CalendarAddress("mailto:c@d") }]
    },
    MappingCase("ATTENDEE;DIR=\"ldap://c\":mailto:a@b") {
      $0.attendees = [Self.attendee { $0.directory = "ldap://c" }]
    },
  ]

  static func attendee(_ set: (inout Attendee) -> Void) -> Attendee {
    var attendee = Attendee(CalendarAddress("mailto:a@b"))
    set(&attendee)
    return attendee
  }

  @Test("A field of an attendee stands in its parameter and back", arguments: attendees)
  func attendee(_ example: MappingCase<Event>) throws {
    try example.check()
  }

  static let reminders: [MappingCase<Reminder>] = [
    MappingCase("DUE:20260101T090000") {
      $0.due = .time(.floating(wall("20260101T090000")))
    },
    MappingCase("DURATION:PT1H") { $0.due = CivilDuration(hours: 1).map { .duration($0) } },
    MappingCase("STATUS:IN-PROCESS") { $0.status = .inProcess },
    MappingCase("COMPLETED:19700101T000001Z") { $0.completed = Instant(secondsSinceEpoch: 1) },
    MappingCase("PERCENT-COMPLETE:40") { $0.percentComplete = 40 },
    MappingCase("PRIORITY:9") { $0.priority = 9 },
    MappingCase("DESCRIPTION:A") { $0.descriptionText = "A" },
    MappingCase("LOCATION:A") { $0.location = "A" },
    MappingCase("GEO:1.5;2.5") { $0.geo = GeoPoint(latitude: 1.5, longitude: 2.5) },
    MappingCase("RESOURCES:A") { $0.resources = ["A"] },
    MappingCase("SUMMARY:A") { $0.summary = "A" },
    MappingCase("BEGIN:VALARM", "ACTION:AUDIO", "END:VALARM") {
      var alarm = Alarm()
      alarm.action = .audio
      $0.alarms = [alarm]
    },
  ]

  @Test("A field of a reminder stands in its property and back", arguments: reminders)
  func reminder(_ example: MappingCase<Reminder>) throws {
    try example.check()
  }

  static let journals: [MappingCase<Journal>] = [
    MappingCase("DESCRIPTION:A", "DESCRIPTION:B") { $0.descriptionTexts = ["A", "B"] },
    MappingCase("STATUS:DRAFT") { $0.status = .draft },
    MappingCase("DTSTART;VALUE=DATE:20260101") { $0.start = .date(day("20260101")) },
  ]

  @Test("A field of a journal entry stands in its property and back", arguments: journals)
  func journal(_ example: MappingCase<Journal>) throws {
    try example.check()
  }

  static let alarms: [MappingCase<Alarm>] = [
    MappingCase("ACTION:EMAIL") { $0.action = .email },
    MappingCase("ACTION:X-BLINK") { $0.action = AlarmAction(rawValue: "X-BLINK") },
    MappingCase("TRIGGER;RELATED=END:PT5M") {
      $0.trigger = CivilDuration(minutes: 5).map { .relative($0, to: .end) }
    },
    MappingCase("TRIGGER;VALUE=DATE-TIME:19700101T000001Z") {
      $0.trigger = .absolute(Instant(secondsSinceEpoch: 1))
    },
    MappingCase("DURATION:PT5M", "REPEAT:2") {
      $0.interval = CivilDuration(minutes: 5)
      $0.repeatCount = 2
    },
    MappingCase("DESCRIPTION:A", "SUMMARY:B") {
      $0.descriptionText = "A"
      $0.summary = "B"
    },
    MappingCase("ATTENDEE:mailto:a@b") { $0.attendees = [Attendee(CalendarAddress("mailto:a@b"))] },
    MappingCase("ATTACH:Basso") { $0.attachments = [Attachment(.uri("Basso"))] },
    MappingCase("UID:A") { $0.uid = UID("A") },
    MappingCase("ACKNOWLEDGED:19700101T000001Z") {
      $0.acknowledged = Instant(secondsSinceEpoch: 1)
    },
    MappingCase("RELATED-TO;RELTYPE=SNOOZE:A") {
      $0.relations = [Relation(to: "A", type: .snooze)]
    },
  ]

  @Test("A field of an alarm stands in its property and back", arguments: alarms)
  func alarm(_ example: MappingCase<Alarm>) throws {
    try example.check()
  }
}
