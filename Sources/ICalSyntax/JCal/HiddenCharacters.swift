// SPDX-License-Identifier: Apache-2.0

/// The characters that control a terminal, or hide or reorder what is around them.
///
/// All of them are in the basic multilingual plane. The joiners U+200C and U+200D are left out: emoji and
/// several scripts need them.
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
