// SPDX-License-Identifier: Apache-2.0

/// The letters of a name of at most 24 bytes as three numbers, in which the case of letters is lost.
///
/// Comparing two keys is comparing two names without regard to case, as long as neither has control
/// characters: these fall together with digits and the hyphen.
struct NameKey: Equatable, Sendable {
  /// The most bytes of a name that has a key.
  static let limit = 24

  private let first: UInt64
  private let second: UInt64
  private let third: UInt64
  /// The number of bytes, because a space at the end is lost with the case.
  private let count: Int

  /// The key of the name that lies in a range of bytes, at most `limit` long.
  @inline(__always)
  init(_ bytes: Span<UInt8>, at start: Int, count: Int) {
    self.count = count
    let upperCase = ByteWord.upperCase
    first = ByteWord.prefix(bytes.word(at: start), count) & upperCase
    second = count > 8 ? ByteWord.prefix(bytes.word(at: start &+ 8), count &- 8) & upperCase : 0
    third = count > 16 ? ByteWord.prefix(bytes.word(at: start &+ 16), count &- 16) & upperCase : 0
  }

  /// A number that spreads names well; the caller takes as many of its low bits as it needs.
  @inline(__always)
  var hash: Int {
    var hash = (first ^ (second &* 0x9E37_79B9_7F4A_7C15) ^ (third << 7)) &* 0xFF51_AFD7_ED55_8CCD
    hash ^= hash >> 32
    return Int(truncatingIfNeeded: hash & 0xFFFF_FFFF)
  }
}
