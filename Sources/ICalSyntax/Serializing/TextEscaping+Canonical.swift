// SPDX-License-Identifier: Apache-2.0

/// The canonical spelling of TEXT values (RFC 5545 §3.3.11): `\\`, `\;`, `\,` and `\n`, and no other
/// backslash; a semicolon or a comma alone only as what separates the texts of a list.
extension TextEscaping {
  /// The index of the first byte that is not spelled canonically, or nil if all are.
  ///
  /// What separates the texts of a list is handed in; 0 if there is just one.
  static func firstDeviation(
    in text: Span<UInt8>, from start: Int, separator: UInt8
  ) -> Int? {
    var index = start
    while index < text.count {
      let word = text.word(at: index)
      let found =
        ByteWord.matches(word, ASCII.backslash) | ByteWord.matches(word, ASCII.semicolon)
        | ByteWord.matches(word, ASCII.comma)
      guard found != 0 else {
        index &+= 8
        continue
      }
      index &+= found.trailingZeroBitCount >> 3
      if text[index] == ASCII.backslash {
        guard index &+ 1 < text.count, isEscaped(text[index &+ 1]) else { return index }
        index &+= 2
      } else {
        guard text[index] == separator else { return index }
        index &+= 1
      }
    }
    return nil
  }

  /// Appends the canonical spelling of what stands from an index on, which is not within an escape.
  static func appendCanonically(
    _ text: Span<UInt8>, from start: Int, separator: UInt8, to bytes: inout [UInt8]
  ) {
    var copied = start
    var index = start
    while let deviation = firstDeviation(in: text, from: index, separator: separator) {
      bytes.append(copying: text.extracting(copied..<deviation))
      if text[deviation] != ASCII.backslash {
        bytes.append(ASCII.backslash)
        copied = deviation
        index = deviation + 1
      } else if deviation + 1 == text.count {
        // A backslash at the end escapes nothing, and is read as one that is part of the text.
        bytes.append(ASCII.backslash)
        copied = deviation
        index = deviation + 1
      } else {
        let isLineBreak = text[deviation + 1] == UInt8(ascii: "N")
        if isLineBreak { bytes += [ASCII.backslash, UInt8(ascii: "n")] }
        copied = deviation + (isLineBreak ? 2 : 1)
        index = deviation + 2
      }
    }
    bytes.append(copying: text.extracting(copied..<text.count))
  }

  /// Whether a backslash belongs before the byte.
  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "n") || byte == ASCII.comma || byte == ASCII.semicolon
      || byte == ASCII.backslash
  }
}
