// SPDX-License-Identifier: Apache-2.0

/// Validates UTF-8 (RFC 3629 §4) in the bytes of an unfolded line.
package enum UTF8Check {
  /// The length of the valid sequence that starts at an index, or 0 if it is invalid.
  package static func sequenceLength(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let lead = bytes[index]
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch lead {
    case 0..<0x80: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { low = 0xA0 }
      if lead == 0xED { high = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { low = 0x90 }
      if lead == 0xF4 { high = 0x8F }
    default: return 0
    }
    guard index + length <= bytes.count, bytes[index + 1] >= low, bytes[index + 1] <= high else {
      return 0
    }
    for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// The offset of the first byte that is not part of a valid sequence, or nil if all are valid.
  package static func firstInvalidOffset(_ bytes: Span<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      let multibyte = bytes.word(at: index) & ByteWord.highBits
      index += multibyte == 0 ? 8 : multibyte.trailingZeroBitCount >> 3
      guard multibyte != 0 else { continue }
      let length = multibyteLength(bytes, at: index)
      guard length > 0 else { return index }
      index += length
    }
    return nil
  }

  /// The length of a multibyte sequence, with a fast path for two and three bytes.
  @inline(__always)
  private static func multibyteLength(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let word = bytes.word(at: index)
    let lead = UInt8(truncatingIfNeeded: word)
    if 0xC2...0xDF ~= lead, word & 0xC000 == 0x8000 { return 2 }
    if 0xE1...0xEC ~= lead, word & 0xC0_C000 == 0x80_8000 { return 3 }
    return sequenceLength(bytes, at: index)
  }
}

/// Validates UTF-8 (RFC 3629 §4) 64 bytes at a time.
///
/// Text in most languages other than English consists of multibyte characters, and validating them
/// one by one would take longer than all other work. Here a bit mask represents each class of
/// bytes. The expected continuation bytes are the masks of the lead bytes, shifted.
struct UTF8Block {
  /// The bytes outside of ASCII.
  let outside: UInt64
  /// The continuation bytes.
  private let following: UInt64
  /// The lead bytes of characters of at least two, at least three, and four bytes.
  private let first2: UInt64
  private let first3: UInt64
  private let first4: UInt64
  /// The lead bytes that restrict the continuation byte after them; most texts have none.
  private let special: UInt64

  /// Classifies 64 bytes.
  ///
  /// - Parameters:
  ///   - parts: The bytes.
  ///   - outside: The bytes outside of ASCII that are to be checked.
  @inline(__always)
  init(_ parts: ByteVector.Four, outside: UInt64) {
    self.outside = outside
    following = ByteVector.below(-64, parts) & outside
    first2 = outside & ~following
    first3 = outside & ~ByteVector.below(-32, parts)
    first4 = outside & ~ByteVector.below(-16, parts)
    special = first4 | outside & ByteVector.restricting(parts)
  }

  /// Whether the parts of characters in the 64 bytes are well-formed.
  ///
  /// - Parameters:
  ///   - bytes: All bytes.
  ///   - index: The start of the 64 bytes.
  ///   - continuations: The expected continuation bytes of a character that began earlier; updated
  ///     for the next 64 bytes.
  /// - Returns: Whether the 64 bytes are well-formed, including continuations of earlier
  ///   characters.
  @inline(__always)
  func isWellFormed(
    in bytes: Span<UInt8>, at index: Int, continuations: inout UInt64
  ) -> Bool {
    let expected = first2 << 1 | first3 << 2 | first4 << 3 | continuations
    continuations = first2 >> 63 | first3 >> 62 | first4 >> 61
    return expected == following && isWellFormed(special, in: bytes, at: index)
  }

  /// Whether the characters with the given lead bytes are well-formed.
  @inline(__always)
  private func isWellFormed(_ first: UInt64, in bytes: Span<UInt8>, at index: Int) -> Bool {
    var rest = first
    while rest != 0 {
      let place = index &+ rest.trailingZeroBitCount
      guard UTF8Check.sequenceLength(bytes, at: place) > 0 else { return false }
      rest &= rest &- 1
    }
    return true
  }

  /// The bytes in 64 that are neither printable ASCII nor part of complete multibyte characters.
  ///
  /// The first byte must start a character. The bytes of a last character that is cut off are
  /// included.
  ///
  /// - Returns: A bit mask, or nil if one of the characters is malformed.
  static func others(in bytes: Span<UInt8>, at index: Int) -> UInt64? {
    let parts = bytes.vectors(at: index)
    let block = UTF8Block(parts, outside: ByteVector.highBits(parts))
    let cut = block.first2 & 1 << 63 | block.first3 & 3 << 62 | block.first4 & 7 << 61
    let whole = cut == 0 ? UInt64.max : (cut & ~(cut &- 1)) &- 1
    let expected = block.first2 << 1 | block.first3 << 2 | block.first4 << 3
    guard expected & whole == block.following & whole,
      block.isWellFormed(block.special & whole, in: bytes, at: index)
    else { return nil }
    return ByteVector.unprintable(parts) & ~(block.outside & whole)
  }
}

extension Span<UInt8> {
  /// Whether the bytes of a range are valid UTF-8 without control characters except tabs.
  func isPlain(from start: Int, to end: Int) -> Bool {
    var index = start
    var continuations: UInt64 = 0
    while index < end {
      let parts = vectors(at: index)
      let left = end &- index
      let range = left < 64 ? 1 &<< UInt64(truncatingIfNeeded: left) &- 1 : UInt64.max
      let others = ByteVector.unprintable(parts) & range
      if others | continuations != 0 {
        let block = UTF8Block(parts, outside: ByteVector.highBits(parts) & range)
        guard block.isWellFormed(in: self, at: index, continuations: &continuations),
          others == block.outside
            || others & ~block.outside & ~ByteVector.matches(parts, ASCII.tab) == 0
        else { return false }
      }
      index &+= 64
    }
    return continuations == 0
  }
}
