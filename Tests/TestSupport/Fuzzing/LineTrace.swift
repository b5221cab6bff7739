// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Everything that a `ContentLineReader` hands over.
struct LineTrace: Hashable, ContentLineHandler {
  /// A line with its parts.
  struct Line: Hashable {
    let role: ContentLine.Role
    let lineNumber: Int
    let name: Range<Int>
    let parameters: Range<Int>
    let value: Range<Int>
    let text: [UInt8]
  }

  private(set) var lines: [Line] = []
  private(set) var diagnostics: [Diagnostic] = []
  /// The limit that ended the reading.
  private(set) var error: SyntaxError?

  /// Reads a stream whose chunks end at these indices; the last chunk goes to the end.
  init(reading bytes: [UInt8], cutAt cuts: [Int] = [], limits: ParserLimits) {
    var reader = ContentLineReader(limits: limits)
    do throws(SyntaxError) {
      var start = 0
      for end in cuts + [bytes.count] {
        try reader.consume(bytes.span.extracting(start..<end), into: &self)
        start = end
      }
      try reader.finish(into: &self)
    } catch {
      self.error = error
    }
  }

  mutating func take(_ line: ContentLine, _ text: Span<UInt8>) {
    var copy: [UInt8] = []
    for index in text.indices { copy.append(text[index]) }
    lines.append(
      Line(
        role: line.role, lineNumber: line.lineNumber, name: line.name, parameters: line.parameters,
        value: line.value, text: copy))
  }

  mutating func take(_ diagnostic: Diagnostic) { diagnostics.append(diagnostic) }
}
