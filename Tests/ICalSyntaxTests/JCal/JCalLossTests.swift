// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Testing

@Suite("From iCalendar to jCal and back")
struct JCalLossTests {
  struct Case: CustomTestStringConvertible {
    let line: String
    /// A part of the jCal.
    let json: String
    /// What comes back; nil for the line itself.
    var back: String?
    var testDescription: String { line }
  }

  static let cases = [
    // The type is that of VALUE, whatever the property (RFC 7265 §3.5).
    Case(
      line: "LOCATION;VALUE=URI:http://x.example/a\\,b",
      json: #"["location",{},"uri","http://x.example/a\\,b"]"#),
    Case(
      line: "LOCATION;VALUE=uri:http://x.example/", json: #""uri","http://x.example/""#,
      back: "LOCATION;VALUE=URI:http://x.example/"),
    Case(line: "URL;VALUE=TEXT:hello\\, you", json: #"["url",{},"text","hello, you"]"#),
    Case(line: "IMAGE;VALUE=TEXT:a\\;b\\,c", json: #"["image",{},"text","a;b,c"]"#),
    Case(line: "SUMMARY;VALUE=INTEGER:7", json: #"["summary",{},"integer",7]"#),
    Case(line: "DESCRIPTION;VALUE=DATE:20260102", json: #""date","2026-01-02""#),
    // What does not match the declared type, or would come back otherwise, stays as it is.
    Case(line: "SUMMARY;VALUE=INTEGER:seven", json: #"{"value":"INTEGER"},"unknown","seven""#),
    Case(
      line: "RRULE;VALUE=TEXT:FREQ=DAILY;COUNT=2",
      json: #"["rrule",{"value":"TEXT"},"unknown","FREQ=DAILY;COUNT=2"]"#),
    // A backslash before a separator in a parameter, as Apple's programs write it.
    Case(
      line: "X-A;X-TITLE=Hauptstr. 1\\; 4041 Linz;X-RADIUS=70:geo:48.3,14.2",
      json: #"{"x-title":"Hauptstr. 1; 4041 Linz","x-radius":"70"}"#,
      back: "X-A;X-TITLE=\"Hauptstr. 1; 4041 Linz\";X-RADIUS=70:geo:48.3,14.2"),
    Case(
      line: "X-A;X-TITLE=a\\, b\\;c\\;d=e:f", json: #"{"x-title":"a, b;c\\","d":"e"}"#,
      back: "X-A;X-TITLE=\"a, b;c\\\";D=e:f"),
    Case(line: "X-A;X-PATH=C:\\\\a", json: #""x-a""#, back: "X-A;X-PATH=C:\\\\a"),
    // A VALUE that cannot name a type.
    Case(
      line: "SUMMARY;VALUE=Main St 1, Linz:text",
      json: #"{"value":["Main St 1"," Linz"]},"text","text""#,
      back: "SUMMARY;VALUE=Main St 1, Linz:text"),
    Case(line: "SUMMARY;VALUE=\"a;b\":text", json: #"{"value":"a;b"},"text","text""#),
    // Names with other characters.
    Case(line: "X-A;P_Q=1;P.Q=2:b", json: #"{"p_q":"1","p.q":"2"}"#),
  ]

  private func stream(_ line: String) throws -> CalendarStream {
    try CalendarStream(
      parsing: "BEGIN:VCALENDAR\r\nBEGIN:X-C\r\n\(line)\r\nEND:X-C\r\nEND:VCALENDAR\r\n")
  }

  @Test("Nothing is lost", arguments: cases)
  func nothingIsLost(_ item: Case) throws {
    let calendar = try #require(try stream(item.line).calendars.first)
    let json = JCalWriter().bytes(of: calendar)
    #expect(String(decoding: json, as: UTF8.self).contains(item.json))
    var reader = JCalReader()
    try reader.consume(json.span)
    reader.finish()
    var lines: [String] = []
    while let element = reader.next() {
      guard case .component(let component) = element else { continue }
      for property in component.properties {
        var bytes: [UInt8] = []
        Serializer().write(property, to: &bytes)
        lines.append(String(decoding: bytes, as: UTF8.self).replacing("\r\n ", with: ""))
      }
    }
    #expect(lines == ["\(item.back ?? item.line)\r\n"])
  }

  @Test("A backslash before a separator is reported, in parameters and canonical form")
  func escapedSeparators() throws {
    let read = try stream("X-A;X-T=a\\; b;X-R=7;X-S=c\\,d:v")
    let messages = read.diagnostics.filter { $0.code == .malformedParameter }
    #expect(messages.map(\.severity) == [.warning, .warning])
    let property = try #require(read.calendars.first?.components.first?.properties.first)
    #expect(property.parameters.map(\.values) == [["a; b"], ["7"], ["c,d"]])
    #expect(property["X-T"] == "a; b")
    #expect(property["X-R"] == "7")
    var bytes: [UInt8] = []
    Serializer(form: .canonical).write(property, to: &bytes)
    #expect(
      String(decoding: bytes, as: UTF8.self) == "X-A;X-R=7;X-S=\"c,d\";X-T=\"a; b\":v\r\n")
  }
}
