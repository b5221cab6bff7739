// SPDX-License-Identifier: Apache-2.0

package import CivilTime
import ICalSyntax

/// A word in shell syntax, for commands that are printed or parsed.
package struct ShellWord: CustomStringConvertible, Sendable {
  private let word: String

  /// Creates a word.
  package init(_ word: String) {
    self.word = word
  }

  /// The word, in single quotes if necessary.
  ///
  /// Unsafe characters are escaped as bytes, such as `$'\\033'` (POSIX.1-2024 §2.2.4).
  package var description: String {
    if word.unicodeScalars.contains(where: SafeText.isUnsafe) { return spelled }
    let plain = word.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: "-_./:@%+=,".utf8.contains(byte)
      }
    }
    guard !plain || word.isEmpty else { return word }
    let parts = word.split(separator: "'", omittingEmptySubsequences: false)
    return "'" + parts.joined(separator: "'\\''") + "'"
  }

  private var spelled: String {
    var text = "$'"
    for byte in word.utf8 {
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\\"): text += "\\" + String(Unicode.Scalar(byte))
      case 0x20..<0x7F: text += String(Unicode.Scalar(byte))
      default:
        // Three octal digits are written always, so that a following digit is not part of the
        // escape.
        let digits = String(byte, radix: 8)
        text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
      }
    }
    return text + "'"
  }

  /// Splits a command into words, with shell quotes and backslashes (POSIX 2.2).
  ///
  /// Nothing is expanded, and no shell is run.
  ///
  /// - Returns: The words; nil if a quote is not closed or the command ends with a backslash.
  package static func words(in command: String) -> [String]? {
    var words: [String] = []
    var word: String?
    var quote: Character?
    var rest = command[...]
    while let character = rest.popFirst() {
      switch (character, quote) {
      case ("'", "'"), ("\"", "\""): quote = nil
      case ("'", nil), ("\"", nil):
        quote = character
        word = word ?? ""
      case ("\\", nil), ("\\", "\""):
        guard let next = rest.popFirst() else { return nil }
        let isKept = quote != nil && !"\"\\$`".contains(next)
        word = (word ?? "") + (isKept ? "\\" : "") + String(next)
      case (_, nil) where character.isWhitespace:
        if let ended = word { words.append(ended) }
        word = nil
      default: word = (word ?? "") + String(character)
      }
    }
    guard quote == nil else { return nil }
    return words + [word].compactMap(\.self)
  }
}

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

/// A number with a noun: `1 event`, `2 events`, `1,000 events`.
package struct Count: CustomStringConvertible, Sendable {
  private let number: Int
  private let singular: String
  private let plural: String

  /// Creates a count; an irregular plural has to be given.
  package init(_ number: Int, _ singular: String, plural: String? = nil) {
    self.number = number
    self.singular = singular
    self.plural = plural ?? singular + "s"
  }

  /// The number and the noun.
  package var description: String { "\(Self.grouped(number)) \(number == 1 ? singular : plural)" }

  /// The number with a comma as the thousands separator.
  package static func grouped(_ number: Int) -> String {
    let digits = Array(String(number.magnitude))
    var result = number < 0 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return result
  }
}

extension Count {
  /// A number with about three significant digits.
  package static func rounded(_ value: Double) -> String {
    guard value.isFinite else { return "?" }
    if value >= 100 { return grouped(Int(min(value, 1e15).rounded())) }
    let digits = value >= 10 ? 1 : value >= 1 ? 2 : 3
    let scale = [1.0, 10, 100, 1000][digits]
    let whole = Int((value * scale).rounded())
    let fraction = String(whole % Int(scale))
    let zeros = String(repeating: "0", count: digits - fraction.count)
    return "\(whole / Int(scale)).\(zeros)\(fraction)"
  }
}

extension Instant {
  /// The instant in UTC (RFC 3339).
  package var timestamp: String {
    guard let civil = civil() else { return description }
    let (date, time) = (civil.date, civil.time)
    let numbers = [date.year, date.month, date.day, time.hour, time.minute, time.second]
    let digits = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
    return digits[..<3].joined(separator: "-") + "T" + digits[3...].joined(separator: ":") + "Z"
  }
}
