// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

@Suite("Streams that are written as they are read")
struct StreamSerializerTests {
  /// What comes out of a stream that is read in chunks and written element by element.
  private func rewritten(
    _ bytes: [UInt8], chunk: Int, _ serializer: Serializer
  ) throws -> [UInt8] {
    var reader = ComponentReader()
    var writer = StreamSerializer(serializer)
    var written: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: chunk) {
      try reader.consume(Array(bytes[start..<min(start + chunk, bytes.count)]).span)
      while let element = reader.next() { writer.write(element, to: &written) }
    }
    try reader.finish()
    while let element = reader.next() { writer.write(element, to: &written) }
    writer.finish(to: &written)
    return written
  }

  @Test("Every fixture reads back as the same calendars, in chunks of any size")
  func verbatim() throws {
    for fixture in try Fixture.allCalendars() {
      guard let stream = try? CalendarStream(parsing: fixture.bytes) else { continue }
      let serializer = Serializer(lineEnds: .normalized)
      let written = try rewritten(fixture.bytes, chunk: 100, serializer)
      #expect(try CalendarStream(parsing: written).calendars == stream.calendars, "\(fixture.path)")
      #expect(try rewritten(fixture.bytes, chunk: 7, serializer) == written, "\(fixture.path)")
    }
  }

  @Test(
    "The canonical form of each component is that of the tree, and a second time changes nothing")
  func canonical() throws {
    let serializer = Serializer(form: .canonical)
    for fixture in try Fixture.allCalendars() {
      guard let stream = try? CalendarStream(parsing: fixture.bytes) else { continue }
      let written = try rewritten(fixture.bytes, chunk: 100, serializer)
      let again = try CalendarStream(parsing: written)
      #expect(
        again.calendars.flatMap(\.components).map(Serializer().bytes(of:))
          == stream.calendars.flatMap(\.components).map(serializer.bytes(of:)), "\(fixture.path)")
      #expect(try rewritten(written, chunk: 64, serializer) == written, "\(fixture.path)")
    }
  }

  @Test("Properties are sorted before the first component and stay where they are after it")
  func properties() throws {
    let calendar =
      "X-B:outside\r\nBEGIN:VCALENDAR\r\nX-B:1\r\nX-A:2\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\n"
      + "X-D:3\r\nX-C:4\r\n"
    let written = try rewritten(Array(calendar.utf8), chunk: 10, Serializer(form: .canonical))
    #expect(
      String(decoding: written, as: UTF8.self)
        == "X-B:outside\r\nBEGIN:VCALENDAR\r\nX-A:2\r\nX-B:1\r\nBEGIN:VEVENT\r\nUID:1\r\n"
        + "END:VEVENT\r\nX-D:3\r\nX-C:4\r\nEND:VCALENDAR\r\n")
  }

  @Test("A whole stream is written with what stands outside of its calendars in front")
  func wholeStream() throws {
    let stream = try CalendarStream(
      parsing: "BEGIN:VCALENDAR\nx-a:1\nEND:VCALENDAR\nBEGIN:VEVENT\nEND:VEVENT\nSTRAY:1\n")
    #expect(
      String(decoding: Serializer(form: .canonical).bytes(of: stream), as: UTF8.self)
        == "STRAY:1\r\nBEGIN:VEVENT\r\nEND:VEVENT\r\nBEGIN:VCALENDAR\r\nX-A:1\r\nEND:VCALENDAR\r\n")
  }
}
