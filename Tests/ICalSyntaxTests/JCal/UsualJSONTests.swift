// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

/// The fast path writes common properties as JSON; the long way must write the same for them.
@Suite("The short way to JSON")
struct UsualJSONTests {
  /// A copy of a component that is no part of a file, so that the fast path does not apply.
  private func copy(_ component: Component) -> Component {
    Component(
      component.name,
      properties: component.properties.map { property in
        var copy = property
        if property.isWellFormed { copy.rawValue = property.rawValue }
        return copy
      }, components: component.components.map(copy))
  }

  private func lines(_ component: Component) -> String {
    var bytes: [UInt8] = []
    NDJSONWriter().write(component, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func expectSame(_ bytes: [UInt8], _ comment: String) {
    guard let stream = try? CalendarStream(parsing: bytes) else { return }
    for component in stream.calendars.flatMap({ Array($0.components) }) {
      let copy = copy(component)
      let writer = JCalWriter()
      #expect(writer.bytes(of: component) == writer.bytes(of: copy), "\(comment)")
      #expect(lines(component) == lines(copy), "\(comment)")
    }
  }

  @Test("Every fixture is the same in both ways")
  func fixtures() throws {
    for fixture in try Fixture.allCalendars() { expectSame(fixture.bytes, fixture.path) }
  }

  @Test("Spoilt fixtures are the same in both ways")
  func spoiltFixtures() throws {
    let fixtures = try Fixture.allCalendars().map(\.bytes).filter { $0.count < 20_000 }
    forAll(150) { random in
      guard var bytes = fixtures.randomElement(using: &random) else { return }
      bytes.mutate(using: &random)
      // A copy of other bytes cannot be made by way of texts.
      guard String(validating: bytes, as: UTF8.self) != nil else { return }
      expectSame(bytes, String(decoding: bytes, as: UTF8.self))
    }
  }

  private static let parameters = [
    "", ";VALUE=DATE", ";value=date-time", ";VALUE=\"DATE\"", ";VALUE=DATE,TEXT", ";VALUE=",
    ";VALUE=UNKNOWN", ";VALUE=X-ODD", ";TZID=Europe/Berlin;VALUE=DATE;VALUE=TEXT", ";VALUE=TEXT",
    ";VALUE=URI", ";VALUE=BINARY;ENCODING=BASE64", ";ENCODING=8BIT", ";CN=Ann", ";CN=\"a,b:c\"",
    ";CN=a^nb^'c^^", ";CN=Doe\\, Ann", ";CN=a\\b", ";CN=\"\"", ";CN=", ";CN", ";CN=a,b;cn=c",
    ";X-A=1;X-B=2", ";X-A=1;x-a=2", ";MEMBER=\"mailto:a@b.c\",\"mailto:d@e.f\"", ";CN=Zoë\u{200F}",
    ";CN=\"a", ";CN=a\"b\"c",
  ]

  private static let values = [
    "", "20260102", "20260102T030405", "20260102T030460Z", "20261302", "20260102,20260103",
    "one\\, two\\nthree\\\\ four\\Nfive\\\"six\\", "a\"b\\\"c", "a,b;c", "mailto:ann@example.org",
    "5", "-0", "+05", "-PT15M", "PT1H30M", "P1W", "+0130", "-0000", "+013015",
    "FREQ=DAILY;COUNT=3", "FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=20260102T000000Z", "50.94;-6.96", "TRUE",
    "SGVsbG8=", "\\\u{202E}abc", "é\u{AD}\\é\\\u{AD}", "会議\u{2028}\u{7F}\t", "0001",
  ]

  @Test("Every property is the same in both ways, with all parameters and values")
  func tables() throws {
    let names = PropertyTable.rows.map(\.name) + ["X-ODD", "dtstart", "x_y"]
    for (number, name) in names.enumerated() where name != "BEGIN" && name != "END" {
      var text = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n"
      // An ordinary run tries a third of the parameters with each property, and others with the next one.
      for (place, parameter) in Self.parameters.enumerated()
      where (place + number) % 3 < iterationFactor {
        for value in Self.values { text += "\(name)\(parameter):\(value)\r\n" }
      }
      text += "END:VEVENT\r\nEND:VCALENDAR\r\n"
      expectSame(Array(text.utf8), name)
    }
  }

  @Test("JSON has the same text as the value, whatever is in it")
  func texts() throws {
    let pieces = [
      "\\", "\\", "n", "N", "\"", ",", ";", "a", "é", "\u{AD}", "\u{200B}", "\u{FEFF}", "会", "😀",
      "\u{9F}", "a long piece without anything special", "/",
    ]
    try forAllTexts(of: pieces) { raw in
      let text =
        "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nSUMMARY;X-P=\(raw.filter { $0 != "\"" }):\(raw)\r\n"
        + "URL:x:\(raw)\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
      let event = try #require(try CalendarStream(parsing: text).calendars[0].components.first)
      let json = try JSONScanner.parse(JCalWriter().bytes(of: event))
      let properties = try #require(json.elements?[1].elements)
      #expect(properties[0].elements?[3].text == event[.summary]?.text)
      #expect(properties[1].elements?[3].text == "x:\(raw)")
    }
  }

  private func forAllTexts(of pieces: [String], _ body: (String) throws -> Void) throws {
    forAll(300) { random in
      let count = Int.random(in: 0..<12, using: &random)
      try body((0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined())
    }
  }
}
