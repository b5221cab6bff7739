// SPDX-License-Identifier: Apache-2.0

/// A fast path that finds well-formed content lines.
///
/// Nearly all lines are well-formed. For other lines, and at the end of the bytes, it returns nil,
/// and `LineScanner` and `ContentLineParser` examine the line.
///
/// It checks 64 bytes at a time for the first one that is not printable ASCII. Most lines end in
/// the first 64 bytes, so that byte is the line break. A folded line is unfolded first, and its
/// characters are checked in the arena, where they are contiguous.
struct LineFinder {
  /// Splits each line into its name and value.
  let splitter: LineSplitter
  /// Whether bare LF is accepted, because a diagnostic already reported it.
  let acceptsBareLineFeeds: Bool

  /// Finds the next content line.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - start: The start of the line.
  ///   - end: The index before which the line must end.
  ///   - lineNumber: The physical line number at `start`; updated to the one after the line.
  ///   - parameterCount: The number of parameters so far; updated by those of the line.
  ///   - arena: The buffer for unfolded lines.
  /// - Returns: The line, or nil if it needs closer examination.
  @inline(__always)
  func next(
    in bytes: Span<UInt8>, from start: Int, upTo end: Int, lineNumber: inout Int,
    parameterCount: inout Int, arena: inout TextArena
  ) -> LineRecord? {
    let block = bytes.vectors(at: start)
    var lineBreak = firstMark(in: bytes, from: start, block)
    var next = lineBreak &+ 2
    let word = bytes.word(at: lineBreak)
    var following = UInt8(truncatingIfNeeded: word >> 16)
    if word & 0xFFFF != 0x0A0D {
      (lineBreak, next) = unusualLineEnd(in: bytes, from: lineBreak, to: end)
      guard next < end else { return nil }
      following = bytes[next]
    }
    guard lineBreak > start, next < end else { return nil }
    if following.isFoldSpace {
      return nextFolded(
        in: bytes, from: start, lineBreak, next, upTo: end, lineNumber: &lineNumber,
        parameterCount: &parameterCount, arena: &arena)
    }
    guard let parts = splitter.split(block.0, in: bytes, from: start, to: lineBreak) else {
      return nil
    }
    let number = lineNumber
    lineNumber &+= 1
    parameterCount &+= Int(parts.parameterCount)
    return LineRecord(
      from: start, to: next, textStart: start, textCount: lineBreak &- start, isFolded: false,
      lineNumber: number, parts: parts)
  }

  /// The next content line, whose first physical line ends at `firstBreak`, before a fold.
  @inline(never)
  private func nextFolded(
    in bytes: Span<UInt8>, from start: Int, _ firstBreak: Int, _ firstNext: Int, upTo end: Int,
    lineNumber: inout Int, parameterCount: inout Int, arena: inout TextArena
  ) -> LineRecord? {
    let textStart = arena.count
    guard
      let (next, folds) = arena.unfold(
        bytes, from: start, firstBreak..<firstNext, upTo: end,
        acceptsBareLineFeeds: acceptsBareLineFeeds)
    else { return nil }
    let text = arena.padded
    guard text.span.isPlain(from: textStart &+ firstBreak &- start, to: arena.count),
      let parts = splitter.split(
        text.span.vector(at: textStart), in: text.span, from: textStart, to: arena.count)
    else {
      arena.truncate(to: textStart)
      return nil
    }
    let number = lineNumber
    lineNumber &+= folds &+ 1
    parameterCount &+= Int(parts.parameterCount)
    return LineRecord(
      from: start, to: next, textStart: textStart, textCount: arena.count &- textStart,
      isFolded: true, lineNumber: number, parts: parts)
  }

  /// The index of the first byte that is not printable ASCII, at the latest after the end.
  @inline(__always)
  private func firstMark(
    in bytes: Span<UInt8>, from start: Int, _ block: ByteVector.Four
  ) -> Int {
    var base = start
    var marks = ByteVector.unprintable(block)
    while marks == 0 {
      base &+= 64
      marks = ByteVector.unprintable(bytes.vectors(at: base))
    }
    return base &+ marks.trailingZeroBitCount
  }

  /// The next line break and the index after it, for a line that is not only printable ASCII.
  ///
  /// Both are `end` if there is no line break, or if the line contains invalid characters.
  @inline(never)
  private func unusualLineEnd(
    in bytes: Span<UInt8>, from mark: Int, to end: Int
  ) -> (lineBreak: Int, next: Int) {
    var mark = mark
    if mark < end, bytes[mark] >= 0x80, let others = UTF8Block.others(in: bytes, at: mark) {
      // Most lines end soon after their first multibyte character.
      mark &+= others.trailingZeroBitCount
    }
    guard mark < end else { return (end, end) }
    let word = bytes.word(at: mark)
    if word & 0xFFFF == 0x0A0D { return (mark, mark &+ 2) }
    if word & 0xFF == 0x0A { return acceptsBareLineFeeds ? (mark, mark &+ 1) : (end, end) }
    let lineBreak = bytes.lineBreak(
      from: mark, to: end, acceptsBareLineFeeds: acceptsBareLineFeeds)
    guard bytes.isPlain(from: mark, to: lineBreak.lowerBound) else { return (end, end) }
    return (lineBreak.lowerBound, lineBreak.upperBound)
  }
}
