// SPDX-License-Identifier: Apache-2.0

/// Eight bytes that are looked at together, the first one lowest.
///
/// Each test sets the highest bit of every byte that it finds; `trailingZeroBitCount >> 3` is then the
/// place of the first one. This is what makes reading fast: most bytes of a calendar are of no
/// interest, and eight of them are passed by with a dozen instructions.
enum ByteWord {
  private static let ones: UInt64 = 0x0101_0101_0101_0101
  /// The highest bit of every byte, which bytes outside of ASCII have set.
  static let highBits: UInt64 = 0x8080_8080_8080_8080
  /// Clears the bit in which capital and small ASCII letters differ.
  static let upperCase: UInt64 = 0xDFDF_DFDF_DFDF_DFDF

  /// The bytes below 0x20, and 0x7F: the control characters of ASCII.
  @inline(__always)
  static func controls(_ word: UInt64) -> UInt64 {
    let notBelowSpace = (word | highBits) &- 0x2020_2020_2020_2020
    let delete = (word & ~highBits) &+ ones
    return (~notBelowSpace | delete) & highBits & ~word
  }

  /// The bytes that are `:` or `;`, which differ in their lowest bit; right up to the first one.
  @inline(__always)
  static func separators(_ word: UInt64) -> UInt64 {
    let differences = (word & 0xFEFE_FEFE_FEFE_FEFE) ^ 0x3A3A_3A3A_3A3A_3A3A
    return (differences &- ones) & ~differences & highBits
  }

  /// The bytes that are this one; right up to the first one.
  @inline(__always)
  static func matches(_ word: UInt64, _ byte: UInt8) -> UInt64 {
    let differences = word ^ (UInt64(byte) &* ones)
    return (differences &- ones) & ~differences & highBits
  }

  /// The word with all bytes but the first `count`, at most 8, set to 0.
  @inline(__always)
  static func prefix(_ word: UInt64, _ count: Int) -> UInt64 {
    count >= 8 ? word : word & ((1 << UInt64(truncatingIfNeeded: count &* 8)) &- 1)
  }

  /// The bytes of a word before the first one that was found in it.
  @inline(__always)
  static func upTo(_ found: UInt64, _ word: UInt64) -> UInt64 {
    // The bits below the lowest one that is set, without the seven that belong to its own byte.
    word & ((found ^ (found &- 1)) >> 8)
  }

  /// Whether all bytes, which must be ASCII without control characters, may stand in a name: letters,
  /// digits and hyphens (RFC 5545 §3.1).
  @inline(__always)
  static func isName(_ word: UInt64) -> Bool {
    let small = word | 0x2020_2020_2020_2020
    let letters = (small &+ 0x1F1F_1F1F_1F1F_1F1F) & ~(small &+ 0x0505_0505_0505_0505)
    let digits = (word &+ 0x5050_5050_5050_5050) & ~(word &+ 0x4646_4646_4646_4646)
    let hyphens = ((word ^ 0x2D2D_2D2D_2D2D_2D2D) &+ 0x7F7F_7F7F_7F7F_7F7F)
    return (letters | digits | ~hyphens) & highBits == highBits
  }

  /// The word with its small ASCII letters in upper case.
  @inline(__always)
  static func uppercased(_ word: UInt64) -> UInt64 {
    let low = word & ~highBits
    let fromSmallA = low &+ 0x1F1F_1F1F_1F1F_1F1F
    let afterSmallZ = low &+ 0x0505_0505_0505_0505
    let smallLetters = fromSmallA & ~afterSmallZ & ~word & highBits
    return word ^ (smallLetters >> 2)
  }
}
