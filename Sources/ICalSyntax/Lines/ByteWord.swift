// SPDX-License-Identifier: Apache-2.0

/// Tests on eight bytes at a time as a little-endian word.
///
/// Each test sets the highest bit of every matching byte, so `trailingZeroBitCount >> 3` is the
/// index of the first match. This makes reading fast: most bytes of a calendar match nothing, and a
/// dozen instructions skip eight of them.
enum ByteWord {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  /// The highest bit of every byte, which is set in bytes outside of ASCII.
  static let highBits: UInt64 = 0x8080_8080_8080_8080
  /// A mask that clears the bit in which uppercase and lowercase ASCII letters differ.
  static let upperCase: UInt64 = 0xDFDF_DFDF_DFDF_DFDF

  /// Matches the ASCII control characters: bytes below 0x20, and 0x7F.
  @inline(__always)
  static func controls(_ word: UInt64) -> UInt64 {
    let notBelowSpace = (word | highBits) &- 0x2020_2020_2020_2020
    let delete = (word & ~highBits) &+ ones
    return (~notBelowSpace | delete) & highBits & ~word
  }

  /// Matches `:` and `;`, which differ in their lowest bit; reliable up to the first match.
  @inline(__always)
  static func separators(_ word: UInt64) -> UInt64 {
    let differences = (word & 0xFEFE_FEFE_FEFE_FEFE) ^ 0x3A3A_3A3A_3A3A_3A3A
    return (differences &- ones) & ~differences & highBits
  }

  /// Matches a byte; reliable up to the first match.
  @inline(__always)
  static func matches(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let differences = word ^ (UInt64(byte) &* ones)
    return (differences &- ones) & ~differences & highBits
  }

  /// The first `count` bytes of a word, at most 8, followed by zeros.
  @inline(__always)
  static func prefix(_ word: UInt64, _ count: Int) -> UInt64 {
    count >= 8 ? word : word & ((1 << UInt64(truncatingIfNeeded: count &* 8)) &- 1)
  }

  /// The bytes of a word before the first match.
  @inline(__always)
  static func upTo(_ found: UInt64, _ word: UInt64) -> UInt64 {
    // The bits below the lowest match bit, without the seven that belong to its own byte.
    word & ((found ^ (found &- 1)) >> 8)
  }

  /// Whether all bytes are valid in a name: letters, digits and hyphens (RFC 5545 §3.1).
  ///
  /// The bytes must be ASCII without control characters.
  @inline(__always)
  static func isName(_ word: UInt64) -> Bool {
    let small = word | 0x2020_2020_2020_2020
    let letters = (small &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(small &+ 0x0505_0505_0505_0505)
    let digits = (word &+ 0x5050_5050_5050_5050) & ~(word &+ 0x4646_4646_4646_4646)
    let hyphens = ((word ^ 0x2D2D_2D2D_2D2D_2D2D) &+ 0x7F7F_7F7F_7F7F_7F7F)
    return (letters | digits | ~hyphens) & highBits == highBits
  }

  /// The word with its lowercase ASCII letters in upper case.
  @inline(__always)
  static func uppercased(_ word: UInt64) -> UInt64 {
    let low = word & ~highBits
    let fromSmallA = low &+ 0x1F1F_1F1F_1F1F_1F1F
    let afterSmallZ = low &+ 0x0505_0505_0505_0505
    let smallLetters = fromSmallA & ~afterSmallZ & ~word & highBits
    return word ^ (smallLetters >> 2)
  }
}
