// SPDX-License-Identifier: Apache-2.0

/// What was found in one block, in the order of the block.
struct ReaderBatch: Sendable {
  let block: RecordBlock
  /// How many bytes of the stream came before the block.
  let offset: Int
  let findings: [Finding]

  /// What was found, as it is handed out.
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
  /// The diagnostic for the same place in a stream that has so many lines before it.
  fileprivate func shifted(byLines count: Int) -> Diagnostic {
    guard count > 0 else { return self }
    return Diagnostic(
      severity, code, at: SourcePosition(line: position.line + count, column: position.column),
      message, reference: reference, excerpt: excerpt, fix: fix)
  }
}
