// SPDX-License-Identifier: Apache-2.0

/// Converts the line breaks of vCalendar 1.0 to those of iCalendar, so that one reader fits both.
///
/// ```text
/// DESCRIPTION;QUOTED-PRINTABLE:one =        DESCRIPTION;QUOTED-PRINTABLE:one
/// two                                  ──►   two
/// SUMMARY:a                                 SUMMARY:a
///  b   (a space is part of the text)          b   (the fold's space, and the text's)
/// ```
///
/// A quoted-printable value continues in the next line after an equals sign (RFC 2045 §6.7),
/// whatever the first character there. In all other values, the space of a fold is part of the
/// text, as in email (RFC 822 §3.1.1). The number of lines is unchanged, so that diagnostics have
/// the right line numbers. The chunks may be of any size.
struct SoftLineBreaks {
  /// The maximum number of held-back bytes of a line; a longer line is passed on unchanged.
  private let limit: Int
  /// The incomplete line.
  private var line: [UInt8] = []
  /// Whether the previous line ended in a soft line break.
  private var isContinuing = false
  /// Whether the current content line is quoted-printable.
  private var isQuotedPrintable = false
  /// Whether the start of the current line was passed on, because it exceeded the limit.
  private var isPassing = false

  init(limit: Int) {
    self.limit = limit
  }

  /// Reads the next bytes, and returns the converted lines.
  mutating func convert(_ chunk: Span<UInt8>) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(chunk.count + line.count)
    for index in chunk.indices {
      let byte = chunk[index]
      if isPassing {
        output.append(byte)
        isPassing = byte != ASCII.lineFeed
        continue
      }
      line.append(byte)
      if byte == ASCII.lineFeed {
        pass(to: &output)
      } else if line.count > limit {
        output += line
        line = []
        isPassing = true
      }
    }
    return output
  }

  /// Returns the last line at the end of the stream.
  mutating func finish() -> [UInt8] {
    var output: [UInt8] = []
    if !line.isEmpty { pass(to: &output) }
    return output
  }

  private mutating func pass(to output: inout [UInt8]) {
    var end = line.count
    if end > 0, line[end - 1] == ASCII.lineFeed { end -= 1 }
    if end > 0, line[end - 1] == ASCII.carriageReturn { end -= 1 }
    let lineEnd = line[end...]
    if isContinuing {
      output.append(ASCII.space)
    } else if line[0].isFoldSpace {
      // The fold removes one space, so the space that belongs to the text is doubled.
      output.append(ASCII.space)
    } else {
      isQuotedPrintable = Self.isQuotedPrintable(line[..<end])
    }
    isContinuing = false
    if isQuotedPrintable {
      var last = end
      while last > 0, line[last - 1].isFoldSpace { last -= 1 }
      if last > 0, line[last - 1] == ASCII.equals {
        isContinuing = true
        end = last - 1
      }
    }
    output += line[..<end]
    output += lineEnd
    line.removeAll(keepingCapacity: true)
  }

  /// Whether the parameters of a line declare its value as quoted-printable.
  static func isQuotedPrintable(_ line: ArraySlice<UInt8>) -> Bool {
    guard let colon = line.firstIndex(of: ASCII.colon) else { return false }
    return line[..<colon].split(separator: ASCII.semicolon).dropFirst().contains { parameter in
      let value = parameter.split(separator: ASCII.equals).last ?? []
      return String(decoding: value, as: UTF8.self)
        .isEqualIgnoringASCIICase(to: "QUOTED-PRINTABLE")
    }
  }
}

/// The encoding of mails, which vCalendar 1.0 adopts (RFC 2045 §6.7).
package enum QuotedPrintable {
  /// Decodes `=XX`; other equals signs are preserved.
  package static func decode(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if bytes[index] == ASCII.equals, index + 2 < bytes.count, let high = digit(bytes[index + 1]),
        let low = digit(bytes[index + 2])
      {
        result.append(high << 4 | low)
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte.asciiUppercased {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte.asciiUppercased - 0x41 + 10
    default: nil
    }
  }
}
