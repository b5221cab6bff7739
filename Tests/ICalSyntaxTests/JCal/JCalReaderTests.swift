// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Testing

@Suite("jCal that is not as it should be")
struct JCalReaderTests {
  private func read(_ text: String) throws -> CalendarStream {
    try CalendarStream(parsingJCal: Array(text.utf8))
  }

  private func told(_ text: String) throws -> [String] {
    try read(text).diagnostics.map { diagnostic in
      "\(diagnostic.position): \(diagnostic.severity.rawValue): \(diagnostic.message)"
    }
  }

  struct Case: CustomTestStringConvertible {
    let json: String
    let told: [String]
    /// The lines of the calendar that is read all the same.
    var lines = ""
    var testDescription: String { json }
  }

  static let cases: [Case] = [
    Case(
      json: "",
      told: ["1:1: error: expected \"[\", with which jCal begins, found the end of the text"]),
    Case(json: "{}", told: ["1:1: error: expected \"[\", with which jCal begins, found \"{\""]),
    Case(
      json: "[]", told: ["1:1: error: expected an array that begins with \"vcalendar\", found none"]
    ),
    Case(
      json: #"["vevent",[],[]]"#,
      told: ["1:1: error: expected \"vcalendar\", found \"vevent\" outside of one"]),
    Case(
      json: #"["vcalendar",[["summary",{},"text","Tea"],[]]"#,
      told: [
        "1:43: error: expected a name, an object of parameters, a type and a value; it is left out",
        "1:46: error: expected \",\" and the components, found the end of the text",
      ], lines: "SUMMARY:Tea\r\n"),
    Case(
      json:
        #"["vcalendar",["summary",["a b",{},"text",""],["geo",{},"text"],["x-a",[],"text","a"]],[]]"#,
      told: [
        "1:15: error: expected an array for a property, found a string; it is left out",
        "1:26: error: expected the name of a property, found \"a b\"; it is left out",
        "1:46: error: expected a name, an object of parameters, a type and a value; it is left out",
        "1:64: error: expected a name, an object of parameters, a type and a value; it is left out",
      ]),
    Case(
      json: #"["vcalendar",[["summary",{"a:b":"c","cn":1,"x":[]},"text","Tea"]],[]]"#,
      told: [
        "1:33: error: expected the name of a parameter, found \"a:b\"; it is left out",
        "1:42: error: expected a string or an array of strings for a parameter, found a number; it is left out",
        "1:48: error: expected a string or an array of strings for a parameter, found an array; it is left out",
      ], lines: "SUMMARY:Tea\r\n"),
    Case(
      json: #"["vcalendar",[["priority",{},"integer",true],["priority",{},"integer","5"]],[]]"#,
      told: [
        "1:40: error: expected a number, found true; the property is left out",
        "1:71: warning: expected a number, found \"5\"",
      ], lines: "PRIORITY:5\r\n"),
    Case(
      json: #"["vcalendar",[["dtstart",{},"date-time","20260102T090000"]],[]]"#,
      told: [
        "1:41: warning: expected a date-time such as \"1997-09-02T09:00:00\", found \"20260102T090000\""
      ], lines: "DTSTART:20260102T090000\r\n"),
    // A line end must not end the content line, or anything could be added to a calendar.
    Case(
      json: #"["vcalendar",[["x-a",{},"unknown","a\r\nEND:VCALENDAR"]],[]]"#,
      told: ["1:35: warning: expected a value without line ends; they are written as \\n"],
      lines: "X-A:a\\nEND:VCALENDAR\r\n"),
    Case(
      json: #"["vcalendar",[],[["vevent",[]],["vevent",[],[]],1]]"#,
      told: [
        "1:18: error: expected a name, an array of properties and an array of components; it is left out",
        "1:49: error: expected an array for a component, found a number; it is left out",
      ], lines: "BEGIN:VEVENT\r\nEND:VEVENT\r\n"),
    // As content lines, these would begin and end components.
    Case(
      json: #"["vcalendar",[["begin",{},"text","VEVENT"],["End",{},"text","VCALENDAR"]],[]]"#,
      told: [
        "1:16: error: expected the name of a property, found \"begin\", which is none; it is left out",
        "1:45: error: expected the name of a property, found \"End\", which is none; it is left out",
      ]),
    Case(
      json:
        #"["vcalendar",[],[["vevent",[["x-a",{},"text","1"]],[[" Vtodo",[],[["vevent",[],[]]]],["valarm",[],[]]]],["vjournal",[],[]]]]"#,
      told: [
        "1:53: error: expected no \"vtodo\" inside of another component, found one; it is read as if it came after that one",
        "1:67: error: expected no \"vevent\" inside of another component, found one; it is read as if it came after that one",
      ],
      lines: "BEGIN:VEVENT\r\nX-A;VALUE=TEXT:1\r\nBEGIN:VALARM\r\nEND:VALARM\r\nEND:VEVENT\r\n"
        + "BEGIN:VTODO\r\nEND:VTODO\r\nBEGIN:VEVENT\r\nEND:VEVENT\r\n"
        + "BEGIN:VJOURNAL\r\nEND:VJOURNAL\r\n"),
    Case(
      json: #"["vcalendar",[],[["x-a",[],[["vevent",[],[["vevent",[],[]]]]]]]]"#,
      told: [
        "1:43: error: expected no \"vevent\" inside of another component, found one; it is read as if it came after that one"
      ],
      lines: "BEGIN:X-A\r\nBEGIN:VEVENT\r\nEND:VEVENT\r\n"
        + "BEGIN:VEVENT\r\nEND:VEVENT\r\nEND:X-A\r\n"),
    Case(
      json: #"["vcalendar",[],[]] x"#,
      told: ["1:21: error: expected the end of the text, found \"x\""], lines: ""),
    Case(
      json: #"[["vcalendar",[["x-a",{},"unknown",1.50]],[]],["vcalendar",[],[]]]"#, told: [],
      lines: "X-A:1.50\r\n"),
    Case(
      json: #"["vcalendar",[["geo",{},"float",[1.5e1,-25e-4]]],[]]"#, told: [],
      lines: "GEO:15;-0.0025\r\n"),
    Case(
      json: #"["vcalendar",[["geo",{},"float",[1e999,1]]],[]]"#,
      told: ["1:33: error: expected a number, found an array; the property is left out"]),
  ]

  @Test("It is told where it stands, and the rest is read", arguments: cases)
  func tolerates(_ item: Case) throws {
    #expect(try told(item.json) == item.told)
    let calendars = try read(item.json).calendars
    let written = calendars.first.map {
      String(decoding: Serializer().bytes(of: $0), as: UTF8.self)
    }
    if !item.lines.isEmpty {
      #expect(written == "BEGIN:VCALENDAR\r\n\(item.lines)END:VCALENDAR\r\n")
    }
  }

  @Test("A calendar inside of something comes after what it stood in, with all it has")
  func calendarInside() throws {
    let inner = #"["vcalendar",[["x-a",{},"text","2"]],[["vtodo",[],[["vcalendar",[],[]]]]]]"#
    for text in [
      #"["vcalendar",[],[["vevent",[],[["vjournal",[],[]],\#(inner)]]]]"#,
      #"["vevent",[],[["vjournal",[],[]],\#(inner)]]"#,
      #"["vcalendar",[],[["vevent",[],[["vjournal",[],[]],\#(inner)]]],"#,
    ] {
      let stream = try read(text)
      let components = stream.strays.components + stream.calendars.flatMap { Array($0.components) }
      #expect(components.map(\.name) == [.event, .journal, .reminder])
      #expect(stream.calendars.suffix(2).map { $0["X-A"]?.text } == ["2", nil])
      #expect(stream.diagnostics.count { $0.code == .misplacedComponent } >= 3)
    }
  }

  @Test("A diagnostic shows its line, also one before the line that is being read")
  func excerpt() throws {
    let text = "[\"vcalendar\",[],[\n[\"vevent\",[\n  [1]\n],[]]\n]]"
    let diagnostic = try #require(try read(text).diagnostics.first)
    #expect(
      diagnostic.formatted(path: "a.json") == """
        a.json:3:3: error: expected a name, an object of parameters, a type and a value; it is left out (RFC 7265 §3.4)
          [1]
          ^
        """)
  }

  @Test("Where the chunks are cut changes nothing, and nothing comes before the end")
  func chunks() throws {
    let text = Array(#"[["vcalendar",[["summary",{},"text","é"]],[["vevent",[],[]]]]]"#.utf8)
    var reader = JCalReader()
    for byte in text {
      try reader.consume([byte].span)
      #expect(reader.next() == nil)
    }
    reader.finish()
    var count = 0
    while reader.next() != nil { count += 1 }
    #expect(count == 4)
  }

  @Test("Components are not nested deeper than the limit")
  func nesting() throws {
    let depth = 20
    let text =
      "[\"vcalendar\",[],[" + String(repeating: "[\"x\",[],[", count: depth)
      + String(repeating: "]]", count: depth) + "]]"
    #expect(
      try read(text).diagnostics.map(\.message) == [
        "expected at most 16 components inside one another; it is left out"
      ])
  }
}
