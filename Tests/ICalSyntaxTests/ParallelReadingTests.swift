// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

@Suite("Reading on several cores")
struct ParallelReadingTests {
  /// Where everything begins, which equality does not compare.
  private static func positions(_ stream: CalendarStream) -> [Int] {
    var found: [Int] = []
    func collect(_ component: Component) {
      found.append(component.position?.line ?? 0)
      for property in component.properties { found.append(property.position?.line ?? 0) }
      component.components.forEach(collect)
    }
    stream.calendars.forEach(collect)
    collect(stream.strays)
    return found
  }

  private static func expectSame(
    _ bytes: [UInt8], parts: Int, _ comment: Comment
  ) async throws {
    let whole = try CalendarStream(parsing: bytes)
    let parallel = try await CalendarStream(parsing: bytes, inParallel: parts, partSize: 1)
    #expect(parallel == whole, comment)
    #expect(positions(parallel) == positions(whole), comment)
    let serializer = Serializer()
    #expect(
      parallel.calendars.map { serializer.bytes(of: $0) }
        == whole.calendars.map { serializer.bytes(of: $0) }, comment)
  }

  @Test("Every fixture is the same, in however many parts it is read")
  func fixtures() async throws {
    for fixture in try Fixture.allCalendars() {
      let bytes = fixture.bytes
      guard (try? CalendarStream(parsing: bytes)) != nil else { continue }
      for parts in [2, 5] {
        try await Self.expectSame(bytes, parts: parts, "\(fixture.path) in \(parts)")
      }
    }
  }

  @Test("Calendars with faults in random places are the same")
  func faults() async throws {
    let faults = [
      "", "", "", "", "", "", "END:VEVENT\r\n", "BEGIN:VTODO\r\n", "no line\r\n", "X-A:\u{7}\r\n",
      "X-B:1\n", "\r\n", "END:VCALENDAR\r\nBEGIN:VCALENDAR\r\n", "X-C;P=\"x:1\r\n",
    ]
    for seed in 0..<60 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      var text = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Epact//EN\r\n"
      for index in 0..<Int.random(in: 1...40, using: &random) {
        text += "BEGIN:VEVENT\r\nUID:\(index)\r\nDESCRIPTION:BEGIN:VEVENT\\n\r\n BEGIN:VEVENT\r\n"
        if seed % 2 == 0 { text += faults.randomElement(using: &random) ?? "" }
        text += "BEGIN:VALARM\r\nACTION:AUDIO\r\nEND:VALARM\r\nSUMMARY:\(index)\r\nEND:VEVENT\r\n"
      }
      text += "END:VCALENDAR\r\n"
      for parts in [2, 3, 8] {
        try await Self.expectSame(Array(text.utf8), parts: parts, "seed \(seed), \(parts) parts")
      }
    }
  }

  @Test("A long calendar is the same in parts of the usual size")
  func usualParts() async throws {
    let event =
      "BEGIN:VEVENT\r\nUID:a\r\nSUMMARY:\(String(repeating: "x", count: 50_000))\r\nEND:VEVENT\r\n"
    let text =
      "BEGIN:VCALENDAR\r\n" + String(repeating: event, count: 40) + "END:VCALENDAR\r\n"
    let bytes = Array(text.utf8)
    let parallel = try await CalendarStream(parsing: bytes, inParallel: 2)
    #expect(try parallel == CalendarStream(parsing: bytes))
    #expect(parallel.calendars.first?.components.count == 40)
  }
}
