// SPDX-License-Identifier: Apache-2.0

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

  /// Writes a string.
  ///
  /// Characters that JSON forbids, and ``HiddenCharacters``, are written as `\uXXXX`. A program
  /// that reads the text gets the same characters.
  package mutating func string(_ text: String) {
    separate()
    bytes.append(ASCII.quote)
    let utf8 = text.utf8.span
    var index = 0
    while index < utf8.count {
      let byte = utf8[index]
      index += 1
      switch byte {
      case ASCII.quote, ASCII.backslash:
        bytes.append(ASCII.backslash)
        bytes.append(byte)
      case 0..<ASCII.space, ASCII.delete: escape(byte)
      case 0xC2, 0xD8, 0xE1, 0xE2, 0xEF:
        guard let hidden = Self.hidden(byte, before: index, in: utf8) else {
          bytes.append(byte)
          continue
        }
        escape(hidden.character)
        index += hidden.rest
      default: bytes.append(byte)
      }
    }
    bytes.append(ASCII.quote)
    needsComma = true
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
    if let text { string(text) } else { literal("null") }
  }

  /// Writes a number in JSON syntax, or `true`, `false` or `null`.
  package mutating func literal(_ text: String) {
    separate()
    bytes.append(contentsOf: text.utf8)
    needsComma = true
  }

  /// Writes a Boolean.
  package mutating func boolean(_ value: Bool) { literal(value ? "true" : "false") }

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
