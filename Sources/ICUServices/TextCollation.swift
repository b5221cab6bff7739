// SPDX-License-Identifier: Apache-2.0

/// Compares and searches texts by the rules of a language.
///
/// It cannot be copied, because it owns an ICU collator.
///
/// ```swift
/// let collation = try TextCollation(locale: "de", strength: .letters)
/// try collation.compare("Äpfel", "apfel")             // .same
/// try collation.range(of: "cafe", in: "LE CAFÉ")      // the bytes of "CAFÉ"
/// ```
public struct TextCollation: ~Copyable {
  /// The differences that a comparison considers.
  public enum Strength: Int32, Hashable, Sendable, CaseIterable {
    /// Base letters only.
    case letters = 1
    /// Letters and accents.
    case accents = 2
    /// Letters, accents and case.
    case letterCase = 3
  }

  /// The order of two texts.
  public enum Order: Hashable, Sendable {
    /// The left text comes first.
    case ascending
    /// The texts are equal at this strength.
    case same
    /// The right text comes first.
    case descending
  }

  private let handle: CollatorHandle

  /// Opens the collation of a locale.
  ///
  /// - Parameters:
  ///   - locale: The language, such as `de` or `sv-SE`; an unknown language uses the root
  ///     collation.
  ///   - strength: The differences that a comparison considers.
  /// - Throws: `ICUError` if ICU lacks its data.
  public init(locale: String, strength: Strength = .letterCase) throws(ICUError) {
    handle = try CollatorHandle(locale: locale, strength: strength.rawValue)
  }

  /// Compares two texts.
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

  /// Creates a sort key, whose byte order is the order of the texts.
  ///
  /// - Parameter text: A text.
  /// - Returns: The sort key; it pays off for texts that are compared more than a few times.
  /// - Throws: `ICUError` if the text is too large.
  public borrowing func sortKey(for text: String) throws(ICUError) -> [UInt8] {
    try handle.sortKey(Array(text.utf8))
  }

  /// Finds a text in another one.
  ///
  /// - Parameters:
  ///   - pattern: The text to find; an empty text is never found.
  ///   - text: The text to search.
  /// - Returns: The range of the first match, in UTF-8 bytes, or nil.
  /// - Throws: `ICUError` if a text is too large.
  public borrowing func range(
    of pattern: String, in text: String
  ) throws(ICUError) -> Range<Int>? {
    try handle.search(Array(pattern.utf8), in: Array(text.utf8))
  }

  /// Removes differences of case and form, for language-independent comparison.
  ///
  /// - Parameter text: A text, such as `Straße ﬁ`.
  /// - Returns: The folded text, such as `strasse fi`, by Unicode's NFKC_Casefold.
  /// - Throws: `ICUError` if the text is too large.
  public static func folded(_ text: String) throws(ICUError) -> String {
    try ICUCalls.foldCase(text)
  }
}
