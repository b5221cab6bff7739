// SPDX-License-Identifier: Apache-2.0

import Epact

/// Converts ICU text for output on a terminal.
enum PlainText {
  /// The text without unsafe characters, and with ordinary spaces.
  static func of(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      if scalar == "\u{202F}" || scalar == "\u{A0}" {
        result.unicodeScalars.append(" ")
      } else if !SafeText.isUnsafe(scalar) {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
