// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

/// The fast path reads common values and lines; the grammar must read the same from them.
@Suite("Short ways of reading")
struct ShortWayTests {
  private static let parameters = [
    "", ";VALUE=DATE", ";value=date-time", ";VALUE=\"DATE\"", ";VALUE=DATE,TEXT", ";VALUE=",
    ";VALUE=UNKNOWN", ";VALUE=X-ODD", ";TZID=Europe/Berlin;VALUE=DATE;VALUE=TEXT", ";VALUE=TEXT",
    ";VALUE=URI", ";VALUE=INTEGER", ";VALUE=PERIOD", ";VALUE=BINARY", ";VALUE=UID", ";X-VALUE=DATE",
  ]

  private static let values = [
    "", "20260102", "20260102T030405", "20260102T030405Z", "20260102T0304", "2026010:", "20260/02",
    "20260102t030405", "20261302", "20260102T250000", "20260102T03040:", "20260102,20260103",
    "one\\, two\\nthree\\\\", "\\", "a,b;c", "mailto:ann@example.org", "MAILTO:ann", "mailto", ":",
    "no scheme", "5", "-PT15M", "PT", "+0130", "-0000", "FREQ=DAILY;COUNT=3", "FREQ=NEVER",
    "50.94;-6.96", "TRUE", "SGVsbG8=",
  ]

  @Test("A value is the same whether it lies in a file or not")
  func values() throws {
    for name in PropertyTable.rows.map(\.name) + ["X-ODD", "dtstart"]
    where name != "BEGIN" && name != "END" {
      var text = "BEGIN:VCALENDAR\r\n"
      for parameter in Self.parameters {
        for value in Self.values { text += "\(name)\(parameter):\(value)\r\n" }
      }
      let stream = try CalendarStream(parsing: text + "END:VCALENDAR\r\n")
      for property in stream.calendars[0].properties {
        var copy = property
        copy.rawValue = property.rawValue
        #expect(property.typedValues == copy.typedValues, "\(property)")
      }
    }
  }

  @Test("The first separator of a text is the first comma or semicolon without a backslash")
  func separators() {
    let letters = Array("aaaaaaaaaaaaaaaaaaaaaaaaaaa\\\\,;".utf8)
    forAll(2000) { random in
      let count = Int.random(in: 0..<80, using: &random)
      let text = (0..<count).map { _ in letters.randomElement(using: &random) ?? 0 }
      var (expected, isEscaped) = (Int?.none, false)
      for (index, byte) in text.enumerated() where expected == nil {
        if !isEscaped, byte == 0x2C || byte == 0x3B { expected = index }
        isEscaped = !isEscaped && byte == 0x5C
      }
      #expect(TextEscaping.firstSeparator(in: text.span) == expected, "\(text)")
    }
  }

  @Test("A text has as many bytes as are read, and one spelling", arguments: 1...20)
  func texts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let letters = ["a", "\\", "\\", "\\", "n", ",", ";", "N"]
    for length in 0..<200 {
      let raw = (0..<length).map { _ in letters[Int.random(in: 0..<8, using: &random)] }.joined()
      let text = "BEGIN:VCALENDAR\r\nCOMMENT:\(raw)\r\nEND:VCALENDAR\r\n"
      let calendar = try CalendarStream(parsing: text).calendars[0]
      let property = try #require(calendar[.comment])
      guard case .text(let value) = property.typedValues.first else {
        Issue.record("no text: \(raw)")
        return
      }
      #expect(value.utf8Count == value.string.utf8.count, "\(raw)")
      #expect(value == ValueText(property.text), "\(raw)")
      let canonical = Serializer(form: .canonical).bytes(of: calendar)
      let written = try CalendarStream(parsing: canonical).calendars[0][.comment]
      #expect(written?.rawValue == TextEscaping.escape(property.text), "\(raw)")
    }
  }

  @Test("A parameter needs an equals sign right after its name", arguments: 1...80)
  func parameterNames(length: Int) throws {
    let name = String(repeating: "A", count: length)
    let signs = String(repeating: "=", count: 80)
    func read(_ line: String) throws -> CalendarStream {
      try CalendarStream(parsing: "BEGIN:VCALENDAR\r\n\(line)\r\nEND:VCALENDAR\r\n")
    }
    let good = try read("SUMMARY;\(name)=\(signs):a")
    #expect(good.diagnostics.isEmpty)
    #expect(good.calendars[0].properties[0].parameters == [Parameter(ParameterName(name), signs)])
    #expect(try read("SUMMARY;\(name);\(signs):a").diagnostics.map(\.code) != [])
    #expect(try read("SUMMARY;\(name)").diagnostics.map(\.code) == [.malformedLine])
  }
}
