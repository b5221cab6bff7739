// SPDX-License-Identifier: Apache-2.0

/// Well-formedness of UTF-8 (RFC 3629 §4), of 64 bytes at a time.
///
/// Text that is not English consists of little else, so that looking at one character after the other
/// would take longer than all else. Here the bytes of each kind are one word of bits: where bytes have
/// to follow is where the first bytes of characters are, shifted.
struct UTF8Block {
  /// The bytes outside of ASCII.
  let outside: UInt64
  /// Those that continue a character.
  private let following: UInt64
  /// Those that begin a character of two bytes or more, of three or more, and of four.
  private let first2: UInt64
  private let first3: UInt64
  private let first4: UInt64
  /// Those after which not every byte may follow that continues a character; most texts have none.
  private let special: UInt64

  /// Looks at 64 bytes.
  ///
  /// - Parameters:
  ///   - parts: The bytes.
  ///   - outside: Those of them outside of ASCII that are to be looked at.
  @inline(__always)
  init(_ parts: ByteVector.Four, outside: UInt64) {
    self.outside = outside
    following = ByteVector.below(-64, parts) & outside
    first2 = outside & ~following
    first3 = outside & ~ByteVector.below(-32, parts)
    first4 = outside & ~ByteVector.below(-16, parts)
    special = first4 | outside & ByteVector.restricting(parts)
  }

  /// Whether the characters are well-formed, as far as they lie in the 64 bytes.
  ///
  /// - Parameters:
  ///   - bytes: All bytes.
  ///   - index: Where the 64 begin.
  ///   - continuations: Which of them have to continue a character that began before them; then the
  ///     same of the next 64.
  /// - Returns: Whether they are, with those in them that continue one from before.
  @inline(__always)
  func isWellFormed(
    in bytes: Span<UInt8>, at index: Int, continuations: inout UInt64
  ) -> Bool {
    let expected = first2 << 1 | first3 << 2 | first4 << 3 | continuations
    continuations = first2 >> 63 | first3 >> 62 | first4 >> 61
    return expected == following && isWellFormed(special, in: bytes, at: index)
  }

  /// Whether characters with some first bytes are well-formed.
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

  /// Which of the 64 bytes from an index on, where a character begins, are neither printable ASCII nor
  /// belong to characters of two bytes or more, one bit for each; those of a last one that goes on after
  /// them are among them.
  ///
  /// - Returns: Nil if one of the characters is not well-formed.
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
  /// Whether the bytes of a range are well-formed UTF-8 without control characters other than tabs.
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
