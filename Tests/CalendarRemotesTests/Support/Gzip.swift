// SPDX-License-Identifier: Apache-2.0

/// Bytes in the gzip format (RFC 1952), made by hand: what no ordinary program writes can be made too.
enum Gzip {
  private static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]

  /// The bytes as they are, in one stored block (RFC 1951 §3.2.4).
  static func stored(_ bytes: [UInt8], sum: UInt32? = nil) -> [UInt8] {
    precondition(bytes.count <= 0xFFFF, "one block holds 64 KiB")
    let count = UInt16(bytes.count)
    return header + [1] + little(count) + little(~count) + bytes
      + little(sum ?? checksum(bytes)) + little(UInt32(bytes.count))
  }

  /// So many bytes of the same letter, in a thousandth of the room.
  ///
  /// One block of fixed codes (RFC 1951 §3.2.6): a letter, and then "the last 258 once more" again and
  /// again, 13 bits each. The sum at its end is wrong, because nobody should come so far.
  static func bomb(size: Int) -> [UInt8] {
    var bits = Bits()
    bits.append(1, count: 1)
    bits.append(1, count: 2)
    bits.append(huffman: 0x30 + 0x78, count: 8)
    for _ in 0..<(size / 258) {
      bits.append(huffman: 0b1100_0101, count: 8)
      bits.append(huffman: 0, count: 5)
    }
    bits.append(huffman: 0, count: 7)
    return header + bits.bytes + [0, 0, 0, 0, 0, 0, 0, 0]
  }

  private struct Bits {
    var bytes: [UInt8] = []
    private var used = 8

    /// Appends bits, the lowest first.
    mutating func append(_ value: Int, count: Int) {
      for place in 0..<count {
        if used == 8 {
          bytes.append(0)
          used = 0
        }
        bytes[bytes.count - 1] |= UInt8(value >> place & 1) << UInt8(used)
        used += 1
      }
    }

    /// Appends a code, which stands with its highest bit first.
    mutating func append(huffman code: Int, count: Int) {
      for place in (0..<count).reversed() { append(code >> place, count: 1) }
    }
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
  }

  private static func little(_ number: some FixedWidthInteger) -> [UInt8] {
    (0..<number.bitWidth / 8).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
