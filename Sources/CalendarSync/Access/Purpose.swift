// SPDX-License-Identifier: Apache-2.0

/// The sentence that is shown when access is asked for: what is done with the calendar, and why.
public struct Purpose: Hashable, Sendable, CustomStringConvertible {
  /// The sentence.
  public let text: String

  /// The fewest words that can say what and why.
  private static let fewestWords = 4
  /// The fewest words that are not about access to calendars as such.
  private static let fewestOwnWords = 2
  /// The most bytes that are shown with a question.
  private static let longest = 500
  /// The sentence that stands in a command to be filled in.
  private static let placeholder = "what it is for, and why"
  /// Words that sentences are made of which would fit every program.
  private static let general: Set<String> = [
    "a", "access", "accesses", "all", "an", "and", "app", "application", "calendar", "calendars",
    "data", "epact", "event", "events", "for", "full", "has", "have", "i", "in", "is", "it",
    "its", "many", "me", "my", "need", "needed", "needs", "of", "on", "our", "please", "program",
    "purposes", "require", "required", "requires", "stuff", "the", "them", "things", "this", "to",
    "use", "used", "user", "user's", "users", "uses", "various", "want", "wants", "with", "would",
    "like", "your",
  ]

  /// Checks a sentence.
  ///
  /// - Throws: `AccessError` with code `purpose` if it is empty, too short to say what and why, so
  ///   general that it says nothing, too long, or holds characters that control a terminal or change
  ///   the order of what is read.
  public init(_ text: String) throws(AccessError) {
    let words = text.split(whereSeparator: \.isWhitespace)
    let sentence = words.joined(separator: " ")
    guard sentence.utf8.count <= Self.longest,
      sentence.unicodeScalars.allSatisfy(Self.isHarmless)
    else {
      throw AccessError(
        code: .purpose,
        message: "expected a purpose of at most \(Self.longest) bytes without control characters")
    }
    guard Self.says(words.map(String.init)), sentence.lowercased() != Self.placeholder else {
      throw AccessError(
        code: .purpose,
        message: "expected a purpose that names what is done and why, such as "
          + "\"Adds the start of classes you book to your calendar\", found \"\(sentence)\"")
    }
    self.text = sentence
  }

  /// Whether words can say what is done, and why.
  ///
  /// Scripts that put no spaces between words are not counted in words.
  private static func says(_ words: [String]) -> Bool {
    let unspaced = words.joined().unicodeScalars.count { $0.value >= 0x0E00 && isUnspaced($0) }
    if unspaced >= 2 * fewestWords { return true }
    guard words.count >= fewestWords else { return false }
    let own = words.filter { word in
      let bare = word.lowercased().filter { $0.isLetter || $0 == "'" }
      return !bare.isEmpty && !general.contains(bare)
    }
    return own.count >= fewestOwnWords
  }

  /// Whether a character is of a script without spaces: Thai to Khmer, and the scripts of East Asia.
  private static func isUnspaced(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0E00...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x9FFF, 0x20000...0x3FFFF: true
    default: false
    }
  }

  /// Whether a character neither controls a terminal nor reorders or hides what is around it.
  ///
  /// The joiners stay: several scripts need them.
  private static func isHarmless(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    case .format: scalar.value == 0x200C || scalar.value == 0x200D
    default: true
    }
  }

  /// The sentence.
  public var description: String { text }
}
