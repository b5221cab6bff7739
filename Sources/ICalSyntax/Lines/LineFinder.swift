// SPDX-License-Identifier: Apache-2.0

/// Finds content lines that are as the grammar wants them, each in one pass over its bytes.
///
/// Nearly every line is. It gives up on any other, and at the end of the bytes; `LineScanner` and
/// `ContentLineParser` then look at it closely, and another finder goes on after it.
///
/// Of 64 bytes at a time it notes in a word which of them are not printable ASCII. Few are, and most
/// of them are those of line breaks, so that the text of a line is passed by with one test of a bit.
struct LineFinder {
  /// Finds the name and the value of each line.
  private let splitter: LineSplitter
  /// Whether lines may end in LF alone, because it was said already that they do.
  private let acceptsBareLineFeeds: Bool
  /// Where the 64 bytes begin that `marks` tells of.
  private var base: Int
  /// The bytes that are not printable ASCII, one bit for each, without those that were passed.
  private var marks: UInt64

  /// Begins at the start of a line.
  init(
    splitter: LineSplitter, acceptsBareLineFeeds: Bool, in bytes: Span<UInt8>, from start: Int
  ) {
    self.splitter = splitter
    self.acceptsBareLineFeeds = acceptsBareLineFeeds
    base = start
    marks = Self.marks(in: bytes, at: start)
  }

  /// Finds the next content line.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - start: Where the line starts: where the one before ended.
  ///   - end: Before where it has to end.
  ///   - lineNumber: The number of the physical line at `start`; then of the one after the line.
  ///   - parameterCount: How many parameters there were; then with those of the line.
  ///   - arena: Where a folded line is unfolded to.
  /// - Returns: The line, or nil if it has to be looked at closely.
  @inline(__always)
  mutating func next(
    in bytes: Span<UInt8>, from start: Int, upTo end: Int, lineNumber: inout Int,
    parameterCount: inout Int, arena: inout TextArena
  ) -> LineRecord? {
    let (lineBreak, next) = lineEnd(in: bytes, to: end)
    guard lineBreak > start, next < end else { return nil }
    skip(to: next, in: bytes)
    if bytes[next].isFoldSpace {
      return nextFolded(
        in: bytes, from: start, lineBreak, next, upTo: end, lineNumber: &lineNumber,
        parameterCount: &parameterCount, arena: &arena)
    }
    guard let parts = splitter.split(in: bytes, from: start, to: lineBreak) else { return nil }
    let number = lineNumber
    lineNumber &+= 1
    parameterCount &+= Int(parts.parameterCount)
    return LineRecord(
      from: start, to: next, textStart: start, textCount: lineBreak &- start, isFolded: false,
      lineNumber: number, parts: parts)
  }

  /// The next content line, whose first physical line ends at `firstBreak`, before a fold.
  @inline(never)
  private mutating func nextFolded(
    in bytes: Span<UInt8>, from start: Int, _ firstBreak: Int, _ firstNext: Int, upTo end: Int,
    lineNumber: inout Int, parameterCount: inout Int, arena: inout TextArena
  ) -> LineRecord? {
    let textStart = arena.count
    var lineBreak = firstBreak
    var next = firstNext
    var segment = start
    var folds = 0
    repeat {
      arena.append(bytes, from: segment, to: lineBreak)
      folds &+= 1
      segment = next &+ 1
      (lineBreak, next) = lineEnd(in: bytes, to: end)
      guard next < end else {
        arena.truncate(to: textStart)
        return nil
      }
      skip(to: next, in: bytes)
    } while bytes[next].isFoldSpace
    arena.append(bytes, from: segment, to: lineBreak)
    let text = arena.padded
    guard let parts = splitter.split(in: text.span, from: textStart, to: arena.count) else {
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

  /// The index of the next line break after characters that are as they should be, and the one after
  /// it; `end` if there are other characters or no break.
  @inline(__always)
  private mutating func lineEnd(
    in bytes: Span<UInt8>, to end: Int
  ) -> (lineBreak: Int, next: Int) {
    let mark = nextMark(in: bytes)
    guard Self.isLineBreak(in: bytes, at: mark) else { return unusualLineEnd(in: bytes, to: end) }
    return (mark, mark &+ 2)
  }

  /// The same where the next mark is no line break of two bytes.
  @inline(never)
  private mutating func unusualLineEnd(
    in bytes: Span<UInt8>, to end: Int
  ) -> (lineBreak: Int, next: Int) {
    while true {
      let mark = nextMark(in: bytes)
      guard mark &+ 1 < end else { return (end, end) }
      let byte = bytes[mark]
      if byte >= 0x80 {
        guard skipMultibyte(at: mark, in: bytes) else { return (end, end) }
      } else if byte == ASCII.tab {
        skip(to: mark &+ 1, in: bytes)
      } else if Self.isLineBreak(in: bytes, at: mark) {
        return (mark, mark &+ 2)
      } else {
        let isLineEnd = byte == ASCII.lineFeed && acceptsBareLineFeeds
        return isLineEnd ? (mark, mark &+ 1) : (end, end)
      }
    }
  }

  /// Passes by the character at an index, which has two or more bytes, and by many that come after it.
  @inline(__always)
  private mutating func skipMultibyte(at index: Int, in bytes: Span<UInt8>) -> Bool {
    if bytes.word(at: index) & 0x80_C0E0 == 0x80C0, bytes[index] >= 0xC2 {
      // One of two bytes between others of one, as they stand in the languages of Western Europe.
      skip(to: index &+ 2, in: bytes)
      return true
    }
    if let multibyte = UTF8Block.multibyte(in: bytes, at: index), multibyte != 0 {
      base = index
      marks = Self.marks(in: bytes, at: index) & ~multibyte
      return true
    }
    // What is wrong may come after the end of the line.
    let next = UTF8Check.endOfMultibyte(bytes, from: index)
    guard next > 0 else { return false }
    skip(to: next, in: bytes)
    return true
  }

  /// The index of the next mark; there is one after the end of the bytes.
  @inline(__always)
  private mutating func nextMark(in bytes: Span<UInt8>) -> Int {
    while marks == 0 {
      base &+= 64
      marks = Self.marks(in: bytes, at: base)
    }
    return base &+ marks.trailingZeroBitCount
  }

  /// Passes by all marks before an index.
  @inline(__always)
  private mutating func skip(to index: Int, in bytes: Span<UInt8>) {
    let offset = index &- base
    if offset < 64 {
      marks &= UInt64.max &<< UInt64(truncatingIfNeeded: offset)
    } else {
      base = index
      marks = Self.marks(in: bytes, at: index)
    }
  }

  /// Whether CR and LF stand at an index.
  @inline(__always)
  private static func isLineBreak(in bytes: Span<UInt8>, at index: Int) -> Bool {
    bytes.word(at: index) & 0xFFFF == 0x0A0D
  }

  /// Which of 64 bytes are not printable ASCII, one bit for each; those after the end are not either.
  @inline(__always)
  private static func marks(in bytes: Span<UInt8>, at index: Int) -> UInt64 {
    ByteVector.unprintable(bytes.vectors(at: index))
  }
}
