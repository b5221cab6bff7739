// SPDX-License-Identifier: Apache-2.0

/// The letters of a name of at most 24 bytes as three numbers.
///
/// Comparing two keys is comparing two names, with or without regard to case, as long as neither has
/// control characters: without their case, these fall together with digits and the hyphen.
struct NameKey: Equatable, Sendable {
  /// The most bytes of a name that has a key.
  static let limit = 24

  /// The first eight bytes, and the next eight, each moved up as far as it goes: so one shift is enough to
  /// let go of what comes after the name.
  private let first: UInt64
  private let second: UInt64
  /// The last eight bytes, and in the highest one of them the number of all bytes.
  ///
  /// It tells two names apart of which one has a space at its end, which is lost with the case. A last
  /// letter cannot undo it, as the number is less than that of any letter.
  private let third: UInt64

  /// The key of no name.
  init() {
    (first, second, third) = (0, 0, 0)
  }

  /// The key of the name that lies in a range of bytes, at most `limit` long.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at start: Int, count: Int) {
    first = Self.part(bytes.word(at: start), min(count, 8))
    second = count > 8 ? Self.part(bytes.word(at: start &+ 8), min(count, 16) &- 8) : 0
    let last = count > 16 ? ByteWord.prefix(bytes.word(at: start &+ 16), count &- 16) : 0
    third = last ^ UInt64(truncatingIfNeeded: count) << 56
  }

  /// The first `count` bytes of a word, from 1 through 8, moved up; of none, all of them.
  @inline(__always)
  private static func part(_ word: UInt64, _ count: Int) -> UInt64 {
    word &<< UInt64(truncatingIfNeeded: (8 &- count) &* 8)
  }

  /// A number that spreads names well and does not depend on case; the caller takes as many of its low
  /// bits as it needs.
  @inline(__always)
  var hash: Int {
    let case0 = ByteWord.upperCase
    var hash = first & case0
    hash ^= (second & case0) &* 0x9E37_79B9_7F4A_7C15
    hash = hash &* 0xFF51_AFD7_ED55_8CCD
    return Int(truncatingIfNeeded: hash >> 32)
  }

  /// Whether the names are the same but for the case of their letters.
  @inline(__always)
  func isEqualIgnoringCase(to other: NameKey) -> Bool {
    let differences = (first ^ other.first) | (second ^ other.second) | (third ^ other.third)
    return differences & ByteWord.upperCase == 0
  }
}
