// SPDX-License-Identifier: Apache-2.0

/// Sixteen bytes that are looked at together, and what is found among them as bits, the first byte
/// lowest.
enum ByteVector {
  /// The bytes that are not printable ASCII, which is 0x20 through 0x7E.
  @inline(__always)
  static func unprintable(_ part: SIMD16<UInt8>) -> UInt64 {
    // One more, 0x7F and all bytes above it but 0xFF are below zero, as numbers with a sign.
    (part &+ 1).isBelow(0x21).bits
  }

  /// The bytes that are `:` or `;`, which differ in their lowest bit.
  @inline(__always)
  static func separators(_ part: SIMD16<UInt8>) -> UInt64 {
    matches(part | 1, ASCII.semicolon).bits
  }

  /// The bytes that end a parameter value or may not stand in one: colon, semicolon, comma and quote.
  @inline(__always)
  static func parameterStops(_ part: SIMD16<UInt8>) -> UInt64 {
    (matches(part | 1, ASCII.semicolon) .| matches(part, ASCII.comma) .| matches(part, ASCII.quote))
      .bits
  }

  /// The bytes that a TEXT value has escapes for, or that escape (RFC 5545 §3.3.11): backslash,
  /// semicolon and comma.
  @inline(__always)
  static func textStops(_ part: SIMD16<UInt8>) -> UInt64 {
    (matches(part, ASCII.backslash) .| matches(part, ASCII.semicolon) .| matches(part, ASCII.comma))
      .bits
  }

  /// The bytes that are no capital ASCII letters.
  @inline(__always)
  static func nonCapitals(_ part: SIMD16<UInt8>) -> UInt64 {
    (part &+ (0x80 &- 0x41)).isBelow(-128 + 26).bits ^ 0xFFFF
  }

  /// The bytes that may not stand in a name: all but letters, digits and hyphens (RFC 5545 §3.1).
  @inline(__always)
  static func nonNames(_ part: SIMD16<UInt8>) -> UInt64 {
    // Each range is moved to the lower end of the numbers with a sign, and compared with its length.
    let letters = ((part | 0x20) &+ (0x80 &- 0x61)).isBelow(-128 + 26)
    let digits = (part &+ (0x80 &- 0x30)).isBelow(-128 + 10)
    return (letters .| digits .| matches(part, ASCII.hyphen)).bits ^ 0xFFFF
  }

  /// The bytes that are this one.
  @inline(__always)
  static func matches(_ part: SIMD16<UInt8>, _ byte: UInt8) -> SIMDMask<SIMD16<Int8>> {
    // Not compared with the number itself, which would be done byte by byte.
    part .== SIMD16(repeating: byte)
  }

  /// The first `count` bytes, with zeros after them.
  @inline(__always)
  static func prefix(_ part: SIMD16<UInt8>, _ count: Int) -> SIMD16<UInt8> {
    let places = SIMD16<UInt8>(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
    return part & (places &- UInt8(truncatingIfNeeded: count)).isBelow(0).bytes
  }

  /// Four vectors, one after the other.
  typealias Four = (SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>, SIMD16<UInt8>)

  /// Of 64 bytes, those that end a parameter value or may not stand in one.
  @inline(__always)
  static func parameterStops(_ parts: Four) -> UInt64 {
    parameterStops(parts.0) | parameterStops(parts.1) << 16 | parameterStops(parts.2) << 32
      | parameterStops(parts.3) << 48
  }

  /// Of 64 bytes, those that are not printable ASCII.
  @inline(__always)
  static func unprintable(_ parts: Four) -> UInt64 {
    unprintable(parts.0) | unprintable(parts.1) << 16 | unprintable(parts.2) << 32
      | unprintable(parts.3) << 48
  }

  /// Of 64 bytes, those that are below a limit as numbers with a sign.
  @inline(__always)
  static func below(_ limit: Int8, _ parts: Four) -> UInt64 {
    parts.0.isBelow(limit).bits | parts.1.isBelow(limit).bits << 16
      | parts.2.isBelow(limit).bits << 32 | parts.3.isBelow(limit).bits << 48
  }

  /// Of 64 bytes, those outside of ASCII.
  @inline(__always)
  static func highBits(_ parts: Four) -> UInt64 {
    parts.0.highBits | parts.1.highBits << 16 | parts.2.highBits << 32 | parts.3.highBits << 48
  }

  /// Of 64 bytes, those that a TEXT value has escapes for, or that escape.
  @inline(__always)
  static func textStops(_ parts: Four) -> UInt64 {
    textStops(parts.0) | textStops(parts.1) << 16 | textStops(parts.2) << 32
      | textStops(parts.3) << 48
  }

  /// Of 64 bytes, those that are this one.
  @inline(__always)
  static func matches(_ parts: Four, _ byte: UInt8) -> UInt64 {
    matches(parts.0, byte).bits | matches(parts.1, byte).bits << 16
      | matches(parts.2, byte).bits << 32 | matches(parts.3, byte).bits << 48
  }

  /// Of 64 bytes, those that begin characters of two or three bytes, and after which not every byte may
  /// follow that continues a character: 0xE0 and 0xED; and 0xC0 and 0xC1, after which none may (RFC 3629
  /// §4).
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
