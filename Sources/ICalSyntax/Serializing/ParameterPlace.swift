// SPDX-License-Identifier: Apache-2.0

/// The range of a parameter in an unfolded line, and whether its spelling is canonical.
struct ParameterPlace: BitwiseCopyable, Sendable {
  /// The key of the name.
  private let key: CanonicalKey
  /// The start of the name, after the semicolon, and its end.
  private let nameStart: UInt32
  private let nameLimit: UInt32
  /// The end of the last value; the first one starts after the equals sign.
  private var limit: UInt32
  private var hasValue = false
  private var hasSeveralValues = false
  /// Whether the parameter is written unchanged.
  private(set) var isCanonical: Bool
  /// Whether the name is valid (RFC 5545 §3.1); a quote in it would affect the whole line.
  let hasName: Bool

  /// Reads the parameter that starts at an index, after its semicolon.
  @inline(__always)
  init(_ text: Span<UInt8>, at start: Int, upTo limit: Int) {
    let head = text.vector(at: start)
    let others = ByteVector.nonCapitals(head)
    let length = others.trailingZeroBitCount
    guard others != 0, length > 0, start &+ length < limit, text[start &+ length] == ASCII.equals
    else {
      self.init(unusual: text, at: start, upTo: limit)
      return
    }
    let key = CanonicalKey(capitals: ByteWord.prefix(head.words.0, length))
    self.init(key, start..<(start &+ length), isCanonical: true, hasName: true)
    readValues(text, upTo: limit)
  }

  /// Creates an empty placeholder.
  init() {
    self.init(.empty, 0..<0, isCanonical: true, hasName: false)
  }

  @inline(__always)
  private init(_ key: CanonicalKey, _ name: Range<Int>, isCanonical: Bool, hasName: Bool) {
    self.key = key
    nameStart = UInt32(truncatingIfNeeded: name.lowerBound)
    nameLimit = UInt32(truncatingIfNeeded: name.upperBound)
    limit = UInt32(truncatingIfNeeded: name.upperBound)
    self.isCanonical = isCanonical
    self.hasName = hasName
  }

  /// Reads a parameter whose name is long, not in upper case, or missing.
  @inline(never)
  private init(unusual text: Span<UInt8>, at start: Int, upTo limit: Int) {
    var index = start
    var hasSmallLetters = false
    while index < limit, text[index].isNameByte {
      if text[index] > 0x60 { hasSmallLetters = true }
      index &+= 1
    }
    let end = index
    while index < limit, text[index] != ASCII.equals, text[index] != ASCII.semicolon {
      index &+= 1
    }
    let hasName = end > start && end == index
    let hasValues = index < limit && text[index] == ASCII.equals
    self.init(
      CanonicalKey(text, at: start, count: index &- start), start..<index,
      isCanonical: hasName && hasValues && !hasSmallLetters, hasName: hasName)
    if hasValues { readValues(text, upTo: limit) }
  }

  private var start: Int { Int(nameStart) }
  private var nameEnd: Int { Int(nameLimit) }

  /// The end of the parameter.
  private(set) var end: Int {
    get { Int(limit) }
    set { limit = UInt32(truncatingIfNeeded: newValue) }
  }

  /// The range of the parameter, including the preceding semicolon.
  var piece: (start: Int, end: Int) { (start &- 1, end) }

  /// Whether it is the VALUE parameter (RFC 5545 §3.2.20).
  var isValue: Bool { key == .value }

  /// The range of the values, after the equals sign.
  var values: Range<Int> { min(nameEnd &+ 1, end)..<end }

  /// Whether it has this name as its only value, in any case.
  func names(_ wanted: NameKey, in text: Span<UInt8>) -> Bool {
    var range = values
    guard hasValue, !hasSeveralValues else { return false }
    if range.count >= 2, text[range.lowerBound] == ASCII.quote,
      text[range.upperBound - 1] == ASCII.quote
    {
      range = (range.lowerBound + 1)..<(range.upperBound - 1)
    }
    guard range.count <= NameKey.limit else { return false }
    return NameKey(text, at: range.lowerBound, count: range.count).isEqualIgnoringCase(to: wanted)
  }

  /// Whether the keys alone show that it follows another one in canonical order.
  @inline(__always)
  func clearlyFollows(_ other: ParameterPlace) -> Bool { other.key < key }

  /// Whether it precedes another one of the line in canonical order: by name, then by position.
  @inline(__always)
  func precedes(_ other: ParameterPlace, in text: Span<UInt8>) -> Bool {
    guard key == other.key else { return key < other.key }
    let order = CanonicalKey.compare(text, start..<nameEnd, text, other.start..<other.nameEnd)
    return order != 0 ? order < 0 : start < other.start
  }

  /// Appends the parameter in canonical form, with a preceding semicolon.
  func write(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    guard !isCanonical || isValue else {
      // The semicolon is the byte before the name.
      bytes.append(copying: text, from: start &- 1, to: end)
      return
    }
    bytes.append(ASCII.semicolon)
    bytes.append(uppercasing: text, from: start, to: nameEnd)
    bytes.append(ASCII.equals)
    let written = bytes.count
    writeValues(text, to: &bytes)
    guard isValue else { return }
    var index = written
    while index < bytes.count {
      // The character after a caret is case-sensitive: `^N` is not an encoding.
      let isPair = bytes[index] == ASCII.caret
      if !isPair { bytes[index] = bytes[index].asciiUppercased }
      index += isPair ? 2 : 1
    }
  }

  private func writeValues(_ text: Span<UInt8>, to bytes: inout [UInt8]) {
    var index = values.lowerBound
    while true {
      let stop = Self.endOfOddValue(text, from: index, upTo: end).index
      CaretEncoding.appendCanonically(
        text.extracting(index..<stop), isFollowed: stop < end, to: &bytes)
      guard stop < end else { return }
      bytes.append(ASCII.comma)
      index = stop + 1
    }
  }

  @inline(__always)
  private mutating func readValues(_ text: Span<UInt8>, upTo limit: Int) {
    repeat {
      let start = end &+ 1
      end = Self.endOfPlainValue(text, from: start, upTo: limit)
      if end < limit,
        text[end] != ASCII.semicolon && text[end] != ASCII.comma
          || text.isEscapedSeparator(at: end)
      {
        readOddValue(text, from: start, upTo: limit)
      }
      hasSeveralValues = hasValue
      hasValue = true
    } while end < limit && text[end] == ASCII.comma
  }

  @inline(never)
  private mutating func readOddValue(_ text: Span<UInt8>, from start: Int, upTo limit: Int) {
    if let index = Self.endOfQuotedValue(text, from: start, upTo: limit) {
      end = index
      return
    }
    let found = Self.endOfOddValue(text, from: start, upTo: limit)
    if !found.isCanonical { isCanonical = false }
    end = found.index
  }

  /// The index of the first byte that ends a value or requires closer examination.
  @inline(__always)
  private static func endOfPlainValue(
    _ text: Span<UInt8>, from start: Int, upTo limit: Int
  ) -> Int {
    var index = start
    while index < limit {
      let part = text.vector(at: index)
      let found = ByteVector.parameterStops(part) | ByteVector.matches(part, ASCII.caret).bits
      guard found == 0 else { return min(limit, index &+ found.trailingZeroBitCount) }
      index &+= 16
    }
    return limit
  }

  /// The end of a quoted value that needs its quotes and has no carets, or nil for other values.
  private static func endOfQuotedValue(
    _ text: Span<UInt8>, from start: Int, upTo limit: Int
  ) -> Int? {
    guard text[start] == ASCII.quote else { return nil }
    var index = start &+ 1
    var needsQuotes = false
    while index < limit {
      let word = text.word(at: index)
      let found = ByteWord.matches(word, ASCII.quote) | ByteWord.matches(word, ASCII.caret)
      let count = found.trailingZeroBitCount >> 3
      let separators = ByteWord.separators(word) | ByteWord.matches(word, ASCII.comma)
      needsQuotes = needsQuotes || ByteWord.prefix(separators, count) != 0
      index &+= count
      guard found != 0 else { continue }
      guard index < limit, needsQuotes, text[index] == ASCII.quote else { return nil }
      let end = index &+ 1
      return end == limit || text[end] == ASCII.comma || text[end] == ASCII.semicolon ? end : nil
    }
    return nil
  }

  /// The comma or semicolon that ends a value, and whether its spelling is canonical.
  ///
  /// A canonical value has no carets, and has quotes if and only if they are necessary.
  private static func endOfOddValue(
    _ text: Span<UInt8>, from start: Int, upTo limit: Int
  ) -> (index: Int, isCanonical: Bool) {
    var index = start
    var quotes = 0
    var hasCarets = false
    var needsQuotes = false
    while index < limit {
      let byte = text[index]
      if byte == ASCII.quote {
        quotes &+= 1
      } else if byte == ASCII.comma || byte == ASCII.semicolon {
        if quotes & 1 == 0, !text.isEscapedSeparator(at: index) { break }
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
    // Before another value, an unquoted trailing backslash would be read as an escape.
    let isFollowed = index < limit && text[index] == ASCII.comma
    if isQuoted, isFollowed, text[index &- 2] == ASCII.backslash { needsQuotes = true }
    return (index, isQuoted && needsQuotes && !hasCarets)
  }
}
