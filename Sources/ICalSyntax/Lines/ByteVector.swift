// SPDX-License-Identifier: Apache-2.0

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
