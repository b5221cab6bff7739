// SPDX-License-Identifier: Apache-2.0

/// A fast path that splits well-formed content lines (RFC 5545 §3.1).
///
/// Nearly all lines are well-formed. For other lines it returns nil, and `ContentLineParser`
/// examines them.
struct LineSplitter {
  let names: NameTable

  /// Finds the name and the value of a line.
  ///
  /// - Parameters:
  ///   - head: The first 16 bytes of the line, with zeros after the end of the bytes.
  ///   - bytes: The bytes that contain the line; later bytes are read but have no effect.
  ///   - start: The start of the line, which has no control characters.
  ///   - end: The end of the line.
  /// - Returns: The parts, or nil if the line is not well-formed.
  @inline(__always)
  func split(
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

  /// Finds the name and the value of a line.
  @inline(__always)
  func split(in bytes: Span<UInt8>, from start: Int, to end: Int) -> LineParts? {
    split(bytes.vector(at: start), in: bytes, from: start, to: end)
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
