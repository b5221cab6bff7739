// SPDX-License-Identifier: Apache-2.0

/// Reads iCalendar streams (RFC 5545 §3.4): chunks of bytes in, finished components out.
///
/// ```
/// bytes ─► LineScanner ─► ContentLineParser ─► ComponentReader ─► ReaderElement
///          content lines   name, value          BEGIN and END      components, diagnostics
/// ```
///
/// The chunks may be of any size; where they are cut never changes what comes out. Memory is bounded
/// by the largest component and not by the file: each component directly inside a calendar is handed
/// out as soon as it ends. Whatever is wrong with the file comes out as a diagnostic beside what could
/// be read; only the limits throw.
///
/// ```swift
/// var reader = ComponentReader()
/// try reader.consume(chunk.span)
/// while let element = reader.next() { … }
/// try reader.finish()
/// while let element = reader.next() { … }
/// ```
///
/// It cannot be copied, because two copies would each hold half of a component.
public struct ComponentReader: ~Copyable {
  /// What was found in the block that is being read, before the block is complete.
  enum Finding {
    case calendarBegan(ContentLine)
    case property(ContentLine)
    case component(ComponentDraft)
    case calendarEnded(isComplete: Bool, end: Int)
    case diagnostic(Diagnostic)
  }

  let limits: ParserLimits
  var scanner: LineScanner
  /// The components that have begun and not ended, outermost first; the calendar is not among them.
  var open: [ComponentDraft] = []
  /// Whether a calendar has begun and not ended.
  var isCalendarOpen = false
  /// Whether anything was found that makes the stream a calendar.
  var hasComponents = false
  /// Whether the line before was outside of any component too, and was reported.
  var isOutsideReported = false
  var findings: [Finding] = []
  /// How far lines were read in the scanner's block.
  private var readUpTo = 0
  private var isStarted = false
  private var isIgnored = false
  private var elements: [ReaderElement] = []
  private var nextElement = 0

  /// Creates a reader.
  public init(limits: ParserLimits = ParserLimits()) {
    self.limits = limits
    self.scanner = LineScanner(limits: limits)
  }

  /// Takes the next bytes of the stream.
  ///
  /// - Throws: `SyntaxError` if a limit is reached; nothing more can be read then, but what was found
  ///   before can still be taken with `next()`.
  public mutating func consume(_ chunk: Span<UInt8>) throws(SyntaxError) {
    guard !isIgnored else { return }
    scanner.append(chunk)
    try readLines(isLast: false)
  }

  /// Tells that the stream is over, so that what is still open is closed.
  ///
  /// - Throws: `SyntaxError` if a limit is reached.
  public mutating func finish() throws(SyntaxError) {
    try readLines(isLast: true)
    closeAll()
    if !hasComponents {
      findings.append(
        .diagnostic(
          Diagnostic(
            .error, .noCalendar, at: SourcePosition(line: 1, column: 1),
            "expected BEGIN:VCALENDAR, found no calendar", reference: "RFC 5545 §3.4")))
    } else if let line = scanner.firstBareLineEnd {
      findings.append(
        .diagnostic(
          Diagnostic(
            .warning, .lineEnd, at: SourcePosition(line: line, column: 1),
            "expected every line to end in CRLF, found a line that ends in LF or CR alone",
            reference: "RFC 5545 §3.1")))
    }
    readUpTo = scanner.count
    handOut(upTo: scanner.count)
  }

  /// The next thing that was found, or nil until more bytes are consumed.
  public mutating func next() -> ReaderElement? {
    guard nextElement < elements.count else {
      elements.removeAll(keepingCapacity: true)
      nextElement = 0
      return nil
    }
    nextElement += 1
    return elements[nextElement - 1]
  }

  private mutating func readLines(isLast: Bool) throws(SyntaxError) {
    guard try start(isLast: isLast) else { return }
    do throws(SyntaxError) {
      while let line = try scanner.next(isLast: isLast) {
        try read(line)
        readUpTo = line.end
      }
      if let first = open.first, scanner.count - first.begin.start > limits.componentSize {
        throw limit(
          at: first.begin,
          "a component of at most \(limits.componentSize) bytes, found a larger one")
      }
    } catch {
      findings.append(.diagnostic(error.diagnostic))
      handOut(upTo: finishedUpTo)
      isIgnored = true
      throw error
    }
    // Only where something can be let go of: a long component is not copied for each chunk of it.
    if finishedUpTo > 0 { handOut(upTo: finishedUpTo) }
  }

  /// The bytes before this index belong to what is complete.
  private var finishedUpTo: Int { open.first?.begin.start ?? readUpTo }

  /// Looks at the first bytes of the file; false until there are enough of them.
  private mutating func start(isLast: Bool) throws(SyntaxError) -> Bool {
    guard !isStarted else { return !isIgnored }
    guard scanner.count >= 3 || isLast else { return false }
    isStarted = true
    let first = scanner.block.prefix(3)
    if first.elementsEqual([0xEF, 0xBB, 0xBF]) {
      scanner.skip(3)
    } else if first.starts(with: [0xFF, 0xFE]) || first.starts(with: [0xFE, 0xFF]) {
      isIgnored = true
      hasComponents = true
      findings.append(
        .diagnostic(
          Diagnostic(
            .error, .invalidUTF8, at: SourcePosition(line: 1, column: 1),
            "expected UTF-8, found UTF-16; convert the file, or name its charset",
            reference: "RFC 5545 §3.1.4")))
      readUpTo = scanner.count
      handOut(upTo: scanner.count)
    }
    return !isIgnored
  }

  func limit(at line: ContentLine, _ expectation: String) -> SyntaxError {
    SyntaxError(
      line.diagnostic(
        .error, .limit, at: 0, "expected \(expectation)", reference: nil, in: scanner.block.span))
  }

  /// Turns the findings into elements that point into a block of their own.
  private mutating func handOut(upTo index: Int) {
    let offset = scanner.blockOffset
    let buffer = SourceBuffer(bytes: scanner.cut(at: index))
    for finding in findings {
      switch finding {
      case .calendarBegan(let line):
        let position = SourcePosition(line: line.lineNumber, column: 1)
        elements.append(.calendarBegan(position, offset: offset + line.start))
      case .property(let line):
        elements.append(.property(Property(SourceLine(buffer: buffer, line: line))))
      case .component(let draft): elements.append(.component(draft.component(in: buffer)))
      case .calendarEnded(let isComplete, let end):
        elements.append(.calendarEnded(isComplete: isComplete, offset: offset + end))
      case .diagnostic(let diagnostic): elements.append(.diagnostic(diagnostic))
      }
    }
    findings.removeAll(keepingCapacity: true)
    for position in open.indices { open[position] = open[position].shifted(by: -index) }
    readUpTo -= index
  }
}
