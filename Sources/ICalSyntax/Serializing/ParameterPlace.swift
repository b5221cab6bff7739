// SPDX-License-Identifier: Apache-2.0

/// Where a parameter lies in an unfolded line, and whether it is spelled canonically there.
struct ParameterPlace {
  private static let valueKey = CanonicalKey("VALUE".utf8.span, count: 5)

  let key: CanonicalKey
  /// The range of the name, after the semicolon.
  let name: Range<Int>
  /// The range of the values, after the equals sign.
  private(set) var values: Range<Int>
  private(set) var valueCount = 0
  /// Whether it is written as it stands.
  private(set) var isCanonical = true
  /// Whether the name is one that RFC 5545 §3.1 allows; a quote in it would count for the whole line.
  let hasName: Bool

  /// Reads the parameter that begins at an index, after its semicolon.
  init(_ text: Span<UInt8>, at start: Int, end: Int) {
    var index = start
    while index < end, text[index].isNameByte { index &+= 1 }
    let nameEnd = index
    while index < end, text[index] != ASCII.equals, text[index] != ASCII.semicolon { index &+= 1 }
    hasName = nameEnd > start && nameEnd == index
    name = start..<index
    let spelling = text.extracting(name)
    key = CanonicalKey(spelling, count: name.count)
    values = index..<index
    guard spelling.isUppercase, index < end, text[index] == ASCII.equals else {
      isCanonical = false
      if index < end, text[index] == ASCII.equals { readValues(text, from: index, end: end) }
      return
    }
    readValues(text, from: index, end: end)
  }

  /// Whether the parameters in a range are written as they stand, as far as can be told at a glance: in
  /// order, each spelled canonically, and none of them VALUE.
  static func areCanonical(_ text: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    var last: ParameterPlace?
    while index < range.upperBound {
      let place = ParameterPlace(text, at: index &+ 1, end: range.upperBound)
      guard place.isCanonical, !place.isValue else { return false }
      if let last, place.precedes(last, in: text) { return false }
      last = place
      index = place.values.upperBound
    }
    return true
  }

  /// Whether it is the VALUE parameter (RFC 5545 §3.2.20).
  var isValue: Bool { key == Self.valueKey }

  /// Whether its one value is this name, in whatever case.
  func names(_ wanted: NameKey, in text: Span<UInt8>) -> Bool {
    var range = values
    guard valueCount == 1 else { return false }
    if range.count >= 2, text[range.lowerBound] == ASCII.quote,
      text[range.upperBound - 1] == ASCII.quote
    {
      range = (range.lowerBound + 1)..<(range.upperBound - 1)
    }
    guard range.count <= NameKey.limit else { return false }
    return NameKey(text, at: range.lowerBound, count: range.count) == wanted
  }

  /// Whether it comes before another one by name.
  func precedes(_ other: ParameterPlace, in text: Span<UInt8>) -> Bool {
    guard key == other.key else { return key < other.key }
    guard key.isCut else { return false }
    return text.extracting(name).isBeforeIgnoringCase(text.extracting(other.name))
  }

  /// Appends it in its canonical spelling, after a semicolon.
  func write(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    bytes.append(ASCII.semicolon)
    guard !isCanonical || isValue else {
      bytes.append(copying: text.extracting(name.lowerBound..<values.upperBound))
      return
    }
    bytes.append(uppercasing: text.extracting(name))
    bytes.append(ASCII.equals)
    let start = bytes.count
    writeValues(text, to: &bytes)
    guard isValue else { return }
    for index in start..<bytes.count { bytes[index] = bytes[index].asciiUppercased }
  }

  private func writeValues(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    var index = values.lowerBound
    while true {
      let end = Self.endOfValue(text, from: index, end: values.upperBound).index
      CaretEncoding.appendCanonically(text.extracting(index..<end), to: &bytes)
      guard end < values.upperBound else { return }
      bytes.append(ASCII.comma)
      index = end + 1
    }
  }

  private mutating func readValues(_ text: Span<UInt8>, from equals: Int, end: Int) {
    var index = equals
    repeat {
      let found = Self.endOfValue(text, from: index &+ 1, end: end)
      if !found.isCanonical { isCanonical = false }
      index = found.index
      valueCount &+= 1
    } while index < end && text[index] == ASCII.comma
    values = (equals &+ 1)..<index
  }

  /// The comma or semicolon that ends a value, and whether the value is spelled canonically: without
  /// carets, and between quotes if and only if these are needed.
  private static func endOfValue(
    _ text: Span<UInt8>, from start: Int, end: Int
  ) -> (index: Int, isCanonical: Bool) {
    var index = endOfPlainBytes(text, from: start, end: end)
    guard index < end, text[index] != ASCII.comma, text[index] != ASCII.semicolon else {
      return (index, true)
    }
    index = start
    var quotes = 0
    var hasCarets = false
    var needsQuotes = false
    while index < end {
      let byte = text[index]
      if byte == ASCII.quote {
        quotes &+= 1
      } else if byte == ASCII.comma || byte == ASCII.semicolon {
        if quotes & 1 == 0 { break }
        needsQuotes = true
      } else if byte == ASCII.colon {
        needsQuotes = true
      } else if byte == ASCII.caret {
        hasCarets = true
      }
      index &+= 1
    }
    guard quotes > 0 || needsQuotes else { return (index, !hasCarets) }
    let isQuoted =
      quotes == 2 && text[start] == ASCII.quote && text[index &- 1] == ASCII.quote
    return (index, isQuoted && needsQuotes && !hasCarets)
  }

  /// The index of the first byte that ends a value or makes it worth a closer look.
  @inline(__always)
  private static func endOfPlainBytes(_ text: Span<UInt8>, from start: Int, end: Int) -> Int {
    var index = start
    while index < end {
      let word = text.word(at: index)
      let found =
        ByteWord.separators(word) | ByteWord.matches(word, ASCII.comma)
        | ByteWord.matches(word, ASCII.quote) | ByteWord.matches(word, ASCII.caret)
      guard found == 0 else { return min(end, index &+ found.trailingZeroBitCount >> 3) }
      index &+= 8
    }
    return end
  }
}
