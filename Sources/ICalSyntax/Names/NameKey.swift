// SPDX-License-Identifier: Apache-2.0

/// The letters of a name of at most 24 bytes as three numbers.
///
/// Comparing two keys is comparing two names, with or without regard to case, as long as neither has
/// control characters: without their case, these fall together with digits and the hyphen.
struct NameKey: Equatable, Sendable {
  /// The most bytes of a name that has a key.
  static let limit = 24

  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  /// The number of bytes, because a space at the end is lost with the case.
  let count: Int

  /// The key of the name that lies in a range of bytes, at most `limit` long.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at start: Int, count: Int) {
    self.count = count
    first = ByteWord.prefix(bytes.word(at: start), count)
    second = count > 8 ? ByteWord.prefix(bytes.word(at: start &+ 8), count &- 8) : 0
    third = count > 16 ? ByteWord.prefix(bytes.word(at: start &+ 16), count &- 16) : 0
  }

  /// The key of the name that starts at an index and ends before the first colon or semicolon.
  ///
  /// - Returns: Nil if neither comes among the bytes that a key can have, or before `end`.
  @inline(__always)
  init?(upToSeparatorIn bytes: Span<UInt8>, at start: Int, to end: Int) {
    var part = bytes.word(at: start)
    var found = ByteWord.separators(part)
    if found != 0 {
      first = ByteWord.upTo(found, part)
      (second, third) = (0, 0)
      count = found.trailingZeroBitCount >> 3
    } else {
      first = part
      part = bytes.word(at: start &+ 8)
      found = ByteWord.separators(part)
      if found != 0 {
        second = ByteWord.upTo(found, part)
        third = 0
        count = 8 &+ found.trailingZeroBitCount >> 3
      } else {
        second = part
        part = bytes.word(at: start &+ 16)
        found = ByteWord.separators(part)
        guard found != 0 else { return nil }
        third = ByteWord.upTo(found, part)
        count = 16 &+ found.trailingZeroBitCount >> 3
      }
    }
    guard start &+ count < end else { return nil }
  }

  /// A number that spreads names well and does not depend on case; the caller takes as many of its low
  /// bits as it needs.
  @inline(__always)
  var hash: Int {
    let case0 = ByteWord.upperCase
    var hash = first & case0
    hash ^= (second & case0) &* 0x9E37_79B9_7F4A_7C15 ^ (third & case0) << 7
    hash = hash &* 0xFF51_AFD7_ED55_8CCD
    return Int(truncatingIfNeeded: hash >> 32)
  }

  /// Whether the names are the same but for the case of their letters.
  @inline(__always)
  func isEqualIgnoringCase(to other: NameKey) -> Bool {
    (first ^ other.first | second ^ other.second | third ^ other.third) & ByteWord.upperCase == 0
      && count == other.count
  }
}
