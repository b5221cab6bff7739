// SPDX-License-Identifier: Apache-2.0

/// The canonical spelling of TEXT values (RFC 5545 §3.3.11): `\\`, `\;`, `\,` and `\n`, and no other
/// backslash; a semicolon or a comma alone only as what separates the texts of a list.
extension TextEscaping {
  /// The index of the first byte of a range that is not spelled canonically, or its end if all are.
  ///
  /// - Parameters:
  ///   - text: The bytes, of which those after the range may be looked at, but do not count.
  ///   - start: Where the range begins, not within an escape.
  ///   - end: Where it ends.
  ///   - separator: What separates the texts of a list; 0 if there is just one.
  /// - Returns: The index, or `end`.
  static func firstDeviation(
    in text: Span<UInt8>, from start: Int, to end: Int, separator: UInt8
  ) -> Int {
    var base = start
    while base < end {
      var found = ByteVector.textStops(text.vectors(at: base))
      var next = base &+ 64
      while found != 0 {
        let offset = found.trailingZeroBitCount
        let index = base &+ offset
        found &= found &- 1
        guard index < end else { return end }
        if text[index] == ASCII.backslash {
          guard index &+ 1 < end, isEscaped(text[index &+ 1]) else { return index }
          // What is escaped is passed by; after the last of the 64 there is no bit to clear.
          found &= ~(1 &<< UInt64(truncatingIfNeeded: offset &+ 1))
          next = max(next, index &+ 2)
        } else {
          guard text[index] == separator else { return index }
        }
      }
      base = next
    }
    return end
  }

  /// Appends the canonical spelling of a range that does not begin within an escape.
  static func appendCanonically(
    _ text: Span<UInt8>, from start: Int, to end: Int, separator: UInt8, to bytes: inout [UInt8]
  ) {
    var copied = start
    var index = start
    while true {
      let deviation = firstDeviation(in: text, from: index, to: end, separator: separator)
      bytes.append(copying: text, from: copied, to: deviation)
      guard deviation < end else { return }
      if text[deviation] != ASCII.backslash || deviation + 1 == end {
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
  }

  /// Whether a backslash belongs before the byte.
  private static func isEscaped(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "n") || byte == ASCII.comma || byte == ASCII.semicolon
      || byte == ASCII.backslash
  }
}
