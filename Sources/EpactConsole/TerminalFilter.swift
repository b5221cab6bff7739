// SPDX-License-Identifier: Apache-2.0

/// Escapes the control characters of UTF-8 data for a terminal, such as `\u{1B}`.
///
/// Tabs and line breaks stay. The data may come in pieces that end within a character.
struct TerminalFilter: Sendable {
  /// Whether the last byte was 0xC2, the first byte of the control characters from U+0080 to U+009F.
  private var isHeld = false
  /// The number of bytes that the current character still has.
  private var rest = 0

  /// Returns the next piece of the data with its control characters escaped.
  mutating func escape(_ bytes: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for byte in bytes { add(byte, to: &result) }
    return result
  }

  private mutating func add(_ byte: UInt8, to result: inout [UInt8]) {
    let isContinuation = 0x80...0xBF ~= byte
    if isHeld {
      isHeld = false
      guard !(0x80...0x9F ~= byte) else { return Self.append(byte, to: &result) }
      result.append(0xC2)
      if isContinuation { return result.append(byte) }
    }
    if rest > 0, isContinuation {
      rest -= 1
      return result.append(byte)
    }
    rest = 0
    switch byte {
    case 0x09, 0x0A, 0x0D: result.append(byte)
    // A byte outside of a character is a control character for some terminals.
    case 0..<0x20, 0x7F, 0x80...0x9F: Self.append(byte, to: &result)
    case 0xC2: isHeld = true
    default:
      rest = byte < 0xC3 ? 0 : byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
      result.append(byte)
    }
  }

  private static func append(_ byte: UInt8, to result: inout [UInt8]) {
    result += "\\u{\(String(byte, radix: 16, uppercase: true))}".utf8
  }
}
