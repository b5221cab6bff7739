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
  ///
  /// Text in a right-to-left script is isolated from the text around it (FSI, PDI; Unicode Standard
  /// Annex #9 §2.4). In an isolate, its marks (LRM, RLM, ALM) stay. Escaped text is not changed if it
  /// is escaped once more.
  package static func escaped(_ text: String) -> String {
    if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) { return text }
    let isolates = Isolates(of: text)
    let isWrapped = isolates.hasOuterText
    guard isWrapped || text.unicodeScalars.contains(where: isUnsafe) else { return text }
    var result = ""
    var depth = isWrapped ? 1 : 0
    for (index, scalar) in text.unicodeScalars.enumerated() {
      switch scalar {
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      case Isolates.start where isolates.paired.contains(index):
        depth += 1
        result.unicodeScalars.append(scalar)
      case Isolates.end where isolates.paired.contains(index):
        depth -= 1
        result.unicodeScalars.append(scalar)
      case _ where depth > 0 && Isolates.marks.contains(scalar):
        result.unicodeScalars.append(scalar)
      case _ where isUnsafe(scalar):
        result += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return isWrapped ? Isolates.wrapped(result) : result
  }

  /// Whether a character must be escaped for a terminal.
  package static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    UInt16(exactly: scalar.value).map(HiddenCharacters.contains) ?? false
  }
}

/// The isolates in a text, whose direction has no effect on the text around them.
package struct Isolates {
  /// FIRST STRONG ISOLATE.
  package static let start: Unicode.Scalar = "\u{2068}"
  /// POP DIRECTIONAL ISOLATE.
  package static let end: Unicode.Scalar = "\u{2069}"
  /// LEFT-TO-RIGHT MARK, RIGHT-TO-LEFT MARK and ARABIC LETTER MARK.
  fileprivate static let marks: Set<Unicode.Scalar> = ["\u{200E}", "\u{200F}", "\u{061C}"]

  /// The positions of the characters that start and end isolates, if both are there.
  fileprivate private(set) var paired: Set<Int> = []
  /// Whether the text has right-to-left characters outside of isolates.
  fileprivate private(set) var hasOuterText = false

  fileprivate init(of text: String) {
    var open: [Int] = []
    var found: [Int] = []
    for (index, scalar) in text.unicodeScalars.enumerated() {
      switch scalar {
      case Self.start: open.append(index)
      case Self.end:
        if let start = open.popLast() { paired.formUnion([start, index]) }
      default: if Self.isRightToLeft(scalar) { found.append(index) }
      }
    }
    guard !found.isEmpty else { return }
    var depth = 0
    var next = found[...]
    for (index, scalar) in text.unicodeScalars.enumerated() {
      if paired.contains(index) { depth += scalar == Self.start ? 1 : -1 }
      guard index == next.first else { continue }
      next.removeFirst()
      if depth == 0 { hasOuterText = true }
    }
  }

  /// An isolated text.
  package static func wrapped(_ text: String) -> String { "\(start)\(text)\(end)" }

  /// Parts of a text, each of which ends the isolates that it starts, and starts those of the part
  /// before it again.
  package static func closed(_ parts: [String]) -> [String] {
    var depth = 0
    return parts.map { part in
      let head = String(repeating: Character(start), count: depth)
      for scalar in part.unicodeScalars {
        if scalar == start { depth += 1 } else if scalar == end { depth = max(0, depth - 1) }
      }
      return head + part + String(repeating: Character(end), count: depth)
    }
  }

  /// Whether a character is a letter of a right-to-left script.
  ///
  /// The ranges are those of Hebrew, Arabic, Syriac, Thaana, N'Ko and their extensions, and of the
  /// historic and African scripts in plane 1.
  private static func isRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x05BE...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFC, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
      true
    default: false
    }
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
    return civil.digits(between: "T") + "Z"
  }
}

extension CivilDateTime {
  /// The date and the time of day (ISO 8601), with a separator.
  package func digits(between separator: String) -> String {
    let numbers = [date.year, date.month, date.day, time.hour, time.minute, time.second]
    let digits = numbers.map { $0 < 10 ? "0\($0)" : "\($0)" }
    return digits[..<3].joined(separator: "-") + separator + digits[3...].joined(separator: ":")
  }
}
