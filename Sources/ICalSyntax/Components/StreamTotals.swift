// SPDX-License-Identifier: Apache-2.0

/// The numbers of bytes, components and diagnostics in a stream, up to its limits.
package struct StreamTotals: Sendable {
  private var bytes = 0
  private var components = 0
  private var diagnostics = 0

  /// Creates the totals of an empty stream.
  package init() {}

  /// Counts bytes; returns the diagnostic for too many of them.
  mutating func add(bytes count: Int, _ limits: ParserLimits) -> Diagnostic? {
    bytes += count
    guard let limit = limits.size, bytes > limit else { return nil }
    return Self.excess(
      .fileSize, at: SourcePosition(line: 1, column: 1), "a file of at most \(limit) bytes")
  }

  /// Counts diagnostics; returns the diagnostic for too many of them.
  package mutating func add(
    diagnosticAt position: SourcePosition, _ limits: ParserLimits
  ) -> Diagnostic? {
    diagnostics += 1
    guard let limit = limits.diagnostics, diagnostics > limit else { return nil }
    return Self.excess(.diagnosticCount, at: position, "at most \(limit) problems in a file")
  }

  /// Counts the elements of a batch; returns the first one that is too many, with its diagnostic.
  mutating func add(
    _ batch: ReaderBatch, _ limits: ParserLimits
  ) -> (end: Int, Diagnostic)? {
    guard limits.components != nil || limits.diagnostics != nil else { return nil }
    for index in batch.findings.indices {
      if let excess = add(batch.element(at: index), limits) { return (index, excess) }
    }
    return nil
  }

  /// Counts an element; returns the diagnostic for too many components or diagnostics.
  mutating func add(_ element: ReaderElement, _ limits: ParserLimits) -> Diagnostic? {
    switch element {
    case .component(let component):
      components += 1
      guard let limit = limits.components, components > limit else { return nil }
      let position = component.position ?? SourcePosition(line: 1, column: 1)
      return Self.excess(.componentCount, at: position, "at most \(limit) components in a file")
    case .diagnostic(let diagnostic): return add(diagnosticAt: diagnostic.position, limits)
    case .calendarBegan, .property, .calendarEnded: return nil
    }
  }

  private static func excess(
    _ code: DiagnosticCode, at position: SourcePosition, _ expected: String
  ) -> Diagnostic {
    Diagnostic(.error, code, at: position, "expected \(expected), found more")
  }
}
