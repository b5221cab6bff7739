// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import Testing

/// Text mode on Windows writes CRLF as CR CR LF, which is one line break.
@Suite("CR CR LF")
struct OddLineEndTests {
  private static let text = """
    BEGIN:VCALENDAR
    VERSION:2.0
    PRODID:-//x//EN
    BEGIN:VEVENT
    UID:0400000
     00001
    DTSTAMP:20260101T000000Z
    DTSTART:20261201T090000Z
    RRULE:FREQ=WEEKLY;INTER
     VAL=2
    SUMMARY:Grüße an al
     le
    X-ODD
    END:VEVENT
    END:VCALENDAR

    """

  private func bytes(_ lineBreak: String) -> [UInt8] {
    Array(Self.text.replacing("\n", with: lineBreak).utf8)
  }

  private func read(_ bytes: [UInt8], chunk: Int) throws -> [String] {
    var reader = ComponentReader()
    var found: [String] = []
    func take() {
      while let element = reader.next() {
        switch element {
        case .property(let property):
          found.append("\(property.position?.line ?? 0) \(property.rawValue)")
        case .component(let component):
          for property in component.properties {
            found.append(
              "\(property.position?.line ?? 0) \(property.name.rawName):\(property.rawValue)")
          }
        case .diagnostic(let diagnostic) where diagnostic.code != .lineEnd:
          found.append("\(diagnostic.position) \(diagnostic.message)")
        default: break
        }
      }
    }
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + chunk)
      try reader.consume(bytes[start..<end].span)
      take()
      start = end
    }
    try reader.finish()
    take()
    return found
  }

  @Test("It is read as CRLF is, in chunks of any size")
  func reading() throws {
    let expected = try read(bytes("\r\n"), chunk: .max >> 1)
    #expect(expected.contains("9 RRULE:FREQ=WEEKLY;INTERVAL=2"))
    for chunk in [1, 2, 3, 5, 7, 16, 64, 1 << 20] {
      #expect(try read(bytes("\r\r\n"), chunk: chunk) == expected)
    }
  }

  @Test("One warning says so, and another kind of line break is no part of it")
  func warning() throws {
    let stream = try CalendarStream(parsing: bytes("\r\r\n"))
    let ends = stream.diagnostics.filter { $0.code == .lineEnd }
    #expect(ends.map(\.severity) == [.warning])
    #expect(ends.map(\.position.line) == [1])
    #expect(try CalendarStream(parsing: bytes("\r")).diagnostics.map(\.severity).contains(.note))
    let parts = try CalendarStream(parsing: bytes("\r\r\n") + bytes("\r\r\n"), inTurn: 2)
    #expect(parts.diagnostics.filter { $0.code == .lineEnd }.map(\.position.line) == [1])
  }

  @Test("The repair writes CRLF")
  func repair() {
    let repair = FileRepair(of: bytes("\r\r\n"))
    #expect(repair.bytes == bytes("\r\n"))
    #expect(!repair.left.contains { $0.code == .lineEnd })
    #expect(!FileRepair(of: repair.bytes).isChanged)
  }

  @Test("A component without CR CR LF is written when line breaks are normalized")
  func normalizing() throws {
    let calendar = try #require(try CalendarStream(parsing: bytes("\r\r\n")).calendars.first)
    #expect(Serializer().bytes(of: calendar) == bytes("\r\r\n"))
    #expect(Serializer(lineEnds: .normalized).bytes(of: calendar) == bytes("\r\n"))
  }
}

@Suite("Missing END lines")
struct MissingEndTests {
  private func calendar(_ lines: [String]) throws -> CalendarStream {
    let all = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//x//EN"] + lines
    return try CalendarStream(parsing: all.map { $0 + "\r\n" }.joined())
  }

  private let first = ["BEGIN:VEVENT", "UID:1", "SUMMARY:One"]
  private let second = ["BEGIN:VEVENT", "UID:2", "BEGIN:VALARM", "TRIGGER:-PT15M"]
  private let third = ["BEGIN:VEVENT", "UID:3", "END:VEVENT"]

  @Test("A component without END is whole where another begins, or the calendar ends")
  func whole() throws {
    let endings = [
      third + ["END:VCALENDAR"], ["END:VCALENDAR"],
      ["BEGIN:VTODO", "UID:4", "END:VTODO", "END:VCALENDAR"],
    ]
    for ending in endings {
      let stream = try calendar(first + second + ending)
      let calendar = try #require(stream.calendars.first)
      #expect(calendar.components.map { $0[.uid]?.text }.prefix(2) == ["1", "2"])
      let everything = calendar.components + calendar.components.flatMap(\.components)
      #expect(everything.allSatisfy { $0.isComplete })
      let missing = stream.diagnostics.filter { $0.code == .missingEnd }
      #expect(missing.map(\.position.line) == [7, 11, 11])
      #expect(missing.allSatisfy { $0.severity == .error })
      for component in calendar.components {
        let text = Serializer().bytes(of: component)
        #expect(try CalendarStream(parsing: text).diagnostics.filter(\.isStructural).count == 1)
        #expect(
          try Array(CalendarStream(parsing: text).strays.components) == [component])
      }
    }
  }

  @Test("At the end of the file and before another calendar it is truncated")
  func truncated() throws {
    for ending in [[], third.dropLast(1), ["BEGIN:VCALENDAR"] + third + ["END:VCALENDAR"]] {
      let stream = try calendar(first + ["END:VEVENT"] + second.dropLast(2) + ending)
      let calendar = try #require(stream.calendars.first)
      #expect(!calendar.isComplete)
      #expect(calendar.components.last?.isComplete == false)
    }
  }
}
