// SPDX-License-Identifier: Apache-2.0

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
