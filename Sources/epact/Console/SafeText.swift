// SPDX-License-Identifier: Apache-2.0

/// Makes text from outside fit for a terminal: nothing in it can move the cursor, hide or reorder.
package enum SafeText {
  /// The text with its control, bidirectional and invisible format characters spelled out.
  ///
  /// A title with an escape sequence in it must not clear the screen, and one with a right-to-left
  /// override must not change the order of the words around it.
  package static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text }
    guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case _ where isUnsafe(scalar):
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// Whether a character may not reach a terminal as it is.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    // C0, DELETE and C1: escape sequences begin here.
    case 0x00...0x1F, 0x7F...0x9F: true
    // Marks, embeddings, overrides and isolates of the bidirectional algorithm.
    case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
    // Line and paragraph separators, which some terminals treat as line ends.
    case 0x2028, 0x2029: true
    // Invisible: soft hyphen, zero-width space and no-break space. The joiners stay: emoji and
    // several scripts need them.
    case 0x00AD, 0x200B, 0x2060, 0xFEFF: true
    default: false
    }
  }
}
