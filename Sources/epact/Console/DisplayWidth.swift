// SPDX-License-Identifier: Apache-2.0

/// How many columns text takes on a terminal.
///
/// The C library's `wcwidth` depends on the locale, and a timer runs in the C locale; so the few
/// ranges that matter for alignment are here (Unicode Standard Annex #11).
package enum DisplayWidth {
  /// The number of columns of a text that was made safe.
  package static func of(_ text: String) -> Int {
    // Where every character has a column of its own, none need be put together of several.
    var count = 0
    for scalar in text.unicodeScalars {
      guard hasOwnColumn(scalar.value) else { return text.reduce(0) { $0 + of($1) } }
      count += 1
    }
    return count
  }

  /// Whether a character takes one column beside any other such: letters of Western Europe, and the
  /// dashes and dots of an agenda.
  private static func hasOwnColumn(_ value: UInt32) -> Bool {
    switch value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x2010...0x2027: true
    default: false
    }
  }

  /// The text with spaces after it up to a number of columns.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - of(text)))
  }

  /// The text if it fits into a number of columns, or as much of it as does, and an ellipsis.
  package static func truncated(_ text: String, to width: Int) -> String {
    guard of(text) > width else { return text }
    var result = ""
    var used = 0
    for character in text {
      let next = used + of(character)
      guard next < width else { break }
      result.append(character)
      used = next
    }
    return width > 0 ? result + "…" : ""
  }

  private static func of(_ character: Character) -> Int {
    guard let first = character.unicodeScalars.first else { return 0 }
    if character.unicodeScalars.contains("\u{FE0F}") { return 2 }
    switch first.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return 0
    default: return isWide(first.value) ? 2 : 1
    }
  }

  private static func isWide(_ value: UInt32) -> Bool {
    switch value {
    case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
      0xA000...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F,
      0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x1F1E6...0x1F1FF, 0x1F300...0x1F64F, 0x1F680...0x1F6FF,
      0x1F900...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: false
    }
  }
}
