// SPDX-License-Identifier: Apache-2.0

/// Finds the name and the value of a content line that is as the grammar wants it (RFC 5545 §3.1).
///
/// Nearly every line is. It gives up on any other, which `ContentLineParser` then looks at closely.
struct LineSplitter {
  let names: NameTable

  /// Finds where the name and the value are.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that the line lies in; those after it are looked at, but do not count.
  ///   - start: Where the line starts; it has no control characters.
  ///   - end: Where it ends.
  /// - Returns: The parts, or nil if the line is not regular.
  @inline(__always)
  func split(in bytes: Span<UInt8>, from start: Int, to end: Int) -> LineParts? {
    let head = bytes.vector(at: start)
    let separators = ByteVector.separators(head)
    let count = separators.trailingZeroBitCount
    var parts: LineParts
    if separators != 0, let name = names.find(NameKey(head, count: count)) {
      parts = LineParts(nameLength: count, index: name.index, isCanonical: name.isCanonical)
    } else {
      parts = otherName(in: bytes, from: start, to: end)
    }
    var index = start &+ Int(parts.nameLength)
    guard index > start, index < end else { return nil }
    if bytes[index] == ASCII.semicolon {
      index = endOfParameters(in: bytes, from: index, to: end, &parts)
      guard index < end else { return nil }
    }
    guard bytes[index] == ASCII.colon else { return nil }
    parts.valueStart = UInt32(truncatingIfNeeded: index &- start &+ 1)
    return parts
  }

  /// The parts of a line whose name is long, or one that no table knows; without a name if there is
  /// none, or one that is too long.
  @inline(never)
  private func otherName(in bytes: Span<UInt8>, from start: Int, to end: Int) -> LineParts {
    let count = endOfName(in: bytes, from: start, to: end) &- start
    if 16...NameKey.limit ~= count, let name = names.find(NameKey(bytes, at: start, count: count)) {
      return LineParts(nameLength: count, index: name.index, isCanonical: name.isCanonical)
    }
    return LineParts(nameLength: count < Int(UInt16.max) ? count : 0)
  }

  /// The index of the first byte that may not stand in a name.
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

  /// The index of the colon after the parameters, or `end` if these are not as they should be.
  @inline(never)
  private func endOfParameters(
    in bytes: Span<UInt8>, from semicolon: Int, to end: Int, _ parts: inout LineParts
  ) -> Int {
    var index = semicolon
    while index < end, bytes[index] == ASCII.semicolon {
      parts.parameterCount &+= 1
      let nameStart = index &+ 1
      let head = bytes.vector(at: nameStart)
      let others = ByteVector.nonNames(head)
      index = nameStart &+ others.trailingZeroBitCount
      if others == 0 { index = endOfName(in: bytes, from: nameStart &+ 16, to: end) }
      guard index > nameStart, index < end, bytes[index] == ASCII.equals else { return end }
      if index &- nameStart == 5, head.words.0 & Self.valueMask == Self.valueName {
        parts.noteValueParameter()
      }
      repeat {
        index = endOfValue(in: bytes, from: index &+ 1, to: end)
        if index < end, bytes.isEscapedComma(at: index) { return end }
      } while index < end && bytes[index] == ASCII.comma
    }
    return index
  }

  /// `VALUE` as a word without case.
  private static let valueName: UInt64 = 0x45_55_4C_41_56
  private static let valueMask: UInt64 = 0xDF_DF_DF_DF_DF

  /// The index of the comma, semicolon or colon after a parameter value, or `end`.
  @inline(__always)
  private func endOfValue(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end {
      let stops = ByteVector.parameterStops(bytes.vector(at: index))
      guard stops == 0 else {
        index &+= stops.trailingZeroBitCount
        guard index < end else { return end }
        guard bytes[index] == ASCII.quote else { return index }
        guard index == start, let quote = bytes.firstIndex(of: ASCII.quote, from: start &+ 1)
        else { return end }
        return min(quote &+ 1, end)
      }
      index &+= 16
    }
    return end
  }
}
