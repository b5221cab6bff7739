// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

/// The fast path reads a line among others, and the grammar a line that the stream ends with: both
/// must find the same parts and problems.
@Suite("A line among others and alone")
struct LineNeighbourTests {
  /// A line as it was handed over.
  private struct Line: Equatable {
    let role: ContentLine.Role
    let text: [UInt8]
    let parts: [Range<Int>]
    let name: String
    let isKnown: Bool
  }

  private struct Collector: ContentLineHandler {
    var lines: [Line] = []
    var numbers: [Int] = []
    var codes: [DiagnosticCode] = []

    mutating func take(_ line: ContentLine, _ text: Span<UInt8>) {
      let name = line.propertyName(in: text)
      lines.append(
        Line(
          role: line.role, text: [UInt8](copying: text),
          parts: [line.name, line.parameters, line.value], name: name.rawName,
          isKnown: PropertyTable.row(for: name) != nil))
      numbers.append(line.lineNumber)
    }

    mutating func take(_ diagnostic: Diagnostic) { codes.append(diagnostic.code) }
  }

  private static func read(_ parts: [[UInt8]]) throws -> Collector {
    var collector = Collector()
    var reader = ContentLineReader()
    for part in parts { try reader.consume(part.span, into: &collector) }
    try reader.finish(into: &collector)
    return collector
  }

  private static let pieces: [String] = [
    "ä", "Ж", "中", "🎂", "\u{7FF}", "\u{800}", "\t", " ", "a", "Z", "=", ",", ";", ":", "\"", "\\,",
    "\\n", "word", "/", "<", "|", "{", "~", "CN=", ";TZID=Europe/Berlin", ":mailto:ann@example.org",
  ]

  private static let faults: [[UInt8]] = [
    [0x00], [0x7F], [0x1F], [0x80], [0xC3], [0xC0, 0x80], [0xE0, 0x80, 0x80],
    [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xFF],
  ]

  private static func name(_ random: inout SeededGenerator) -> String {
    let known = PropertyTable.rows.randomElement(using: &random)?.name ?? "UID"
    return switch Int.random(in: 0..<12, using: &random) {
    case 0: known + String(repeating: "X", count: Int.random(in: 1...60, using: &random))
    case 1: String(known.dropLast())
    case 2: known.lowercased()
    case 3: "X-" + known
    case 4: "\(known) "
    case 5: ""
    default: known
    }
  }

  private static func parameters(_ random: inout SeededGenerator) -> String {
    var text = ""
    while Int.random(in: 0..<3, using: &random) == 0 {
      let name = ["CN", "VALUE", "value", "X-LONG-NAME-OF-A-PARAMETER", "ROLE2", "A", ""]
        .randomElement(using: &random)
      let length = Int.random(in: 0...70, using: &random)
      var value = String(repeating: "v", count: length)
      if Int.random(in: 0..<2, using: &random) == 0 { value += ",w" }
      if Int.random(in: 0..<3, using: &random) == 0 { value = "\"\(value);:\"" }
      if Int.random(in: 0..<9, using: &random) == 0 { value += "\"" }
      if Int.random(in: 0..<9, using: &random) == 0 { value += "\\,u" }
      text += ";\(name ?? "")=\(value)"
    }
    return text
  }

  /// A physical line or more, with the line break.
  private static func line(_ random: inout SeededGenerator, lineEnd: String) -> [UInt8] {
    var bytes = Array(name(&random).utf8)
    bytes += Array(parameters(&random).utf8)
    if Int.random(in: 0..<30, using: &random) > 0 { bytes.append(UInt8(ascii: ":")) }
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
    }
    if Int.random(in: 0..<20, using: &random) == 0 {
      bytes += faults.randomElement(using: &random) ?? []
      bytes += Array("after".utf8)
    }
    // A line that begins with a space would belong to the one before.
    if bytes.first == 0x20 || bytes.first == 0x09 { bytes.insert(UInt8(ascii: "-"), at: 0) }
    // A fold may stand anywhere but before the line, and between the bytes of a character too.
    let width = [5, 20, 64, 75, 90, 1000].randomElement(using: &random) ?? 75
    var folded: [UInt8] = []
    for (index, byte) in bytes.enumerated() {
      if index > 0, index % width == 0 { folded += Array("\(lineEnd) ".utf8) }
      folded.append(byte)
    }
    return folded + Array(lineEnd.utf8)
  }

  @Test("They have the same parts", arguments: 1...100)
  func parts(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let lineEnd = seed.isMultiple(of: 3) ? "\n" : "\r\n"
    let lines = (0..<60).map { _ in Self.line(&random, lineEnd: lineEnd) }
    let alone = try lines.map { try Self.read([$0]) }
    let together = try Self.read([Array(lines.joined())])
    #expect(together.lines == alone.flatMap(\.lines))
    #expect(together.codes == alone.flatMap(\.codes))
    var number = 1
    var numbers: [Int] = []
    for (line, own) in zip(lines, alone) {
      numbers += own.numbers.map { $0 + number - 1 }
      number += line.count { $0 == 0x0A }
    }
    #expect(together.numbers == numbers)
    let cut = Int.random(in: 0...together.lines.count, using: &random)
    let chunks = [Array(lines[..<cut].joined()), Array(lines[cut...].joined())]
    #expect(try Self.read(chunks).lines == together.lines)
  }

  @Test("A name that only begins like a known one is another one", arguments: 1...70)
  func names(more: Int) throws {
    let names = PropertyTable.rows.map { $0.name + String(repeating: "X", count: more) }
    let lines = names.map { "\($0):\r\n" }.joined()
    let stream = try CalendarStream(parsing: "BEGIN:VCALENDAR\r\n\(lines)END:VCALENDAR\r\n")
    #expect(stream.calendars[0].properties.map(\.name.rawName) == names)
    #expect(stream.calendars[0].properties.allSatisfy { PropertyTable.row(for: $0.name) == nil })
  }
}
