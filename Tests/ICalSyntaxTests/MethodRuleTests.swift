// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Testing

/// The rules of messages (RFC 5546), one row a method and what is wrong with a message.
@Suite("Rules of messages")
struct MethodRuleTests {
  struct Case: CustomTestStringConvertible {
    let method: String
    var component = "VEVENT"
    let lines: String
    let found: [String]

    var testDescription: String {
      "\(method) \(component) \(lines.replacing("\n", with: " "))"
    }
  }

  static let cases: [Case] = [
    Case(
      method: "PUBLISH", lines: "DTSTART:20260101T000000Z\nATTENDEE:mailto:a@example.org",
      found: [
        "note method.missing expected ORGANIZER in a VEVENT with METHOD:PUBLISH, found none",
        "note method.missing expected SUMMARY in a VEVENT with METHOD:PUBLISH, found none",
        "note method.forbidden expected no ATTENDEE in a VEVENT with METHOD:PUBLISH, found one",
      ]),
    Case(
      method: "request", lines: "DTSTART:20260101T000000Z\nSUMMARY:x\nREQUEST-STATUS:2.0;ok",
      found: [
        "warning method.missing expected ATTENDEE in a VEVENT with METHOD:REQUEST, found none",
        "warning method.missing expected ORGANIZER in a VEVENT with METHOD:REQUEST, found none",
        "warning method.forbidden expected no REQUEST-STATUS in a VEVENT with METHOD:REQUEST, "
          + "found one",
      ]),
    Case(
      method: "REPLY",
      lines: "ORGANIZER:mailto:o@example.org\nATTENDEE:mailto:a@example.org\n"
        + "ATTENDEE:mailto:b@example.org\nATTENDEE:mailto:c@example.org",
      found: [
        "warning method.forbidden expected one ATTENDEE in a VEVENT with METHOD:REPLY, "
          + "found another one"
      ]),
    Case(
      method: "CANCEL", lines: "ORGANIZER:mailto:o@example.org",
      found: [
        "warning method.missing expected SEQUENCE in a VEVENT with METHOD:CANCEL, found none"
      ]),
    Case(
      method: "CANCEL",
      lines: "ORGANIZER:mailto:o@example.org\nSEQUENCE:1\nDTSTART:20260101T000000Z\n"
        + "BEGIN:VALARM\nACTION:AUDIO\nTRIGGER:-PT1M\nEND:VALARM",
      found: [
        "warning method.forbidden expected no VALARM in a VEVENT with METHOD:CANCEL, found one"
      ]),
    Case(
      method: "REFRESH",
      lines: "ORGANIZER:mailto:o@example.org\nATTENDEE:mailto:a@example.org\nSUMMARY:x",
      found: [
        "warning method.forbidden expected no SUMMARY in a VEVENT with METHOD:REFRESH, found one"
      ]),
    Case(
      method: "ADD",
      lines: "ORGANIZER:mailto:o@example.org\nSEQUENCE:1\nSUMMARY:x\nDTSTART:20260101T000000Z\n"
        + "RECURRENCE-ID:20260101T000000Z",
      found: [
        "warning method.forbidden expected no RECURRENCE-ID in a VEVENT with METHOD:ADD, found one"
      ]),
    Case(
      method: "COUNTER",
      lines: "ORGANIZER:mailto:o@example.org\nSUMMARY:x\nDTSTART:20260101T000000Z",
      found: [
        "warning method.missing expected SEQUENCE in a VEVENT with METHOD:COUNTER, found none"
      ]),
    Case(
      method: "DECLINECOUNTER", lines: "ORGANIZER:mailto:o@example.org",
      found: [
        "warning method.missing expected ATTENDEE in a VEVENT with METHOD:DECLINECOUNTER, "
          + "found none",
        "warning method.missing expected SEQUENCE in a VEVENT with METHOD:DECLINECOUNTER, "
          + "found none",
      ]),
    Case(
      method: "REQUEST", component: "VFREEBUSY",
      lines: "ORGANIZER:mailto:o@example.org\nATTENDEE:mailto:a@example.org\n"
        + "DTSTART:20260101T000000Z\nFREEBUSY:20260101T000000Z/PT1H",
      found: [
        "warning method.missing expected DTEND in a VFREEBUSY with METHOD:REQUEST, found none",
        "warning method.forbidden expected no FREEBUSY in a VFREEBUSY with METHOD:REQUEST, "
          + "found one",
      ]),
    Case(
      method: "REQUEST", component: "VTODO",
      lines: "ORGANIZER:mailto:o@example.org\nATTENDEE:mailto:a@example.org\nSUMMARY:x",
      found: [
        "warning method.missing expected DTSTART in a VTODO with METHOD:REQUEST, found none",
        "warning method.missing expected PRIORITY in a VTODO with METHOD:REQUEST, found none",
      ]),
    Case(
      method: "CANCEL", component: "VFREEBUSY", lines: "COMMENT:x",
      found: [
        "warning method.forbidden expected no VFREEBUSY with METHOD:CANCEL, found one"
      ]),
    Case(
      method: "PUBLISH", component: "VJOURNAL",
      lines: "ORGANIZER:mailto:o@example.org\nDTSTART:20260101T000000Z",
      found: [
        "note method.missing expected DESCRIPTION in a VJOURNAL with METHOD:PUBLISH, found none"
      ]),
    Case(
      method: "ADD",
      lines: "ORGANIZER:mailto:o@example.org\nSEQUENCE:0\nSUMMARY:x\nDTSTART:20260101T000000Z\n"
        + "RRULE:FREQ=DAILY",
      found: [
        "warning method.forbidden expected a SEQUENCE from 1 in a VEVENT with METHOD:ADD, found 0",
        "warning method.forbidden expected no RRULE in a VEVENT with METHOD:ADD, found one",
      ]),
    Case(
      method: "REFRESH",
      lines: "ORGANIZER:mailto:o@example.org\nATTENDEE:mailto:a@example.org\nCONTACT:x",
      found: [
        "warning method.forbidden expected no CONTACT in a VEVENT with METHOD:REFRESH, found one"
      ]),
    Case(
      method: "CANCEL",
      lines: "ORGANIZER:mailto:o@example.org\nSEQUENCE:1\nDTSTART:20260101T000000Z\n"
        + "STATUS:CONFIRMED",
      found: [
        "warning method.forbidden expected no STATUS but CANCELLED in a VEVENT with METHOD:CANCEL, "
          + "found \"CONFIRMED\""
      ]),
    Case(
      method: "REPLY", component: "VTODO",
      lines: "ORGANIZER:mailto:o@example.org\nATTENDEE:mailto:a@example.org\n"
        + "ATTENDEE:mailto:b@example.org",
      found: [
        "warning method.forbidden expected one ATTENDEE in a VTODO with METHOD:REPLY, "
          + "found another one"
      ]),
    Case(
      method: "REFRESH", component: "VTODO",
      lines: "ORGANIZER:mailto:o@example.org\nATTENDEE:mailto:a@example.org\nSUMMARY:x",
      found: [
        "warning method.forbidden expected no ORGANIZER in a VTODO with METHOD:REFRESH, found one"
      ]),
    Case(
      method: "REPLY", component: "VFREEBUSY",
      lines: "ORGANIZER:mailto:o@example.org\nATTENDEE:mailto:a@example.org\n"
        + "DTSTART:20260101T000000Z\nDTEND:20260102T000000Z\nDURATION:P1D",
      found: [
        "warning property.misplaced expected no DURATION in VFREEBUSY, found one",
        "warning method.forbidden expected no DURATION in a VFREEBUSY with METHOD:REPLY, found one",
      ]),
    Case(
      method: "CANCEL", component: "VJOURNAL",
      lines: "ORGANIZER:mailto:o@example.org\nSEQUENCE:1\nATTENDEE:mailto:a@example.org",
      found: [
        "warning method.forbidden expected no ATTENDEE in a VJOURNAL with METHOD:CANCEL, found one"
      ]),
    Case(
      method: "X-SHOUT", lines: "COMMENT:x",
      found: ["note value.range expected a method of RFC 5546, found \"X-SHOUT\""]),
  ]

  @Test("What does not go with the method is named", arguments: cases)
  func namesWhatDoesNotGo(_ item: Case) throws {
    let text = """
      BEGIN:VCALENDAR
      VERSION:2.0
      PRODID:x
      METHOD:\(item.method)
      BEGIN:\(item.component)
      UID:1
      DTSTAMP:20260101T000000Z
      \(item.lines)
      END:\(item.component)
      END:VCALENDAR

      """
    #expect(ComponentRuleTests.diagnostics(text) == item.found)
  }

  @Test(
    "A message is about one kind, and often about one item or component",
    arguments: [
      ("CANCEL", ["VEVENT 1", "VEVENT 1"], nil),
      (
        "CANCEL", ["VEVENT 1", "VEVENT 2", "VEVENT 3"],
        "expected every VEVENT to have the UID \"1\" with METHOD:CANCEL, found \"2\""
      ),
      (
        "CANCEL", ["VEVENT 1", "VTODO 1"],
        "expected no VTODO beside a VEVENT with METHOD:CANCEL, found one"
      ),
      ("CANCEL", ["VTODO 1", "VTODO 2"], nil),
      (
        "DECLINECOUNTER", ["VTODO 1", "VTODO 1"],
        "expected one VTODO with METHOD:DECLINECOUNTER, found another one"
      ),
      ("PUBLISH", ["VEVENT 1", "VEVENT 2"], nil),
    ])
  func company(_ method: String, _ components: [String], _ found: String?) {
    let text = components.enumerated().map { place, component in
      let parts = component.split(separator: " ")
      return "BEGIN:\(parts[0])\nUID:\(parts[1])\nRECURRENCE-ID:2026010\(place + 1)T000000Z\n"
        + "DTSTAMP:20260101T000000Z\nDTSTART:20260101T000000Z\nSEQUENCE:1\nSUMMARY:x\n"
        + "ORGANIZER:mailto:o@example.org\n"
        + (method == "DECLINECOUNTER" ? "ATTENDEE:mailto:a@example.org\n" : "")
        + "END:\(parts[0])\n"
    }
    let diagnostics = ComponentRuleTests.diagnostics(
      "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nMETHOD:\(method)\n\(text.joined())END:VCALENDAR\n")
    #expect(diagnostics == (found.map { ["warning method.forbidden \($0)"] } ?? []))
  }

  /// In a message, what went wrong is told of all components or of those that it is about (§3.6).
  @Test(
    "The status codes of a message go together",
    arguments: [
      (["2.0", "4.0", "2.1"], nil),
      (["5.0", nil, "5.3"], nil),
      (
        ["2.0", "5.0", "5.1"],
        "expected a REQUEST-STATUS that goes with 2.0 in another component, found 5.0"
      ),
      (
        [nil, "3.1", "2.0"],
        "expected a REQUEST-STATUS that goes with 3.1 in another component, found 2.0"
      ),
      (
        ["3.1", "5.1", "2.0"],
        "expected a REQUEST-STATUS that goes with 3.1 in another component, found 5.1"
      ),
    ] as [([String?], String?)])
  func statusCodes(_ codes: [String?], _ found: String?) {
    let text = codes.enumerated().map { place, code in
      "BEGIN:VEVENT\nUID:1\nRECURRENCE-ID:2026010\(place + 1)T000000Z\n"
        + "DTSTAMP:20260101T000000Z\nORGANIZER:mailto:o@example.org\n"
        + "ATTENDEE:mailto:a@example.org\n" + (code.map { "REQUEST-STATUS:\($0);x\n" } ?? "")
        + "END:VEVENT\n"
    }
    let diagnostics = ComponentRuleTests.diagnostics(
      "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nMETHOD:REPLY\n\(text.joined())END:VCALENDAR\n")
    #expect(diagnostics == (found.map { ["warning method.forbidden \($0)"] } ?? []))
  }

  @Test("A feed is told of its habit once")
  func habit() {
    let events = (1...3).map {
      "BEGIN:VEVENT\nUID:\($0)\nDTSTAMP:20260101T000000Z\nDTSTART:20260101T000000Z\n"
        + "SUMMARY:x\nEND:VEVENT\n"
    }
    let text =
      "BEGIN:VCALENDAR\nVERSION:2.0\nPRODID:x\nMETHOD:PUBLISH\n\(events.joined())END:VCALENDAR\n"
    #expect(
      ComponentRuleTests.diagnostics(text) == [
        "note method.missing expected ORGANIZER in a VEVENT with METHOD:PUBLISH, found none"
      ])
  }
}
