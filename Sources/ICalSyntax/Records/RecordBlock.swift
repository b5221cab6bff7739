// SPDX-License-Identifier: Apache-2.0

/// An immutable block of a file's bytes, with the records of its lines and components.
///
/// ```
/// bytes       BEGIN:VEVENT␍␊SUMMARY:Lunch␍␊DESCRIPTION:A long␍␊  tale␍␊END:VEVENT␍␊
/// arena       DESCRIPTION:A long tale                 the folded lines, unfolded
/// lines       ┌ one record a line: its range, its name, the start of its value
/// components  ┌ one record a component: a range of lines, and its children
/// children    ┌ the indices of nested components, contiguous for each parent
/// ```
///
/// It is a class, because thousands of properties share one block, and copying it would cost more
/// than parsing. It is immutable, so that sharing it is safe. A single retained property retains
/// its whole block.
final class RecordBlock: Sendable {
  let bytes: [UInt8]
  /// The unfolded text of the folded lines, followed by padding.
  let arena: [UInt8]
  let lines: [LineRecord]
  let components: [ComponentRecord]
  let children: [UInt32]
  /// The physical line number in the file to which the records are relative.
  let firstLineNumber: Int
  /// The value forms of all properties, cached for fast access.
  let forms = ValueForm.all

  /// Creates a block from the result of a builder.
  init(_ builder: RecordBuilder, bytes: [UInt8], firstLineNumber: Int) {
    self.bytes = bytes
    arena = builder.arena.padded
    lines = builder.lines
    components = builder.records
    children = builder.children
    self.firstLineNumber = firstLineNumber
  }

  /// Creates a block of one text without lines.
  init(text: String) {
    bytes = Array(text.utf8)
    arena = []
    lines = []
    components = []
    children = []
    firstLineNumber = 0
  }

  /// Calls `body` with a line, unfolded and without its line break.
  @inline(__always)
  func withText<Result>(of line: LineRecord, _ body: (Span<UInt8>) -> Result) -> Result {
    // Two branches instead of one conditional expression, so that neither array is retained.
    if line.isFolded {
      let arena = arena
      return body(arena.span.extracting(line.textRange))
    }
    let bytes = bytes
    return body(bytes.span.extracting(line.textRange))
  }

  /// The number of a line in the file, from 1.
  func lineNumber(of line: LineRecord) -> Int { firstLineNumber + Int(line.lineNumber) }

  /// The name of a line as spelled; empty for a line that is not a content line.
  func name(of line: LineRecord) -> PropertyName {
    if let index = line.nameIndex, line.hasCanonicalName { return PropertyName(index: index) }
    return withText(of: line) {
      PropertyName(spelling: $0.extracting(0..<Int(line.nameLength)))
    }
  }

  /// The name of a component as spelled after BEGIN.
  func name(of component: ComponentRecord) -> ComponentName {
    if let index = component.nameIndex { return ComponentName(index: index) }
    let begin = lines[Int(component.beginLine)]
    return withText(of: begin) { begin.componentName(in: $0) }
  }

  /// Creates a diagnostic at an offset in the unfolded line.
  func diagnostic(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, in line: LineRecord, at offset: Int,
    _ message: String, reference: String?
  ) -> Diagnostic {
    let bytes = bytes
    return LinePlace(line, firstLineNumber: firstLineNumber).diagnostic(
      severity, code, at: offset, message, reference: reference, in: bytes.span)
  }
}

/// A finding in a block, by index into its records.
enum RecordFinding: Sendable {
  case calendarBegan(line: Int)
  case property(line: Int)
  case component(Int)
  case calendarEnded(isComplete: Bool, end: Int)
  indirect case diagnostic(Diagnostic)
}

/// The findings of one block, in order.
struct ReaderBatch: Sendable {
  let block: RecordBlock
  /// The offset of the block in the stream.
  let offset: Int
  let findings: [RecordFinding]

  /// The finding at an index, as a reader element.
  func element(at index: Int) -> ReaderElement {
    switch findings[index] {
    case .calendarBegan(let line):
      let record = block.lines[line]
      return .calendarBegan(
        SourcePosition(line: block.lineNumber(of: record), column: 1),
        offset: offset + Int(record.start))
    case .property(let line): return .property(Property(block, line: line))
    case .component(let record): return .component(Component(block, record: record))
    case .calendarEnded(let isComplete, let end):
      return .calendarEnded(isComplete: isComplete, offset: offset + end)
    case .diagnostic(let diagnostic):
      return .diagnostic(diagnostic.shifted(byLines: block.firstLineNumber))
    }
  }
}

extension Diagnostic {
  /// The diagnostic with its line number increased by `count`.
  fileprivate func shifted(byLines count: Int) -> Diagnostic {
    guard count > 0 else { return self }
    return Diagnostic(
      severity, code, at: SourcePosition(line: position.line + count, column: position.column),
      message, reference: reference, excerpt: excerpt, fix: fix?.shifted(byLines: count))
  }
}

/// The arrays of a block, retained once for a traversal of all elements.
struct RecordArrays {
  let block: RecordBlock
  let bytes: [UInt8]
  let arena: [UInt8]
  let lines: [LineRecord]
  let components: [ComponentRecord]
  let children: [UInt32]

  init(_ block: RecordBlock) {
    self.block = block
    bytes = block.bytes
    arena = block.arena
    lines = block.lines
    components = block.components
    children = block.children
  }
}
