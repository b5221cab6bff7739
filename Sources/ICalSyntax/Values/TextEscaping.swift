// SPDX-License-Identifier: Apache-2.0

/// The escapes of TEXT values (RFC 5545 §3.3.11).
public enum TextEscaping {
  /// Decodes `\\`, `\;`, `\,`, `\n` and `\N`.
  ///
  /// Lenient: a backslash before any other character is dropped, and one at the end is kept.
  public static func unescape(_ bytes: Span<UInt8>) -> String {
    guard var backslash = bytes.firstIndex(of: ASCII.backslash) else {
      return String(copying: bytes)
    }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var start = 0
    while backslash + 1 < bytes.count {
      result.append(copying: bytes.extracting(start..<backslash))
      let next = bytes[backslash + 1]
      result.append(next == UInt8(ascii: "n") || next == UInt8(ascii: "N") ? ASCII.lineFeed : next)
      start = backslash + 2
      backslash = bytes.firstIndex(of: ASCII.backslash, from: start) ?? bytes.count
    }
    result.append(copying: bytes.extracting(start..<bytes.count))
    return String(decoding: result, as: UTF8.self)
  }

  /// The number of bytes in the unescaped text of a range.
  ///
  /// The bytes after the range are read but have no effect.
  static func unescapedCount(_ bytes: Span<UInt8>, in range: Range<Int>) -> Int {
    var escapes = 0
    var start = range.lowerBound
    while start < range.upperBound {
      var found = ByteVector.matches(bytes.vectors(at: start), ASCII.backslash)
      // A backslash at the very end is not an escape.
      let left = range.upperBound &- 1 &- start
      if left < 64 { found &= (1 &<< UInt64(truncatingIfNeeded: left)) &- 1 }
      var next = start &+ 64
      while found != 0 {
        // A backslash that is itself escaped is not an escape.
        let place = start &+ found.trailingZeroBitCount
        escapes &+= 1
        next = max(next, place &+ 2)
        found &= found &- 1
        if found.trailingZeroBitCount == place &+ 1 &- start { found &= found &- 1 }
      }
      start = next
    }
    return range.count &- escapes
  }

  /// Escapes backslashes, semicolons, commas and line breaks; CRLF and a lone CR become `\n` too.
  public static func escape(_ text: String) -> String {
    var result: [UInt8] = []
    result.reserveCapacity(text.utf8.count)
    var previous: UInt8 = 0
    for byte in text.utf8 {
      switch byte {
      case ASCII.backslash, ASCII.semicolon, ASCII.comma: result += [ASCII.backslash, byte]
      case ASCII.lineFeed where previous == ASCII.carriageReturn: break
      case ASCII.lineFeed, ASCII.carriageReturn: result += [ASCII.backslash, UInt8(ascii: "n")]
      default: result.append(byte)
      }
      previous = byte
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The offset of the first comma or semicolon without a backslash before it, or nil.
  package static func firstSeparator(in bytes: Span<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      let stops = ByteVector.textStops(bytes.vector(at: index))
      guard stops != 0 else {
        index &+= 16
        continue
      }
      index &+= stops.trailingZeroBitCount
      guard bytes[index] == ASCII.backslash else { return index }
      index &+= 2
    }
    return nil
  }

  /// The value with a backslash added before each comma and semicolon that has none.
  static func escapingSeparators(of bytes: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count + 8)
    var isEscaped = false
    for index in bytes.indices {
      let byte = bytes[index]
      if !isEscaped, byte == ASCII.comma || byte == ASCII.semicolon {
        result.append(ASCII.backslash)
      }
      isEscaped = !isEscaped && byte == ASCII.backslash
      result.append(byte)
    }
    return result
  }

  /// The ranges of the parts of a value between separators that no backslash precedes.
  package static func split(_ bytes: Span<UInt8>, separator: UInt8) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    forEachPart(bytes, separator: separator) { parts.append($0) }
    return parts
  }

  /// Calls `body` with the range of each part of a value, at least once.
  package static func forEachPart(
    _ bytes: Span<UInt8>, separator: UInt8, _ body: (Range<Int>) -> Void
  ) {
    var start = 0
    var index = 0
    while index < bytes.count {
      if bytes[index] == ASCII.backslash {
        index += 2
      } else {
        if bytes[index] == separator {
          body(start..<index)
          start = index + 1
        }
        index += 1
      }
    }
    body(start..<bytes.count)
  }
}

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
