// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

@Suite("jCal")
struct JCalTests {
  /// A property between a line of iCalendar and its JSON (RFC 7265 §3.4 to §3.6).
  struct Case: CustomTestStringConvertible {
    let line: String
    let json: String
    /// The line that comes back, where it is not the one that went.
    var back: String?
    var testDescription: String { line }
  }

  static let cases: [Case] = [
    Case(line: "SUMMARY:Tea", json: #"["summary",{},"text","Tea"]"#),
    Case(
      line: #"DESCRIPTION;LANGUAGE=en:a\, b\; c\\ d\ne "f""#,
      json: #"["description",{"language":"en"},"text","a, b; c\\ d\ne \"f\""]"#),
    Case(
      line: "SUMMARY;VALUE=TEXT:Tea", json: #"["summary",{},"text","Tea"]"#, back: "SUMMARY:Tea"),
    Case(line: "summary:Tea", json: #"["summary",{},"text","Tea"]"#, back: "SUMMARY:Tea"),
    Case(
      line: "DTSTART;VALUE=DATE;X-SLACK=30.3:20110512",
      json: #"["dtstart",{"x-slack":"30.3"},"date","2011-05-12"]"#),
    Case(
      line: "DTSTART;TZID=Europe/Berlin:20110512T090000",
      json: #"["dtstart",{"tzid":"Europe/Berlin"},"date-time","2011-05-12T09:00:00"]"#),
    Case(
      line: "DTSTAMP:20110512T090060Z", json: #"["dtstamp",{},"date-time","2011-05-12T09:00:60Z"]"#),
    Case(line: "DURATION:P15DT5H0M20S", json: #"["duration",{},"duration","P15DT5H0M20S"]"#),
    Case(
      line: "FREEBUSY;FBTYPE=BUSY:19970308T160000Z/PT3H,19970308T200000Z/19970308T210000Z",
      json: #"["freebusy",{"fbtype":"BUSY"},"period",["1997-03-08T16:00:00Z","PT3H"],"#
        + #"["1997-03-08T20:00:00Z","1997-03-08T21:00:00Z"]]"#),
    Case(
      line: "RRULE:FREQ=YEARLY;COUNT=5;BYDAY=-1SU,2MO;BYMONTH=+1,02;UNTIL=20080301",
      json: #"["rrule",{},"recur",{"freq":"YEARLY","count":5,"byday":["-1SU","2MO"],"#
        + #""bymonth":[1,2],"until":"2008-03-01"}]"#,
      back: "RRULE:FREQ=YEARLY;COUNT=5;BYDAY=-1SU,2MO;BYMONTH=1,2;UNTIL=20080301"),
    Case(
      line: "RRULE:RSCALE=HEBREW;FREQ=YEARLY;BYMONTH=5L;SKIP=FORWARD;UNTIL=20300101T000000Z",
      json: #"["rrule",{},"recur",{"rscale":"HEBREW","freq":"YEARLY","bymonth":"5L","#
        + #""skip":"FORWARD","until":"2030-01-01T00:00:00Z"}]"#),
    Case(line: "TZOFFSETFROM:-0500", json: #"["tzoffsetfrom",{},"utc-offset","-05:00"]"#),
    Case(line: "TZOFFSETTO:+001640", json: #"["tzoffsetto",{},"utc-offset","+00:16:40"]"#),
    Case(
      line: "GEO:37.386013;-122.082932", json: #"["geo",{},"float",[37.386013,-122.082932]]"#),
    Case(line: "GEO:+037.50;-0", json: #"["geo",{},"float",[37.50,-0]]"#, back: "GEO:37.50;-0"),
    Case(
      line: #"REQUEST-STATUS:2.8;Success\, repeating event ignored;RRULE:FREQ=WEEKLY\;INTERVAL=2"#,
      json: #"["request-status",{},"text",["2.8","Success, repeating event ignored","#
        + #""RRULE:FREQ=WEEKLY;INTERVAL=2"]]"#),
    Case(
      line: #"CATEGORIES:computers,a\,b,"#, json: #"["categories",{},"text","computers","a,b",""]"#),
    Case(line: "PRIORITY:+01", json: #"["priority",{},"integer",1]"#, back: "PRIORITY:1"),
    Case(
      line: "ATTACH;FMTTYPE=text/plain;ENCODING=BASE64;VALUE=BINARY:SGVsbG8=",
      json: #"["attach",{"fmttype":"text/plain"},"binary","SGVsbG8="]"#,
      back: "ATTACH;VALUE=BINARY;ENCODING=BASE64;FMTTYPE=text/plain:SGVsbG8="),
    Case(
      line: "ATTENDEE;MEMBER=\"mailto:a@b.c\",\"mailto:d@e.f\";RSVP=TRUE:mailto:g@h.i",
      json: #"["attendee",{"member":["mailto:a@b.c","mailto:d@e.f"],"rsvp":"TRUE"},"cal-address","#
        + #""mailto:g@h.i"]"#),
    Case(
      line: "ATTENDEE;CN=George ^'Babe^' Ruth^n:mailto:g@h.i",
      json: #"["attendee",{"cn":"George \"Babe\" Ruth\n"},"cal-address","mailto:g@h.i"]"#),
    Case(
      line: "X-A;B=1;b=2:v", json: #"["x-a",{"b":["1","2"]},"unknown","v"]"#, back: "X-A;B=1,2:v"),
    Case(
      line: #"X-COFFEE-DATA:Stenophylla;Guinea\,Africa"#,
      json: #"["x-coffee-data",{},"unknown","Stenophylla;Guinea\\,Africa"]"#),
    Case(
      line: "X-A;VALUE=BOOLEAN:true", json: #"["x-a",{},"boolean",true]"#,
      back: "X-A;VALUE=BOOLEAN:TRUE"),
    Case(line: "X-A;VALUE=TIME:090000Z", json: #"["x-a",{},"time","09:00:00Z"]"#),
    Case(line: "X-A;VALUE=X-B:q;r", json: #"["x-a",{},"x-b","q;r"]"#),
    Case(line: #"SUMMARY;VALUE=X-B:a\, b"#, json: #"["summary",{},"x-b","a\\, b"]"#),
    Case(
      line: "LINK;VALUE=XML-REFERENCE:https://a.b/#xpointer(c)",
      json: ##"["link",{},"xml-reference","https://a.b/#xpointer(c)"]"##),
    // Where a property has no default type, VALUE is always written, and without it nothing is known
    // (RFC 7265 §3.5.1, §4).
    Case(
      line: "REFRESH-INTERVAL;VALUE=DURATION:PT12H",
      json: #"["refresh-interval",{},"duration","PT12H"]"#),
    Case(line: "REFRESH-INTERVAL:PT12H", json: #"["refresh-interval",{},"unknown","PT12H"]"#),
    Case(
      line: "CONFERENCE;VALUE=URI;FEATURE=AUDIO,VIDEO:https://a.b/c",
      json: #"["conference",{"feature":["AUDIO","VIDEO"]},"uri","https://a.b/c"]"#),
    Case(
      line: #"STYLED-DESCRIPTION;VALUE=TEXT:<p>a\, b</p>"#,
      json: #"["styled-description",{},"text","<p>a, b</p>"]"#),
    // Values that are not of their type stay as they are.
    Case(line: "DTSTART:tomorrow", json: #"["dtstart",{},"unknown","tomorrow"]"#),
    Case(
      line: "DTSTART;VALUE=DATE:20110230",
      json: #"["dtstart",{"value":"DATE"},"unknown","20110230"]"#),
    Case(line: "RRULE:weekly", json: #"["rrule",{},"unknown","weekly"]"#),
  ]

  private func calendar(_ line: String) -> String {
    "BEGIN:VCALENDAR\r\n\(line)\r\nEND:VCALENDAR\r\n"
  }

  @Test("A property is written as RFC 7265 wants it", arguments: cases)
  func writes(_ item: Case) throws {
    let stream = try CalendarStream(parsing: calendar(item.line))
    let bytes = JCalWriter().bytes(of: stream.calendars[0])
    #expect(String(decoding: bytes, as: UTF8.self) == #"["vcalendar",[\#(item.json)],[]]"#)
  }

  @Test("A property comes back as iCalendar", arguments: cases)
  func reads(_ item: Case) throws {
    let stream = try CalendarStream(parsingJCal: Array(#"["vcalendar",[\#(item.json)],[]]"#.utf8))
    #expect(stream.diagnostics == [])
    let written = Serializer().bytes(of: stream.calendars[0])
    let again = try CalendarStream(parsing: written)
    let line = calendar(item.back ?? item.line)
    #expect(again.calendars == (try CalendarStream(parsing: line).calendars))
  }

  @Test("The examples of RFC 7265 appendix B", arguments: ["one-event", "series-with-zone"])
  func examples(name: String) throws {
    let json = try Fixture("jcal/\(name).json")
    let lines = try Fixture("jcal/\(name).ics")
    let read = try CalendarStream(parsingJCal: json.bytes)
    #expect(read.diagnostics == [])
    let wanted = try CalendarStream(parsing: lines.bytes).calendars.map(JCalMeaning.init)
    #expect(read.calendars.map(JCalMeaning.init) == wanted)
    let written = JCalWriter().bytes(of: try #require(read.calendars.first))
    #expect(try CalendarStream(parsingJCal: written).calendars.map(JCalMeaning.init) == wanted)
  }

  @Test("Every fixture means the same after it was jCal")
  func fixtures() throws {
    for fixture in try Fixture.allCalendars() {
      guard let stream = try? CalendarStream(parsing: fixture.bytes) else { continue }
      for calendar in stream.calendars {
        let json = JCalWriter().bytes(of: calendar)
        let again = try CalendarStream(parsingJCal: json)
        #expect(again.diagnostics == [], "\(fixture.path)")
        let isSame = again.calendars.map(JCalMeaning.init) == [JCalMeaning(calendar)]
        #expect(isSame, "\(fixture.path)")
        let second = again.calendars.map { JCalWriter().bytes(of: $0) }
        #expect(second == [json], "\(fixture.path) is not stable")
      }
    }
  }

  @Test("Generated components mean the same after they were jCal")
  func generated() throws {
    for seed in UInt64(1)...300 {
      var random = SeededGenerator(seed: seed)
      let calendar = RandomComponent.calendar(using: &random)
      let again = try CalendarStream(parsingJCal: JCalWriter().bytes(of: calendar))
      #expect(again.diagnostics == [], "seed \(seed)")
      #expect(again.calendars.map(JCalMeaning.init) == [JCalMeaning(calendar)], "seed \(seed)")
      let lines = try again.calendars.flatMap {
        try CalendarStream(parsing: Serializer().bytes(of: $0)).calendars
      }
      #expect(lines == again.calendars, "seed \(seed)")
    }
  }
}
