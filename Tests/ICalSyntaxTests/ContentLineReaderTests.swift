// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

@Suite("ContentLineReader")
struct ContentLineReaderTests {
  /// A line as it was handed over, in words.
  private struct Collector: ContentLineHandler {
    var lines: [String] = []
    var diagnostics: [Diagnostic] = []
    var begins = 0
    var ends = 0

    mutating func take(_ line: ContentLine, _ text: Span<UInt8>) {
      switch line.role {
      case .begin: begins += 1
      case .end: ends += 1
      case .property, .malformed:
        let value = text.extracting(line.value)
        lines.append(
          "\(line.lineNumber) \(line.propertyName(in: text).rawName) "
            + String(decoding: [UInt8](copying: value), as: UTF8.self))
      }
    }

    mutating func take(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }
  }

  private static func collect(_ bytes: [UInt8], chunk: Int) throws -> Collector {
    var collector = Collector()
    var reader = ContentLineReader()
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + chunk)
      try reader.consume(bytes.span.extracting(start..<end), into: &collector)
      start = end
    }
    try reader.finish(into: &collector)
    return collector
  }

  /// All properties of a tree with the numbers of their lines, in the order of the file.
  private static func lines(of stream: CalendarStream) -> [String] {
    var found: [(line: Int, text: String)] = []
    func collect(_ component: Component) {
      for property in component.properties {
        let line = property.position?.line ?? 0
        found.append((line, "\(line) \(property.name.rawName) \(property.rawValue)"))
      }
      component.components.forEach(collect)
    }
    stream.calendars.forEach(collect)
    collect(stream.strays)
    return found.sorted { $0.line < $1.line }.map(\.text)
  }

  @Test("Text that is not UTF-8 is found wherever it stands, and no other", arguments: 1...40)
  func utf8(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let sequences: [[UInt8]] = [
      [0x61], [0xC3, 0xA4], [0xD0, 0x96], [0xE0, 0xA0, 0x80], [0xE4, 0xB8, 0xAD],
      [0xED, 0x9F, 0xBF],
      [0xF0, 0x9F, 0x8E, 0x82], [0xF4, 0x8F, 0xBF, 0xBF], [0x20, 0x62, 0x63],
    ]
    let faults: [[UInt8]] = [
      [0x80], [0xC3], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x9F, 0x80], [0xE4, 0xB8],
      [0xED, 0xA0, 0x80],
      [0xF0, 0x8F, 0x80, 0x80], [0xF0, 0x9F, 0x8E], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80],
      [0xFF], [0xC3, 0xA4, 0x80], [0xF0, 0x9F, 0x8E, 0x82, 0x80],
    ]
    var bytes: [UInt8] = []
    var faulty: [Int] = []
    for line in 1...60 {
      bytes += Array("X-A:".utf8)
      for _ in 0..<Int.random(in: 0...50, using: &random) {
        bytes += sequences[Int.random(in: 0..<sequences.count, using: &random)]
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        faulty.append(line)
        bytes += faults[Int.random(in: 0..<faults.count, using: &random)]
        bytes += Array(repeating: 0x61, count: Int.random(in: 0...70, using: &random))
      }
      bytes += [0x0D, 0x0A]
    }
    for chunk in [bytes.count, 61] {
      let found = try Self.collect(bytes, chunk: chunk)
      #expect(found.diagnostics.filter { $0.code == .invalidUTF8 }.map(\.position.line) == faulty)
      #expect(found.diagnostics.count == faulty.count)
      #expect(found.lines.count == 60)
    }
  }

  @Test("Every line of every fixture is the one that the component tree has, however it is cut")
  func sameLines() throws {
    var count = 0
    for fixture in try Fixture.allCalendars() {
      let bytes = fixture.bytes
      guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]),
        !bytes.starts(with: [0, 0, 0xFE, 0xFF]),
        let stream = try? CalendarStream(parsing: bytes)
      else { continue }
      count += 1
      let expected = Self.lines(of: stream)
      for chunk in [1, 7, 64, bytes.count + 1] {
        let collector = try Self.collect(bytes, chunk: chunk)
        #expect(collector.lines == expected, "\(fixture.path) in chunks of \(chunk)")
      }
    }
    #expect(count > 100)
  }

  @Test("Begins and ends are told apart from properties, and folded lines are whole")
  func roles() throws {
    let text = "BEGIN:VEVENT\r\nSUMMARY;X=\"a:b\":Lun\r\n ch\r\nno line\r\nend:vevent\r\n"
    let collector = try Self.collect(Array(text.utf8), chunk: 5)
    #expect(collector.lines == ["2 SUMMARY Lunch", "4  no line"])
    #expect(collector.begins == 1 && collector.ends == 1)
    #expect(collector.diagnostics.map(\.code) == [.malformedLine])
    #expect(collector.diagnostics.map(\.position.line) == [4])
  }

  @Test("A line that is too long throws, in one chunk or in many")
  func tooLong() throws {
    var limits = ParserLimits()
    limits.lineLength = 20
    for chunk in [3, 100] {
      var collector = Collector()
      var reader = ContentLineReader(limits: limits)
      let bytes = Array("SUMMARY:1\r\nDESCRIPTION:123456789012345\r\n".utf8)
      let error = #expect(throws: SyntaxError.self) {
        for start in stride(from: 0, to: bytes.count, by: chunk) {
          let end = min(bytes.count, start + chunk)
          try reader.consume(bytes.span.extracting(start..<end), into: &collector)
        }
      }
      #expect(error?.diagnostic.code == .lineLength)
      #expect(error?.diagnostic.position.line == 2)
      #expect(collector.lines == ["1 SUMMARY 1"])
    }
  }
}
