// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

@Suite("Serializer")
struct SerializerTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test("Lines are folded at 75 octets and never inside a character")
  func folding() throws {
    for character in ["a", "ü", "€", "🦊"] {
      for lead in 0..<5 {
        let value = String(repeating: "x", count: lead) + String(repeating: character, count: 120)
        var bytes: [UInt8] = []
        Serializer().write(Property(.summary, text: value), to: &bytes)
        let lines = text(bytes).split(separator: "\r\n")
        #expect(lines.count > 1)
        for line in lines {
          #expect(line.utf8.count <= 75)
          #expect(!line.unicodeScalars.contains("\u{FFFD}"), "\(character) after \(lead)")
        }
        // Full lines are used: at most three bytes are left free before a character of four.
        #expect(lines.dropLast().allSatisfy { $0.utf8.count > 71 })
        let stream = try CalendarStream(
          parsing: "BEGIN:VCALENDAR\r\n\(text(bytes))END:VCALENDAR\r\n")
        #expect(stream.calendars[0][.summary]?.text == value)
        #expect(stream.diagnostics.isEmpty)
      }
    }
  }

  @Test("An untouched component keeps its bytes while its neighbour changes")
  func untouchedNeighbours() throws {
    let event = "begin:vevent\nuid:1\nSUMMARY:fol\n ded\nx-odd;a=\"b\":c\nend:vevent\n"
    let other = "BEGIN:VEVENT\r\nUID:2\r\nSUMMARY:two\r\nDTSTAMP:20260101T000000Z\r\nEND:VEVENT\r\n"
    var calendar = try CalendarStream(
      parsing: "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(event)\(other)END:VCALENDAR\r\n"
    ).calendars[0]
    calendar.components[1][.summary]?.text = "changed"
    #expect(
      text(Serializer().bytes(of: calendar))
        == "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n\(event)"
        + other.replacing("SUMMARY:two", with: "SUMMARY:changed") + "END:VCALENDAR\r\n")
  }

  @Test("A whole calendar that is not changed is written back byte for byte")
  func untouchedCalendar() throws {
    let odd =
      "begin:vcalendar\nBEGIN:VEVENT\r\nUID:1\nEND:VEVENT\n\nX-LATE:after\r\nend:Vcalendar\n"
    let calendar = try CalendarStream(parsing: "junk\r\n" + odd).calendars[0]
    #expect(text(Serializer().bytes(of: calendar)) == odd)
  }

  @Test("Line ends become CRLF when asked, and nothing else changes")
  func normalizedLineEnds() throws {
    let lines = ["BEGIN:VCALENDAR", "X-A:b", "  folded", "X-C:d", "END:VCALENDAR"]
    let expected = lines.joined(separator: "\r\n") + "\r\n"
    for lineEnd in ["\n", "\r", "\r\n"] {
      for end in [lineEnd, ""] {
        let calendar = try CalendarStream(
          parsing: lines.joined(separator: lineEnd) + end
        ).calendars[0]
        #expect(text(Serializer(lineEnds: .normalized).bytes(of: calendar)) == expected)
      }
    }
  }

  @Test("A stray END in a component never ends what the component is written into")
  func strayEnd() throws {
    let event = try CalendarStream(
      parsing: "BEGIN:VEVENT\r\nUID:1\r\nEND:VCALENDAR\r\nEND:VEVENT\r\n"
    ).strays.components[0]
    #expect(text(Serializer().bytes(of: event)) == "BEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\n")
  }

  @Test("Setting a property replaces the first and removes the others")
  func setProperty() {
    var component = Component(
      .event,
      properties: [
        Property(.uid, text: "1"), Property(.summary, text: "a"), Property(.location, text: "l"),
        Property(.summary, text: "b"),
      ])
    component[.summary] = Property(.summary, text: "c")
    #expect(component.properties.map(\.rawValue) == ["1", "c", "l"])
    component[.summary] = nil
    component[.url] = Property(.url, rawValue: "https://example.org/")
    #expect(component.properties.map(\.rawValue) == ["1", "l", "https://example.org/"])
  }

  @Test("Generated trees survive being written and read")
  func generatedTrees() throws {
    for seed in 0..<300 {
      var random = SeededGenerator(seed: UInt64(seed))
      let calendar = Self.tree(.calendar, depth: 0, &random)
      let stream = try CalendarStream(parsing: Serializer().bytes(of: calendar))
      #expect(stream.calendars == [calendar], "seed \(seed)")
      #expect(stream.diagnostics.isEmpty, "seed \(seed)")
    }
  }

  @Test("Folding anew changes nothing but folds, and leaves no line longer than 75 octets")
  func refolded() throws {
    for fixture in try Fixture.allCalendars() {
      guard let stream = try? CalendarStream(parsing: fixture.bytes) else { continue }
      for calendar in stream.calendars {
        let bytes = Serializer(lineEnds: .refolded).bytes(of: calendar)
        let again = try CalendarStream(parsing: bytes)
        #expect(again.calendars == [calendar], "\(fixture.path)")
        let told = again.diagnostics.map(\.code)
        #expect(!told.contains(.lineEnd), "\(fixture.path)")
        guard !told.contains(.malformedLine) else { continue }
        let longest = bytes.split(separator: 0x0A).map(\.count).max() ?? 0
        #expect(longest <= 76, "\(fixture.path) has a line of \(longest) octets with its CR")
      }
    }
  }

  private static func tree(
    _ name: ComponentName, depth: Int, _ random: inout SeededGenerator
  ) -> Component {
    let nested: [[ComponentName]] = [[.event, .reminder, "X-COMP"], [.alarm, "X-SUB"], []]
    var component = Component(name)
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let value = word(&random)
      var property = Property(PropertyName("X-" + name.rawName), text: value)
      if Bool.random(using: &random) {
        property[.commonName] = word(&random).replacing("\r", with: "")
      }
      component.properties.append(property)
    }
    for _ in 0..<Int.random(in: 0...3, using: &random) {
      guard let child = nested[depth].randomElement(using: &random) else { break }
      component.components.append(tree(child, depth: depth + 1, &random))
    }
    return component
  }

  private static func word(_ random: inout SeededGenerator) -> String {
    let parts = ["a", "Ω", "🦊", ",", ";", ":", "\"", "^", "\\", "\n", " ", "long enough to fold"]
    return (0..<Int.random(in: 0...20, using: &random))
      .compactMap { _ in parts.randomElement(using: &random) }.joined()
  }

  @Test("No name and no raw value can end its line and begin another")
  func noInjection() throws {
    var property = Property("X-A\r\nX-B", rawValue: "1\r\nEND:VEVENT\nX-B:2\rX-C:3")
    property[ParameterName("X-P\r\nX-D")] = "a\r\nb"
    var component = Component("VEVENT\r\nEND:VEVENT", properties: [property])
    component.properties[0].rawValue += "\n"
    let stream = try CalendarStream(parsing: Serializer().bytes(of: component))
    let read = try #require(stream.strays.components.first)
    #expect(stream.strays.components.count == 1 && read.components.isEmpty)
    #expect(read.properties.map(\.name) == ["X-AX-B"])
    #expect(read.properties.first?.rawValue == #"1\nEND:VEVENT\nX-B:2\nX-C:3\n"#)
  }
}
