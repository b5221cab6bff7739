// SPDX-License-Identifier: Apache-2.0

/// The fast path: finds well-formed content lines and splits them (RFC 5545 §3.1).
///
/// Nearly all lines are well-formed. For other lines, and at the end of the bytes, it returns nil,
/// and the grammar reads the line: `LineScanner` finds it, and `ContentLineParser` splits it and
/// reports its problems. What the fast path accepts, the grammar reads alike (see <doc:FastPath>).
///
/// It checks 64 bytes at a time for the first one that is not printable ASCII. Most lines end in
/// the first 64 bytes, so that byte is the line break. A folded line is unfolded first, and its
/// characters are checked in the arena, where they are contiguous.
struct LineFinder {
  /// The known names of properties.
  let names: NameTable
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
    guard let parts = split(block.0, in: bytes, from: start, to: lineBreak) else {
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
      let parts = split(
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

/// The parts of a line that has an end: its name, its parameters and its value.
extension LineFinder {
  /// Finds the name and the value of a line.
  ///
  /// - Parameters:
  ///   - head: The first 16 bytes of the line, with zeros after the end of the bytes.
  ///   - bytes: The bytes that contain the line; later bytes are read but have no effect.
  ///   - start: The start of the line, which has no control characters.
  ///   - end: The end of the line.
  /// - Returns: The parts, or nil if the line is not well-formed.
  @inline(__always)
  private func split(
    _ head: SIMD16<UInt8>, in bytes: Span<UInt8>, from start: Int, to end: Int
  ) -> LineParts? {
    // Without a separator the count exceeds any short name, so the lookup fails.
    let count = ByteVector.separators(head).trailingZeroBitCount
    let name = names.shortIndex(of: head, count: count)
    var parts =
      name >= 0
      ? LineParts(nameLength: count, index: name, isCanonical: true)
      : otherName(in: bytes, from: start, to: end)
    var index = start &+ Int(parts.nameLength)
    guard index > start, index < end else { return nil }
    if bytes[index] != ASCII.colon {
      guard bytes[index] == ASCII.semicolon else { return nil }
      let parameters = parameters(in: bytes, from: index, to: end)
      index = parameters.end
      guard index < end, bytes[index] == ASCII.colon, !Self.mayContinue(bytes.word(at: index))
      else {
        return nil
      }
      parts.note(parameterCount: parameters.count, hasValue: parameters.hasValue)
    }
    parts.valueStart = UInt32(truncatingIfNeeded: index &- start &+ 1)
    return parts
  }

  /// The parts of a line whose name is long, not in upper case, or unknown.
  ///
  /// The name is empty if it is missing or too long.
  @inline(never)
  private func otherName(in bytes: Span<UInt8>, from start: Int, to end: Int) -> LineParts {
    let count = endOfName(in: bytes, from: start, to: end) &- start
    if 1...NameKey.limit ~= count, let name = names.find(NameKey(bytes, at: start, count: count)) {
      return LineParts(nameLength: count, index: name.index, isCanonical: name.isCanonical)
    }
    return LineParts(nameLength: count < Int(UInt16.max) ? count : 0)
  }

  /// The index of the first byte that is invalid in a name.
  @inline(__always)
  private func endOfName(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end {
      let others = ByteVector.nonNames(bytes.vector(at: index))
      if others != 0 { return min(end, index &+ others.trailingZeroBitCount) }
      index &+= 16
    }
    return end
  }

  /// The properties of a line's parameters.
  private struct Parameters {
    /// The index of the colon after them, or the end of the line if they are malformed.
    let end: Int
    var count = 0
    /// Whether one of them is VALUE.
    var hasValue = false
  }

  /// Scans the parameters, which start at a semicolon.
  @inline(never)
  private func parameters(
    in bytes: Span<UInt8>, from semicolon: Int, to end: Int
  ) -> Parameters {
    var stops = ParameterStops(in: bytes, from: semicolon &+ 1)
    var stop = semicolon
    var count = 0
    var hasValue = false
    repeat {
      count &+= 1
      let nameStart = stop &+ 1
      let head = bytes.vector(at: nameStart)
      var equals = nameStart &+ ByteVector.nonCapitals(head).trailingZeroBitCount
      if equals >= end || bytes[equals] != ASCII.equals {
        equals = endOfName(in: bytes, from: nameStart, to: end)
        guard equals < end, bytes[equals] == ASCII.equals else { return Parameters(end: end) }
      }
      guard equals > nameStart else { return Parameters(end: end) }
      if equals &- nameStart == 5, head.words.0 & Self.valueMask == Self.valueName {
        hasValue = true
      }
      guard let next = endOfValues(in: bytes, from: equals &+ 1, to: end, &stops) else {
        return Parameters(end: end)
      }
      stop = next
    } while bytes[stop] == ASCII.semicolon
    return Parameters(end: stop, count: count, hasValue: hasValue)
  }

  /// The index of the semicolon or colon after a parameter's values, or nil if malformed.
  @inline(__always)
  private func endOfValues(
    in bytes: Span<UInt8>, from start: Int, to end: Int, _ stops: inout ParameterStops
  ) -> Int? {
    var start = start
    while true {
      var stop = stops.next(in: bytes, upTo: end)
      guard stop < end else { return nil }
      if bytes[stop] == ASCII.quote {
        guard stop == start else { return nil }
        repeat {
          stop = stops.next(in: bytes, upTo: end)
          guard stop < end else { return nil }
        } while bytes[stop] != ASCII.quote
        let quote = stop
        stop = stops.next(in: bytes, upTo: end)
        guard stop == quote &+ 1, stop < end, bytes[stop] != ASCII.quote else { return nil }
      }
      guard bytes[stop] == ASCII.comma else { return stop }
      guard bytes[stop &- 1] != ASCII.backslash else { return nil }
      start = stop &+ 1
    }
  }

  /// Whether the colon of a word, its first byte, may be one within `(UTC+01:00)` or `tzone://`.
  @inline(__always)
  private static func mayContinue(_ word: UInt64) -> Bool {
    word & 0xFF00_0000 == 0x2900_0000 || word & 0xFF_FF00 == 0x2F_2F00
  }

  /// `VALUE` as a word without case.
  private static let valueName: UInt64 = 0x45_55_4C_41_56
  private static let valueMask: UInt64 = 0xDF_DF_DF_DF_DF
}

/// An iterator over the bytes that delimit parameter values (RFC 5545 §3.1).
///
/// These are colons, semicolons, commas and quotes. It searches 64 bytes at a time, because a
/// separate search from each match would have to wait for the result of the previous one.
struct ParameterStops {
  /// The start of the 64 bytes.
  private var base: Int
  /// The remaining matches among the 64 bytes, one bit for each.
  private var marks: UInt64

  /// Creates an iterator that starts at an index.
  @inline(__always)
  init(in bytes: Span<UInt8>, from start: Int) {
    base = start
    marks = ByteVector.parameterStops(bytes.vectors(at: start))
  }

  /// Returns the index of the next match, or an index of at least `end`.
  @inline(__always)
  mutating func next(in bytes: Span<UInt8>, upTo end: Int) -> Int {
    while marks == 0 {
      base &+= 64
      guard base < end else { return end }
      marks = ByteVector.parameterStops(bytes.vectors(at: base))
    }
    let place = base &+ marks.trailingZeroBitCount
    marks &= marks &- 1
    return place
  }
}
