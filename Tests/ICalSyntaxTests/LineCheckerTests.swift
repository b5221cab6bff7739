// SPDX-License-Identifier: Apache-2.0

import ICalSyntax
import TestSupport
import Testing

/// Lines that are too long, in files with any line ends and chunks.
struct LineCheckerTests {
  /// The first line of more than 75 bytes, and the number of such lines, counted byte by byte.
  private func longLines(_ bytes: [UInt8]) -> (first: Int, count: Int)? {
    var lines: [Int] = []
    var (line, length) = (1, 0)
    var previous: UInt8 = 0
    for byte in bytes + [0x0D] {
      if byte == 0x0D || byte == 0x0A && previous != 0x0D {
        if length > 75 { lines.append(line) }
        line += 1
        length = 0
      } else if byte != 0x0A {
        length += 1
      }
      previous = byte
    }
    return lines.first.map { ($0, lines.count) }
  }

  @Test func findsTheLinesThatAreCountedByteByByte() {
    let pieces: [[UInt8]] = [
      [0x0A], [0x0D], [0x0D, 0x0A], [0x0D, 0x0D, 0x0A], Array(repeating: 0x61, count: 40),
      Array(repeating: 0x61, count: 75), Array(repeating: 0x61, count: 76), [0x61],
    ]
    forAll(400) { random in
      let count = Int.random(in: 0..<30, using: &random)
      let bytes = (0..<count).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
      var checker = LineChecker()
      var start = 0
      while start < bytes.count {
        let end = min(bytes.count, start + Int.random(in: 1...90, using: &random))
        checker.consume(bytes.span.extracting(start..<end))
        start = end
      }
      let diagnostic = checker.finish().first
      let expected = longLines(bytes)
      #expect(diagnostic?.position.line == expected?.first, "\(bytes)")
      guard let expected else { return }
      let found = expected.count == 1 ? "a longer one" : "\(expected.count) longer ones"
      #expect(diagnostic?.message.hasSuffix("found \(found)") == true, "\(bytes)")
    }
  }
}
