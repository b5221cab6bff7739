// SPDX-License-Identifier: Apache-2.0

/// A parameter of a property (RFC 5545 §3.2).
public struct Parameter: Hashable, Sendable {
  /// The name, case-insensitive.
  public let name: ParameterName
  /// The values, at least one, unquoted and with RFC 6868 carets decoded.
  public let values: [String]

  /// Creates a parameter.
  public init(_ name: ParameterName, _ values: [String]) {
    self.name = name
    self.values = values.isEmpty ? [""] : values
  }

  /// Creates a parameter with one value.
  public init(_ name: ParameterName, _ value: String) {
    self.init(name, [value])
  }

  /// The first value.
  public var value: String { values.first ?? "" }

  /// Writes the parameter as part of a content line, without the preceding semicolon.
  ///
  /// Values are quoted if necessary, and characters that quotes cannot contain are caret-encoded
  /// (RFC 6868 §3). A value that ends in a backslash before a comma is quoted too, because readers
  /// would take the backslash for an escape.
  func write(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: name.rawName.utf8)
    bytes.append(ASCII.equals)
    for (index, value) in values.enumerated() {
      if index > 0 { bytes.append(ASCII.comma) }
      let encoded = CaretEncoding.encode(value)
      let isFollowed = index + 1 < values.count
      let mustQuote =
        encoded.contains { $0 == ASCII.colon || $0 == ASCII.semicolon || $0 == ASCII.comma }
        || isFollowed && encoded.last == ASCII.backslash
      if mustQuote { bytes.append(ASCII.quote) }
      bytes.append(contentsOf: encoded)
      if mustQuote { bytes.append(ASCII.quote) }
    }
  }
}

/// Parses the parameters of a content line (RFC 5545 §3.1, `*(";" param)`).
///
/// It is lenient, because `ContentLineParser` has already reported malformed parameters.
package enum ParameterParser {
  /// The parameters in the bytes between the name and the colon, from the first semicolon on.
  static func parameters(in bytes: Span<UInt8>) -> [Parameter] {
    var parameters: [Parameter] = []
    var index = 0
    while index < bytes.count, bytes[index] == ASCII.semicolon {
      let nameStart = index + 1
      index = endOfName(bytes, from: nameStart)
      let name = ParameterName(spelling: bytes.extracting(nameStart..<index))
      var values: [String] = []
      if index < bytes.count, bytes[index] == ASCII.equals {
        repeat {
          let start = index + 1
          index = endOfValue(bytes, from: start)
          values.append(decode(bytes.extracting(start..<index)))
        } while index < bytes.count && bytes[index] == ASCII.comma
      }
      parameters.append(Parameter(name, values))
    }
    return parameters
  }

  /// Calls `body` with each parameter: the index of its name, and its raw values.
  ///
  /// The index is nil if the name is unknown.
  static func forEach(in bytes: Span<UInt8>, _ body: (Int?, Span<UInt8>) -> Void) {
    let table = ParameterVocabulary.table
    var index = 0
    while index < bytes.count, bytes[index] == ASCII.semicolon {
      let nameStart = index + 1
      index = endOfName(bytes, from: nameStart)
      let name = table.index(of: bytes.extracting(nameStart..<index))
      let start = min(index + 1, bytes.count)
      while index < bytes.count, bytes[index] != ASCII.semicolon {
        index = endOfValue(bytes, from: index + 1)
      }
      body(name, bytes.extracting(min(start, index)..<index))
    }
  }

  /// A parameter by its ranges in the bytes of all parameters.
  struct Place {
    /// The index of the name in its vocabulary, or nil if it is unknown.
    let index: Int?
    let name: Range<Int>
    /// The raw values after the equals sign; empty if there is none.
    let values: Range<Int>
    /// The index after the parameter, which is the next semicolon or the end.
    let end: Int
  }

  /// The parameter at an index, or nil if no parameter starts there.
  static func place(in bytes: Span<UInt8>, at semicolon: Int) -> Place? {
    guard semicolon < bytes.count, bytes[semicolon] == ASCII.semicolon else { return nil }
    let nameEnd = endOfName(bytes, from: semicolon + 1)
    let name = semicolon + 1..<nameEnd
    var end = nameEnd
    while end < bytes.count, bytes[end] != ASCII.semicolon {
      end = endOfValue(bytes, from: end + 1)
    }
    return Place(
      index: ParameterVocabulary.table.index(of: bytes.extracting(name)), name: name,
      values: min(nameEnd + 1, end)..<end, end: end)
  }

  /// The range of a single value that needs no decoding, without its quotes.
  ///
  /// It is nil for several values, and for one with a caret, a backslash or an inner quote.
  static func plainValue(in bytes: Span<UInt8>, _ values: Range<Int>) -> Range<Int>? {
    var range = values
    let isQuoted =
      range.count >= 2 && bytes[range.lowerBound] == ASCII.quote
      && bytes[range.upperBound - 1] == ASCII.quote
    if isQuoted { range = range.lowerBound + 1..<range.upperBound - 1 }
    for index in range {
      switch bytes[index] {
      case ASCII.quote, ASCII.caret: return nil
      case ASCII.comma, ASCII.backslash: if !isQuoted { return nil }
      default: break
      }
    }
    return range
  }

  /// The first of the raw values after an equals sign, decoded.
  package static func firstValue(in bytes: Span<UInt8>) -> String {
    decode(bytes.extracting(0..<endOfValue(bytes, from: 0)))
  }

  /// All raw values after an equals sign, decoded; at least one.
  package static func values(in bytes: Span<UInt8>) -> [String] {
    var values: [String] = []
    var start = 0
    while true {
      let end = endOfValue(bytes, from: start)
      values.append(decode(bytes.extracting(start..<end)))
      guard end < bytes.count else { return values }
      start = end + 1
    }
  }

  /// The first value of the first parameter with a name; nothing else is decoded.
  static func firstValue(of wanted: ParameterName, in bytes: Span<UInt8>) -> String? {
    let table = ParameterVocabulary.table
    var index = 0
    while index < bytes.count, bytes[index] == ASCII.semicolon {
      let nameStart = index + 1
      index = endOfName(bytes, from: nameStart)
      let spelling = bytes.extracting(nameStart..<index)
      let found = table.index(of: spelling)
      let isWanted =
        found == nil && wanted.index == nil
        ? ParameterName(spelling: spelling) == wanted : found == wanted.index
      let valueStart = index + 1
      while index < bytes.count, bytes[index] != ASCII.semicolon {
        index = endOfValue(bytes, from: index + 1)
        if isWanted { return decode(bytes.extracting(valueStart..<index)) }
      }
      if isWanted { return "" }
    }
    return nil
  }

  /// The index of the equals sign or semicolon that ends a name.
  private static func endOfName(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      let word = bytes.word(at: index)
      let found =
        ByteWord.matches(word, ASCII.equals) | ByteWord.matches(word, ASCII.semicolon)
      guard found == 0 else { return index &+ found.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    return bytes.count
  }

  /// The index of the comma or semicolon that ends a value.
  ///
  /// Separators in quotes do not count, nor do escaped ones.
  private static func endOfValue(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var index = start
    while index < bytes.count {
      let word = bytes.word(at: index)
      let found =
        ByteWord.matches(word, ASCII.quote) | ByteWord.matches(word, ASCII.comma)
        | ByteWord.matches(word, ASCII.semicolon)
      guard found != 0 else {
        index &+= 8
        continue
      }
      index &+= found.trailingZeroBitCount >> 3
      guard bytes[index] == ASCII.quote else {
        guard bytes.isEscapedSeparator(at: index) else { return index }
        index &+= 1
        continue
      }
      index = bytes.firstIndex(of: ASCII.quote, from: index &+ 1).map { $0 &+ 1 } ?? bytes.count
    }
    return bytes.count
  }

  private static func decode(_ bytes: Span<UInt8>) -> String {
    guard bytes.count >= 2, bytes[0] == ASCII.quote, bytes[bytes.count - 1] == ASCII.quote else {
      return CaretEncoding.decode(unquoted: bytes)
    }
    return CaretEncoding.decode(bytes.extracting(1..<(bytes.count - 1)))
  }
}

extension Span<UInt8> {
  /// Whether the byte is a comma or semicolon after a backslash that does not end a parameter value.
  ///
  /// Lenient: RFC 5545 §3.2 uses quotes for such values and has no escapes in parameters. But
  /// programs that treat parameters as TEXT write `CN=Doe\, John` and `X-TITLE=Hauptstr. 1\; Linz`,
  /// and mean a single value. A semicolon before another parameter ends the value in any case.
  @inline(__always)
  func isEscapedSeparator(at index: Int) -> Bool {
    guard index > 0, self[index &- 1] == ASCII.backslash else { return false }
    return self[index] == ASCII.comma || self[index] == ASCII.semicolon && !isParameter(index &+ 1)
  }

  /// Whether a parameter name and an equals sign start at an index.
  @inline(never)
  private func isParameter(_ start: Int) -> Bool {
    var index = start
    while index < count, self[index].isNameByte { index &+= 1 }
    return index > start && index < count && self[index] == ASCII.equals
  }
}
