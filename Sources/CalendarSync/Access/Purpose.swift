// SPDX-License-Identifier: Apache-2.0

/// The text that is shown when access is asked for: what is done with the calendar, and why.
///
/// Any text in any language is taken. What a program shows of it has to be made safe there, as with every
/// text from outside.
public struct Purpose: Hashable, Sendable, CustomStringConvertible {
  /// What would make a purpose more useful to those who read it.
  public enum Weakness: Hashable, Sendable {
    /// It is the text of an example that was to be filled in.
    case placeholder
    /// All of its words are about access to calendars as such.
    case general
    /// It is longer than what can be read at a glance.
    case long
  }

  /// The text, with single spaces between its words.
  public let text: String

  /// The text that stands in a command to be filled in.
  public static let placeholder = "What it is for, and why"
  /// The most bytes that are read at a glance.
  private static let longest = 500
  /// English words that would fit every program.
  private static let general: Set<String> = [
    "a", "access", "accesses", "all", "an", "and", "app", "application", "calendar", "calendars",
    "data", "epact", "event", "events", "for", "full", "has", "have", "i", "in", "is", "it",
    "its", "many", "me", "my", "need", "needed", "needs", "of", "on", "our", "please", "program",
    "purposes", "require", "required", "requires", "stuff", "the", "them", "things", "this", "to",
    "use", "used", "user", "user's", "users", "uses", "various", "want", "wants", "with", "would",
    "like", "your",
  ]

  /// Takes a text.
  ///
  /// - Throws: `AccessError` with code `purpose` if nothing of it can be seen.
  public init(_ text: String) throws(AccessError) {
    guard text.unicodeScalars.contains(where: Self.isVisible) else {
      throw AccessError(
        code: .purpose, message: "expected a purpose that says what is done and why, found none")
    }
    self.text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// What would make the purpose more useful, or nil.
  public var weakness: Weakness? {
    if text.lowercased() == Self.placeholder.lowercased() { return .placeholder }
    if text.utf8.count > Self.longest { return .long }
    let words = text.split(separator: " ").map { word in
      word.lowercased().filter { $0.isLetter || $0 == "'" }
    }
    return words.allSatisfy(Self.general.contains) ? .general : nil
  }

  /// Whether a character shows, rather than separating, controlling or joining others.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
      .unassigned, .nonspacingMark, .enclosingMark:
      false
    default: !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// The text.
  public var description: String { text }
}
