// SPDX-License-Identifier: Apache-2.0

/// Makes the records of a block, as far as its bytes are there.
///
/// ```
/// LineFinder ──────────────────────────────► BEGIN and END ──► records, findings
/// nearly every line, in one pass              structure         RecordBlock, ComponentReader
/// LineScanner ─► LineSplitter ──────────────►
/// any other line └► ContentLineParser, for what is not as it should be
/// ```
///
/// The bytes are handed to each call and always the same ones, with more behind them. What a
/// component consists of is known when it ends; until then it is on the stack of open ones.
struct RecordBuilder {
  /// Where to go on with another block: the begin of the outermost component that is open.
  struct Checkpoint {
    let offset: Int
    let lineNumber: Int
    let findingCount: Int
    let hasComponents: Bool
    let isOutsideReported: Bool
    let bareLineEnd: Int?
  }

  /// As many components and findings as a file of one event has.
  private static let usualCount = 8

  let limits: ParserLimits
  var scanner: LineScanner
  let names = StructureNames.shared
  let splitter: LineSplitter
  /// How many parameters the lines have had.
  var parameterCount = 0
  var arena = TextArena()
  var lines: [LineRecord] = []
  var records: [ComponentRecord] = []
  /// The nested components of those that have ended.
  var children: [UInt32] = []
  /// Components that have ended, and whose parents have not.
  var pending: [UInt32] = []
  /// The components that have begun and not ended, outermost first; the calendar is not among them.
  var open: [OpenComponent] = []
  /// The properties of open components that come after a nested component, and so do not lie beside
  /// the others.
  var scattered: [LineRecord] = []
  var findings: [Finding] = []
  /// Where the outermost open component begins.
  var checkpoint: Checkpoint?
  /// The line of the first bare line end of the stream, from blocks before.
  private let earlierBareLineEnd: Int?
  /// Whether a calendar has begun and not ended.
  var isCalendarOpen: Bool
  /// Whether anything was found that makes the stream a calendar.
  var hasComponents: Bool
  /// Whether the line before was outside of any component too, and was reported.
  var isOutsideReported = false
  /// Whether the next property lies beside those of its component that came before.
  var isContiguous = false
  /// The offset that the outermost open component must end before.
  var componentLimit = Int.max
  /// The counts of lines and parameters when the outermost open component began.
  var firstLine = 0
  var firstParameter = 0
  /// Whether the first line was read before, at the end of another block, and all was said about it.
  var isRepeated = false

  init(
    limits: ParserLimits, start: Int = 0, lineNumber: Int = 1, isCalendarOpen: Bool = false,
    hasComponents: Bool = false, earlierBareLineEnd: Int? = nil
  ) {
    self.limits = limits
    splitter = LineSplitter(names: names.properties)
    self.scanner = LineScanner(start: start, lineNumber: lineNumber)
    self.isCalendarOpen = isCalendarOpen
    self.hasComponents = hasComponents
    self.earlierBareLineEnd = earlierBareLineEnd
  }

  /// Where the first line stands that ends in LF or CR alone.
  var firstBareLineEnd: Int? { earlierBareLineEnd ?? scanner.firstBareLineEnd }

  /// The bytes before this offset belong to what is complete.
  var finishedUpTo: Int { checkpoint?.offset ?? scanner.lineStart }

  /// What was found in components that have ended and outside of any.
  var finishedFindings: [Finding] {
    checkpoint.map { Array(findings[..<$0.findingCount]) } ?? findings
  }

  /// A builder for the bytes from `finishedUpTo` on.
  var continuation: RecordBuilder {
    var next = RecordBuilder(
      limits: limits, lineNumber: checkpoint?.lineNumber ?? scanner.lineNumber,
      isCalendarOpen: isCalendarOpen, hasComponents: checkpoint?.hasComponents ?? hasComponents,
      earlierBareLineEnd: checkpoint.map(\.bareLineEnd) ?? firstBareLineEnd)
    next.isOutsideReported = checkpoint?.isOutsideReported ?? isOutsideReported
    next.isRepeated = checkpoint != nil
    return next
  }

  /// Makes room for the records of so many bytes, once; it is used only as far as there are lines.
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

  /// Reads all lines that are complete.
  mutating func read(
    _ bytes: Span<UInt8>, upTo end: Int, isLast: Bool
  ) throws(SyntaxError) {
    while let line = scanner.next(in: bytes, upTo: end, isLast: isLast, arena: &arena) {
      try read(line, bytes)
      readRun(bytes, upTo: end)
    }
    try checkSize(from: scanner.lineStart, to: end, lineNumber: scanner.lineNumber)
  }

  /// Checks a line, or the part of it that is there, so that it does not matter how chunks are cut.
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

  @inline(__always)
  private mutating func read(_ found: LineRecord, _ bytes: Span<UInt8>) throws(SyntaxError) {
    var line = found
    try checkSize(
      from: Int(line.start), to: Int(line.end), lineNumber: Int(line.lineNumber))
    guard isRegular(&line, bytes) else {
      try readIrregular(line, bytes)
      return
    }
    if line.isNamed(names.begin) || line.isNamed(names.end) {
      try readKeyword(line, bytes)
    } else {
      try add(line, bytes)
    }
  }

  /// Finds the parts of a line; false if something about it is worth a closer look.
  private mutating func isRegular(_ line: inout LineRecord, _ bytes: Span<UInt8>) -> Bool {
    guard line.isFolded else { return isRegular(&line, in: bytes) }
    let text = arena.padded
    return isRegular(&line, in: text.span)
  }

  @inline(__always)
  private mutating func isRegular(_ line: inout LineRecord, in bytes: Span<UInt8>) -> Bool {
    let text = line.textRange
    guard scanner.characters.isPlain(bytes.extracting(text)),
      let parts = splitter.split(in: bytes, from: text.lowerBound, to: text.upperBound)
    else { return false }
    parameterCount &+= Int(parts.parameterCount)
    line.note(parts)
    return true
  }

  /// Adds a property, also where its component has been interrupted or none is open.
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
