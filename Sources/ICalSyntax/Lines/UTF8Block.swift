// SPDX-License-Identifier: Apache-2.0

/// Well-formedness of UTF-8 (RFC 3629 §4), of 64 bytes at a time.
///
/// Text that is not English consists of little else, so that looking at one character after the other
/// would take longer than all else. Here the bytes of each kind are one word of bits: where bytes have
/// to follow is where the first bytes of characters are, shifted.
enum UTF8Block {
  /// Which of the 64 bytes from an index on, where a character begins, belong to characters of two and
  /// more bytes, one bit for each; those of a last one that goes on after them are left out.
  ///
  /// - Returns: Nil if one of the characters is not well-formed.
  static func multibyte(in bytes: Span<UInt8>, at index: Int) -> UInt64? {
    let parts = bytes.vectors(at: index)
    let outside = ByteVector.highBits(parts)
    let following = ByteVector.below(-64, parts)
    let first2 = outside & ~following
    let first3 = outside & ~ByteVector.below(-32, parts)
    let first4 = outside & ~ByteVector.below(-16, parts)
    let cut = first2 & 1 << 63 | first3 & 3 << 62 | first4 & 7 << 61
    let whole = cut == 0 ? UInt64.max : (cut & ~(cut &- 1)) &- 1
    guard (first2 << 1 | first3 << 2 | first4 << 3) & whole == following & whole else { return nil }
    // After some first bytes not every byte may follow; that they are 0xC0 and 0xC1, after which none
    // may, is seen with the others. Most texts have none of them.
    var special = first4 | first2 & ~first3 & ByteVector.matches(0xC1, parts)
    if first3 != 0 { special |= first3 & ByteVector.restricting(parts) }
    special &= whole
    while special != 0 {
      let place = index &+ special.trailingZeroBitCount
      guard UTF8Check.sequenceLength(bytes, at: place) > 0 else { return nil }
      special &= special &- 1
    }
    return outside & whole
  }
}
