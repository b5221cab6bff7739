// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// Escapes external text for a terminal, so that it cannot move the cursor, hide or reorder text.
package enum SafeText {
  /// The text with control, bidirectional and invisible format characters escaped.
  ///
  /// For example, an escape sequence in a title must not clear the screen, and a right-to-left
  /// override must not reorder the surrounding text.
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

  /// Whether a character must be escaped for a terminal.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    UInt16(exactly: scalar.value).map(HiddenCharacters.contains) ?? false
  }
}
