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
  ///   - end: Where it ends, or the part of it that is looked at.
  ///   - maySplitParameters: Whether to look further if there are parameters.
  /// - Returns: The parts, or nil if the line is not regular.
  @inline(__always)
  func split(
    in bytes: Span<UInt8>, from start: Int, to end: Int, maySplitParameters: Bool = true
  ) -> LineParts? {
    var parts: LineParts
    var nameEnd: Int
    if let key = NameKey(upToSeparatorIn: bytes, at: start, to: end), key.count > 0,
      let name = names.find(key)
    {
      nameEnd = start &+ key.count
      parts = LineParts(nameLength: key.count, index: name.index, isCanonical: name.isCanonical)
    } else {
      nameEnd = endOfName(in: bytes, from: start, to: end)
      guard nameEnd > start, nameEnd < end, nameEnd &- start < Int(UInt16.max) else { return nil }
      parts = LineParts(nameLength: nameEnd &- start)
    }
    if bytes[nameEnd] == ASCII.semicolon {
      guard maySplitParameters else { return nil }
      nameEnd = endOfParameters(in: bytes, from: nameEnd, to: end, &parts)
      guard nameEnd < end else { return nil }
    }
    guard bytes[nameEnd] == ASCII.colon else { return nil }
    parts.valueStart = UInt32(truncatingIfNeeded: nameEnd &- start &+ 1)
    return parts
  }

  /// The index of the first byte that may not stand in a name.
  @inline(never)
  private func endOfName(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while index &+ 8 <= end {
      let word = bytes.word(at: index)
      guard word & ByteWord.highBits == 0, ByteWord.isName(word) else { break }
      index &+= 8
    }
    while index < end, bytes[index].isNameByte { index &+= 1 }
    return index
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
      let word = bytes.word(at: nameStart)
      let equals = ByteWord.matches(word, ASCII.equals)
      let name = ByteWord.upTo(equals, word)
      // A hyphen may stand in a name, and so takes the place of what comes after a short one.
      if equals != 0, word & ByteWord.highBits == 0,
        ByteWord.isName(name | 0x2D2D_2D2D_2D2D_2D2D & ~((equals ^ (equals &- 1)) >> 8))
      {
        index = nameStart &+ equals.trailingZeroBitCount >> 3
        if name & ByteWord.upperCase == Self.valueName { parts.noteValueParameter() }
      } else {
        index = endOfName(in: bytes, from: nameStart, to: end)
      }
      guard index > nameStart, index < end, bytes[index] == ASCII.equals else { return end }
      repeat {
        index = endOfValue(in: bytes, from: index &+ 1, to: end)
        if index < end, bytes.isEscapedComma(at: index) { return end }
      } while index < end && bytes[index] == ASCII.comma
    }
    return index
  }

  /// `VALUE` as a word without case.
  private static let valueName: UInt64 = 0x45_55_4C_41_56

  /// The index of the comma, semicolon or colon after a parameter value, or `end`.
  @inline(__always)
  private func endOfValue(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    guard start < end, bytes[start] == ASCII.quote else {
      let index = bytes.firstParameterStop(from: start, to: end)
      return index < end && bytes[index] != ASCII.quote ? index : end
    }
    guard let quote = bytes.firstIndex(of: ASCII.quote, from: start &+ 1) else { return end }
    return min(quote &+ 1, end)
  }
}
