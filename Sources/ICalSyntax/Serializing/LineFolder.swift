// SPDX-License-Identifier: Apache-2.0

/// Folds content lines at 75 octets (RFC 5545 §3.1).
///
/// A fold is never inside a UTF-8 sequence, nor between a backslash and the character that it
/// escapes, so that each physical line is readable on its own.
enum LineFolder {
  /// The maximum number of octets in a physical line, without its line break.
  static let limit = 75
  /// The minimum number of octets in a physical line before a fold, without its leading space.
  private static let shortest = limit - 5

  /// Appends an unfolded line with folds and a line break.
  @inline(__always)
  static func write(_ line: Span<UInt8>, to bytes: inout [UInt8]) {
    write(line, from: 0, to: line.count, to: &bytes)
  }

  /// Appends the unfolded line in a range, with folds and a line break.
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

  /// Folds the line that was appended from an index on, and adds a line break.
  static func finishLine(from start: Int, in bytes: inout [UInt8]) {
    guard bytes.count - start > limit else {
      bytes += [ASCII.carriageReturn, ASCII.lineFeed]
      return
    }
    let line = Array(bytes[start...])
    bytes.removeLast(line.count)
    write(line.span, to: &bytes)
  }

  /// Whether the physical lines of a file are folded exactly as `write` folds them.
  ///
  /// - Parameters:
  ///   - file: The bytes of the file.
  ///   - lines: The range of the physical lines, with their line breaks.
  ///   - count: The length of the unfolded line.
  /// - Returns: Whether the folds and the line break are the same.
  static func isFolded(_ file: Span<UInt8>, _ lines: Range<Int>, count: Int) -> Bool {
    let end = lines.upperBound
    var start = lines.lowerBound
    var left = count
    var room = limit
    while left > room {
      // The fold, which `write` may place up to four octets earlier.
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
    // Additional folds would be counted in the length, which would then be too large.
    return start &+ left &+ 2 == end && isBreak(file, at: start &+ left)
  }

  private static func isBreak(_ file: Span<UInt8>, at index: Int) -> Bool {
    file[index] == ASCII.carriageReturn && file[index &+ 1] == ASCII.lineFeed
  }

  /// The end of the physical line that starts at an index.
  ///
  /// - Parameters:
  ///   - line: The bytes, which exceed `room`.
  ///   - start: The start of the physical line.
  ///   - room: The maximum number of octets in it.
  ///   - fold: The position of an existing fold, after which all indices are shifted by three
  ///     bytes.
  /// - Returns: The index, not counting the fold.
  @inline(__always)
  private static func endOfPart(
    _ line: Span<UInt8>, from start: Int, room: Int, fold: Int = .max
  ) -> Int {
    var end = start &+ room
    // A sequence has at most three continuation bytes; more of them are not valid UTF-8.
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

  /// Whether a backslash escapes the next character and is not escaped itself.
  ///
  /// No physical line starts inside an escape, so it is enough to look back to its start.
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

/// The BEGIN and END lines of all known components in one array.
///
/// ```
/// BEGIN:VCALENDAR␍␊END:VCALENDAR␍␊BEGIN:VEVENT␍␊END:VEVENT␍␊…
/// ```
///
/// Every component of a file has two such lines, so they are copied instead of assembled.
struct ComponentLines: Sendable {
  private struct Place: BitwiseCopyable {
    let begin: Int
    let end: Int
    let limit: Int
    let key: ComponentSortKey
  }

  /// The lines of all names, in the order of `ComponentVocabulary`.
  static let all = ComponentLines()

  private let text: [UInt8]
  private let places: [Place]

  private init() {
    var text: [UInt8] = []
    places = ComponentVocabulary.table.names.indices.map { index in
      let name = ComponentName(index: index)
      let begin = text.count
      LineFolder.write("BEGIN:\(name)".utf8.span, to: &text)
      let end = text.count
      LineFolder.write("END:\(name)".utf8.span, to: &text)
      return Place(begin: begin, end: end, limit: text.count, key: ComponentSortKey(name))
    }
    self.text = text
  }

  /// The sort key of a name.
  @inline(__always)
  func key(_ index: Int) -> ComponentSortKey { places[index].key }

  /// Appends the BEGIN line of the name with an index.
  func writeBegin(_ index: Int, to bytes: inout [UInt8]) {
    bytes.append(copying: text.span, from: places[index].begin, to: places[index].end)
  }

  /// Appends the END line of the name with an index.
  func writeEnd(_ index: Int, to bytes: inout [UInt8]) {
    bytes.append(copying: text.span, from: places[index].end, to: places[index].limit)
  }

  /// Appends the BEGIN line of any name.
  func writeBegin(_ name: ComponentName, to bytes: inout [UInt8]) {
    if let index = name.index { return writeBegin(index, to: &bytes) }
    LineFolder.write("BEGIN:\(name.canonicalName)".utf8.span, to: &bytes)
  }

  /// Appends the END line of any name.
  func writeEnd(_ name: ComponentName, to bytes: inout [UInt8]) {
    if let index = name.index { return writeEnd(index, to: &bytes) }
    LineFolder.write("END:\(name.canonicalName)".utf8.span, to: &bytes)
  }
}
