// SPDX-License-Identifier: Apache-2.0

/// Makes texts of ICU fit for a terminal.
enum PlainText {
  /// The text without the marks that a terminal is not given, and with plain spaces.
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
