// SPDX-License-Identifier: Apache-2.0

package import CivilTime

/// Writes JSON (RFC 8259) incrementally, without whitespace, and inserts the commas.
///
/// The caller must end every array and object that it begins.
package struct JSONBuilder: Sendable {
  /// The bytes written so far.
  package private(set) var bytes: [UInt8] = []
  /// Whether a comma must precede the next value or name.
  private var needsComma = false

  /// Creates an empty text.
  package init() {}

  /// Creates a text that follows other bytes.
  package init(appendingTo bytes: consuming [UInt8]) {
    self.bytes = bytes
  }

  /// Returns the bytes, and continues with an empty text.
  package mutating func takeBytes() -> [UInt8] {
    needsComma = false
    var taken: [UInt8] = []
    swap(&taken, &bytes)
    return taken
  }

  /// A state to which the text can be reset.
  struct Mark {
    fileprivate let count: Int
    fileprivate let needsComma: Bool
  }

  /// The current state.
  var mark: Mark { Mark(count: bytes.count, needsComma: needsComma) }

  /// Removes everything after a state.
  mutating func reset(to mark: Mark) {
    bytes.removeLast(bytes.count - mark.count)
    needsComma = mark.needsComma
  }

  /// Appends bytes outside of any value, such as a line break; no comma follows.
  package mutating func separator(_ separator: StaticString) {
    bytes.append(copying: separator)
    needsComma = false
  }

  /// Begins an array.
  package mutating func beginArray() { begin(UInt8(ascii: "[")) }

  /// Ends an array.
  package mutating func endArray() { end(UInt8(ascii: "]")) }

  /// Begins an object.
  package mutating func beginObject() { begin(UInt8(ascii: "{")) }

  /// Ends an object.
  package mutating func endObject() { end(UInt8(ascii: "}")) }

  /// Writes the name of a member; its value must follow.
  package mutating func name(_ name: String) {
    string(name)
    bytes.append(ASCII.colon)
    needsComma = false
  }

  /// Writes the name of a member, which contains only letters; its value must follow.
  mutating func member(_ name: StaticString) {
    append(quoted: name, isName: true)
    needsComma = false
  }

  /// Writes a string that contains only letters, digits and hyphens.
  mutating func word(_ word: StaticString) {
    append(quoted: word, isName: false)
    needsComma = true
  }

  /// Appends a literal in quotes, with a comma before it where one is needed, and a colon after a
  /// name.
  ///
  /// It makes room once, because appending byte by byte took longer than the rest.
  private mutating func append(quoted literal: StaticString, isName: Bool) {
    let needsComma = needsComma
    bytes.append(addingCapacity: literal.utf8CodeUnitCount + 4) { output in
      if needsComma { output.append(ASCII.comma) }
      output.append(ASCII.quote)
      output.append(copying: literal)
      output.append(ASCII.quote)
      if isName { output.append(ASCII.colon) }
    }
  }

  /// Writes the name of a property or parameter in lower case as a string.
  ///
  /// - Returns: False, and nothing is written, if a byte is not allowed in names.
  mutating func lowercasedName(_ name: Span<UInt8>) -> Bool {
    guard !name.isEmpty else { return false }
    for index in name.indices where !name[index].isNameByte { return false }
    let needsComma = needsComma
    bytes.append(addingCapacity: name.count + 3) { output in
      if needsComma { output.append(ASCII.comma) }
      output.append(ASCII.quote)
      for index in name.indices {
        let byte = name[index]
        output.append(0x41...0x5A ~= byte ? byte | 0x20 : byte)
      }
      output.append(ASCII.quote)
    }
    self.needsComma = true
    return true
  }

  /// Makes the string that was written the name of a member.
  mutating func endName() {
    bytes.append(ASCII.colon)
    needsComma = false
  }

  /// Writes a string.
  ///
  /// Characters that JSON forbids, and ``HiddenCharacters``, are written as `\uXXXX`. A program
  /// that reads the text gets the same characters.
  package mutating func string(_ text: String) {
    separate()
    bytes.append(ASCII.quote)
    append(text.utf8.span, decodingEscapes: false)
    bytes.append(ASCII.quote)
    needsComma = true
  }

  /// Writes a string of UTF-8, in which invalid sequences become U+FFFD.
  mutating func string(utf8: Span<UInt8>) {
    guard UTF8Check.firstInvalidOffset(utf8) == nil else { return string(String(copying: utf8)) }
    separate()
    bytes.append(ASCII.quote)
    append(utf8, decodingEscapes: false)
    bytes.append(ASCII.quote)
    needsComma = true
  }

  /// Writes a TEXT value (RFC 5545 §3.3.11) as a string, without its escapes.
  mutating func text(_ value: Span<UInt8>) {
    guard UTF8Check.firstInvalidOffset(value) == nil else {
      return string(TextEscaping.unescape(value))
    }
    separate()
    bytes.append(ASCII.quote)
    append(value, decodingEscapes: true)
    bytes.append(ASCII.quote)
    needsComma = true
  }

  /// Appends well-formed UTF-8, escaped as JSON requires it.
  ///
  /// - Parameters:
  ///   - utf8: The text.
  ///   - decodingEscapes: Whether the text has escapes of TEXT, which are decoded.
  private mutating func append(_ utf8: Span<UInt8>, decodingEscapes: Bool) {
    // The start of the bytes that are appended as they are.
    var copied = 0
    var index = 0
    while index < utf8.count {
      let stops = Self.stops(utf8.vector(at: index))
      guard stops != 0 else {
        index &+= 16
        continue
      }
      index &+= stops.trailingZeroBitCount
      // The vector ends in zeros after the text.
      guard index < utf8.count else { break }
      let byte = utf8[index]
      if byte == ASCII.backslash, decodingEscapes, index + 1 < utf8.count {
        bytes.append(copying: utf8, from: copied, to: index)
        // Without its backslash, any other byte is examined like the rest.
        index += appendEscaped(utf8[index + 1]) ? 2 : 1
        copied = index
      } else if let rest = rest(ofEscapedAt: index, in: utf8) {
        bytes.append(copying: utf8, from: copied, to: index)
        appendEscape(of: byte, at: index, in: utf8)
        index += 1 + rest
        copied = index
      } else {
        index += 1
      }
    }
    bytes.append(copying: utf8, from: copied, to: utf8.count)
  }

  /// The bytes that may need an escape; the first byte is the lowest bit.
  @inline(__always)
  private static func stops(_ part: SIMD16<UInt8>) -> UInt64 {
    ByteVector.unprintable(part)
      | (ByteVector.matches(part, ASCII.quote) .| ByteVector.matches(part, ASCII.backslash)).bits
  }

  /// Appends the byte after a backslash of TEXT, unless it stands for itself in JSON.
  private mutating func appendEscaped(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "n"), UInt8(ascii: "N"), ASCII.quote, ASCII.backslash: break
    default: return false
    }
    bytes.append(ASCII.backslash)
    bytes.append(byte == UInt8(ascii: "N") ? UInt8(ascii: "n") : byte)
    return true
  }

  /// The number of bytes after the first one of a character that is escaped; nil if it is not.
  private func rest(ofEscapedAt index: Int, in utf8: Span<UInt8>) -> Int? {
    switch utf8[index] {
    case ASCII.quote, ASCII.backslash, 0..<ASCII.space, ASCII.delete: 0
    case 0xC2, 0xD8, 0xE1, 0xE2, 0xEF: Self.hidden(utf8[index], before: index + 1, in: utf8)?.rest
    default: nil
    }
  }

  private mutating func appendEscape(of byte: UInt8, at index: Int, in utf8: Span<UInt8>) {
    switch byte {
    case ASCII.quote, ASCII.backslash:
      bytes.append(ASCII.backslash)
      bytes.append(byte)
    case 0x80...:
      if let hidden = Self.hidden(byte, before: index + 1, in: utf8) { escape(hidden.character) }
    default: escape(byte)
    }
  }

  /// The character to escape that starts with a byte, and the number of bytes after it; or nil.
  private static func hidden(
    _ first: UInt8, before index: Int, in utf8: Span<UInt8>
  ) -> (character: UInt16, rest: Int)? {
    // A string is well-formed UTF-8: the bytes that the first one announces are there.
    let second = UInt16(utf8[index] & 0x3F)
    if first < 0xE0 {
      let character = UInt16(first & 0x1F) << 6 | second
      return HiddenCharacters.contains(character) ? (character, 1) : nil
    }
    let character = UInt16(first & 0x0F) << 12 | second << 6 | UInt16(utf8[index + 1] & 0x3F)
    return HiddenCharacters.contains(character) ? (character, 2) : nil
  }

  private mutating func escape(_ byte: UInt8) {
    let letter: UInt8? =
      switch byte {
      case ASCII.lineFeed: UInt8(ascii: "n")
      case ASCII.carriageReturn: UInt8(ascii: "r")
      case ASCII.tab: UInt8(ascii: "t")
      default: nil
      }
    guard let letter else { return escape(UInt16(byte)) }
    bytes.append(ASCII.backslash)
    bytes.append(letter)
  }

  private mutating func escape(_ character: UInt16) {
    bytes.append(ASCII.backslash)
    bytes.append(UInt8(ascii: "u"))
    for shift in [12, 8, 4, 0] {
      bytes.append(Self.digit(UInt8(truncatingIfNeeded: character >> UInt16(shift)) & 0x0F))
    }
  }

  /// Writes a string, or null where there is none.
  package mutating func string(_ text: String?) {
    if let text { string(text) } else { null() }
  }

  /// Writes a number in JSON syntax, or `true`, `false` or `null`.
  package mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  /// Writes a Boolean.
  package mutating func boolean(_ value: Bool) {
    separate()
    bytes.append(copying: value ? "true" : "false")
    needsComma = true
  }

  /// Writes null.
  package mutating func null() {
    separate()
    bytes.append(copying: "null")
    needsComma = true
  }

  /// Writes a date in extended format (RFC 7265 §3.6.4).
  mutating func date(_ date: CivilDate) {
    separate()
    bytes.append(ASCII.quote)
    ExtendedFormat.append(date, to: &bytes)
    bytes.append(ASCII.quote)
    needsComma = true
  }

  /// Writes a date-time in extended format (RFC 7265 §3.6.5).
  package mutating func dateTime(_ value: CivilDateTime, isUTC: Bool) {
    separate()
    bytes.append(ASCII.quote)
    ExtendedFormat.append(value, isUTC: isUTC, to: &bytes)
    bytes.append(ASCII.quote)
    needsComma = true
  }

  private mutating func separate() {
    if needsComma { bytes.append(ASCII.comma) }
  }

  private mutating func begin(_ bracket: UInt8) {
    separate()
    bytes.append(bracket)
    needsComma = false
  }

  private mutating func end(_ bracket: UInt8) {
    bytes.append(bracket)
    needsComma = true
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
  }
}

/// Characters that control a terminal, or hide or reorder the text around them.
///
/// All of them are in the basic multilingual plane. The joiners U+200C and U+200D are not included,
/// because emoji and several scripts need them.
package enum HiddenCharacters {
  /// Whether a character, given by its number, is one of them.
  package static func contains(_ character: UInt16) -> Bool {
    switch character {
    // C0, DELETE and C1: escape sequences begin here.
    case 0x00...0x1F, 0x7F...0x9F: true
    // Marks, embeddings, overrides and isolates of the bidirectional algorithm, and the deprecated
    // format characters beside them.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x206F: true
    // Line and paragraph separators, which some terminals treat as line ends.
    case 0x2028, 0x2029: true
    // Invisible: soft hyphen, vowel separator, zero-width space and no-break space, word joiner and
    // invisible operators.
    case 0x00AD, 0x180E, 0x200B, 0x2060...0x2064, 0xFEFF: true
    // The anchors of interlinear annotations.
    case 0xFFF9...0xFFFB: true
    default: false
    }
  }
}
