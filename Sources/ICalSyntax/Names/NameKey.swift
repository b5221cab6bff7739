// SPDX-License-Identifier: Apache-2.0

/// The bytes of a name of at most 24 bytes as three integers.
///
/// Comparing two keys compares two names, with or without case. The names must not contain control
/// characters: without case, these are equal to digits and the hyphen.
struct NameKey: Equatable, Sendable {
  /// The maximum number of bytes in a name that has a key.
  static let limit = 24

  /// The first eight bytes, and the next eight, each shifted to the high end.
  ///
  /// With this alignment a single shift removes the bytes after the name.
  private let first: UInt64
  private let second: UInt64
  /// The last eight bytes, with the length of the name in the highest byte.
  ///
  /// The length distinguishes names that differ by a trailing space, which a comparison without
  /// case ignores. The last byte of a 24-byte name cannot cancel the length, because the length is
  /// less than any letter.
  private let third: UInt64

  /// Creates the key of the empty name.
  init() {
    (first, second, third) = (0, 0, 0)
  }

  /// Creates the key of a name of at most `limit` bytes in a range.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at start: Int, count: Int) {
    first = Self.part(bytes.word(at: start), min(count, 8))
    second = count > 8 ? Self.part(bytes.word(at: start &+ 8), min(count, 16) &- 8) : 0
    let last = count > 16 ? ByteWord.prefix(bytes.word(at: start &+ 16), count &- 16) : 0
    third = last ^ UInt64(truncatingIfNeeded: count) << 56
  }

  /// The first `count` bytes of a word, shifted to the high end; for a `count` of 0, all bytes.
  @inline(__always)
  private static func part(_ word: UInt64, _ count: Int) -> UInt64 {
    word &<< UInt64(truncatingIfNeeded: (8 &- count) &* 8)
  }

  /// A case-independent hash; the caller uses as many of its low bits as it needs.
  @inline(__always)
  var hash: Int {
    let case0 = ByteWord.upperCase
    var hash = first & case0
    hash ^= (second & case0) &* 0x9E37_79B9_7F4A_7C15
    hash = hash &* 0xFF51_AFD7_ED55_8CCD
    return Int(truncatingIfNeeded: hash >> 32)
  }

  /// Whether two names are equal, ignoring the case of letters.
  @inline(__always)
  func isEqualIgnoringCase(to other: NameKey) -> Bool {
    let differences = (first ^ other.first) | (second ^ other.second) | (third ^ other.third)
    return differences & ByteWord.upperCase == 0
  }
}
