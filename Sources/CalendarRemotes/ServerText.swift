// SPDX-License-Identifier: Apache-2.0

/// Text of foreign origin, made fit for an error message.
enum ServerText {
  /// The longest quotation, in characters.
  private static let lengthLimit = 300

  /// The text on one line, with every character escaped that could act on a terminal or mislead.
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

  /// Whether a character neither controls a terminal nor changes the direction of the text.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      false
    default: true
    }
  }

  /// The text with each run of white space as one space, and none at its ends.
  static func collapsed(_ text: String) -> String {
    text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }
}
