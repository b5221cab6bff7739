// SPDX-License-Identifier: Apache-2.0

/// Folds content lines at 75 octets (RFC 5545 §3.1): never inside a UTF-8 sequence, nor between a
/// backslash and what it escapes, so that each physical line can be read on its own.
enum LineFolder {
  /// The most octets of a physical line, without its line end.
  static let limit = 75
  /// The fewest octets of a physical line that is followed by another one, without its space.
  private static let shortest = limit - 5

  /// Appends an unfolded line with folds and a line end.
  @inline(__always)
  static func write(_ line: Span<UInt8>, to bytes: inout [UInt8]) {
    write(line, from: 0, to: line.count, to: &bytes)
  }

  /// Appends the unfolded line between two indices with folds and a line end.
  static func write(_ source: Span<UInt8>, from start: Int, to end: Int, to bytes: inout [UInt8]) {
    let count = end &- start
    let folds = count > limit ? count / shortest : 0
    bytes.append(addingCapacity: count + 3 * folds + 2) { output in
      var index = start
      var room = limit
      while end &- index > room {
        let next = endOfPart(source, from: index, room: room)
        output.append(copying: source, from: index, to: next)
        endLine(&output)
        output.append(ASCII.space)
        index = next
        room = limit &- 1
      }
      output.append(copying: source, from: index, to: end)
      endLine(&output)
    }
  }

  /// Folds what was appended from an index on, and ends the line.
  static func finishLine(from start: Int, in bytes: inout [UInt8]) {
    guard bytes.count - start > limit else {
      bytes += [ASCII.carriageReturn, ASCII.lineFeed]
      return
    }
    let line = Array(bytes[start...])
    bytes.removeLast(line.count)
    write(line.span, to: &bytes)
  }

  /// Whether physical lines of a file are what `write` makes of the unfolded line that they hold.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - lines: The range of the physical lines, with their ends.
  ///   - count: The length of the unfolded line.
  /// - Returns: Whether the folds and the line end are the same.
  static func isFolded(_ file: Span<UInt8>, _ lines: Range<Int>, count: Int) -> Bool {
    let end = lines.upperBound
    var start = lines.lowerBound
    var left = count
    var room = limit
    while left > room {
      // The fold, which `write` moves up to four octets back.
      var fold = start &+ room
      while fold < end, file[fold] != ASCII.carriageReturn, fold > start &+ room &- 4 { fold &-= 1 }
      let length = fold &- start
      guard fold &+ 3 &+ room &- length < end, isBreak(file, at: fold),
        file[fold &+ 2] == ASCII.space,
        endOfPart(file, from: start, room: room, fold: fold) == fold
      else { return false }
      left &-= length
      start = fold &+ 3
      room = limit &- 1
    }
    // Any other fold would be part of the length, which would then be too great.
    return start &+ left &+ 2 == end && isBreak(file, at: start &+ left)
  }

  private static func isBreak(_ file: Span<UInt8>, at index: Int) -> Bool {
    file[index] == ASCII.carriageReturn && file[index &+ 1] == ASCII.lineFeed
  }

  /// Where the physical line must end that begins at an index.
  ///
  /// - Parameters:
  ///   - line: The bytes, of which there are more than there is room for.
  ///   - start: Where the physical line begins.
  ///   - room: The most octets that it may have.
  ///   - fold: Where it is folded already, if it is: what follows lies three bytes farther on.
  /// - Returns: The index, not counting what lies in between.
  @inline(__always)
  private static func endOfPart(
    _ line: Span<UInt8>, from start: Int, room: Int, fold: Int = .max
  ) -> Int {
    var end = start &+ room
    // A sequence has at most three continuation bytes; more of them are no UTF-8 anyway.
    let last = end &- 3
    while end > last, line[end < fold ? end : end &+ 3] & 0xC0 == 0x80 { end &-= 1 }
    let before = end &- 1
    if line[before < fold ? before : before &+ 3] == ASCII.backslash,
      isEscaping(line, before, from: start, fold: fold)
    {
      end = before
    }
    return end
  }

  /// Whether a backslash escapes what comes after it and is not escaped itself.
  ///
  /// No physical line begins within an escape, so it suffices to look back to its start.
  private static func isEscaping(
    _ line: Span<UInt8>, _ index: Int, from start: Int, fold: Int
  ) -> Bool {
    var first = index
    while first > start, line[first <= fold ? first &- 1 : first &+ 2] == ASCII.backslash {
      first &-= 1
    }
    return (index &- first) & 1 == 0
  }

  @inline(__always)
  private static func endLine(_ output: inout OutputSpan<UInt8>) {
    output.append(ASCII.carriageReturn)
    output.append(ASCII.lineFeed)
  }
}
