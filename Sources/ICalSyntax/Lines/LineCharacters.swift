// SPDX-License-Identifier: Apache-2.0

/// Properties of the characters in a content line, gathered while searching for its end.
struct LineCharacters: Sendable {
  /// Whether there are control characters other than tabs.
  var hasControls = false
  private var seenBits: UInt64 = 0

  /// Whether there may be bytes outside of ASCII.
  var mayHaveMultibyte: Bool { seenBits & ByteWord.highBits != 0 }

  /// Whether the line has no control characters and is well-formed UTF-8.
  @inline(__always)
  func isPlain(_ text: Span<UInt8>) -> Bool {
    !hasControls && (!mayHaveMultibyte || UTF8Check.firstInvalidOffset(text) == nil)
  }

  /// The index of the first control character, or `end` if there is none.
  @inline(__always)
  mutating func firstControl(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Int {
    var index = start
    while index &+ 8 <= end {
      let word = bytes.word(at: index)
      seenBits |= word
      let controls = ByteWord.controls(word)
      guard controls == 0 else { return index &+ controls.trailingZeroBitCount >> 3 }
      index &+= 8
    }
    while index < end {
      let byte = bytes[index]
      if byte < ASCII.space || byte == ASCII.delete { break }
      seenBits |= UInt64(byte)
      index &+= 1
    }
    return index
  }
}
