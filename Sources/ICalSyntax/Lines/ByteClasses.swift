// SPDX-License-Identifier: Apache-2.0

/// The ASCII characters that the grammar of content lines uses (RFC 5545 §3.1).
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let quote: UInt8 = 0x22
  static let comma: UInt8 = 0x2C
  static let hyphen: UInt8 = 0x2D
  static let slash: UInt8 = 0x2F
  static let colon: UInt8 = 0x3A
  static let semicolon: UInt8 = 0x3B
  static let equals: UInt8 = 0x3D
  static let backslash: UInt8 = 0x5C
  static let caret: UInt8 = 0x5E
  static let delete: UInt8 = 0x7F
}

extension UInt8 {
  /// The byte, with an ASCII letter in upper case.
  var asciiUppercased: UInt8 { self >= 0x61 && self <= 0x7A ? self & 0xDF : self }

  /// Whether the byte is valid in a name: a letter, a digit or a hyphen (RFC 5545 §3.1).
  var isNameByte: Bool {
    switch self {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, ASCII.hyphen: true
    default: false
    }
  }

  /// Whether the byte starts the continuation of a folded line (RFC 5545 §3.1).
  var isFoldSpace: Bool { self == ASCII.space || self == ASCII.tab }
}

extension String {
  /// The text, with its ASCII letters in upper case.
  package var asciiUppercased: String {
    let bytes = utf8.span
    for index in bytes.indices where bytes[index] != bytes[index].asciiUppercased {
      return String(decoding: utf8.map(\.asciiUppercased), as: UTF8.self)
    }
    return self
  }

  /// Whether two texts are equal, ignoring the case of ASCII letters.
  package func isEqualIgnoringASCIICase(to other: String) -> Bool {
    utf8.count == other.utf8.count
      && zip(utf8, other.utf8).allSatisfy { $0.asciiUppercased == $1.asciiUppercased }
  }
}

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

/// Tests on 16 or 64 bytes at a time, with results as bit masks; the first byte is the lowest bit.
enum ByteVector {
  /// Matches the bytes outside of printable ASCII, which is 0x20 through 0x7E.
  @inline(__always)
  static func unprintable(_ part: SIMD16<UInt8>) -> UInt64 {
    // After adding 1, 0x7F and all higher bytes except 0xFF are negative as signed numbers.
    (part &+ 1).isBelow(0x21).bits
  }

  /// Matches `:` and `;`, which differ in their lowest bit.
  @inline(__always)
  static func separators(_ part: SIMD16<UInt8>) -> UInt64 {
    matches(part | 1, ASCII.semicolon).bits
  }

  /// Matches the colons, semicolons, commas and quotes, which delimit parameter values.
  @inline(__always)
  static func parameterStops(_ part: SIMD16<UInt8>) -> UInt64 {
    (matches(part | 1, ASCII.semicolon) .| matches(part, ASCII.comma) .| matches(part, ASCII.quote))
      .bits
  }

  /// Matches the backslashes, semicolons and commas, which TEXT escapes (RFC 5545 §3.3.11).
  @inline(__always)
  static func textStops(_ part: SIMD16<UInt8>) -> UInt64 {
    (matches(part, ASCII.backslash) .| matches(part, ASCII.semicolon) .| matches(part, ASCII.comma))
      .bits
  }

  /// Matches the bytes that are not uppercase ASCII letters.
  @inline(__always)
  static func nonCapitals(_ part: SIMD16<UInt8>) -> UInt64 {
    (part &+ (0x80 &- 0x41)).isBelow(-128 + 26).bits ^ 0xFFFF
  }

  /// Matches the bytes that are invalid in names: no letters, digits or hyphens (RFC 5545 §3.1).
  @inline(__always)
  static func nonNames(_ part: SIMD16<UInt8>) -> UInt64 {
    // Each range is shifted to the lowest signed number and compared with its length.
    let letters = ((part | 0x20) &+ (0x80 &- 0x61)).isBelow(-128 + 26)
    let digits = (part &+ (0x80 &- 0x30)).isBelow(-128 + 10)
    return (letters .| digits .| matches(part, ASCII.hyphen)).bits ^ 0xFFFF
  }

  /// Matches a byte.
  @inline(__always)
  static func matches(_ part: SIMD16<UInt8>, _ byte: UInt8) -> SIMDMask<SIMD16<Int8>> {
    // A comparison with a scalar would be done byte by byte.
    part .== SIMD16(repeating: byte)
  }

  /// The first `count` bytes, followed by zeros.
  @inline(__always)
  static func prefix(_ part: SIMD16<UInt8>, _ count: Int) -> SIMD16<UInt8> {
    let places = SIMD16<UInt8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    return part & (places &- UInt8(truncatingIfNeeded: count)).isBelow(0).bytes
  }

  /// Four consecutive vectors.
  typealias Four = (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>)

  /// Matches the bytes in 64 that delimit parameter values.
  @inline(__always)
  static func parameterStops(_ parts: Four) -> UInt64 {
    parameterStops(parts.0) | parameterStops(parts.1) << 16 | parameterStops(parts.2) << 32
      | parameterStops(parts.3) << 48
  }

  /// Matches the bytes in 64 that are not printable ASCII.
  @inline(__always)
  static func unprintable(_ parts: Four) -> UInt64 {
    unprintable(parts.0) | unprintable(parts.1) << 16 | unprintable(parts.2) << 32
      | unprintable(parts.3) << 48
  }

  /// Matches the bytes in 64 that are below a limit as signed numbers.
  @inline(__always)
  static func below(_ limit: Int8, _ parts: Four) -> UInt64 {
    parts.0.isBelow(limit).bits | parts.1.isBelow(limit).bits << 16
      | parts.2.isBelow(limit).bits << 32 | parts.3.isBelow(limit).bits << 48
  }

  /// Matches the bytes in 64 that are not ASCII.
  @inline(__always)
  static func highBits(_ parts: Four) -> UInt64 {
    parts.0.highBits | parts.1.highBits << 16 | parts.2.highBits << 32 | parts.3.highBits << 48
  }

  /// Matches the backslashes, semicolons and commas in 64 bytes.
  @inline(__always)
  static func textStops(_ parts: Four) -> UInt64 {
    textStops(parts.0) | textStops(parts.1) << 16 | textStops(parts.2) << 32
      | textStops(parts.3) << 48
  }

  /// Matches a byte in 64 bytes.
  @inline(__always)
  static func matches(_ parts: Four, _ byte: UInt8) -> UInt64 {
    matches(parts.0, byte).bits | matches(parts.1, byte).bits << 16
      | matches(parts.2, byte).bits << 32 | matches(parts.3, byte).bits << 48
  }

  /// Matches the lead bytes in 64 that restrict the continuation byte after them.
  ///
  /// These are 0xE0 and 0xED, and 0xC0 and 0xC1, which are always invalid (RFC 3629 §4).
  @inline(__always)
  static func restricting(_ parts: Four) -> UInt64 {
    restricting(parts.0) | restricting(parts.1) << 16 | restricting(parts.2) << 32
      | restricting(parts.3) << 48
  }

  @inline(__always)
  private static func restricting(_ part: SIMD16<UInt8>) -> UInt64 {
    (matches(part, 0xE0) .| matches(part, 0xED) .| matches(part | 1, 0xC1)).bits
  }
}
