// SPDX-License-Identifier: Apache-2.0

/// Cuts a stream of bytes into content lines, wherever the chunks that it comes in are cut.
///
/// It keeps the bytes that were not handed out yet, as one block. It cannot be copied, because two
/// copies would each hold half of a line.
struct LineScanner: ~Copyable {
  /// The bytes that are kept, from the start of whatever is not finished.
  private(set) var block: [UInt8] = []
  /// How many bytes of the stream came before the block.
  private(set) var blockOffset = 0
  /// Whether a line ended in LF or CR alone, and where the first one did.
  private(set) var firstBareLineEnd: Int?
  private let limits: ParserLimits
  /// Where the line that is being looked for starts in the block.
  private var lineStart = 0
  /// Up to where that line was looked through.
  private var scan = 0
  /// The index of the next LF at or after `scan`, or how far none was found.
  private var lineFeed = 0
  /// Where the physical line starts that is being looked through.
  private var physicalStart = 0
  private var isFolded = false
  /// The number of the physical line at `lineStart`.
  private var lineNumber = 1
  /// How many folds the line at `lineStart` has so far.
  private var folds = 0

  init(limits: ParserLimits) {
    self.limits = limits
  }

  /// The place where the file ends, once all lines were read.
  ///
  /// It is the start of a line after the last line end, or the end of a last line that has none.
  private(set) var endPosition = SourcePosition(line: 1, column: 1)

  /// How many bytes are kept.
  var count: Int { block.count }

  mutating func append(_ chunk: Span<UInt8>) {
    block.reserveCapacity(block.count + chunk.count)
    // Safe: the buffer does not leave the closure.
    unsafe chunk.withUnsafeBufferPointer { unsafe block.append(contentsOf: $0) }
  }

  /// Skips bytes at the start of the file that belong to no line.
  mutating func skip(_ count: Int) {
    lineStart += count
    scan = lineStart
    physicalStart = lineStart
  }

  /// The range of the next content line and its number, or nil until more bytes come.
  ///
  /// `isLast` tells that no more bytes will come.
  mutating func next(isLast: Bool) throws(SyntaxError) -> ContentLine? {
    while true {
      guard let lineEnd = nextBreak(isLast: isLast) else {
        guard isLast, lineStart < block.count else {
          try checkLength(upTo: block.count)
          return nil
        }
        return take(upTo: block.count, hasEnd: false)
      }
      if lineEnd.upperBound == block.count, !isLast {
        scan = lineEnd.lowerBound
        try checkLength(upTo: lineEnd.upperBound)
        return nil
      }
      noteLineEnd(lineEnd)
      scan = lineEnd.upperBound
      physicalStart = scan
      if scan < block.count, block[scan].isFoldSpace {
        isFolded = true
        folds += 1
        continue
      }
      return take(upTo: scan, hasEnd: true)
    }
  }

  /// Gives the block away and keeps only what comes after `index`.
  mutating func cut(at index: Int) -> [UInt8] {
    let rest = Array(block[index...])
    let full = block
    block = rest
    blockOffset += index
    lineStart -= index
    scan -= index
    physicalStart -= index
    lineFeed = max(0, lineFeed - index)
    return full
  }

  /// The range of the first line break at or after `scan`.
  private mutating func nextBreak(isLast: Bool) -> Range<Int>? {
    if lineFeed < scan || lineFeed >= block.count || block[lineFeed] != ASCII.lineFeed {
      let start = max(scan, min(lineFeed, block.count))
      lineFeed =
        ByteSearch.firstIndex(
          of: ASCII.lineFeed, in: block.span, from: start, to: block.count) ?? block.count
    }
    let carriageReturn = ByteSearch.firstIndex(
      of: ASCII.carriageReturn, in: block.span, from: scan, to: lineFeed)
    if let carriageReturn {
      let isPair = carriageReturn + 1 == lineFeed && lineFeed < block.count
      if carriageReturn + 1 == block.count, !isLast {
        scan = carriageReturn
        return carriageReturn..<block.count
      }
      return carriageReturn..<(carriageReturn + (isPair ? 2 : 1))
    }
    guard lineFeed < block.count else {
      scan = block.count
      return nil
    }
    return lineFeed..<(lineFeed + 1)
  }

  private mutating func noteLineEnd(_ range: Range<Int>) {
    if range.count == 1, firstBareLineEnd == nil { firstBareLineEnd = lineNumber + folds }
  }

  private mutating func take(upTo end: Int, hasEnd: Bool) -> ContentLine {
    let line = ContentLine(
      start: lineStart, end: end, lineNumber: lineNumber, isFolded: isFolded, nameLength: 0,
      valueStart: 0)
    lineNumber += folds + 1
    endPosition =
      hasEnd
      ? SourcePosition(line: lineNumber, column: 1)
      : SourcePosition(line: lineNumber - 1, column: end - physicalStart + 1)
    lineStart = end
    scan = end
    isFolded = false
    folds = 0
    return line
  }

  private func checkLength(upTo end: Int) throws(SyntaxError) {
    guard end - lineStart > limits.lineLength else { return }
    throw SyntaxError(
      Diagnostic(
        .error, .limit, at: SourcePosition(line: lineNumber, column: 1),
        "expected a content line of at most \(limits.lineLength) bytes, found a longer one"))
  }
}
