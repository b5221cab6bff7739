// SPDX-License-Identifier: Apache-2.0

/// Sanitizes untrusted text for error messages.
enum ServerText {
  /// The maximum length of a quotation, in characters.
  private static let lengthLimit = 300

  /// The text on one line, with characters escaped that could control a terminal or mislead.
  static func escaped(_ text: String) -> String {
    var result = ""
    for (count, scalar) in text.unicodeScalars.enumerated() {
      guard count < lengthLimit else { return result + "…" }
      if scalar == "\n" || scalar == "\r" || scalar == "\t" {
        result += " "
      } else if isHarmless(scalar) {
        result.unicodeScalars.append(scalar)
      } else {
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      }
    }
    return result
  }

  /// Whether a character neither controls a terminal nor changes the text direction.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }

  /// The text with white space collapsed to single spaces, and trimmed.
  static func collapsed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
