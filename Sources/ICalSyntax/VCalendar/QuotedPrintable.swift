// SPDX-License-Identifier: Apache-2.0

/// The encoding that vCalendar 1.0 adopts from email (RFC 2045 §6.7).
enum QuotedPrintable {
  /// Decodes `=XX`; other equals signs are preserved.
  static func decode(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == ASCII.equals, index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte.asciiUppercased {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte.asciiUppercased - 0x41 + 10
    default: nil
    }
  }
}
