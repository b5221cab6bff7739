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

  /// Decodes an unquoted value, and also removes the backslash before a comma or semicolon.
  static func decode(unquoted bytes: Span<UInt8>) -> String {
    guard var index = bytes.firstIndex(of: ASCII.backslash) else { return decode(bytes) }
    var result = Array(copying: bytes.extracting(0..<index))
    while index < bytes.count {
      let isEscape = index + 1 < bytes.count && bytes.isEscapedSeparator(at: index + 1)
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

/// The canonical form of parameter values (RFC 5545 §3.2, RFC 6868 §3).
extension CaretEncoding {
  /// Appends a value in canonical form.
  ///
  /// It is quoted only if necessary, and has a caret only before `n`, `'` and `^`.
  ///
  /// - Parameters:
  ///   - spelling: The source text of the value, with its quotes.
  ///   - isFollowed: Whether another value follows.
  ///   - bytes: The output.
  static func appendCanonically(
    _ spelling: Span<UInt8>, isFollowed: Bool, to bytes: inout [UInt8]
  ) {
    var value = 0..<spelling.count
    var isQuoted = false
    if value.count >= 2, spelling[0] == ASCII.quote, spelling[value.count - 1] == ASCII.quote {
      value = 1..<(value.count - 1)
      isQuoted = true
    }
    var needsQuotes =
      isFollowed && !value.isEmpty && spelling[value.upperBound - 1] == ASCII.backslash
    for index in value {
      let byte = spelling[index]
      if byte == ASCII.colon || byte == ASCII.semicolon || byte == ASCII.comma {
        needsQuotes = true
      }
    }
    if needsQuotes { bytes.append(ASCII.quote) }
    var index = value.lowerBound
    while index < value.upperBound {
      let byte = spelling[index]
      index += 1
      guard byte == ASCII.caret else {
        if !isQuoted, index < spelling.count, spelling.isEscapedSeparator(at: index) { continue }
        if byte == ASCII.quote {
          bytes += [ASCII.caret, UInt8(ascii: "'")]
        } else {
          bytes.append(byte)
        }
        continue
      }
      bytes.append(ASCII.caret)
      let next = index < value.upperBound ? spelling[index] : 0
      switch next {
      case UInt8(ascii: "n"), UInt8(ascii: "'"), ASCII.caret: bytes.append(next)
      default:
        // A caret that encodes nothing represents itself.
        bytes.append(ASCII.caret)
        continue
      }
      index += 1
    }
    if needsQuotes { bytes.append(ASCII.quote) }
  }
}
