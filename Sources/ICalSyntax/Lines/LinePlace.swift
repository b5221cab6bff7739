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
