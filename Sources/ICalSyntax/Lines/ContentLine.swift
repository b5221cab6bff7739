// SPDX-License-Identifier: Apache-2.0

/// Where one content line lies in a block of bytes, and where its name and value are (RFC 5545 §3.1).
///
/// A record of numbers and not of texts: a file has millions of lines, of which few are looked at.
struct ContentLine: Sendable {
  /// The range of the physical lines in the block, folds and the last line end included.
  var start: Int
  var end: Int
  /// The number of the first physical line in the file, from 1.
  var lineNumber: Int
  /// Whether the line is folded; the offsets below are those of the unfolded line.
  var isFolded: Bool
  /// The length of the name, or 0 for a line that has no name and is kept only as it stands.
  var nameLength: Int
  /// The offset of the first byte after the colon.
  var valueStart: Int

  /// Moves the line to another place in a block.
  mutating func shift(by distance: Int) {
    start += distance
    end += distance
  }

  /// The physical lines as text, for a message.
  func text(in block: Span<UInt8>) -> String {
    let physical = block.extracting(start..<end)
    return String(copying: physical.extracting(0..<LineUnfolder.contentLength(of: physical)))
  }

  /// A diagnostic about an offset into the unfolded line.
  func diagnostic(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, at offset: Int, _ message: String,
    reference: String?, in block: Span<UInt8>
  ) -> Diagnostic {
    let physical = block.extracting(start..<end)
    let place = LineUnfolder.position(of: offset, in: physical, firstLine: lineNumber)
    let excerpt = Excerpt(line: physical.extracting(place.line), column: place.position.column)
    return Diagnostic(
      severity, code, at: place.position, message, reference: reference, excerpt: excerpt)
  }
}

/// A content line together with the block that it lies in.
struct SourceLine: Sendable {
  let buffer: SourceBuffer
  let line: ContentLine

  /// The bytes as they stand in the file, folds and line end included.
  var physicalBytes: ArraySlice<UInt8> { buffer.bytes[line.start..<line.end] }

  /// Calls `body` with the unfolded line, without its end.
  func withUnfolded<Result>(_ body: (Span<UInt8>) -> Result) -> Result {
    let bytes = buffer.bytes
    let physical = bytes.span.extracting(line.start..<line.end)
    guard line.isFolded else {
      return body(physical.extracting(0..<LineUnfolder.contentLength(of: physical)))
    }
    let unfolded = LineUnfolder.unfold(physical)
    return body(unfolded.span)
  }

  /// A diagnostic about an offset into the unfolded line.
  func diagnostic(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, at offset: Int, _ message: String,
    reference: String?
  ) -> Diagnostic {
    let bytes = buffer.bytes
    return line.diagnostic(
      severity, code, at: offset, message, reference: reference, in: bytes.span)
  }
}
