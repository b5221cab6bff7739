// SPDX-License-Identifier: Apache-2.0

/// Turns the line breaks of vCalendar 1.0 into those of iCalendar, so that one reader reads both.
///
/// ```text
/// DESCRIPTION;QUOTED-PRINTABLE:one =        DESCRIPTION;QUOTED-PRINTABLE:one
/// two                                  ──►   two
/// SUMMARY:a                                 SUMMARY:a
///  b   (a space is part of the text)          b   (the fold's space, and the text's)
/// ```
///
/// A quoted-printable value goes on in the next line after an equals sign (RFC 2045 §6.7), whatever that
/// line begins with; in all others a fold keeps its space, as in mail (RFC 822 §3.1.1). Lines stay
/// lines, so that diagnostics name the right ones. The chunks may be of any size.
struct SoftLineBreaks {
  /// The most bytes of a line that are held back; a longer line is passed on as it is.
  private let limit: Int
  /// The line that is not complete yet.
  private var line: [UInt8] = []
  /// Whether the line before ended in a soft line break.
  private var isContinuing = false
  /// Whether the content line that is being read is quoted-printable.
  private var isQuotedPrintable = false
  /// Whether what was held back of this line was passed on, because there was too much of it.
  private var isPassing = false

  init(limit: Int) {
    self.limit = limit
  }

  /// Takes the next bytes, and returns what can be passed on.
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

  /// What is left at the end of the stream.
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
      // The space that is taken away with the fold is not the one of the text.
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

  /// Whether the parameters of a line say that its value is quoted-printable.
  private static func isQuotedPrintable(_ line: ArraySlice<UInt8>) -> Bool {
    guard let colon = line.firstIndex(of: ASCII.colon) else { return false }
    return line[..<colon].split(separator: ASCII.semicolon).dropFirst().contains { parameter in
      let value = parameter.split(separator: ASCII.equals).last ?? []
      return String(decoding: value, as: UTF8.self)
        .isEqualIgnoringASCIICase(to: "QUOTED-PRINTABLE")
    }
  }
}
