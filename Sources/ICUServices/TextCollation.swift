// SPDX-License-Identifier: Apache-2.0

/// Compares and finds texts as people of a language do.
///
/// It cannot be copied, because it owns a collator of ICU.
///
/// ```swift
/// let collation = try TextCollation(locale: "de", strength: .letters)
/// try collation.compare("Äpfel", "apfel")             // .same
/// try collation.range(of: "cafe", in: "LE CAFÉ")      // the bytes of "CAFÉ"
/// ```
public struct TextCollation: ~Copyable {
  /// What makes two texts different.
  public enum Strength: Int32, Hashable, Sendable, CaseIterable {
    /// Letters only.
    case letters = 1
    /// Letters and accents.
    case accents = 2
    /// Letters, accents and case.
    case letterCase = 3
  }

  /// How two texts are ordered.
  public enum Order: Hashable, Sendable {
    /// The left text comes first.
    case ascending
    /// Neither comes first.
    case same
    /// The right text comes first.
    case descending
  }

  private let handle: CollatorHandle

  /// Opens the collation of a language.
  ///
  /// - Parameters:
  ///   - locale: The language, such as `de` or `sv-SE`; for one that is not known, the order that most
  ///     languages share is used.
  ///   - strength: What makes two texts different.
  /// - Throws: `ICUError` if ICU lacks its data.
  public init(locale: String, strength: Strength = .letterCase) throws(ICUError) {
    handle = try CollatorHandle(locale: locale, strength: strength.rawValue)
  }

  /// Tells which of two texts comes first.
  ///
  /// - Parameters:
  ///   - left: One text.
  ///   - right: The other one.
  /// - Returns: Their order.
  /// - Throws: `ICUError` if a text is too large.
  public borrowing func compare(_ left: String, _ right: String) throws(ICUError) -> Order {
    let result = try handle.compare(Array(left.utf8), Array(right.utf8))
    if result == 0 { return .same }
    return result < 0 ? .ascending : .descending
  }

  /// Makes bytes that are ordered one by one as the texts are.
  ///
  /// - Parameter text: A text.
  /// - Returns: The bytes; worth it for a text that is compared more than a few times.
  /// - Throws: `ICUError` if the text is too large.
  public borrowing func sortKey(for text: String) throws(ICUError) -> [UInt8] {
    try handle.sortKey(Array(text.utf8))
  }

  /// Finds a text in another one.
  ///
  /// - Parameters:
  ///   - pattern: What is looked for; an empty text is nowhere.
  ///   - text: Where it is looked for.
  /// - Returns: The first place, in bytes of UTF-8, or nil.
  /// - Throws: `ICUError` if a text is too large.
  public borrowing func range(
    of pattern: String, in text: String
  ) throws(ICUError) -> Range<Int>? {
    try handle.search(Array(pattern.utf8), in: Array(text.utf8))
  }

  /// Takes the differences of case and form out of a text, for comparing texts of no language.
  ///
  /// - Parameter text: A text, such as `Straße ﬁ`.
  /// - Returns: The folded text, such as `strasse fi`, by Unicode's NFKC_Casefold.
  /// - Throws: `ICUError` if the text is too large.
  public static func folded(_ text: String) throws(ICUError) -> String {
    try ICUCalls.foldCase(text)
  }
}
