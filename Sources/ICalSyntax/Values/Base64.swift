// SPDX-License-Identifier: Apache-2.0

package import CivilTime

/// The encoding of inline binary data and of mails (RFC 4648 §4, RFC 5545 §3.3.1, RFC 2045 §6.8).
package enum Base64 {
  private static let digits = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Encodes bytes, with padding.
  package static func encode(_ bytes: [UInt8]) -> String {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let padded = Array(group) + [0, 0]
      let number = Int(padded[0]) << 16 | Int(padded[1]) << 8 | Int(padded[2])
      for place in 0...3 {
        let digit = digits[number >> (18 - 6 * place) & 0x3F]
        result.append(place <= group.count ? digit : ASCII.equals)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes a value; the padding may be missing.
  package static func decode(_ bytes: Span<UInt8>) throws(BasicFormatError) -> [UInt8] {
    var end = bytes.count
    while end > 0, bytes.count - end < 2, bytes[end - 1] == ASCII.equals { end -= 1 }
    var result: [UInt8] = []
    result.reserveCapacity(end / 4 * 3 + 3)
    var buffer: UInt32 = 0
    for index in 0..<end {
      guard let digit = digit(bytes[index]) else {
        throw error(
          at: index, found: "\"\(String(copying: bytes.extracting(index..<(index + 1))))\"")
      }
      buffer = buffer << 6 | UInt32(digit)
      if index % 4 == 3 {
        result += [UInt8(buffer >> 16 & 0xFF), UInt8(buffer >> 8 & 0xFF), UInt8(buffer & 0xFF)]
        buffer = 0
      }
    }
    switch end % 4 {
    case 0: break
    case 2: result.append(UInt8(buffer >> 4 & 0xFF))
    case 3: result += [UInt8(buffer >> 10 & 0xFF), UInt8(buffer >> 2 & 0xFF)]
    default: throw error(at: end, found: "the end of the value")
    }
    return result
  }

  private static func error(at offset: Int, found: String) -> BasicFormatError {
    BasicFormatError(
      offset: offset, expected: "a BASE64 character", found: found, section: "RFC 5545 §3.3.1")
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }
}
