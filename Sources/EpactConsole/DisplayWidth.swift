// SPDX-License-Identifier: Apache-2.0

import Epact

/// The width of text on a terminal, in columns.
///
/// The C library's `wcwidth` depends on the locale, and timers run in the C locale. Therefore the
/// few ranges relevant for alignment are listed here (Unicode Standard Annex #11).
package enum DisplayWidth {
  /// The number of columns of escaped text.
  package static func of(_ text: String) -> Int {
    // Fast path: no graphemes have to be formed if every character has its own column.
    var count = 0
    for scalar in text.unicodeScalars {
      guard hasOwnColumn(scalar.value) else { return text.reduce(0) { $0 + of($1) } }
      count += 1
    }
    return count
  }

  /// Whether a character always takes exactly one column.
  ///
  /// These are the letters of Western Europe, and the dashes and dots of an agenda.
  private static func hasOwnColumn(_ value: UInt32) -> Bool {
    switch value {
    case 0x20...0x7E, 0xA1...0xAC, 0xAE...0x2FF, 0x2010...0x2027: true
    default: false
    }
  }

  /// The text, padded with spaces to a number of columns.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - of(text)))
  }

  /// The text, truncated with an ellipsis if it exceeds a number of columns.
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
    return width > 0 ? Isolates.closed([result + "…"])[0] : ""
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

/// The wrapping of text in narrow columns.
package enum TextWrapping {
  /// The text wrapped at a width: between words, and within words that are longer than a line.
  package static func lines(of text: String, width: Int) -> [String] {
    guard DisplayWidth.of(text) > width else { return [text] }
    var lines: [String] = []
    var line = ""
    for word in text.split(separator: " ", omittingEmptySubsequences: false).map(String.init) {
      let longer = line.isEmpty ? word : line + " " + word
      if DisplayWidth.of(longer) <= width {
        line = longer
        continue
      }
      if !line.isEmpty { lines.append(line) }
      line = ""
      for character in word {
        if DisplayWidth.of(line + String(character)) > width, !line.isEmpty {
          lines.append(line)
          line = ""
        }
        line.append(character)
      }
    }
    return Isolates.closed(line.isEmpty ? lines : lines + [line])
  }
}
