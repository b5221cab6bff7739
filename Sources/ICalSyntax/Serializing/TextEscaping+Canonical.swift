// SPDX-License-Identifier: Apache-2.0

/// The canonical form of TEXT values (RFC 5545 §3.3.11).
///
/// It has the escapes `\\`, `\;`, `\,` and `\n`, and no other backslash. An unescaped semicolon or
/// comma only occurs as the separator of a list.
extension TextEscaping {
  /// The index of the first byte in a range that is not in canonical form, or its end.
  ///
  /// - Parameters:
  ///   - text: The bytes; those after the range may be read but have no effect.
  ///   - start: The start of the range, not inside an escape.
  ///   - end: The end of the range.
  ///   - separator: The separator of a list of texts; 0 for a single text.
  /// - Returns: The index, or `end`.
  static func firstDeviation(
    in text: Span<UInt8>, from start: Int, to end: Int, separator: UInt8
  ) -> Int {
    var base = start
    var isEscaping = false
    while base < end {
      let parts = text.vectors(at: base)
      let stops = ByteVector.textStops(parts)
      let within = end &- base < 64 ? 1 &<< UInt64(truncatingIfNeeded: end &- base) &- 1 : ~0
      if stops & within != 0 || isEscaping {
        let backslashes = ByteVector.matches(parts, ASCII.backslash) & within
        let escaped = Self.escaped(by: backslashes, &isEscaping)
        // Invalid escapes, and a backslash at the end, which is followed by no byte within the
        // range.
        let wrong = escaped & ~((stops | ByteVector.matches(parts, UInt8(ascii: "n"))) & within)
        var alone = stops & ~backslashes & ~escaped & within
        if alone != 0, separator != 0 { alone &= ~ByteVector.matches(parts, separator) }
        let found = wrong | alone
        if found != 0 {
          let offset = found.trailingZeroBitCount
          let isEscape = wrong &>> UInt64(truncatingIfNeeded: offset) & 1 != 0
          return base &+ offset &- (isEscape ? 1 : 0)
        }
      }
      base &+= 64
    }
    return isEscaping ? end &- 1 : end
  }

  /// The escaped bytes among 64, which may include backslashes.
  ///
  /// - Parameters:
  ///   - backslashes: The positions of the backslashes.
  ///   - isEscaping: Whether the preceding byte escapes the first one; updated for the byte after
  ///     the 64.
  /// - Returns: One bit for each byte; the first byte is the lowest bit.
  @inline(__always)
  private static func escaped(by backslashes: UInt64, _ isEscaping: inout Bool) -> UInt64 {
    let even: UInt64 = 0x5555_5555_5555_5555
    let first: UInt64 = isEscaping ? 1 : 0
    let backslashes = backslashes & ~first
    let followers = backslashes &<< 1 | first
    // In a run of backslashes, every other one is an escape, starting with the first. The addition
    // carries through each run that starts at an odd position, and so marks its end.
    let oddStarts = backslashes & ~even & ~followers
    let (sum, overflow) = backslashes.addingReportingOverflow(oddStarts)
    isEscaping = overflow
    return (even ^ sum &<< 1) & followers
  }

  /// Appends the canonical form of a range that does not start inside an escape.
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
        // A backslash at the end is not an escape, but part of the text.
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
}
