// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

@Suite("Hostile input")
struct HostileInputTests {
  private static let seedText = """
    BEGIN:VCALENDAR\r
    VERSION:2.0\r
    PRODID:-//Example//EN\r
    BEGIN:VTIMEZONE\r
    TZID:Zone\r
    BEGIN:STANDARD\r
    DTSTART:19701025T030000\r
    RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU\r
    TZOFFSETFROM:+0200\r
    TZOFFSETTO:+0100\r
    END:STANDARD\r
    END:VTIMEZONE\r
    BEGIN:VEVENT\r
    UID:1\r
    DTSTAMP:20260101T000000Z\r
    DTSTART;TZID="Zone":20260102T090000\r
    DURATION:PT1H\r
    SUMMARY:Grüße aus \r
     Köln 🦊\\, \\n\r
    ATTENDEE;CN="Doe; Ann";MEMBER="mailto:a@b.c","mailto:d@e.f":mailto:ann@example.org\r
    ATTACH;VALUE=BINARY;ENCODING=BASE64:SGVsbG8=\r
    FREEBUSY:20260102T030405Z/PT1H,20260103T000000Z/20260103T010000Z\r
    GEO:50.94;-6.96\r
    BEGIN:VALARM\r
    ACTION:DISPLAY\r
    TRIGGER:-PT15M\r
    END:VALARM\r
    END:VEVENT\r
    END:VCALENDAR\r

    """

  /// Bytes that mean something to the grammar, and some that mean nothing to anyone.
  private static let alphabet =
    Array("\r\n \t:;=,\"^\\BEGIN:END:VEVENTPTZ0123456789+-/".utf8)
    + [0x00, 0x7F, 0x80, 0xC3, 0xE2, 0xF0, 0xFF, 0xFE]

  @Test("No bytes make the reader, the checks or the serializer trap, and nothing read is lost")
  func mutations() throws {
    for seed in 0..<1_500 {
      var random = SeededGenerator(seed: UInt64(seed))
      let bytes = Self.mutated(&random)
      var reader = ComponentReader()
      var checker = CalendarChecker()
      var index = 0
      var found: [Component] = []
      func drain() {
        while let element = reader.next() {
          for diagnostic in checker.check(element) {
            #expect(!diagnostic.formatted(path: "x").isEmpty)
          }
          if case .component(let component) = element { found.append(component) }
        }
      }
      while index < bytes.count {
        let end = min(bytes.count, index + Int.random(in: 1...97, using: &random))
        try reader.consume(Array(bytes[index..<end]).span)
        drain()
        index = end
      }
      try reader.finish()
      drain()
      for component in found {
        // An edit makes the serializer write the component anew; what was in it is still there.
        var edited = component
        edited.properties.append(Property("X-EPACT", text: "x"))
        var text = Array("BEGIN:VCALENDAR\r\n".utf8)
        Serializer().write(edited, to: &text)
        text += Array("END:VCALENDAR\r\n".utf8)
        let again = try CalendarStream(parsing: text)
        #expect(again.calendars.first?.components.first?.properties.last?.name == "X-EPACT")
        if again.calendars.first?.components.first != edited {
          Issue.record("seed \(seed): an edited component reads differently")
        }
      }
    }
  }

  @Test("A line of nothing but faults is told of a few times")
  func manyFaults() throws {
    let parameters = "BEGIN:VCALENDAR\r\nX-A" + String(repeating: ";", count: 100_000) + ":b\r\n"
    let values = "EXDATE:" + String(repeating: "x,", count: 100_000) + "\r\nEND:VCALENDAR\r\n"
    let stream = try CalendarStream(parsing: parameters + values)
    #expect(stream.diagnostics.count == 10)
    #expect(stream.calendars[0].properties[1].typedValues.problems.count == 10)
    #expect(stream.calendars[0].properties[1].typedValues.values.count == 100_001)
  }

  @Test("However much is told of other values, of one that is unknown it is told why")
  func unknownAmongWarnings() throws {
    let lenient = Array(repeating: "20260310T090000Z/PT", count: 12).joined(separator: ",")
    for value in ["\(lenient),x", "x,\(lenient)", "\(lenient),x,x"] {
      let typed = Property(.freeBusy, rawValue: value).typedValues
      #expect(typed.problems.count == 10)
      let errors = typed.problems.filter { $0.severity == .error }
      let place = try #require(value.firstIndex(of: "x")).utf16Offset(in: value)
      #expect(errors.map(\.offset) == [place + 1])
    }
  }

  @Test(
    "A component of many properties is checked in time linear in their number, and told of a few times"
  )
  func manyProperties() throws {
    let lines =
      String(repeating: "COMMENT:x\r\n", count: 10_000)
      + String(repeating: "SUMMARY:x\r\nDUE:20260101T000000Z\r\n", count: 5_000)
      + String(repeating: "PRIORITY:x\r\n", count: 10_001)
    let text = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n\(lines)END:VEVENT\r\nEND:VCALENDAR\r\n"
    let found = FileChecker.diagnostics(for: Array(text.utf8).span)
    func count(_ code: DiagnosticCode) -> Int { found.count { $0.code == code } }
    // Those with the same value have a fix, which only removes what is reported.
    #expect(count(.repeatedProperty) == 2_000)
    #expect(count(.misplacedProperty) == 10)
    #expect(count(.invalidValue) == 10_000)
  }

  private static func mutated(_ random: inout SeededGenerator) -> [UInt8] {
    var bytes = Array(seedText.utf8)
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let byte = alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes[place] = byte
      case 1: bytes.insert(byte, at: place)
      case 2: bytes.remove(at: place)
      default:
        let end = min(bytes.count, place + Int.random(in: 0..<60, using: &random))
        let part = Array(bytes[place..<end])
        bytes.insert(contentsOf: part, at: Int.random(in: 0..<bytes.count, using: &random))
      }
    }
    return bytes
  }
}
