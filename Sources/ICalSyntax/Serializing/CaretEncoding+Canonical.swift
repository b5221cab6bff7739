// SPDX-License-Identifier: Apache-2.0

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
        if !isQuoted, index < spelling.count, spelling.isEscapedComma(at: index) { continue }
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
