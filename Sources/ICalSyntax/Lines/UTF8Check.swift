// SPDX-License-Identifier: Apache-2.0

/// Validates UTF-8 (RFC 3629 §4) in the bytes of an unfolded line.
package enum UTF8Check {
  /// The length of the valid sequence that starts at an index, or 0 if it is invalid.
  package static func sequenceLength(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let lead = bytes[index]
    let length: Int
    var low: UInt8 = 0x80
    var high: UInt8 = 0xBF
    switch lead {
    case 0..<0x80: return 1
    case 0xC2...0xDF: length = 2
    case 0xE0...0xEF:
      length = 3
      if lead == 0xE0 { low = 0xA0 }
      if lead == 0xED { high = 0x9F }
    case 0xF0...0xF4:
      length = 4
      if lead == 0xF0 { low = 0x90 }
      if lead == 0xF4 { high = 0x8F }
    default: return 0
    }
    guard index + length <= bytes.count, bytes[index + 1] >= low, bytes[index + 1] <= high else {
      return 0
    }
    for offset in 2..<max(2, length) where bytes[index + offset] & 0xC0 != 0x80 { return 0 }
    return length
  }

  /// The offset of the first byte that is not part of a valid sequence, or nil if all are valid.
  package static func firstInvalidOffset(_ bytes: Span<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      let multibyte = bytes.word(at: index) & ByteWord.highBits
      index += multibyte == 0 ? 8 : multibyte.trailingZeroBitCount >> 3
      guard multibyte != 0 else { continue }
      let length = multibyteLength(bytes, at: index)
      guard length > 0 else { return index }
      index += length
    }
    return nil
  }

  /// The length of a multibyte sequence, with a fast path for two and three bytes.
  @inline(__always)
  private static func multibyteLength(_ bytes: Span<UInt8>, at index: Int) -> Int {
    let word = bytes.word(at: index)
    let lead = UInt8(truncatingIfNeeded: word)
    if 0xC2...0xDF ~= lead, word & 0xC000 == 0x8000 { return 2 }
    if 0xE1...0xEC ~= lead, word & 0xC0_C000 == 0x80_8000 { return 3 }
    return sequenceLength(bytes, at: index)
  }
}
