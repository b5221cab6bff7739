// SPDX-License-Identifier: Apache-2.0

/// Finds content lines that are as the grammar wants them, each in one pass over its bytes.
///
/// Nearly every line is. It gives up on any other, and at the end of the bytes, without having done
/// anything; `LineScanner` and `ContentLineParser` then look at it closely.
struct LineFinder {
  /// Finds the name and the value of each line.
  let splitter: LineSplitter
  /// Whether lines may end in LF alone, because it was said already that they do.
  let acceptsBareLineFeeds: Bool

  /// Finds the next content line.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - start: Where the line starts.
  ///   - end: Before where it has to end.
  ///   - lineNumber: The number of the physical line at `start`; then of the one after the line.
  ///   - parameterCount: How many parameters there were; then with those of the line.
  ///   - arena: Where a folded line is unfolded to.
  /// - Returns: The line, or nil if it has to be looked at closely.
  @inline(__always)
  func next(
    in bytes: Span<UInt8>, from start: Int, upTo end: Int, lineNumber: inout Int,
    parameterCount: inout Int, arena: inout TextArena
  ) -> LineRecord? {
    let lineBreak = endOfText(in: bytes, from: start, to: end)
    guard lineBreak > start, lineBreak &+ 2 < end else { return nil }
    let next = lineBreak &+ (bytes[lineBreak] == ASCII.carriageReturn ? 2 : 1)
    if bytes[next].isFoldSpace {
      return nextFolded(
        in: bytes, from: start, lineBreak, next, upTo: end, lineNumber: &lineNumber,
        parameterCount: &parameterCount, arena: &arena)
    }
    guard let parts = splitter.split(in: bytes, from: start, to: lineBreak) else { return nil }
    defer {
      lineNumber &+= 1
      parameterCount &+= Int(parts.parameterCount)
    }
    return LineRecord(
      physical: start..<next, text: start..<lineBreak, isFolded: false, lineNumber: lineNumber,
      parts: parts)
  }

  /// The next content line, whose first physical line ends at `firstBreak`, before a fold.
  @inline(never)
  private func nextFolded(
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
      lineBreak = endOfText(in: bytes, from: segment, to: end)
      guard lineBreak &+ 2 < end else {
        arena.truncate(to: textStart)
        return nil
      }
      next = lineBreak &+ (bytes[lineBreak] == ASCII.carriageReturn ? 2 : 1)
    } while bytes[next].isFoldSpace
    arena.append(bytes, from: segment, to: lineBreak)
    guard
      let parts = split(bytes, from: start, to: firstBreak, arena.padded, textStart..<arena.count)
    else {
      arena.truncate(to: textStart)
      return nil
    }
    defer {
      lineNumber &+= folds &+ 1
      parameterCount &+= Int(parts.parameterCount)
    }
    return LineRecord(
      physical: start..<next, text: textStart..<arena.count, isFolded: true,
      lineNumber: lineNumber, parts: parts)
  }

  /// Splits a folded line: where it stands, if the colon comes before the first fold and there are no
  /// parameters, which are better looked through once.
  private func split(
    _ bytes: Span<UInt8>, from start: Int, to firstBreak: Int, _ arena: [UInt8], _ text: Range<Int>
  ) -> LineParts? {
    splitter.split(in: bytes, from: start, to: firstBreak, maySplitParameters: false)
      ?? splitter.split(in: arena.span, from: text.lowerBound, to: text.upperBound)
  }

  /// The index of the line break after characters that are as they should be, or `end` if there are
  /// others or no break.
  @inline(__always)
  private func endOfText(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while true {
      index = bytes.firstUnprintable(from: index, to: end)
      guard index &+ 1 < end else { return end }
      let byte = bytes[index]
      if byte == ASCII.carriageReturn {
        return bytes[index &+ 1] == ASCII.lineFeed ? index : end
      }
      if byte >= 0x80 {
        index = UTF8Check.endOfMultibyte(bytes, from: index)
        guard index > 0 else { return end }
      } else if byte == ASCII.tab {
        index &+= 1
      } else {
        return byte == ASCII.lineFeed && acceptsBareLineFeeds ? index : end
      }
    }
  }
}
