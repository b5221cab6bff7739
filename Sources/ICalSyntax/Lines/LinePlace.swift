// SPDX-License-Identifier: Apache-2.0

/// The position of a content line in its file, for messages.
struct LinePlace {
  private let range: Range<Int>
  private let lineNumber: Int

  init(_ line: LineRecord, firstLineNumber: Int) {
    range = line.physicalRange
    lineNumber = firstLineNumber + Int(line.lineNumber)
  }

  /// The physical lines as text.
  func text(in bytes: Span<UInt8>) -> String {
    let physical = bytes.extracting(range)
    return String(copying: physical.extracting(0..<LineUnfolder.contentLength(of: physical)))
  }

  /// Creates a diagnostic at an offset in the unfolded line.
  func diagnostic(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, at offset: Int, _ message: String,
    reference: String?, in bytes: Span<UInt8>
  ) -> Diagnostic {
    let physical = bytes.extracting(range)
    let place = LineUnfolder.position(of: offset, in: physical, firstLine: lineNumber)
    let excerpt = Excerpt(line: physical.extracting(place.line), column: place.position.column)
    return Diagnostic(
      severity, code, at: place.position, message, reference: reference, excerpt: excerpt)
  }
}

extension Span<UInt8> {
  /// The length of the line break at an index, which has a CR or an LF: 3 for CR CR LF.
  func lineBreakLength(at index: Int) -> Int {
    guard self[index] == ASCII.carriageReturn, index + 1 < count else { return 1 }
    if self[index + 1] == ASCII.lineFeed { return 2 }
    let isDoubled =
      self[index + 1] == ASCII.carriageReturn && index + 2 < count
      && self[index + 2] == ASCII.lineFeed
    return isDoubled ? 3 : 1
  }
}

/// Maps offsets in an unfolded content line to its physical lines (RFC 5545 §3.1).
///
/// A line break before a space or tab is a fold, even inside a UTF-8 sequence. Unfolding therefore
/// works on bytes and precedes decoding. Lenient: a bare LF or CR is a line break too.
enum LineUnfolder {
  /// The length of a physical line without its line break.
  static func contentLength(of physical: Span<UInt8>) -> Int {
    var end = physical.count
    if end > 0, physical[end - 1] == ASCII.lineFeed { end -= 1 }
    if end > 0, physical[end - 1] == ASCII.carriageReturn { end -= 1 }
    if end > 0, end + 2 == physical.count, physical[end - 1] == ASCII.carriageReturn { end -= 1 }
    return end
  }

  /// The file position of an offset in the unfolded line, and the range of its physical line.
  static func position(
    of offset: Int, in physical: Span<UInt8>, firstLine: Int
  ) -> (position: SourcePosition, line: Range<Int>) {
    var lineNumber = firstLine
    var lineStart = 0
    var index = 0
    var remaining = offset
    while index < physical.count {
      let byte = physical[index]
      if byte == ASCII.carriageReturn || byte == ASCII.lineFeed {
        let next = afterFold(physical, at: index)
        if next >= physical.count { break }
        lineStart = afterBreak(physical, at: index)
        lineNumber += 1
        index = next
      } else {
        if remaining == 0 { break }
        remaining -= 1
        index += 1
      }
    }
    var lineEnd = index
    while lineEnd < physical.count, physical[lineEnd] != ASCII.carriageReturn,
      physical[lineEnd] != ASCII.lineFeed
    {
      lineEnd += 1
    }
    let position = SourcePosition(line: lineNumber, column: index - lineStart + 1)
    return (position, lineStart..<lineEnd)
  }

  /// The index after a line break.
  private static func afterBreak(_ bytes: Span<UInt8>, at index: Int) -> Int {
    index + bytes.lineBreakLength(at: index)
  }

  /// The index after a line break and the space that makes it a fold.
  private static func afterFold(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let next = afterBreak(bytes, at: index)
    return next < bytes.count && bytes[next].isFoldSpace ? next + 1 : next
  }
}
