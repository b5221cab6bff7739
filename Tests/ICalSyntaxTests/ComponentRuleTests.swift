// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Testing

/// The rules of the RFCs for components, one row a rule and the text that breaks it.
@Suite("Rules of components")
struct ComponentRuleTests {
  struct Case: CustomTestStringConvertible {
    let component: String
    let lines: String
    /// Severity, code and message of each diagnostic, in order of place.
    let found: [String]

    init(_ component: String, _ lines: String, _ found: String...) {
      self.component = component
      self.lines = lines
      self.found = found
    }

    var testDescription: String { "\(component) \(lines.replacing("\n", with: " "))" }
  }

  static let places: [Case] = [
    Case(
      "VEVENT", "DUE:20260102T000000Z",
      "warning property.misplaced expected no DUE in VEVENT, found one"),
    Case(
      "VTODO", "TRANSP:OPAQUE",
      "warning property.misplaced expected no TRANSP in VTODO, found one"),
    Case("VEVENT", "X-ANYTHING:1,2\nIANA-TOKEN:2;3\nCATEGORIES:a,b\nSUMMARY:a\\, b\\; c\\\\"),
    Case(
      "VEVENT", "SUMMARY:Lunch, with Oma, and Opa\nDESCRIPTION:a\\,b;c\nLOCATION;LANGUAGE=de:a,b",
      "warning value.unescaped expected \"\\,\" in a text, found \",\"",
      "warning value.unescaped expected \"\\;\" in a text, found \";\"",
      "warning value.unescaped expected \"\\,\" in a text, found \",\""),
    Case(
      "VEVENT", "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:PT0S\nDESCRIPTION:a,b\nEND:VALARM",
      "warning value.unescaped expected \"\\,\" in a text, found \",\""),
    Case("X-THING", "DUE:20260101T000000Z\nVERSION:9"),
    Case("VJOURNAL", "DESCRIPTION:a\nDESCRIPTION:b"),
    Case(
      "VEVENT", "DESCRIPTION:a\nDESCRIPTION:b",
      "error property.repeated expected DESCRIPTION at most once in VEVENT, found another one"),
    Case(
      "VEVENT", "RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY",
      "note rule.conflict expected one RRULE, which is all that most programs read, "
        + "found another one"),
    Case(
      "VAVAILABILITY", "BUSYTYPE:BUSY\nBUSYTYPE:BUSY\nRRULE:FREQ=DAILY",
      "error property.repeated expected BUSYTYPE at most once in VAVAILABILITY, found another one",
      "warning property.misplaced expected no RRULE in VAVAILABILITY, found one"),
    Case(
      "VAVAILABILITY", "BEGIN:AVAILABLE\nSUMMARY:x\nEND:AVAILABLE",
      "error property.missing expected DTSTART in AVAILABLE, found none",
      "error property.missing expected UID in AVAILABLE, found none",
      "error property.missing expected DTSTAMP in AVAILABLE, found none"),
    Case(
      "VEVENT", "BEGIN:PARTICIPANT\nCALENDAR-ADDRESS:mailto:a@example.org\nEND:PARTICIPANT",
      "error property.missing expected UID in PARTICIPANT, found none",
      "error property.missing expected PARTICIPANT-TYPE in PARTICIPANT, found none"),
    Case(
      "VEVENT", "BEGIN:VLOCATION\nUID:2\nNAME:a\nNAME:b\nEND:VLOCATION",
      "error property.repeated expected NAME at most once in VLOCATION, found another one"),
    Case(
      "VEVENT", "COLOR:red\nCOLOR:red",
      "error property.repeated expected COLOR at most once in VEVENT, found another one"),
    Case(
      "VEVENT",
      "CONCEPT:http://example.org/a\nREFID:x\nLINK;VALUE=URI;LINKREL=icon:http://example.org"),
    Case("VEVENT", "IMAGE;VALUE=URI:http://example.org/a\nCONFERENCE;VALUE=URI:tel:+1"),
  ]

  /// RFC 7953, availability.
  static let availability: [Case] = [
    Case(
      "VAVAILABILITY", "DURATION:PT1H",
      "error property.missing expected DTSTART beside DURATION, found none"),
    Case(
      "VAVAILABILITY", "DTSTART;VALUE=DATE:20260101\nDTEND:20260102T000000",
      "error time.type expected a time in UTC or in a time zone, found a date",
      "error time.type expected a time in UTC or in a time zone, found a local time",
      "error time.type expected DTEND to be a DATE as DTSTART is, found a DATE-TIME"),
    Case(
      "VAVAILABILITY",
      "BEGIN:AVAILABLE\nUID:2\nDTSTAMP:20260101T000000Z\nDTSTART:20260101T000000Z\n"
        + "RRULE:FREQ=DAILY\nRRULE:FREQ=WEEKLY\nEND:AVAILABLE",
      "error property.repeated expected RRULE at most once in AVAILABLE, found another one"),
  ]

  /// RFC 7986, RFC 9073, RFC 9074 and RFC 9253.
  static let extensions: [Case] = [
    Case(
      "VEVENT", "CONFERENCE:tel:+1",
      "warning parameter.missing expected VALUE=URI on CONFERENCE, found none"),
    Case(
      "VEVENT", "IMAGE;DISPLAY=BADGE:http://example.org/a",
      "warning parameter.missing expected VALUE=URI or VALUE=BINARY on IMAGE, found none"),
    Case(
      "VEVENT", "LINK;VALUE=URI:http://example.org/a",
      "warning parameter.missing expected LINKREL on LINK, found none"),
    Case(
      "VEVENT", "STRUCTURED-DATA;VALUE=TEXT:{}\nSTRUCTURED-DATA;VALUE=URI:http://example.org/a",
      "warning parameter.missing expected FMTTYPE on STRUCTURED-DATA, found none",
      "warning parameter.missing expected SCHEMA on STRUCTURED-DATA, found none"),
    Case(
      "VEVENT",
      "RELATED-TO;VALUE=URI;RELTYPE=child:http://example.org/a\n"
        + "RELATED-TO;VALUE=URI;RELTYPE=NEXT:http://example.org/a\nRELATED-TO;VALUE=UID:a",
      "warning value.type expected a UID for RELTYPE=CHILD, found VALUE=URI"),
    Case(
      "VTIMEZONE",
      "TZID:x\nRELATED-TO:a\nBEGIN:STANDARD\nDTSTART:20260101T000000\n"
        + "TZOFFSETFROM:+0000\nTZOFFSETTO:+0000\nEND:STANDARD",
      "warning property.misplaced expected no UID in VTIMEZONE, found one",
      "warning property.misplaced expected no DTSTAMP in VTIMEZONE, found one"),
    Case(
      "VEVENT",
      "STYLED-DESCRIPTION;VALUE=TEXT:a\nSTYLED-DESCRIPTION;VALUE=TEXT;DERIVED=TRUE:b"),
    Case(
      "VEVENT", "STYLED-DESCRIPTION;VALUE=TEXT:a\nSTYLED-DESCRIPTION;VALUE=TEXT;DERIVED=FALSE:b",
      "warning property.conflict expected one STYLED-DESCRIPTION without DERIVED=TRUE among 2, "
        + "found 2"),
    Case(
      "VEVENT",
      "STYLED-DESCRIPTION;VALUE=TEXT;DERIVED=TRUE:a\nSTYLED-DESCRIPTION;VALUE=URI;DERIVED=TRUE:b:c",
      "warning property.conflict expected one STYLED-DESCRIPTION without DERIVED=TRUE among 2, "
        + "found none"),
    Case("VEVENT", "REQUEST-STATUS:2.0;Success\nREQUEST-STATUS:2.11.3;Success;x;y"),
    Case(
      "VEVENT", "REQUEST-STATUS:2.0;Success\nREQUEST-STATUS:2.8;Success\nREQUEST-STATUS:5.1;No",
      "warning property.conflict expected a REQUEST-STATUS that begins with 2 as the first one does, "
        + "found 5.1"),
    Case(
      "VEVENT",
      ["2;ok", "2.;ok", "2.0.0.0;ok", "2.x;ok", ";ok", "2.0"].map { "REQUEST-STATUS:\($0)" }
        .joined(separator: "\n"),
      "error value.range expected a code such as 2.0, \";\" and a description, found \"2;ok\"",
      "error value.range expected a code such as 2.0, \";\" and a description, found \"2.;ok\"",
      "error value.range expected a code such as 2.0, \";\" and a description, "
        + "found \"2.0.0.0;ok\"",
      "error value.range expected a code such as 2.0, \";\" and a description, found \"2.x;ok\"",
      "error value.range expected a code such as 2.0, \";\" and a description, found \";ok\"",
      "error value.range expected a code such as 2.0, \";\" and a description, found \"2.0\""),
    Case(
      "VEVENT", "BEGIN:VALARM\nACTION:AUDIO\nTRIGGER:PT0S\nPROXIMITY:arrive\nEND:VALARM",
      "warning component.missing expected a VLOCATION for PROXIMITY:ARRIVE, found none"),
    Case("VEVENT", "BEGIN:VALARM\nACTION:AUDIO\nTRIGGER:PT0S\nPROXIMITY:CONNECT\nEND:VALARM"),
    Case(
      "VEVENT",
      "BEGIN:VALARM\nACTION:AUDIO\nTRIGGER:PT0S\n"
        + "BEGIN:VLOCATION\nUID:2\nURL:geo:1,2\nEND:VLOCATION\nEND:VALARM",
      "warning property.missing expected PROXIMITY in an alarm with a VLOCATION, found none"),
    Case(
      "VEVENT", "BEGIN:VRESOURCE\nUID:2\nBEGIN:VLOCATION\nUID:3\nEND:VLOCATION\nEND:VRESOURCE",
      "error component.misplaced expected VLOCATION inside VEVENT or VTODO or VJOURNAL or "
        + "VFREEBUSY or VALARM or PARTICIPANT, found it inside VRESOURCE"),
    Case(
      "VEVENT",
      "BEGIN:PARTICIPANT\nUID:2\nPARTICIPANT-TYPE:ACTIVE\n"
        + "CALENDAR-ADDRESS;CN=A;PARTSTAT=ACCEPTED:mailto:a@example.org\nEND:PARTICIPANT"),
    Case("VEVENT", "COMMENT;LABEL=x:y\nATTENDEE;SCHEDULE-FORCE-SEND=COUNTER:mailto:a@example.org"),
  ]

  static let values: [Case] = [
    Case(
      "VTODO", "PERCENT-COMPLETE:101",
      "error value.range expected a number from 0 through 100, found 101"),
    Case(
      "VEVENT", "SEQUENCE:-1",
      "error value.range expected a number from 0 through 2147483647, found -1"),
    Case("VEVENT", "STATUS:confirmed"),
    Case(
      "VEVENT", "STATUS:COMPLETED",
      "error value.range expected TENTATIVE or CONFIRMED or CANCELLED, found \"COMPLETED\""),
    Case(
      "VEVENT", "CREATED:20260101T000000",
      "error time.utc expected a UTC time, which ends in Z, found a local time"),
    Case(
      "VEVENT", "DURATION:-PT1H",
      "error value.range expected a positive duration, found -PT1H"),
    Case(
      "VEVENT", "UID:",
      "error property.repeated expected UID at most once in VEVENT, found another one",
      "error value.range expected an identifier, found an empty UID"),
    Case(
      "VFREEBUSY", "FREEBUSY:20260101T000000/PT1H",
      "error time.utc expected a UTC time, which ends in Z, found a local time"),
    Case(
      "VFREEBUSY", "FREEBUSY:20260101T000000Z/20260101T000000Z",
      "error time.order expected the end of a period after its start, found 20260101T000000"),
    Case(
      "VFREEBUSY", "FREEBUSY:20260101T000000Z/20260101T010000",
      "error time.type expected both times of a period in UTC or neither, found one"),
    Case(
      "VFREEBUSY", "DTSTART:20260101T000000\nDTEND:20260101T010000Z",
      "error time.utc expected a UTC time, which ends in Z, found a local time"),
  ]

  static let parameters: [Case] = [
    Case(
      "VEVENT", "SUMMARY;TZID=/x:a",
      "warning parameter.misplaced expected no TZID parameter on SUMMARY, found one"),
    Case(
      "VEVENT", "ORGANIZER;PARTSTAT=ACCEPTED:mailto:a@example.org",
      "warning parameter.misplaced expected no PARTSTAT parameter on ORGANIZER, found one"),
    Case("VEVENT", "X-A;PARTSTAT=ACCEPTED;X-B=c:d"),
    Case(
      "VEVENT", "ATTENDEE;RSVP=yes:mailto:a@example.org",
      "warning parameter.value expected RSVP=TRUE or RSVP=FALSE, found RSVP=yes"),
    Case("VEVENT", "ATTENDEE;RSVP=true;CUTYPE=X-ROBOT:mailto:a@example.org"),
    Case(
      "VEVENT", "ATTENDEE;CN=a,b:mailto:a@example.org",
      "warning parameter.value expected one value of CN, found 2"),
    Case(
      "VEVENT", "ATTENDEE;MEMBER=team:mailto:a@example.org",
      "warning parameter.value expected a URI, found MEMBER=team"),
    Case(
      "VEVENT", "ATTENDEE;PARTSTAT=COMPLETED:mailto:a@example.org",
      "warning parameter.value expected an answer that goes with VEVENT, found PARTSTAT=COMPLETED"),
    Case("VTODO", "ATTENDEE;PARTSTAT=COMPLETED:mailto:a@example.org"),
    Case(
      "VJOURNAL", "ATTENDEE;PARTSTAT=TENTATIVE:mailto:a@example.org",
      "warning parameter.value expected an answer that goes with VJOURNAL, "
        + "found PARTSTAT=TENTATIVE"),
    Case(
      "VEVENT", "RELATED-TO;GAP=1h:x",
      "warning parameter.value expected a duration, found GAP=1h"),
    Case(
      "VEVENT", "COMMENT;ORDER=0:x",
      "warning parameter.value expected a number from 1, found ORDER=0"),
    // Two may come at the same place, but one that stands alone has no order (RFC 9073 §5.1).
    Case("VEVENT", "COMMENT;ORDER=1:x\nCOMMENT;ORDER=1:y\nX-A;ORDER=2:z"),
    Case("X-THING", "URL;ORDER=1:x:"),
    Case(
      "VEVENT", "URL;ORDER=1:x:",
      "warning parameter.misplaced expected no ORDER parameter on URL, found one"),
    Case(
      "VEVENT", "ATTENDEE;CN=a;CN=b:mailto:a@example.org",
      "error parameter.repeated expected the parameter CN once, found it again"),
    Case(
      "VEVENT", "EXDATE;TZID=/x;VALUE=DATE:20260101",
      "warning time.zone expected no TZID parameter on a date, found one",
      "warning time.type expected EXDATE to be a DATE-TIME as DTSTART is, found a DATE"),
    Case("VEVENT", "EXDATE;TZID=/x:20260101T000000Z,20260101T000000"),
    Case(
      "VEVENT", "ATTACH;VALUE=BINARY:SGk=",
      "warning parameter.missing expected ENCODING=BASE64 beside VALUE=BINARY, found none"),
  ]

  @Test(
    "What breaks a rule is named",
    arguments: places + values + parameters + availability + extensions)
  func namesWhatBreaksARule(_ item: Case) throws {
    let hasStart = item.component == "VEVENT"
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:x
      BEGIN:\(item.component)
      UID:1
      DTSTAMP:20260101T000000Z
      \(hasStart ? "DTSTART:20260101T000000Z" : "X-NO:start")
      \(item.lines)
      END:\(item.component)
      END:VCALENDAR

      """
    #expect(Self.diagnostics(text) == item.found)
  }

  @Test("The names of a calendar are in different languages")
  func languages() {
    let lines = [
      "NAME:a", "NAME;LANGUAGE=de:b", "NAME;LANGUAGE=DE:c", "DESCRIPTION:a", "DESCRIPTION:b",
    ]
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:x
      \(lines.joined(separator: "\n"))
      END:VCALENDAR

      """
    #expect(
      Self.diagnostics(text) == [
        "warning property.repeated expected NAME once in each language, found another one "
          + "with LANGUAGE=DE",
        "warning property.repeated expected DESCRIPTION once in each language, found another one "
          + "without LANGUAGE",
      ])
  }

  /// Severity, code and message of what is said about a text, in order of place.
  static func diagnostics(_ text: String, now: CivilDateTime? = nil) -> [String] {
    let bytes = Array(text.replacing("\n", with: "\r\n").utf8)
    return FileChecker.diagnostics(for: bytes.span, now: now).map {
      "\($0.severity) \($0.code) \($0.message)"
    }
  }
}
