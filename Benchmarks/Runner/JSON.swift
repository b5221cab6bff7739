// SPDX-License-Identifier: Apache-2.0

/// A JSON value (RFC 8259).
indirect enum JSON {
  case text(String)
  case number(Double)
  case array([JSON])
  case object([(String, JSON)])

  var text: String {
    switch self {
    case .text(let text): Self.quoted(text)
    case .number(let number):
      if let whole = Int(exactly: number) {
        "\(whole)"
      } else {
        number.isFinite ? "\(number)" : "null"
      }
    case .array(let values): "[\(values.map(\.text).joined(separator: ", "))]"
    case .object(let members):
      "{\(members.map { "\(Self.quoted($0)): \($1.text)" }.joined(separator: ", "))}"
    }
  }

  /// A quoted string; the texts here contain no control characters.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for character in text {
      if character == "\"" || character == "\\" { result += "\\" }
      result.append(character)
    }
    return result + "\""
  }
}
