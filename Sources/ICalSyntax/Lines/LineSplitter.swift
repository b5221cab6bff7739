// SPDX-License-Identifier: Apache-2.0

/// Finds the name and the value of a content line that is as the grammar wants it (RFC 5545 §3.1).
///
/// Nearly every line is. It gives up on any other, which `ContentLineParser` then looks at closely.
struct LineSplitter {
  private let names: NameTable
  /// How many parameters the lines have had.
  var parameterCount = 0

  init(names: NameTable) {
    self.names = names
  }

  /// Notes in the record where its name and value are.
  ///
  /// - Parameters:
  ///   - line: The record of a line without control characters.
  ///   - bytes: The bytes that its text lies in; those after it are looked at, but do not count.
  /// - Returns: Whether the line is regular.
  @inline(__always)
  mutating func split(_ line: inout LineRecord, in bytes: Span<UInt8>) -> Bool {
    let start = Int(line.textStart)
    let end = start &+ Int(line.textCount)
    guard let nameEnd = separator(in: bytes, from: start, to: end), nameEnd > start else {
      return false
    }
    let length = nameEnd &- start
    if length <= NameKey.limit,
      let index = names.index(of: NameKey(bytes, at: start, count: length))
    {
      let isCanonical = bytes.isUpperCase(from: start, to: nameEnd)
      line.setName(length: length, index: index, isCanonical: isCanonical)
    } else {
      guard length < Int(UInt16.max), isName(bytes, start, nameEnd) else { return false }
      line.setUnknownName(length: length)
    }
    var colon = nameEnd
    if bytes[nameEnd] == ASCII.semicolon {
      colon = endOfParameters(of: &line, in: bytes, from: nameEnd, to: end)
      guard colon < end else { return false }
    }
    line.valueStart = UInt32(truncatingIfNeeded: colon &- start &+ 1)
    return true
  }

  /// The index of the colon or semicolon that ends the name.
  @inline(__always)
  private func separator(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int? {
    var index = start
    while index < end {
      let found = ByteWord.separators(bytes.word(at: index))
      guard found == 0 else {
        index &+= found.trailingZeroBitCount >> 3
        return index < end ? index : nil
      }
      index &+= 8
    }
    return nil
  }

  private func isName(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    for index in start..<end where !bytes[index].isNameByte { return false }
    return true
  }

  /// The index of the colon after the parameters, or `end` if these are not as they should be.
  private mutating func endOfParameters(
    of line: inout LineRecord, in bytes: Span<UInt8>, from semicolon: Int, to end: Int
  ) -> Int {
    var index = semicolon
    while index < end, bytes[index] == ASCII.semicolon {
      parameterCount &+= 1
      let nameStart = index &+ 1
      index = endOfName(in: bytes, from: nameStart, to: end)
      guard index > nameStart, index < end, bytes[index] == ASCII.equals else { return end }
      let word = ByteWord.prefix(bytes.word(at: nameStart), index &- nameStart)
      if word & ByteWord.upperCase == Self.valueName { line.noteValueParameter() }
      repeat {
        index = endOfValue(in: bytes, from: index &+ 1, to: end)
      } while index < end && bytes[index] == ASCII.comma
    }
    return index < end && bytes[index] == ASCII.colon ? index : end
  }

  /// `VALUE` as a word without case.
  private static let valueName: UInt64 = 0x45_55_4C_41_56

  @inline(__always)
  private func endOfName(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while index < end, bytes[index].isNameByte { index &+= 1 }
    return index
  }

  /// The index of the comma, semicolon or colon after a parameter value, or `end`.
  @inline(__always)
  private func endOfValue(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    guard start < end, bytes[start] == ASCII.quote else {
      var index = start
      while index < end {
        let word = bytes.word(at: index)
        let stops =
          ByteWord.separators(word) | ByteWord.matches(word, ASCII.comma)
          | ByteWord.matches(word, ASCII.quote)
        guard stops == 0 else {
          index &+= stops.trailingZeroBitCount >> 3
          return index < end && bytes[index] != ASCII.quote ? index : end
        }
        index &+= 8
      }
      return end
    }
    guard let quote = bytes.firstIndex(of: ASCII.quote, from: start &+ 1) else { return end }
    return min(quote &+ 1, end)
  }
}

extension Span<UInt8> {
  /// Whether a range of ASCII has no small letters.
  @inline(__always)
  func isUpperCase(from start: Int, to end: Int) -> Bool {
    // A small letter has the bits 0x40 and 0x20.
    var index = start
    while index < end {
      let part = ByteWord.prefix(word(at: index), end &- index)
      guard part & 0x4040_4040_4040_4040 & (part & 0x2020_2020_2020_2020) << 1 == 0 else {
        return false
      }
      index &+= 8
    }
    return true
  }
}
