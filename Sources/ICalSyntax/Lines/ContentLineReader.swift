// SPDX-License-Identifier: Apache-2.0

/// Reads a stream line by line: the lowest way in, which keeps and makes nothing.
///
/// Each content line is unfolded and split and handed to a `ContentLineHandler`, in memory that is
/// used again for the next one. Which component begins and ends where is for the handler to follow;
/// `ComponentReader` does that, on the same lines.
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
  private var splitter = LineSplitter(names: PropertyVocabulary.table)
  private let beginName = PropertyName("BEGIN").index ?? -1
  private let endName = PropertyName("END").index ?? -1
  /// The bytes from the start of the line that is not finished.
  private var bytes: [UInt8] = []
  private var arena: [UInt8] = []
  private var isStarted = false

  /// Creates a reader.
  ///
  /// - Parameter limits: Of these, only the length of a line counts here.
  public init(limits: ParserLimits = ParserLimits()) {
    self.limits = limits
  }

  /// Takes the next bytes of the stream and hands on the lines that they complete.
  ///
  /// - Throws: `SyntaxError` if a line is too long.
  public mutating func consume(
    _ chunk: Span<UInt8>, into handler: inout some ContentLineHandler
  ) throws(SyntaxError) {
    bytes.append(copying: chunk)
    try readLines(isLast: false, &handler)
    let finished = scanner.lineStart
    scanner.rebase(by: finished)
    bytes.removeSubrange(..<finished)
  }

  /// Tells that the stream is over, and hands on a last line that has no end.
  ///
  /// - Throws: `SyntaxError` if that line is too long.
  public mutating func finish(
    into handler: inout some ContentLineHandler
  ) throws(SyntaxError) {
    try readLines(isLast: true, &handler)
    bytes = []
  }

  private mutating func readLines(
    isLast: Bool, _ handler: inout some ContentLineHandler
  ) throws(SyntaxError) {
    guard start(isLast: isLast) else { return }
    let block = bytes
    let span = block.span
    while let line = scanner.next(in: span, upTo: span.count, isLast: isLast, arena: &arena) {
      try checkLength(Int(line.end &- line.start), lineNumber: Int(line.lineNumber))
      hand(line, span, &handler)
      if line.isFolded { arena.removeAll(keepingCapacity: true) }
    }
    try checkLength(span.count - scanner.lineStart, lineNumber: scanner.lineNumber)
  }

  /// Skips a byte order mark; false until there are enough bytes to know one.
  private mutating func start(isLast: Bool) -> Bool {
    guard !isStarted else { return true }
    guard bytes.count >= 3 || isLast else { return false }
    isStarted = true
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { scanner = LineScanner(start: 3, lineNumber: 1) }
    return true
  }

  private func checkLength(_ length: Int, lineNumber: Int) throws(SyntaxError) {
    guard length > limits.lineLength else { return }
    throw SyntaxError(
      Diagnostic(
        .error, .lineLength, at: SourcePosition(line: lineNumber, column: 1),
        "expected a content line of at most \(limits.lineLength) bytes, found a longer one"))
  }

  @inline(__always)
  private mutating func hand(
    _ found: LineRecord, _ bytes: Span<UInt8>, _ handler: inout some ContentLineHandler
  ) {
    var line = found
    let arena = arena
    let text = (line.isFolded ? arena.span : bytes).extracting(line.textRange)
    if scanner.characters.isPlain(text),
      splitter.split(&line, in: line.isFolded ? arena.span : bytes)
    {
      let isKeyword = line.isNamed(beginName) || line.isNamed(endName)
      let role: ContentLine.Role =
        !isKeyword ? .property : line.isNamed(beginName) ? .begin : .end
      handler.take(ContentLine(line, role: role), text)
    } else {
      handIrregular(line, text, bytes, &handler)
    }
  }

  private func handIrregular(
    _ found: LineRecord, _ text: Span<UInt8>, _ bytes: Span<UInt8>,
    _ handler: inout some ContentLineHandler
  ) {
    guard !text.trimmedRange.isEmpty else { return }
    var line = found
    let parser = ContentLineParser(text)
    parser.note(in: &line, text)
    let place = LinePlace(line, firstLineNumber: 0)
    for problem in parser.problems {
      handler.take(
        place.diagnostic(
          problem.severity, problem.code, at: problem.offset, problem.message,
          reference: problem.reference, in: bytes))
    }
    let role: ContentLine.Role =
      line.isNamed(beginName)
      ? .begin : line.isNamed(endName) ? .end : line.nameLength > 0 ? .property : .malformed
    handler.take(ContentLine(line, role: role), text)
  }
}
