// SPDX-License-Identifier: Apache-2.0

/// The sentence that is shown when access is asked for: what is done with the calendar, and why.
public struct Purpose: Hashable, Sendable, CustomStringConvertible {
  /// The sentence.
  public let text: String

  /// The fewest words that can say what and why.
  private static let fewestWords = 4
  /// The most bytes that are shown with a question.
  private static let longest = 500
  /// Sentences that would fit every program.
  private static let general: Set<String> = [
    "uses your calendar", "use my calendar", "access my calendar", "needs access to your calendar",
    "needs access to the calendar", "this app needs calendar access", "access to the calendar",
    "what it is for, and why",
  ]

  /// Checks a sentence.
  ///
  /// - Throws: `AccessError` with code `purpose` if it is empty, too short to say what and why, so
  ///   general that it says nothing, too long, or holds control characters.
  public init(_ text: String) throws(AccessError) {
    let words = text.split(whereSeparator: \.isWhitespace)
    let sentence = words.joined(separator: " ")
    let bare = sentence.lowercased().filter { $0 != "." && $0 != "!" }
    guard words.count >= Self.fewestWords, !Self.general.contains(bare) else {
      throw AccessError(
        code: .purpose,
        message: "expected a purpose that names what is done and why, such as "
          + "\"Adds the start of classes you book to your calendar\", found \"\(sentence)\"")
    }
    guard sentence.utf8.count <= Self.longest,
      sentence.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F })
    else {
      throw AccessError(
        code: .purpose,
        message: "expected a purpose of at most \(Self.longest) bytes without control characters")
    }
    self.text = sentence
  }

  /// The sentence.
  public var description: String { text }
}
