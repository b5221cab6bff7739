// SPDX-License-Identifier: Apache-2.0

/// The text that is displayed in a request for access: the use of the calendar and its reason.
///
/// Any text in any language is accepted. Programs must sanitize it for display like all external
/// text.
public struct Purpose: Hashable, Sendable, CustomStringConvertible {
  /// A reason why a purpose is not informative.
  public enum Weakness: Hashable, Sendable {
    /// It is the unmodified text of an example.
    case placeholder
    /// It contains only general words about calendar access.
    case general
    /// It is too long to be read quickly.
    case long
  }

  /// The text, with single spaces between its words.
  public let text: String

  /// The text of the example command.
  public static let placeholder = "What it is for, and why"
  /// The maximum length of a purpose without a warning, in bytes.
  private static let longest = 500
  /// English words that fit every program.
  private static let general: Set<String> = [
    "a", "access", "accesses", "all", "an", "and", "app", "application", "calendar", "calendars",
    "data", "epact", "event", "events", "for", "full", "has", "have", "i", "in", "is", "it",
    "its", "many", "me", "my", "need", "needed", "needs", "of", "on", "our", "please", "program",
    "purposes", "require", "required", "requires", "stuff", "the", "them", "things", "this", "to",
    "use", "used", "user", "user's", "users", "uses", "various", "want", "wants", "with", "would",
    "like", "your",
  ]

  /// Creates a purpose from a text.
  ///
  /// - Throws: `AccessError` with code `purpose` if the text has no visible character.
  public init(_ text: String) throws(AccessError) {
    guard text.unicodeScalars.contains(where: Self.isVisible) else {
      throw AccessError(
        code: .purpose, message: "expected a purpose that says what is done and why, found none")
    }
    self.text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// The weakness of the purpose, or nil.
  public var weakness: Weakness? {
    if text.lowercased() == Self.placeholder.lowercased() { return .placeholder }
    if text.utf8.count > Self.longest { return .long }
    let words = text.split(separator: " ").map { word in
      word.lowercased().filter { $0.isLetter || $0 == "'" }
    }
    return words.allSatisfy(Self.general.contains) ? .general : nil
  }

  /// Whether a character is visible, as opposed to separators, controls and combining characters.
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
