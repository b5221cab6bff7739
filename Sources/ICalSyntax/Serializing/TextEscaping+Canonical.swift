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
    var isEscaping = false
    while base < end {
      let parts = text.vectors(at: base)
      let stops = ByteVector.textStops(parts)
      let within = end &- base < 64 ? 1 &<< UInt64(truncatingIfNeeded: end &- base) &- 1 : ~0
      if stops & within != 0 || isEscaping {
        let backslashes = ByteVector.matches(parts, ASCII.backslash) & within
        let escaped = Self.escaped(by: backslashes, &isEscaping)
        // What has an escape, and a backslash before the end, where nothing is within.
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

  /// Of 64 bytes, those that are escaped, which a backslash may be too.
  ///
  /// - Parameters:
  ///   - backslashes: The bytes that are backslashes.
  ///   - isEscaping: Whether the last of the bytes before escapes the first one; then whether the last
  ///     one of these escapes the one after it.
  /// - Returns: One bit for each byte, that of the first one lowest.
  @inline(__always)
  private static func escaped(by backslashes: UInt64, _ isEscaping: inout Bool) -> UInt64 {
    let even: UInt64 = 0x5555_5555_5555_5555
    let first: UInt64 = isEscaping ? 1 : 0
    let backslashes = backslashes & ~first
    let followers = backslashes &<< 1 | first
    // In a run of backslashes every other one escapes, beginning with the first: the sum tells where
    // the runs end that begin at an odd place, as one is carried through all of a run.
    let oddStarts = backslashes & ~even & ~followers
    let (sum, overflow) = backslashes.addingReportingOverflow(oddStarts)
    isEscaping = overflow
    return (even ^ sum &<< 1) & followers
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
}
