// SPDX-License-Identifier: Apache-2.0

/// The caret encoding of characters that parameter values cannot contain (RFC 6868 §3).
enum CaretEncoding {
  /// Decodes `^n`, `^'` and `^^`; other carets are preserved.
  static func decode(_ bytes: Span<UInt8>) -> String {
    guard var index = bytes.firstIndex(of: ASCII.caret) else { return String(copying: bytes) }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    result.append(copying: bytes.extracting(0..<index))
    while index < bytes.count {
      let byte = bytes[index]
      index += 1
      guard byte == ASCII.caret, index < bytes.count else {
        result.append(byte)
        continue
      }
      switch bytes[index] {
      case UInt8(ascii: "n"): result.append(ASCII.lineFeed)
      case UInt8(ascii: "'"): result.append(ASCII.quote)
      case ASCII.caret: result.append(ASCII.caret)
      default:
        result.append(byte)
        continue
      }
      index += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// Decodes an unquoted value, and also removes the backslash before a comma.
  static func decode(unquoted bytes: Span<UInt8>) -> String {
    guard var index = bytes.firstIndex(of: ASCII.backslash) else { return decode(bytes) }
    var result = Array(copying: bytes.extracting(0..<index))
    while index < bytes.count {
      let isEscape = index + 1 < bytes.count && bytes.isEscapedComma(at: index + 1)
      if !isEscape { result.append(bytes[index]) }
      index += 1
    }
    return decode(result.span)
  }

  /// Encodes line breaks, quotes and carets, and drops other control characters.
  ///
  /// No encoding of a parameter can represent other control characters.
  static func encode(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case ASCII.lineFeed: result += [ASCII.caret, UInt8(ascii: "n")]
      case ASCII.quote: result += [ASCII.caret, UInt8(ascii: "'")]
      case ASCII.caret: result += [ASCII.caret, ASCII.caret]
      case 0..<ASCII.space where byte != ASCII.tab, ASCII.delete: break
      default: result.append(byte)
      }
    }
    return result
  }
}
