// SPDX-License-Identifier: Apache-2.0

public import CalendarSync

/// Advice on the wording of a purpose, which is in English like the example.
extension Purpose {
  /// A reason why a purpose is not informative.
  public enum Weakness: Hashable, Sendable {
    /// It is the unmodified text of an example.
    case placeholder
    /// It contains only general words about calendar access.
    case general
    /// It is too long to be read quickly.
    case long
  }

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

  /// The weakness of the purpose, or nil.
  public var weakness: Weakness? {
    if text.lowercased() == Self.placeholder.lowercased() { return .placeholder }
    if text.utf8.count > Self.longest { return .long }
    let words = text.split(separator: " ").map { word in
      word.lowercased().filter { $0.isLetter || $0 == "'" }
    }
    return words.allSatisfy(Self.general.contains) ? .general : nil
  }
}
