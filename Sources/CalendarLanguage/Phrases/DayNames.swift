// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The names of days and months, for which typing errors are recognized.
///
/// A typing error is one letter too many, one too few, another letter, or two letters in the wrong
/// order, in a word of at least five letters; in addition, there are frequent ones.
struct DayNames: Sendable {
  /// The minimum number of letters of a name and of a word.
  private static let minimum = 5
  /// The maximum number of letters of a word.
  private static let maximum = 20

  /// The names by the number of their letters.
  private var names: [Int: [[Character]]] = [:]

  init(_ names: some Sequence<String>) {
    for name in Set(names) where name.count >= Self.minimum {
      self.names[name.count, default: []].append(Array(name))
    }
    // The answer must not depend on the order of a set.
    self.names = self.names.mapValues { $0.sorted { String($0) < String($1) } }
  }

  /// The name that a word is a typing error of; nil for a name, for a known word and for others.
  func correction(of word: String, _ vocabulary: PhraseVocabulary) -> String? {
    let tokens = PhraseScanner.tokens(of: word)[...]
    if let known = vocabulary.match(.misspelling, tokens) { return known.value }
    let letters = Array(word)
    let plain = PhraseScanner.tokens(of: word.folding(options: .diacriticInsensitive, locale: nil))
    guard Self.minimum...Self.maximum ~= letters.count, !word.contains("'"),
      vocabulary.match(.lookalike, tokens) == nil, vocabulary.match(.lookalike, plain[...]) == nil,
      !vocabulary.singleWords.contains(word)
    else { return nil }
    guard names[letters.count]?.contains(letters) != true else { return nil }
    for count in [letters.count, letters.count + 1, letters.count - 1] {
      if let name = names[count]?.first(where: { Self.isNear(letters, $0) }) { return String(name) }
    }
    return nil
  }

  /// Whether one insertion, deletion, substitution or transposition turns a word into another one.
  private static func isNear(_ word: [Character], _ name: [Character]) -> Bool {
    let start = zip(word, name).prefix { $0 == $1 }.count
    let (rest, other) = (word[start...], name[start...])
    switch word.count - name.count {
    case 0:
      guard let first = rest.first, let second = other.first else { return false }
      if rest.dropFirst() == other.dropFirst() { return true }
      return rest.dropFirst().first == second && other.dropFirst().first == first
        && rest.dropFirst(2) == other.dropFirst(2)
    case 1: return Array(rest.dropFirst()) == Array(other)
    case -1: return Array(rest) == Array(other.dropFirst())
    default: return false
    }
  }
}
