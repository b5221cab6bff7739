// SPDX-License-Identifier: Apache-2.0

/// A low-level streaming reader of content lines, which builds no objects.
///
/// It unfolds and splits each content line and passes it to a `ContentLineHandler`; the memory is
/// reused for the next line. The handler must track the nesting of components, as `ComponentReader`
/// does.
///
/// ```swift
/// struct Counter: ContentLineHandler {
///   var components = 0
///   mutating func take(_ line: ContentLine, _ text: Span<UInt8>) {
///     if line.role == .begin { components += 1 }
///   }
///   mutating func take(_ diagnostic: Diagnostic) {}
/// }
/// var counter = Counter()
/// var reader = ContentLineReader()
/// try reader.consume(chunk.span, into: &counter)
/// try reader.finish(into: &counter)
/// ```
///
/// It cannot be copied, because two copies would each hold half of a line.
public struct ContentLineReader: ~Copyable {
  private let limits: ParserLimits
  private var scanner = LineScanner(start: 0, lineNumber: 1)
  private let names = StructureNames.shared
  /// The bytes of the unfinished line.
  private var bytes: [UInt8] = []
  private var arena = TextArena()
  private var isStarted = false

  /// Creates a reader.
  ///
  /// - Parameter limits: The limits, of which only `lineLength` applies.
  public init(limits: ParserLimits = ParserLimits()) {
    self.limits = limits
  }

  /// Reads the next bytes of the stream, and passes the completed lines to the handler.
  ///
  /// - Throws: `SyntaxError` if a line is too long.
  public mutating func consume(
    _ chunk: Span<UInt8>, into handler: inout some ContentLineHandler
  ) throws(SyntaxError) {
    if bytes.isEmpty {
      // If no earlier bytes are unfinished, the lines are read in place.
      try readLines(chunk, isLast: false, &handler)
      return
    }
    let block = joined(with: chunk)
    try readLines(block.span, isLast: false, &handler)
  }

  /// Ends the stream, and passes a last line without a line break to the handler.
  ///
  /// - Throws: `SyntaxError` if that line is too long.
  public mutating func finish(
    into handler: inout some ContentLineHandler
  ) throws(SyntaxError) {
    let block = joined(with: Span())
    try readLines(block.span, isLast: true, &handler)
    bytes = []
  }

  /// The unfinished bytes followed by the next chunk.
  private mutating func joined(with chunk: Span<UInt8>) -> [UInt8] {
    var block: [UInt8] = []
    swap(&block, &bytes)
    block.append(copying: chunk)
    return block
  }

  private mutating func readLines(
    _ block: Span<UInt8>, isLast: Bool, _ handler: inout some ContentLineHandler
  ) throws(SyntaxError) {
    if start(block, isLast: isLast) {
      readRun(block, &handler)
      while let line = scanner.next(
        in: block, upTo: block.count, isLast: isLast, arena: &arena)
      {
        try checkLength(Int(line.end &- line.start), lineNumber: Int(line.lineNumber))
        hand(line, block, &handler)
        arena.truncate(to: 0)
        readRun(block, &handler)
      }
      try checkLength(block.count - scanner.lineStart, lineNumber: scanner.lineNumber)
    }
    let finished = scanner.lineStart
    scanner.rebase(by: finished)
    bytes = Array(copying: block.extracting(finished...))
  }

  /// Skips a byte order mark, and returns false until there are enough bytes to detect one.
  private mutating func start(_ block: Span<UInt8>, isLast: Bool) -> Bool {
    guard !isStarted else { return true }
    guard block.count >= 3 || isLast else { return false }
    isStarted = true
    if block.count >= 3, block[0] == 0xEF, block[1] == 0xBB, block[2] == 0xBF {
      scanner = LineScanner(start: 3, lineNumber: 1)
    }
    return true
  }

  private func checkLength(_ length: Int, lineNumber: Int) throws(SyntaxError) {
    guard length > limits.lineLength else { return }
    throw SyntaxError(
      Diagnostic(
        .error, .lineLength, at: SourcePosition(line: lineNumber, column: 1),
        "expected a content line of at most \(limits.lineLength) bytes, found a longer one"))
  }

  /// Passes well-formed lines to the handler, up to the first other one.
  private mutating func readRun(
    _ block: Span<UInt8>, _ handler: inout some ContentLineHandler
  ) {
    guard scanner.isAtLineStart else { return }
    let finder = LineFinder(
      names: names.properties, acceptsBareLineFeeds: scanner.otherLineEnds.bare != nil)
    var arena = TextArena()
    swap(&arena, &self.arena)
    let lengthLimit = limits.lineLength
    var start = scanner.lineStart
    var lineNumber = scanner.lineNumber
    var parameterCount = 0
    while true {
      let before = lineNumber
      guard
        let line = finder.next(
          in: block, from: start, upTo: block.count, lineNumber: &lineNumber,
          parameterCount: &parameterCount, arena: &arena)
      else { break }
      guard Int(line.end) &- start < lengthLimit else {
        lineNumber = before
        arena.truncate(to: 0)
        break
      }
      if line.isFolded {
        let text = arena.padded
        handler.take(
          ContentLine(line, role: role(of: line)), text.span.extracting(line.textRange))
        arena.truncate(to: 0)
      } else {
        handler.take(ContentLine(line, role: role(of: line)), block.extracting(line.textRange))
      }
      start = Int(line.end)
    }
    swap(&arena, &self.arena)
    scanner.pass(to: start, lineNumber: lineNumber)
  }

  /// The role of a line that has a name and a colon.
  @inline(__always)
  private func role(of line: LineRecord) -> ContentLine.Role {
    line.isNamed(names.begin) ? .begin : line.isNamed(names.end) ? .end : .property
  }

  /// Parses a line that the fast path does not accept, and passes it to the handler.
  private func hand(
    _ line: LineRecord, _ block: Span<UInt8>, _ handler: inout some ContentLineHandler
  ) {
    guard line.isFolded else {
      hand(line, block.extracting(line.textRange), block, &handler)
      return
    }
    let unfolded = arena.padded
    hand(line, unfolded.span.extracting(line.textRange), block, &handler)
  }

  private func hand(
    _ found: LineRecord, _ text: Span<UInt8>, _ block: Span<UInt8>,
    _ handler: inout some ContentLineHandler
  ) {
    guard !text.trimmedRange.isEmpty else { return }
    var line = found
    let place = LinePlace(line, firstLineNumber: 0)
    let blanks = text.blanksBeforeKeyword ?? 0
    if blanks > 0 {
      line.dropFirst(blanks)
      handler.take(
        place.diagnostic(
          .warning, .componentLine, at: 0, ContentLineParser.blankBeforeKeyword,
          reference: "RFC 5545 §3.1", in: block))
    }
    let text = text.extracting(blanks..<text.count)
    let parser = ContentLineParser(text)
    line.note(parser.parts(of: text))
    for problem in parser.problems {
      handler.take(
        place.diagnostic(
          problem.severity, problem.code, at: problem.offset, problem.message,
          reference: problem.reference, in: block))
    }
    handler.take(
      ContentLine(line, role: line.nameLength > 0 ? role(of: line) : .malformed), text)
  }
}

/// The parts of a content line (RFC 5545 §3.1), for a `ContentLineHandler`.
///
/// The ranges refer to the unfolded line without its line break, which is passed with it.
public struct ContentLine: Sendable {
  /// The role of a line.
  public enum Role: Hashable, Sendable {
    /// The line begins a component, whose name is its value (RFC 5545 §3.6).
    case begin
    /// The line ends a component, whose name is its value.
    case end
    /// The line is a property.
    case property
    /// The line has no name or no colon, so it is not a content line.
    case malformed
  }

  /// The role of the line.
  public let role: Role
  /// The number of the first physical line, from 1.
  public let lineNumber: Int
  private let nameLength: UInt16
  private let valueStart: UInt32
  private let count: UInt32

  @inline(__always)
  init(_ line: LineRecord, role: Role) {
    self.role = role
    lineNumber = Int(line.lineNumber)
    nameLength = line.nameLength
    valueStart = min(line.valueStart, line.textCount)
    count = line.textCount
  }

  /// The name; empty in a malformed line.
  public var name: Range<Int> { 0..<Int(nameLength) }

  /// The parameters, from the first semicolon to the colon; empty if there are none.
  public var parameters: Range<Int> {
    let start = Int(nameLength)
    return start..<max(start, Int(valueStart) &- 1)
  }

  /// The value with escapes; the whole line if it is malformed.
  public var value: Range<Int> { Int(valueStart)..<Int(count) }

  /// Returns the name, case-insensitive.
  public func propertyName(in text: Span<UInt8>) -> PropertyName {
    PropertyName(spelling: text.extracting(name))
  }
}

/// A handler of the lines that a `ContentLineReader` finds.
public protocol ContentLineHandler {
  /// Handles a content line.
  ///
  /// - Parameters:
  ///   - line: The ranges of its parts.
  ///   - text: The unfolded line without its line break, valid only during the call.
  mutating func take(_ line: ContentLine, _ text: Span<UInt8>)

  /// Handles a diagnostic about the next line, or about a skipped one.
  mutating func take(_ diagnostic: Diagnostic)
}
