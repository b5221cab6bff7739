// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Testing

/// The rules for times, alarms and zones, one row a rule and the text that breaks it.
@Suite("Rules of times")
struct TimeRuleTests {
  private typealias Case = ComponentRuleTests.Case

  static let times: [ComponentRuleTests.Case] = [
    Case(
      "VEVENT", "DTSTART:20260101T000000Z\nDTEND:20260101T000000Z",
      "warning time.order expected DTEND after DTSTART, found the same time"),
    Case(
      "VTODO", "DTSTART;VALUE=DATE:20260101\nDUE;VALUE=DATE:20260101",
      "note time.order expected DUE after DTSTART, found the same day"),
    Case(
      "VTODO", "DTSTART;TZID=/x:20260101T080000\nDUE;TZID=/x:20260101T080000\nRRULE:FREQ=DAILY",
      "note time.order expected DUE after DTSTART, found the same time"),
    Case(
      "VTODO", "DTSTART:20260101T090000Z\nDUE:20260101T080000Z",
      "error time.order expected DUE after DTSTART, found an earlier time"),
    Case(
      "VEVENT", "DTSTART;VALUE=DATE:20260101\nDURATION:PT1H",
      "warning time.type expected a duration in days or weeks, because DTSTART is a date, "
        + "found PT1H"),
    Case("VEVENT", "DTSTART;VALUE=DATE:20260101\nDURATION:P2D"),
    Case(
      "VEVENT", "DTSTART:20260101T000000Z\nRDATE;VALUE=DATE:20260102",
      "warning time.type expected RDATE to be a DATE-TIME as DTSTART is, found a DATE"),
    Case("VEVENT", "DTSTART:20260101T000000Z\nRDATE;VALUE=PERIOD:20260102T000000Z/PT1H"),
    Case(
      "VTODO", "DUE:20260101T000000Z\nDURATION:PT1H",
      "error property.conflict expected DUE or DURATION, found both",
      "error property.missing expected DTSTART beside DURATION, found none"),
    Case(
      "VEVENT", "DTSTART;VALUE=DATE:20260101\nRRULE:FREQ=DAILY;UNTIL=20260103T000000Z",
      "warning rule.until expected a date, because the start is one, found \"20260103T000000Z\""),
    Case(
      "VEVENT", "DTSTART;TZID=/x:20260101T000000\nRRULE:FREQ=DAILY;UNTIL=20260103T000000",
      "warning rule.until expected a time in UTC, because the start has a zone, "
        + "found \"20260103T000000\""),
    Case(
      "VEVENT", "DTSTART;TZID=/x:20260105T000000\nRRULE:FREQ=DAILY;UNTIL=20260103T000000Z",
      "warning rule.until expected UNTIL at or after DTSTART, found 20260103T000000Z, so that "
        + "nothing takes place"),
    Case(
      "VEVENT", "DTSTART:20260101T000000Z\nRRULE:FREQ=DAILY;COUNT=2;UNTIL=20260103T000000Z",
      "warning value.lenient expected UNTIL or COUNT, not both, found \"20260103T000000Z\""),
    Case(
      "VEVENT", "DTSTART;VALUE=DATE:20260101\nRRULE:FREQ=DAILY;BYHOUR=9",
      "warning rule.conflict expected no BYHOUR, because the start is a date, found \"9\""),
    Case(
      "VEVENT", "DTSTART:20260131T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=4,6;BYMONTHDAY=31",
      "warning rule.never expected days that exist, found a rule that never matches"),
    Case(
      "VEVENT", "DTSTART:20260131T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-30",
      "warning rule.never expected days that exist, found a rule that never matches"),
    Case("VEVENT", "DTSTART:20240229T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29"),
    Case(
      "VEVENT", "DTSTART:20260131T000000Z\nRRULE:FREQ=HOURLY;INTERVAL=24;BYHOUR=5;COUNT=3",
      "warning rule.never expected days that exist, found a rule that never matches"),
    Case(
      "VEVENT", "DTSTART:20260131T000000Z\nRRULE:FREQ=MONTHLY;BYDAY=MO;BYSETPOS=6",
      "warning rule.never expected days that exist, found a rule that never matches"),
    Case(
      "VEVENT",
      "DTSTART:20260131T000000Z\nRRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;UNTIL=20280101T000000Z",
      "warning rule.never expected days that exist, found a rule that never matches"),
    Case("VEVENT", "DTSTART:20260131T000000Z\nRRULE:FREQ=HOURLY;INTERVAL=23;BYHOUR=5;COUNT=3"),
    Case(
      "VEVENT", "DTSTART:20260131T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYYEARDAY=61",
      "warning rule.never expected days that exist, found a rule that never matches"),
    Case("VEVENT", "DTSTART:20260131T000000Z\nRRULE:FREQ=YEARLY;BYMONTH=2;BYYEARDAY=60,-307"),
    Case(
      "VAVAILABILITY", "DTSTART:20260102T000000Z\nDTEND:20260101T000000Z",
      "error time.order expected DTEND after DTSTART, found an earlier time"),
  ]

  static let alarms: [ComponentRuleTests.Case] = [
    Case(
      "VEVENT", alarm("ACTION:AUDIO\nTRIGGER:-PT5M\nATTACH:a:b\nATTACH:c:d"),
      "warning property.conflict expected no ATTACH in an alarm with ACTION:AUDIO, found one"),
    Case(
      "VEVENT", alarm("ACTION:EMAIL\nTRIGGER:-PT5M\nATTACH:a:b\nATTACH:c:d\nSUMMARY:x"),
      "error property.missing expected DESCRIPTION in an alarm with ACTION:EMAIL, found none",
      "error property.missing expected ATTENDEE in an alarm with ACTION:EMAIL, found none"),
    Case("VEVENT", alarm("ACTION:X-FLASH\nTRIGGER:-PT5M")),
    Case(
      "VEVENT", alarm("ACTION:AUDIO\nTRIGGER;VALUE=DATE-TIME:20260101T000000"),
      "warning time.utc expected a UTC time, which ends in Z, found a local time"),
    Case(
      "VEVENT", alarm("ACTION:AUDIO\nTRIGGER;RELATED=END;VALUE=DATE-TIME:20260101T000000Z"),
      "warning parameter.misplaced expected no RELATED parameter on a trigger at a fixed time, "
        + "found one"),
    Case(
      "VEVENT", alarm("ACTION:AUDIO\nTRIGGER;RELATED=MIDDLE:-PT5M"),
      "error parameter.value expected RELATED=START or RELATED=END, found RELATED=MIDDLE"),
    Case(
      "VEVENT", alarm("ACTION:AUDIO\nTRIGGER;RELATED=END:-PT5M"),
      "warning property.missing expected DTEND or DURATION for a trigger that counts from the end, "
        + "found none"),
    Case(
      "VTODO", "DUE:20260101T000000Z\n" + beep("TRIGGER:-PT5M"),
      "warning property.missing expected DTSTART for a trigger that counts from the start, "
        + "found none"),
    Case("VTODO", "DUE:20260101T000000Z\n" + beep("TRIGGER;RELATED=END:-PT5M")),
    Case("VEVENT", alarm("ACTION:AUDIO\nTRIGGER:-PT5M\nACKNOWLEDGED:20260101T000000Z\nUID:2")),
  ]

  static let zones: [ComponentRuleTests.Case] = [
    Case(
      "VTIMEZONE", zone("DTSTART:20260101T000000Z"),
      "warning time.utc expected a local time in a time zone, found a UTC time"),
    Case(
      "VTIMEZONE", zone("DTSTART;VALUE=DATE:20260101"),
      "warning time.type expected DTSTART with a time in a time zone, found a date"),
    Case(
      "VTIMEZONE", zone("DTSTART;TZID=/x:20260101T000000"),
      "warning time.zone expected no TZID parameter in a time zone, found one"),
    Case(
      "VTIMEZONE", zone("DTSTART:20260101T000000\nRDATE:20270101T000000Z"),
      "warning time.utc expected a local time in a time zone, found a UTC time"),
    Case(
      "VTIMEZONE", zone("DTSTART:20260101T000000\nRRULE:FREQ=YEARLY;UNTIL=20270101T000000"),
      "warning rule.until expected a time in UTC, because the rule is a zone's, "
        + "found \"20270101T000000\""),
    Case("VTIMEZONE", zone("DTSTART:20260101T000000\nRRULE:FREQ=YEARLY;UNTIL=20270101T000000Z")),
    Case(
      "VTIMEZONE", "TZID:x\nBEGIN:STANDARD\nDTSTART:20260101T000000\nEND:STANDARD",
      "error property.missing expected TZOFFSETFROM in STANDARD, found none",
      "error property.missing expected TZOFFSETTO in STANDARD, found none"),
  ]

  private static func alarm(_ lines: String) -> String {
    "DTSTART:20260101T000000Z\nBEGIN:VALARM\n\(lines)\nEND:VALARM"
  }

  private static func beep(_ trigger: String) -> String {
    "BEGIN:VALARM\nACTION:AUDIO\n\(trigger)\nEND:VALARM"
  }

  private static func zone(_ lines: String) -> String {
    "TZID:x\nBEGIN:STANDARD\n\(lines)\nTZOFFSETFROM:+0000\nTZOFFSETTO:+0100\nEND:STANDARD"
  }

  @Test("What breaks a rule is named", arguments: times + alarms + zones)
  func namesWhatBreaksARule(_ item: ComponentRuleTests.Case) throws {
    let id = item.component == "VTIMEZONE" ? "" : "UID:1\nDTSTAMP:20260101T000000Z\n"
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:x
      BEGIN:\(item.component)
      \(id)\(item.lines)
      END:\(item.component)
      END:VCALENDAR

      """
    #expect(ComponentRuleTests.diagnostics(text) == item.found)
  }
}
