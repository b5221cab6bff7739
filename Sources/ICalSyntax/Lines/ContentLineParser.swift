// SPDX-License-Identifier: Apache-2.0

/// The grammar of an unfolded content line (RFC 5545 §3.1), with the problems that it reports.
///
/// It reads every line that `LineFinder` does not accept.
struct ContentLineParser {
  /// A problem in a line.
  struct Problem {
    let severity: Diagnostic.Severity
    let code: DiagnosticCode
    /// The offset in the unfolded line.
    let offset: Int
    let message: String
    let reference: String?
  }

  /// The message for blanks before BEGIN or END.
  static let blankBeforeKeyword = "expected BEGIN or END, found a blank before it"

  /// The maximum number of problems that are reported for one line.
  private static let problemLimit = 10

  /// The length of the name, or 0 if the line is not a content line.
  private(set) var nameLength = 0
  /// The offset after the colon.
  private(set) var valueStart = 0
  /// The number of parameters.
  private var parameterCount = 0
  /// The problems in order; empty for nearly all lines.
  private(set) var problems: [Problem] = []

  /// Parses a line.
  init(_ line: Span<UInt8>) {
    var index = 0
    while index < line.count, line[index].isNameByte { index += 1 }
    guard index > 0, index < Int(UInt16.max), index < line.count,
      line[index] == ASCII.colon || line[index] == ASCII.semicolon
    else {
      reject(line, at: index)
      return
    }
    let nameEnd = index
    if line[index] == ASCII.semicolon {
      guard let colon = colon(in: line, from: index) else { return }
      checkParameters(line.extracting(nameEnd..<colon), offset: nameEnd)
      index = colon
    }
    nameLength = nameEnd
    valueStart = index + 1
    checkCharacters(line)
  }

  /// The positions of the name and the value, and the index of the name.
  func parts(of text: Span<UInt8>) -> LineParts {
    let spelling = text.extracting(0..<nameLength)
    var parts = LineParts(nameLength: nameLength)
    if let index = PropertyVocabulary.table.index(of: spelling) {
      let isCanonical = PropertyVocabulary.table.isCanonical(spelling, at: index)
      parts = LineParts(nameLength: nameLength, index: index, isCanonical: isCanonical)
    }
    parts.valueStart = UInt32(truncatingIfNeeded: valueStart)
    // Any of the parameters may be VALUE. Only those of well-formed lines count against the limit.
    parts.note(
      parameterCount: problems.isEmpty ? parameterCount : 0, hasValue: valueStart > nameLength + 1)
    return parts
  }

  private mutating func add(
    _ severity: Diagnostic.Severity, _ code: DiagnosticCode, _ offset: Int, _ message: String,
    _ reference: String? = "RFC 5545 §3.1"
  ) {
    guard problems.count < Self.problemLimit else { return }
    problems.append(
      Problem(
        severity: severity, code: code, offset: offset, message: message, reference: reference))
  }

  private mutating func reject(_ line: Span<UInt8>, at index: Int) {
    problems = []
    let expected = index == 0 ? "a property name" : "\":\" or \";\" after the property name"
    add(
      .error, .malformedLine, index,
      "expected \(expected), found \(Self.described(line, at: index)); the line is kept as it is")
  }

  /// The colon that ends the parameters: the first one outside of quotes.
  private mutating func colon(in line: Span<UInt8>, from start: Int) -> Int? {
    var openQuote: Int?
    for index in start..<line.count {
      if line[index] == ASCII.quote {
        openQuote = openQuote == nil ? index : nil
      } else if line[index] == ASCII.colon, openQuote == nil {
        return zoneColon(in: line, from: start, at: index) ?? index
      }
    }
    guard let openQuote else {
      reject(line, at: line.count)
      return nil
    }
    // The quote is never closed, so the intended colon is uncertain. Using the first one after the
    // quote loses nothing, because the line itself is preserved.
    add(
      .error, .malformedParameter, openQuote,
      "expected a closing quote, found the end of the line")
    for index in openQuote..<line.count where line[index] == ASCII.colon { return index }
    return nil
  }

  /// The intended colon, if the first one is part of an unquoted TZID: `(UTC+01:00) Berlin` or
  /// `tzone://Microsoft/Utc`.
  ///
  /// Lenient: such a value requires quotes (RFC 5545 §3.1), and no time starts like its rest.
  private mutating func zoneColon(in line: Span<UInt8>, from start: Int, at first: Int) -> Int? {
    let name = "TZID="
    var place = first
    while place > start, line[place - 1] != ASCII.semicolon { place -= 1 }
    let valueStart = place + name.utf8.count
    guard place > start, valueStart < first,
      String(copying: line.extracting(place..<valueStart)).isEqualIgnoringASCIICase(to: name)
    else { return nil }
    var next = first + 1
    if line[valueStart] == UInt8(ascii: "(") {
      guard next + 2 < line.count, line[next + 2] == UInt8(ascii: ")") else { return nil }
      next += 3
    } else {
      guard next + 1 < line.count, line[next] == ASCII.slash, line[next + 1] == ASCII.slash else {
        return nil
      }
    }
    guard let colon = line.firstIndex(of: ASCII.colon, from: next) else { return nil }
    add(
      .warning, .malformedParameter, valueStart,
      "expected quotes around a parameter value with a colon, found none")
    return colon
  }

  private mutating func checkParameters(_ bytes: Span<UInt8>, offset: Int) {
    var index = 0
    while index < bytes.count {
      parameterCount += 1
      let nameStart = index + 1
      index = nameStart
      while index < bytes.count, bytes[index].isNameByte { index += 1 }
      if index == nameStart || index == bytes.count || bytes[index] != ASCII.equals {
        let expected = index == nameStart ? "a parameter name" : "\"=\" after the parameter name"
        let found = Self.described(bytes, at: index, end: "\":\"")
        add(.error, .malformedParameter, offset + index, "expected \(expected), found \(found)")
      }
      index = checkValues(bytes, from: min(index + 1, bytes.count), offset: offset)
    }
  }

  /// Checks that quotes enclose whole values, and returns the index of the next semicolon.
  private mutating func checkValues(_ bytes: Span<UInt8>, from first: Int, offset: Int) -> Int {
    var start = first
    var index = first
    var isQuoted = false
    var isReported = false
    while index < bytes.count {
      let byte = bytes[index]
      if !isQuoted, byte == ASCII.comma || byte == ASCII.semicolon {
        if bytes.isEscapedSeparator(at: index) {
          let name = byte == ASCII.comma ? "comma" : "semicolon"
          add(
            .warning, .malformedParameter, offset + index - 1,
            "expected quotes around a parameter value with a \(name), found a backslash before it")
        } else if byte == ASCII.semicolon {
          break
        } else {
          start = index + 1
        }
      }
      if byte == ASCII.quote {
        let next = index + 1 < bytes.count ? bytes[index + 1] : ASCII.semicolon
        let isInPlace =
          isQuoted ? next == ASCII.comma || next == ASCII.semicolon : index == start
        if !isInPlace, !isReported {
          isReported = true
          add(
            .error, .malformedParameter, offset + index,
            "expected quotes around a whole parameter value, found a quote inside one")
        }
        isQuoted.toggle()
      }
      index += 1
    }
    return index
  }

  /// Finds control characters and invalid UTF-8 in one pass, which is fast for ASCII.
  private mutating func checkCharacters(_ line: Span<UInt8>) {
    guard !line.isPrintable(from: nameLength, to: line.count) else { return }
    var index = nameLength
    while index < line.count {
      let byte = line[index]
      if byte >= ASCII.space, byte < ASCII.delete {
        index += 1
      } else if byte >= 0x80 {
        let length = UTF8Check.sequenceLength(line, at: index)
        if length == 0 {
          add(
            .error, .invalidUTF8, index,
            "expected UTF-8, found the byte \(Self.hexadecimal(byte)); the bytes are kept",
            "RFC 5545 §3.1.4")
          return
        }
        index += length
      } else {
        if byte != ASCII.tab {
          add(
            .error, .controlCharacter, index,
            "expected no control character, found \(Self.hexadecimal(byte))")
          return
        }
        index += 1
      }
    }
  }

  /// A description of the character at an index for messages.
  private static func described(
    _ line: Span<UInt8>, at index: Int, end: String = "the end of the line"
  ) -> String {
    guard index < line.count else { return end }
    let byte = line[index]
    if byte >= 0x80 {
      let length = max(1, UTF8Check.sequenceLength(line, at: index))
      return length == 1
        ? "the byte \(hexadecimal(byte))"
        : "\"\(String(copying: line.extracting(index..<(index + length))))\""
    }
    if byte == ASCII.space { return "a space" }
    if byte < ASCII.space || byte == ASCII.delete { return hexadecimal(byte) }
    if byte == ASCII.quote { return "a quote" }
    return "\"\(Character(UnicodeScalar(byte)))\""
  }

  private static func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16, uppercase: true)
    return "0x" + (digits.utf8.count == 1 ? "0" + digits : digits)
  }
}
