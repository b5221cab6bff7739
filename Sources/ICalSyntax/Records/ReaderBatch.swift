// SPDX-License-Identifier: Apache-2.0

/// The findings of one block, in order.
struct ReaderBatch: Sendable {
  let block: RecordBlock
  /// The offset of the block in the stream.
  let offset: Int
  let findings: [Finding]

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
      message, reference: reference, excerpt: excerpt, fix: fix)
  }
}
