// SPDX-License-Identifier: Apache-2.0

/// Builds the records of a block while its bytes arrive.
///
/// ```
/// fast path   LineFinder ───────────────────────► BEGIN and END ──► records, findings
///             nearly every line, in one pass       structure         RecordBlock, ComponentReader
/// grammar     LineScanner ─► ContentLineParser ──►
///             the other lines, and their problems
/// ```
///
/// The caller passes the same bytes to each call, with more appended. The contents of a component
/// are complete when it ends; until then it is on the stack of open components.
struct RecordBuilder {
  /// The position where another block continues: the start of the outermost open component.
  struct Checkpoint {
    let offset: Int
    let lineNumber: Int
    let findingCount: Int
    let hasComponents: Bool
    let isOutsideReported: Bool
    let otherLineEnds: OtherLineEnds
  }

  /// The usual number of components and findings in the file of a single event.
  private static let usualCount = 8

  let limits: ParserLimits
  var scanner: LineScanner
  let names = StructureNames.shared
  /// The number of parameters in all lines so far.
  var parameterCount = 0
  var arena = TextArena()
  var lines: [LineRecord] = []
  var records: [ComponentRecord] = []
  /// The children of closed components.
  var children: [UInt32] = []
  /// Closed components whose parents are still open.
  var pending: [UInt32] = []
  /// The open components, outermost first, without the calendar.
  var open: [OpenComponent] = []
  /// The properties of open components that follow a nested component.
  ///
  /// These are not contiguous with the other properties of their component.
  var scattered: [LineRecord] = []
  var findings: [RecordFinding] = []
  /// The start of the outermost open component.
  var checkpoint: Checkpoint?
  /// The first line breaks other than CRLF in earlier blocks of the stream.
  private let earlierLineEnds: OtherLineEnds
  /// Whether a calendar is open.
  var isCalendarOpen: Bool
  /// Whether a component or calendar has been found.
  var hasComponents: Bool
  /// Whether the previous line was outside of any component too, and was reported.
  var isOutsideReported = false
  /// Whether the next property is contiguous with the previous ones of its component.
  var isContiguous = false
  /// The offset before which the outermost open component must end.
  var componentLimit = Int.max
  /// The counts of lines and parameters at the start of the outermost open component.
  var firstLine = 0
  var firstParameter = 0
  /// Whether the first line was already read and checked at the end of another block.
  var isRepeated = false

  init(
    limits: ParserLimits, start: Int = 0, lineNumber: Int = 1, isCalendarOpen: Bool = false,
    hasComponents: Bool = false, earlierLineEnds: OtherLineEnds = OtherLineEnds()
  ) {
    self.limits = limits
    self.scanner = LineScanner(start: start, lineNumber: lineNumber)
    self.isCalendarOpen = isCalendarOpen
    self.hasComponents = hasComponents
    self.earlierLineEnds = earlierLineEnds
  }

  /// The first line breaks other than CRLF.
  var otherLineEnds: OtherLineEnds { earlierLineEnds.followed(by: scanner.otherLineEnds) }

  /// The end of the bytes that belong to complete elements.
  var finishedUpTo: Int { checkpoint?.offset ?? scanner.lineStart }

  /// The findings in closed components and outside of any.
  var finishedFindings: [RecordFinding] {
    checkpoint.map { Array(findings[..<$0.findingCount]) } ?? findings
  }

  /// A builder for the bytes from `finishedUpTo` on.
  var continuation: RecordBuilder {
    var next = RecordBuilder(
      limits: limits, lineNumber: checkpoint?.lineNumber ?? scanner.lineNumber,
      isCalendarOpen: isCalendarOpen, hasComponents: checkpoint?.hasComponents ?? hasComponents,
      earlierLineEnds: checkpoint.map(\.otherLineEnds) ?? otherLineEnds)
    next.isOutsideReported = checkpoint?.isOutsideReported ?? isOutsideReported
    next.isRepeated = checkpoint != nil
    return next
  }

  /// Reserves capacity for the records of `count` bytes; unused capacity takes no memory.
  mutating func reserve(forBytes count: Int) {
    guard lines.isEmpty else { return }
    lines.reserveCapacity(count / 24)
    records.reserveCapacity(count / 256)
    children.reserveCapacity(Self.usualCount)
    pending.reserveCapacity(Self.usualCount)
    open.reserveCapacity(Self.usualCount)
    findings.reserveCapacity(Self.usualCount)
    arena.reserve(forBytes: count)
  }

  /// Reads all complete lines.
  mutating func read(
    _ bytes: Span<UInt8>, upTo end: Int, isLast: Bool
  ) throws(SyntaxError) {
    while let line = scanner.next(in: bytes, upTo: end, isLast: isLast, arena: &arena) {
      try checkSize(
        from: Int(line.start), to: Int(line.end), lineNumber: Int(line.lineNumber))
      try readLine(line, bytes)
      readRun(bytes, upTo: end)
    }
    try checkSize(from: scanner.lineStart, to: end, lineNumber: scanner.lineNumber)
  }

  /// Checks the size of a line or its available part, so that chunk boundaries have no effect.
  @inline(__always)
  private func checkSize(from start: Int, to end: Int, lineNumber: Int) throws(SyntaxError) {
    guard end &- start > limits.lineLength || end > componentLimit else { return }
    guard limits.lineLength > componentLimit - start, let checkpoint else {
      throw limit(
        .lineLength, at: SourcePosition(line: lineNumber, column: 1),
        "a content line of at most \(limits.lineLength) bytes, found a longer one")
    }
    throw limit(
      .componentSize, at: SourcePosition(line: checkpoint.lineNumber, column: 1),
      "a component of at most \(limits.componentSize) bytes, found a larger one")
  }

  /// Adds a property, in an open component or outside of any.
  mutating func add(_ line: LineRecord, _ bytes: Span<UInt8>) throws(SyntaxError) {
    if isContiguous {
      lines.append(line)
      try checkCounts(line, bytes)
      return
    }
    if !open.isEmpty {
      scattered.append(line)
      try checkCounts(line, bytes)
      return
    }
    if !isCalendarOpen { reportOutside(line, bytes) }
    findings.append(.property(line: lines.count))
    lines.append(line)
  }

  @inline(__always)
  private func checkCounts(_ line: LineRecord, _ bytes: Span<UInt8>) throws(SyntaxError) {
    guard
      lines.count &- firstLine &+ scattered.count > limits.propertiesPerComponent
        || parameterCount &- firstParameter > limits.parametersPerComponent
    else { return }
    let isLine = lines.count - firstLine + scattered.count > limits.propertiesPerComponent
    throw limit(
      isLine ? .propertyCount : .parameterCount, at: line,
      isLine
        ? "at most \(limits.propertiesPerComponent) properties in a component, found more"
        : "at most \(limits.parametersPerComponent) parameters in a component, found more", bytes)
  }

  func limit(
    _ code: DiagnosticCode, at line: LineRecord, _ expectation: String, _ bytes: Span<UInt8>
  ) -> SyntaxError {
    SyntaxError(
      LinePlace(line, firstLineNumber: 0).diagnostic(
        .error, code, at: 0, "expected \(expectation)", reference: nil, in: bytes))
  }

  private func limit(
    _ code: DiagnosticCode, at position: SourcePosition, _ expectation: String
  ) -> SyntaxError {
    SyntaxError(Diagnostic(.error, code, at: position, "expected \(expectation)"))
  }
}
