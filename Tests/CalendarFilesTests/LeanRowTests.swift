// SPDX-License-Identifier: Apache-2.0

import CalendarFiles
import ICalSyntax
import TestSupport
import Testing

/// Lean rows: the values of each column, and the columns of each version.
struct LeanRowTests {
  private func rows(
    _ lines: [String], _ columns: [String]? = nil
  ) throws -> String {
    let all = ComponentRow.schema
    let schema = try columns.map { try all.selecting($0) } ?? all.standard
    var bytes: [UInt8] = []
    var conversion = FileConversion(to: .lean(schema)) { _ in }
    let text = (["BEGIN:VCALENDAR"] + lines + ["END:VCALENDAR"]).map { $0 + "\r\n" }.joined()
    try conversion.add(.bytes(Array(text.utf8), label: "a.ics")) { bytes += $0 }
    try conversion.finish { bytes += $0 }
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test func standardColumns() throws {
    let text = try rows([
      "BEGIN:VEVENT", "UID:standup", "DTSTART;TZID=Europe/Berlin:20261123T090000",
      "DTEND;TZID=Europe/Berlin:20261123T091500", "RRULE:FREQ=DAILY", "SUMMARY:Stand-up\\, daily",
      "LOCATION:Room 1", "STATUS:CONFIRMED", "END:VEVENT",
      "BEGIN:VEVENT", "UID:standup", "RECURRENCE-ID;TZID=Europe/Berlin:20261124T090000",
      "DTSTART:20261124T100000Z", "DURATION:PT15M", "END:VEVENT",
      "BEGIN:VTODO", "UID:tax", "DUE;VALUE=DATE:20261231", "END:VTODO",
      "BEGIN:VJOURNAL", "DTSTART:20261201T080000", "SUMMARY:", "END:VJOURNAL",
    ])
    #expect(
      text == """
        {"file":"a.ics","kind":"event","uid":"standup","recurrence_id":null,\
        "start":"2026-11-23T09:00:00","end":"2026-11-23T09:15:00","duration":null,\
        "zone":"Europe/Berlin","all_day":false,"recurring":true,"summary":"Stand-up, daily",\
        "location":"Room 1","status":"CONFIRMED"}
        {"file":"a.ics","kind":"event","uid":"standup","recurrence_id":"2026-11-24T09:00:00",\
        "start":"2026-11-24T10:00:00","end":null,"duration":"PT15M","zone":"UTC","all_day":false,\
        "recurring":true,"summary":null,"location":null,"status":null}
        {"file":"a.ics","kind":"reminder","uid":"tax","recurrence_id":null,"start":null,\
        "end":"2026-12-31T00:00:00","duration":null,"zone":null,"all_day":true,"recurring":false,\
        "summary":null,"location":null,"status":null}
        {"file":"a.ics","kind":"journal","uid":null,"recurrence_id":null,\
        "start":"2026-12-01T08:00:00","end":null,"duration":null,"zone":null,"all_day":false,\
        "recurring":false,"summary":"","location":null,"status":null}

        """)
  }

  @Test func otherColumns() throws {
    let names = ComponentRow.schema.columns.filter { !$0.isStandard }.map(\.name)
    let text = try rows(
      [
        "BEGIN:VEVENT", "UID:x", "DTSTAMP:20261101T000000Z",
        "DTSTART;TZID=Europe/Berlin:20261123T090000", "DTEND;TZID=Asia/Tokyo:20261123T190000",
        "RRULE:FREQ=DAILY", "RDATE:20261125T000000Z", "EXDATE;VALUE=DATE:20261124",
        "DESCRIPTION:two\\nlines", "URL:https://example.org/", "CATEGORIES:work,far\\, away",
        "CATEGORIES:more", "ORGANIZER:MAILTO:ann@example.org", "ATTENDEE:mailto:ben@example.org",
        "ATTENDEE:urn:x", "CLASS:PRIVATE", "TRANSP:OPAQUE", "PRIORITY:5", "SEQUENCE:2",
        "CREATED:20261101T000001Z", "LAST-MODIFIED:20261101T235960Z", "COMPLETED:20261102T000000",
        "BEGIN:VALARM", "END:VALARM", "END:VEVENT",
      ], names)
    #expect(
      text == """
        {"line":2,"end_zone":"Asia/Tokyo","rrule":["FREQ=DAILY"],"rdate":["2026-11-25T00:00:00Z"],\
        "exdate":["2026-11-24"],"description":"two\\nlines","url":"https://example.org/",\
        "categories":["work","far, away","more"],"organizer":"ann@example.org",\
        "attendees":["ben@example.org","urn:x"],"class":"PRIVATE","transparency":"OPAQUE",\
        "priority":5,"sequence":2,"alarms":1,"stamp":"2026-11-01T00:00:00Z",\
        "created":"2026-11-01T00:00:01Z","last_modified":"2026-11-01T23:59:59Z","completed":null}

        """)
  }

  /// A value that is invalid is null, and the rest of the row is there.
  @Test func invalidValues() throws {
    let text = try rows(
      [
        "BEGIN:VEVENT", "UID:x", "DTSTART:20260230T000000", "SEQUENCE:many", "SUMMARY:a\u{1}b",
        "END:VEVENT",
      ], ["start", "all_day", "sequence", "summary"])
    #expect(
      text == "{\"start\":null,\"all_day\":false,\"sequence\":null,\"summary\":\"a\\u0001b\"}\n")
  }

  /// The rows of a file are the same whatever files precede it.
  @Test func zonesKeepTheirNames() throws {
    func zone(_ offset: String) -> [String] {
      [
        "BEGIN:VTIMEZONE", "TZID:Here", "BEGIN:STANDARD", "DTSTART:19700101T000000",
        "TZOFFSETFROM:\(offset)", "TZOFFSETTO:\(offset)", "END:STANDARD", "END:VTIMEZONE",
        "BEGIN:VEVENT", "UID:x", "DTSTART;TZID=Here:20260102T000000", "END:VEVENT",
      ]
    }
    let text = try rows(
      zone("+0100") + ["END:VCALENDAR", "BEGIN:VCALENDAR"] + zone("+0200"), ["zone"])
    #expect(text == "{\"zone\":\"Here\"}\n{\"zone\":\"Here\"}\n")
  }

  @Test func aChoiceOfColumnsKeepsItsOrder() throws {
    let schema = try ComponentRow.schema.selecting(["zone", "uid"])
    #expect(schema.columns.map(\.name) == ["zone", "uid"])
    let errors = [["uid", "nothing"], ["uid", "uid"], []].map { names in
      #expect(throws: RowColumnError.self) { _ = try ComponentRow.schema.selecting(names) }
    }
    #expect(
      errors.map { $0?.description } == [
        "there is no column \"nothing\"", "expected different columns, found \"uid\" twice",
        "expected a column, found none",
      ])
  }

  /// What a table that was made with a version relies on; a change needs another version.
  @Test func columnsOfVersion1() {
    func text(_ columns: [RowColumn]) -> [String] {
      columns.map {
        "\($0.name) \($0.type.rawValue)\($0.isNullable ? "?" : "")\($0.isStandard ? " *" : "")"
      }
    }
    let contents = [
      "summary text? *", "location text? *", "status text? *", "description text?", "url text?",
      "categories list of texts", "organizer text?", "attendees list of texts", "class text?",
      "transparency text?", "priority integer?", "sequence integer?", "alarms integer",
      "stamp instant?", "created instant?", "last_modified instant?", "completed instant?",
    ]
    #expect(ComponentRow.schema.version == 1)
    #expect(
      text(ComponentRow.schema.columns) == [
        "file text *", "line integer?", "kind text *", "uid text? *",
        "recurrence_id local time? *", "start local time? *", "end local time? *",
        "duration text? *", "zone text? *", "end_zone text?", "all_day boolean *",
        "recurring boolean *", "rrule list of texts", "rdate list of texts",
        "exdate list of texts",
      ] + contents)
    #expect(OccurrenceRow.schema.version == 1)
    #expect(
      text(OccurrenceRow.schema.columns) == [
        "file text *", "calendar text", "kind text *", "uid text? *",
        "recurrence_id local time? *", "start_utc instant *", "end_utc instant *",
        "seconds integer *", "start local time *", "end local time *", "zone text? *",
        "end_zone text?", "all_day boolean *", "recurring boolean *",
      ] + contents)
  }
}
