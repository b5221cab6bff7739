// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Testing

@Suite("Property")
struct PropertyTests {
  /// The only property of a calendar that holds this line.
  private func property(_ line: String) throws -> Property {
    let text = "BEGIN:VCALENDAR\r\n\(line)\r\nEND:VCALENDAR\r\n"
    return try #require(try CalendarStream(parsing: text).calendars[0].properties.first)
  }

  private func written(_ property: Property) -> String {
    var bytes: [UInt8] = []
    Serializer().write(property, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("Names are case-insensitive, and keep their case")
  func names() throws {
    let property = try property("summary:x")
    #expect(property.name == .summary)
    #expect(property.name.rawName == "summary")
    #expect(property.name.canonicalName == "SUMMARY")
    #expect(PropertyName("X-Foo") == PropertyName("x-fOO"))
    #expect(PropertyName("X-Foo").hashValue == PropertyName("x-fOO").hashValue)
    #expect(PropertyName("X-Foo") != PropertyName("X-Bar"))
    #expect(PropertyName.summary != PropertyName.location)
  }

  struct ParameterCase: CustomTestStringConvertible {
    let line: String
    let parameters: [Parameter]
    let value: String
    var testDescription: String { line }
  }

  static let parameterCases: [ParameterCase] = [
    ParameterCase(line: "X-A:v", parameters: [], value: "v"),
    ParameterCase(
      line: "ATTENDEE;CN=Ann;RSVP=TRUE:mailto:a@example.org",
      parameters: [Parameter(.commonName, "Ann"), Parameter(.rsvp, "TRUE")],
      value: "mailto:a@example.org"),
    ParameterCase(
      line: "ATTENDEE;CN=\"Doe; Ann: A, B\":mailto:a@example.org",
      parameters: [Parameter(.commonName, "Doe; Ann: A, B")], value: "mailto:a@example.org"),
    ParameterCase(
      line:
        "ATTENDEE;MEMBER=\"mailto:x@example.org\",\"mailto:y@example.org\":mailto:a@example.org",
      parameters: [Parameter(.member, ["mailto:x@example.org", "mailto:y@example.org"])],
      value: "mailto:a@example.org"),
    ParameterCase(
      line: "ATTENDEE;CN=George Herman ^'Babe^' Ruth^n^^ ^x^N:mailto:a@example.org",
      parameters: [Parameter(.commonName, "George Herman \"Babe\" Ruth\n^ ^x^N")],
      value: "mailto:a@example.org"),
    ParameterCase(line: "X-A;B=:v", parameters: [Parameter("B", "")], value: "v"),
    ParameterCase(
      line: "X-A;B=c;D:v", parameters: [Parameter("B", "c"), Parameter("D", "")], value: "v"),
    ParameterCase(line: "X-A:", parameters: [], value: ""),
  ]

  @Test("Parameters and value are told apart", arguments: parameterCases)
  func splitsParameters(_ item: ParameterCase) throws {
    let property = try property(item.line)
    #expect(property.parameters == item.parameters)
    #expect(property.rawValue == item.value)
    #expect(written(property) == item.line + "\r\n")
  }

  @Test("Changing the value keeps the spelling of the parameters")
  func changedValue() throws {
    var property = try property("dtstart;Tzid=\"Europe/Berlin\";X-y=1:20260101T090000")
    property.rawValue = "20260102T090000"
    #expect(written(property) == "dtstart;Tzid=\"Europe/Berlin\";X-y=1:20260102T090000\r\n")
  }

  @Test("Changing a parameter keeps its place and encodes what quotes cannot hold")
  func changedParameter() throws {
    var property = try property("ATTENDEE;CN=Ann;RSVP=TRUE:mailto:a@example.org")
    property[.commonName] = "Ann \"A\", B"
    #expect(written(property) == "ATTENDEE;CN=\"Ann ^'A^', B\";RSVP=TRUE:mailto:a@example.org\r\n")
    #expect(property[.commonName] == "Ann \"A\", B")
    property[.commonName] = nil
    property[.role] = "CHAIR"
    #expect(written(property) == "ATTENDEE;RSVP=TRUE;ROLE=CHAIR:mailto:a@example.org\r\n")
  }

  @Test("Text is escaped and unescaped")
  func text() throws {
    var property = try property(#"DESCRIPTION:a\, b\; c\\ d\ne\Nf\x"#)
    #expect(property.text == "a, b; c\\ d\ne\nfx")
    property.text = "one\r\ntwo\rthree, four; five\\"
    #expect(property.rawValue == #"one\ntwo\nthree\, four\; five\\"#)
    #expect(Property(.summary, text: property.text).text == "one\ntwo\nthree, four; five\\")
  }

  @Test("Equality looks at what is said and not at the folds")
  func equality() throws {
    #expect(try property("SUMMARY:ab") == (try property("summary:a\r\n b")))
    #expect(try property("SUMMARY:ab") != (try property("SUMMARY:ac")))
    #expect(try property("SUMMARY:ab") != (try property("SUMMARY;LANGUAGE=en:ab")))
  }

  @Test("Diagnostics point at the physical line and byte, and show it")
  func diagnostics() throws {
    let property = try property("SUMMARY:Grü\r\n ße")
    let diagnostic = property.diagnostic(
      .error, .invalidValue, atValueOffset: 4, "expected something else", reference: "RFC 5545 §1")
    #expect(
      diagnostic.formatted(path: "a.ics") == """
        a.ics:3:2: error: expected something else (RFC 5545 §1)
         ße
         ^
        """)
  }
}
