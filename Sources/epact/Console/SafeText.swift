// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

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
    UInt16(exactly: scalar.value).map(HiddenCharacters.contains) ?? false
  }
}
