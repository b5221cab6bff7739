// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

@Suite("The canonical form")
struct CanonicalFormTests {
  private let serializer = Serializer(form: .canonical)

  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  private func event(_ lines: String...) throws -> Component {
    try CalendarStream(
      parsing: "BEGIN:VCALENDAR\nBEGIN:VEVENT\n" + lines.map { $0 + "\n" }.joined()
        + "END:VEVENT\nEND:VCALENDAR\n"
    ).calendars[0].components[0]
  }

  private func canonical(_ component: Component) -> String { text(serializer.bytes(of: component)) }

  /// A line and its canonical form.
  struct Case: CustomTestStringConvertible {
    let line: String
    let form: String
    var testDescription: String { line }

    init(_ line: String, _ form: String) {
      self.line = line
      self.form = form
    }
  }

  static let cases = [
    Case(#"SUMMARY:Tea"#, #"SUMMARY:Tea"#),
    Case(#"Summary:Tea"#, #"SUMMARY:Tea"#),
    Case(#"x-Foo:Bar"#, #"X-FOO:Bar"#),
    // Texts, RFC 5545 §3.3.11
    Case(#"SUMMARY:a\Nb\nc"#, #"SUMMARY:a\nb\nc"#),
    Case(#"SUMMARY:a\:b\"c\\d\e"#, #"SUMMARY:a:b"c\\de"#),
    Case(#"SUMMARY:a,b;c\,d\;e"#, #"SUMMARY:a\,b\;c\,d\;e"#),
    Case(#"SUMMARY:a\"#, #"SUMMARY:a\\"#),
    Case(#"SUMMARY:a\\"#, #"SUMMARY:a\\"#),
    Case(#"CATEGORIES:a,b\,c;d,\e"#, #"CATEGORIES:a,b\,c\;d,e"#),
    Case(#"REQUEST-STATUS:2.8;a,b;c\;d"#, #"REQUEST-STATUS:2.8;a\,b;c\;d"#),
    // Values of other types
    Case(#"URL:https://example.org/a,b;c\d"#, #"URL:https://example.org/a,b;c\d"#),
    Case(#"X-FOO:a\Nb,c;d\"#, #"X-FOO:a\Nb,c;d\"#),
    Case(#"X-FOO;VALUE=TEXT:a\Nb,c"#, #"X-FOO;VALUE=TEXT:a\Nb,c"#),
    Case(#"RRULE:COUNT=2;FREQ=DAILY"#, #"RRULE:COUNT=2;FREQ=DAILY"#),
    // VALUE, RFC 5545 §3.2.20
    Case(#"SUMMARY;VALUE=TEXT:a,b"#, #"SUMMARY:a\,b"#),
    Case(#"DTSTART;VALUE="date-time":20260101T000000"#, #"DTSTART:20260101T000000"#),
    Case(#"DTSTART;VALUE=date:20260101"#, #"DTSTART;VALUE=DATE:20260101"#),
    Case(#"DTSTART;value="date":20260101"#, #"DTSTART;VALUE=DATE:20260101"#),
    Case(
      #"STYLED-DESCRIPTION;VALUE=URI:http://a/b,c"#,
      #"STYLED-DESCRIPTION;VALUE=URI:http://a/b,c"#),
    Case(#"SUMMARY;VALUE=URI:a,b"#, #"SUMMARY;VALUE=URI:a\,b"#),
    // Without a default type, VALUE stays (RFC 7986 §5.7, RFC 9073 §6.5).
    Case(#"REFRESH-INTERVAL;VALUE="duration":PT1H"#, #"REFRESH-INTERVAL;VALUE=DURATION:PT1H"#),
    Case(#"STYLED-DESCRIPTION;VALUE=TEXT:a,b"#, #"STYLED-DESCRIPTION;VALUE=TEXT:a\,b"#),
    Case(#"LINK;VALUE=URI;LINKREL=icon:a:b"#, #"LINK;LINKREL=icon;VALUE=URI:a:b"#),
    Case(
      #"DTSTART;VALUE=DATE-TIME;VALUE=DATE:20260101T000000"#, #"DTSTART:20260101T000000"#),
    Case(
      #"DTSTART;VALUE=DATE;VALUE=DATE-TIME:20260101"#,
      #"DTSTART;VALUE=DATE;VALUE=DATE-TIME:20260101"#),
    Case(
      #"DTSTART;VALUE=DATE-TIME,DATE:20260101T000000"#,
      #"DTSTART;VALUE=DATE-TIME,DATE:20260101T000000"#),
    // Parameters, RFC 5545 §3.2 and RFC 6868
    Case(
      #"ATTENDEE;role=CHAIR;CN=Ann:mailto:a@b.org"#, #"ATTENDEE;CN=Ann;ROLE=CHAIR:mailto:a@b.org"#),
    Case(#"ATTENDEE;CN="Ann":mailto:a@b.org"#, #"ATTENDEE;CN=Ann:mailto:a@b.org"#),
    Case(#"ATTENDEE;CN="B, Ann":mailto:a@b.org"#, #"ATTENDEE;CN="B, Ann":mailto:a@b.org"#),
    Case(
      #"ATTENDEE;MEMBER="a","mailto:b",c:mailto:a@b.org"#,
      #"ATTENDEE;MEMBER=a,"mailto:b",c:mailto:a@b.org"#),
    Case(#"X-A;B=^n^N^'^^^x^:v"#, #"X-A;B=^n^^N^'^^^^x^^:v"#),
    Case(#"X-A;B="c^'d":v"#, #"X-A;B=c^'d:v"#),
    Case(#"X-A;B=c"d";E:v"#, #"X-A;B=c^'d^';E=:v"#),
    // A backslash before a comma, which RFC 5545 §3.2 does not know, and one at the end of a value
    Case(#"X-A;B=Doe\, J:v"#, #"X-A;B="Doe, J":v"#),
    Case(#"X-A;B=a\\,b\,"c":v"#, #"X-A;B="a\,b,^'c^'":v"#),
    Case(#"X-A;B="Doe\, J",c:v"#, #"X-A;B="Doe\, J",c:v"#),
    Case(#"X-A;B="a\",b\:v"#, #"X-A;B="a\",b\:v"#),
    Case(#"X-A;B="a\";c=d\:v"#, #"X-A;B=a\;C=d\:v"#),
    Case(#"X-A;X-SAME=2;b=c;X-SAME=1:v"#, #"X-A;B=c;X-SAME=2;X-SAME=1:v"#),
    Case(
      #"X-A;X-APPLE-STRUCTURED-B=1;X-APPLE-STRUCTURED-A=2:v"#,
      #"X-A;X-APPLE-STRUCTURED-A=2;X-APPLE-STRUCTURED-B=1:v"#),
    // What has no name cannot be moved
    Case(#"X-A;Z":=1;A"=2;cn=a:v"#, #"X-A;Z":=1;A"=2;cn=a:v"#),
    Case(#"x-a;VALUE=TEXT;;B:v"#, #"X-A;VALUE=TEXT;;B:v"#),
    // No content line at all
    Case("what is this, then", "what is this, then"),
  ]

  @Test("A line has one spelling, and that one is its own", arguments: cases)
  func line(_ row: Case) throws {
    for line in [row.line, row.form] {
      let event = try event(line)
      #expect(
        canonical(event).replacing("\r\n ", with: "")
          == "BEGIN:VEVENT\r\n\(row.form)\r\nEND:VEVENT\r\n")
      var alone: [UInt8] = []
      serializer.write(event.properties[0], to: &alone)
      #expect(text(alone) == row.form + "\r\n")
    }
  }

  @Test("Properties are sorted by name and bytes, components come after them, time zones first")
  func order() throws {
    let calendar = try CalendarStream(
      parsing: """
        begin:vcalendar
        x-b:1
        BEGIN:VEVENT
        UID:2
        nonsense 2
        ATTENDEE:mailto:b@example.org
        nonsense 1
        X-APPLE-STRUCTURED-LOCATION:l
        X-APPLE-STRUCTURED-DATA:d
        BEGIN:VALARM
        TRIGGER:-PT10M
        END:VALARM
        BEGIN:VALARM
        TRIGGER:-PT05M
        END:VALARM
        ATTENDEE;CN=A:mailto:a@example.org
        ATTENDEE:mailto:a@example.org
        DTSTART:20260101T000000Z
        END:VEVENT
        BEGIN:VEVENT
        UID:1
        END:VEVENT
        BEGIN:VTIMEZONE
        TZID:A
        END:VTIMEZONE
        X-A-C:1
        X-A:2
        VERSION:2.0
        end:vcalendar
        """
    ).calendars[0]
    #expect(
      canonical(calendar)
        == """
        BEGIN:VCALENDAR
        VERSION:2.0
        X-A:2
        X-A-C:1
        X-B:1
        BEGIN:VTIMEZONE
        TZID:A
        END:VTIMEZONE
        BEGIN:VEVENT
        UID:1
        END:VEVENT
        BEGIN:VEVENT
        ATTENDEE:mailto:a@example.org
        ATTENDEE:mailto:b@example.org
        ATTENDEE;CN=A:mailto:a@example.org
        DTSTART:20260101T000000Z
        UID:2
        X-APPLE-STRUCTURED-DATA:d
        X-APPLE-STRUCTURED-LOCATION:l
        nonsense 2
        nonsense 1
        BEGIN:VALARM
        TRIGGER:-PT05M
        END:VALARM
        BEGIN:VALARM
        TRIGGER:-PT10M
        END:VALARM
        END:VEVENT
        END:VCALENDAR

        """.replacing("\n", with: "\r\n"))
  }

  @Test("Lines are folded at 75 octets, inside neither a character nor an escape")
  func folding() throws {
    for part in ["a", "ü", "🦊", #"\n"#, #"\\"#, #"\,"#, #"x\;"#] {
      for lead in 0..<6 {
        let value = String(repeating: "x", count: lead) + String(repeating: part, count: 120)
        let lines = canonical(try event("SUMMARY:" + value)).split(separator: "\r\n")
          .dropFirst().dropLast()
        #expect(lines.allSatisfy { $0.utf8.count <= 75 })
        #expect(lines.dropLast().allSatisfy { $0.utf8.count > 71 })
        #expect(!lines.joined().unicodeScalars.contains("\u{FFFD}"))
        for line in lines {
          #expect(line.reversed().prefix { $0 == "\\" }.count.isMultiple(of: 2), "\(line)")
        }
        #expect(
          lines.enumerated().map { $1.dropFirst($0 == 0 ? 0 : 1) }.joined() == "SUMMARY:" + value)
      }
    }
  }

  @Test("Every fixture keeps its meaning, and its canonical form is its own")
  func fixtures() throws {
    for fixture in try Fixture.allCalendars() {
      guard let stream = try? CalendarStream(parsing: fixture.bytes) else { continue }
      for calendar in stream.calendars {
        let bytes = serializer.bytes(of: calendar)
        let again = try CalendarStream(parsing: bytes)
        #expect(again.calendars.map(Meaning.init) == [Meaning(calendar)], "\(fixture.path)")
        #expect(serializer.bytes(of: again) == bytes, "\(fixture.path)")
        #expect(bytes.isCanonicallyFolded, "\(fixture.path)")
      }
    }
  }

  @Test("Odd lines keep their meaning, in whatever order they come and wherever they are kept")
  func generatedLines() throws {
    for seed in 0..<500 {
      var random = SeededGenerator(seed: UInt64(seed))
      let lines = (0..<Int.random(in: 1...8, using: &random)).map { _ in Self.line(&random) }
      let calendar = try CalendarStream(parsing: Self.calendar(lines)).calendars[0]
      let bytes = serializer.bytes(of: calendar)
      let again = try CalendarStream(parsing: bytes).calendars
      #expect(again.map(Meaning.init) == [Meaning(calendar)], "seed \(seed)")
      #expect(again.map(serializer.bytes(of:)) == [bytes], "seed \(seed)")
      #expect(bytes.isCanonicallyFolded, "seed \(seed)")
      let wellFormed = calendar.components[0].properties.filter(\.isWellFormed)
      if wellFormed.allSatisfy(\.hasParameterNames) {
        let inMemory = Self.inMemory(calendar)
        #expect(serializer.bytes(of: inMemory) == bytes, "seed \(seed), in memory")
      }
      let shuffled = Component(.event, properties: wellFormed.shuffled(using: &random))
      #expect(
        serializer.bytes(of: shuffled)
          == serializer.bytes(of: Component(.event, properties: wellFormed)),
        "seed \(seed), shuffled")
    }
  }

  private static func calendar(_ lines: [String]) -> String {
    "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n" + lines.map { $0 + "\r\n" }.joined()
      + "END:VEVENT\r\nEND:VCALENDAR\r\n"
  }

  /// The same component as if it had been made by a program.
  private static func inMemory(_ component: Component) -> Component {
    Component(
      component.name,
      properties: component.properties.map {
        $0.isWellFormed
          ? Property($0.name, rawValue: $0.rawValue, parameters: $0.parameters) : $0
      }, components: component.components.map(inMemory))
  }

  private static func line(_ random: inout SeededGenerator) -> String {
    let names = [
      "SUMMARY", "summary", "DESCRIPTION", "X-a", "X-ab", "X-A-B", "Dtstart", "CATEGORIES",
      "REQUEST-STATUS", "ATTENDEE", "X-A-LONG-NAME-1", "X-A-LONG-NAME-OF-A-PROPERTY-1",
      "x-a-long-name-of-a-property-2", "RELATED-TO", "STYLED-DESCRIPTION", "no name",
    ]
    let parameters = [
      ";CN=", ";cn=", ";", "=", "\"", "\"", "^n", "^N", "^'", "^^", "^", ",", "a", "ü", ":", "\\",
      ";VALUE=TEXT", ";value=uri", ";VALUE=\"DATE\"", ";VALUE=DATE-TIME",
      ";X-LONG-PARAMETER-NAME-B=b",
      ";X-LONG-PARAMETER-NAME-A=", ";TZID=Europe/Berlin",
    ]
    let values = [
      "\\", "\\n", "\\N", "\\,", "\\;", "\\\\", "\\x", ",", ";", ":", "\"", "a", "ü", "🦊", " ",
      "20260101", "20260101T000000Z", "long enough to be folded somewhere",
    ]
    func some(_ parts: [String], _ count: Int) -> String {
      (0..<Int.random(in: 0...count, using: &random))
        .compactMap { _ in parts.randomElement(using: &random) }.joined()
    }
    let name = names.randomElement(using: &random) ?? ""
    let head = Bool.random(using: &random) ? some(parameters, 8) : ""
    return name + head + ":" + some(values, 20)
  }
}

/// What a component says, without the order and the spelling of its parts.
private struct Meaning: Hashable {
  let name: String
  let properties: [String]
  let malformed: [[UInt8]]
  let components: [Meaning]

  init(_ component: Component) {
    name = component.name.canonicalName
    properties = component.properties.filter(\.isWellFormed).map(Self.meaning).sorted()
    malformed = component.properties.filter { !$0.isWellFormed }.map(\.valueBytes)
    components = component.components.map(Meaning.init).sorted { $0.text < $1.text }
  }

  private var text: String { "\(name) \(properties) \(malformed) \(components.map(\.text))" }

  private static func meaning(_ property: Property) -> String {
    let typed = property.typedValues
    var parameters: [String: [String]] = [:]
    for parameter in property.parameters where parameter.name != .value {
      parameters[parameter.name.canonicalName, default: []].append("\(parameter.values)")
    }
    let value = typed.type == .text ? "" : "\(property.valueBytes)"
    return "\(property.name.canonicalName) \(parameters.sorted { $0.key < $1.key }) \(typed.type) "
      + "\(Array(typed.values)) \(value)"
  }
}

extension Property {
  /// Whether all parameters have names as RFC 5545 §3.1 allows; others stay as they are.
  fileprivate var hasParameterNames: Bool {
    parameters.allSatisfy { parameter in
      let name = parameter.name.rawName
      return !name.isEmpty
        && name.unicodeScalars.allSatisfy { $0 == "-" || $0.isASCII && $0.properties.isAlphabetic }
    }
  }
}

extension [UInt8] {
  /// Whether every line ends in CRLF and has at most 75 octets before it.
  fileprivate var isCanonicallyFolded: Bool {
    let lines = split(separator: 0x0A, omittingEmptySubsequences: false)
    return lines.last?.isEmpty == true
      && lines.dropLast().allSatisfy {
        $0.last == 0x0D && $0.count <= 76 && !$0.dropLast().contains(0x0D)
      }
  }
}
