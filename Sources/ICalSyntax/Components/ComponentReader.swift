// SPDX-License-Identifier: Apache-2.0

/// A streaming iCalendar reader (RFC 5545 §3.4), from chunks of bytes to complete components.
///
/// The chunks may have any size; chunk boundaries never change the result. Memory is bounded by the
/// largest component instead of the file, because each component directly inside a calendar is
/// returned as soon as it ends. Errors in the file are reported as diagnostics beside the parsed
/// elements; only the limits throw.
///
/// ```swift
/// var reader = ComponentReader()
/// try reader.consume(chunk.span)
/// while let element = reader.next() { print(element) }
/// try reader.finish()
/// while let element = reader.next() { print(element) }
/// ```
///
/// It cannot be copied, because two copies would each hold half of a component.
public struct ComponentReader: ~Copyable {
  private enum Stage {
    /// The first bytes have not been checked yet.
    case opening
    case reading
    /// Reading has stopped: a limit was reached, or the file has another encoding.
    case stopped
    case finished

    /// Whether more bytes are accepted.
    var takesBytes: Bool { self == .opening || self == .reading }
  }

  /// The maximum number of bytes in a block; offsets into a block have 32 bits.
  private static let blockLimit = 1 << 30

  private let limits: ParserLimits
  private var builder: RecordBuilder
  /// The unfinished bytes of the stream.
  private var bytes: [UInt8] = []
  /// The offset of `bytes` in the stream.
  private var offset = 0
  private var stage = Stage.opening
  private var batches: [ReaderBatch] = []
  private var nextFinding = 0
  /// The numbers of bytes, components and diagnostics in the stream so far.
  private var totals = StreamTotals()

  /// Creates a reader.
  public init(limits: ParserLimits = ParserLimits()) {
    self.limits = limits
    self.builder = RecordBuilder(limits: limits)
  }

  /// Reads the next bytes of the stream.
  ///
  /// - Throws: `SyntaxError` if a limit is reached. The reader then stops, but `next()` still
  ///   returns the elements that were found before.
  public mutating func consume(_ chunk: Span<UInt8>) throws(SyntaxError) {
    var start = 0
    try count(chunk.count)
    while start < chunk.count, stage.takesBytes {
      // Small blocks, so that little is found beyond a limit of the stream.
      let step = limits.countsWholeStream ? 1 << 16 : Self.blockLimit
      let end = min(chunk.count, start + step)
      bytes.append(copying: chunk.extracting(start..<end))
      try readLines(isLast: false)
      start = end
    }
  }

  /// Reads the next bytes of the stream, without copying them if no earlier bytes are unfinished.
  mutating func consume(_ chunk: [UInt8]) throws(SyntaxError) {
    guard bytes.isEmpty, chunk.count <= Self.blockLimit, stage.takesBytes,
      !limits.countsWholeStream
    else {
      try consume(chunk.span)
      return
    }
    bytes = chunk
    try readLines(isLast: false)
  }

  /// Reads a whole stream and returns its batches, instead of returning elements one by one.
  mutating func readWhole(_ stream: [UInt8]) throws(SyntaxError) -> [ReaderBatch] {
    if stream.count <= Self.blockLimit, !limits.countsWholeStream {
      bytes = stream
    } else {
      try consume(stream.span)
    }
    try finish()
    return batches
  }

  /// Ends the input and closes open components; later bytes are ignored.
  ///
  /// - Throws: `SyntaxError` if a limit is reached.
  public mutating func finish() throws(SyntaxError) {
    guard stage != .finished else { return }
    try readLines(isLast: true)
    let block = bytes
    builder.finish(block.span)
    if builder.hasComponents {
      builder.findings += builder.otherLineEnds.diagnostics().map(RecordFinding.diagnostic)
    }
    try add(batch(of: builder.finishedFindings))
    stage = .finished
  }

  /// Returns the next element, or nil until more bytes are consumed.
  public mutating func next() -> ReaderElement? {
    while let batch = batches.first {
      if nextFinding < batch.findings.count {
        nextFinding += 1
        return batch.element(at: nextFinding - 1)
      }
      batches.removeFirst()
      nextFinding = 0
    }
    return nil
  }

  private mutating func readLines(isLast: Bool) throws(SyntaxError) {
    guard start(isLast: isLast) else { return }
    let block = bytes
    builder.reserve(forBytes: block.count)
    do throws(SyntaxError) {
      try builder.read(block.span, upTo: block.count, isLast: isLast)
    } catch {
      let finished = builder.finishedUpTo
      builder.findings.append(.diagnostic(error.diagnostic))
      handOut(upTo: finished, isBroken: true)
      stage = .stopped
      throw error
    }
    // Only if bytes can be released, so that a long component is not copied for each chunk.
    if !isLast, builder.finishedUpTo > 0 {
      handOut(upTo: builder.finishedUpTo)
      if let batch = batches.popLast() { try add(batch) }
    }
  }

  /// Counts the bytes of a chunk before they are read.
  private mutating func count(_ size: Int) throws(SyntaxError) {
    guard stage.takesBytes, let diagnostic = totals.add(bytes: size, limits) else { return }
    batches.append(batch(of: [.diagnostic(diagnostic)]))
    stage = .stopped
    throw SyntaxError(diagnostic)
  }

  /// Adds the elements of a block, up to the limits of the stream.
  private mutating func add(_ batch: ReaderBatch) throws(SyntaxError) {
    guard let (end, diagnostic) = totals.add(batch, limits) else {
      batches.append(batch)
      return
    }
    let findings = batch.findings.prefix(end) + [.diagnostic(diagnostic)]
    batches.append(
      ReaderBatch(block: batch.block, offset: batch.offset, findings: Array(findings)))
    stage = .stopped
    throw SyntaxError(diagnostic)
  }

  /// Checks the first bytes of the file, and returns false until there are enough of them.
  private mutating func start(isLast: Bool) -> Bool {
    guard stage == .opening else { return stage == .reading }
    guard bytes.count >= 4 || isLast else { return false }
    stage = .reading
    let first = bytes.prefix(3)
    if first.elementsEqual([0xEF, 0xBB, 0xBF]) {
      builder = RecordBuilder(limits: limits, start: 3)
    } else if let charset = wideCharset {
      stage = .stopped
      builder.hasComponents = true
      note(
        .error, .invalidUTF8, line: 1,
        "expected UTF-8, found \(charset); convert the file, or name its charset", "RFC 5545 §3.1.4"
      )
      handOut(upTo: bytes.count)
    }
    return stage == .reading
  }

  /// The charset of a file that begins with the byte order mark of one with wide characters.
  private var wideCharset: String? {
    // The mark of UTF-32 in one order begins with that of UTF-16.
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) || bytes.starts(with: [0, 0, 0xFE, 0xFF]) {
      return "UTF-32"
    }
    return bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) ? "UTF-16" : nil
  }

  private mutating func note(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, line: Int, _ message: String,
    _ reference: String
  ) {
    let place = SourcePosition(line: line, column: 1)
    builder.findings.append(
      .diagnostic(Diagnostic(severity, code, at: place, message, reference: reference)))
  }

  /// Moves the findings into a block, and continues with the bytes from `index` on.
  ///
  /// Findings of an unfinished component are discarded and found again in the next block, unless
  /// reading stops here.
  private mutating func handOut(upTo index: Int, isBroken: Bool = false) {
    batches.append(batch(of: isBroken ? builder.findings : builder.finishedFindings))
    offset += index
    bytes = Array(bytes[index...])
    builder = builder.continuation
  }

  private func batch(of findings: [RecordFinding]) -> ReaderBatch {
    let block = RecordBlock(builder, bytes: bytes, firstLineNumber: 0)
    return ReaderBatch(block: block, offset: offset, findings: findings)
  }
}

/// An element that `ComponentReader` finds, in stream order.
public enum ReaderElement: Hashable, Sendable {
  /// The start of a VCALENDAR (RFC 5545 §3.4), with its position and byte offset in the stream.
  case calendarBegan(SourcePosition, offset: Int)
  /// A property of the calendar itself, or a line outside of any component.
  case property(Property)
  /// A complete component directly inside the calendar, with all nested ones.
  ///
  /// A component outside of any calendar is returned too, after a diagnostic.
  case component(Component)
  /// The end of the calendar, with the byte offset in the stream after it.
  ///
  /// It is complete if it has its own END line; otherwise the file ended or another calendar began.
  case calendarEnded(isComplete: Bool, offset: Int)
  /// A diagnostic about the preceding lines; indirect, to keep the other cases small.
  indirect case diagnostic(Diagnostic)
}

/// Limits of the parser, which throws a `SyntaxError` if one is exceeded.
///
/// The RFC sets no limits; these prevent hostile files from exhausting memory. The defaults are far
/// above the sizes in real calendars. They bound a component, and not a stream; ``upload`` bounds both.
public struct ParserLimits: Hashable, Sendable {
  /// The maximum number of bytes in a content line, including folds.
  ///
  /// Default: 32 MiB, for inline attachments.
  public var lineLength = 32 << 20
  /// The maximum number of bytes in a component inside a calendar.
  ///
  /// Default: 64 MiB.
  public var componentSize = 64 << 20
  /// The maximum nesting depth of components.
  ///
  /// Default: 16.
  public var nesting = 16
  /// The maximum number of properties in a component of a calendar, including nested components.
  ///
  /// Default: 1,000,000.
  public var propertiesPerComponent = 1_000_000
  /// The maximum number of parameters in a component of a calendar, including nested components.
  ///
  /// Default: 1,000,000.
  public var parametersPerComponent = 1_000_000
  /// The maximum number of bytes in the stream; nil for a stream of any length.
  ///
  /// Default: nil.
  public var size: Int?
  /// The maximum number of components inside the calendars of the stream; nil for any number.
  ///
  /// Default: nil.
  public var components: Int?
  /// The maximum number of diagnostics; nil for any number.
  ///
  /// Default: nil. Reading stops there, so that a broken file costs neither time nor memory.
  public var diagnostics: Int?

  /// Creates the default limits.
  public init() {}

  /// Limits for a file of a stranger, such as an upload: 10 MiB, 50,000 components and 1,000
  /// diagnostics.
  public static let upload: ParserLimits = {
    var limits = ParserLimits()
    limits.size = 10 << 20
    limits.components = 50_000
    limits.diagnostics = 1_000
    return limits
  }()

  /// Whether parts of a stream cannot be read independently of each other.
  var countsWholeStream: Bool { size != nil || components != nil || diagnostics != nil }
}
