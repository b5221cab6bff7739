// SPDX-License-Identifier: Apache-2.0

/// A block of a file's bytes and the records of what lies in it, never changed once made.
///
/// ```
/// bytes       BEGIN:VEVENT␍␊SUMMARY:Lunch␍␊DESCRIPTION:A long␍␊  tale␍␊END:VEVENT␍␊
/// arena       DESCRIPTION:A long tale                 what is folded, unfolded
/// lines       ┌ one record a line: where it lies, its name, where its value begins
/// components  ┌ one record a component: a range of lines, and its children
/// children    ┌ the indices of nested components, those of one component side by side
/// ```
///
/// A class, because thousands of properties share one block, and copying it would cost more than the
/// parsing; immutable, so that sharing it is safe. Whoever keeps one property keeps its block.
final class RecordBlock: Sendable {
  let bytes: [UInt8]
  /// The folded lines, unfolded, with padding behind them.
  let arena: [UInt8]
  let lines: [LineRecord]
  let components: [ComponentRecord]
  let children: [UInt32]
  /// The number of the physical line in the file that the records count from.
  let firstLineNumber: Int
  /// What the values of each property are, kept at hand for whoever reads them all.
  let forms = ValueForm.all

  /// Takes what a builder has made of some bytes.
  init(_ builder: RecordBuilder, bytes: [UInt8], firstLineNumber: Int) {
    self.bytes = bytes
    arena = builder.arena.padded
    lines = builder.lines
    components = builder.records
    children = builder.children
    self.firstLineNumber = firstLineNumber
  }

  /// Makes a block of one text, in which there are no lines.
  init(text: String) {
    bytes = Array(text.utf8)
    arena = []
    lines = []
    components = []
    children = []
    firstLineNumber = 0
  }

  /// Calls `body` with a line, unfolded and without its end.
  @inline(__always)
  func withText<Result>(of line: LineRecord, _ body: (Span<UInt8>) -> Result) -> Result {
    // Two ways and not one choice, so that neither array is retained.
    if line.isFolded {
      let arena = arena
      return body(arena.span.extracting(line.textRange))
    }
    let bytes = bytes
    return body(bytes.span.extracting(line.textRange))
  }

  /// The number of a line in the file, from 1.
  func lineNumber(of line: LineRecord) -> Int { firstLineNumber + Int(line.lineNumber) }

  /// The name of a line, as it is spelled; empty for a line that is no content line.
  func name(of line: LineRecord) -> PropertyName {
    if let index = line.nameIndex, line.hasCanonicalName { return PropertyName(index: index) }
    return withText(of: line) {
      PropertyName(spelling: $0.extracting(0..<Int(line.nameLength)))
    }
  }

  /// The name of a component, as it is spelled after BEGIN.
  func name(of component: ComponentRecord) -> ComponentName {
    if let index = component.nameIndex { return ComponentName(index: index) }
    let begin = lines[Int(component.beginLine)]
    return withText(of: begin) { begin.componentName(in: $0) }
  }

  /// A diagnostic about an offset into the unfolded line.
  func diagnostic(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, in line: LineRecord, at offset: Int,
    _ message: String, reference: String?
  ) -> Diagnostic {
    let bytes = bytes
    return LinePlace(line, firstLineNumber: firstLineNumber).diagnostic(
      severity, code, at: offset, message, reference: reference, in: bytes.span)
  }
}
