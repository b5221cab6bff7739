// SPDX-License-Identifier: Apache-2.0

/// The categories of an item: an ordered set (RFC 5545 §3.8.1.2).
///
/// Each word occurs once. Two sets are equal if they contain the same words in any order.
public struct Categories: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private var words: [String] = []

  /// Creates an empty set.
  public init() {}

  /// Creates a set from words.
  public init(_ words: some Sequence<String>) {
    for word in words { insert(word) }
  }

  /// Creates a set from words.
  public init(arrayLiteral words: String...) {
    self.init(words)
  }

  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of words.
  public var endIndex: Int { words.count }
  /// The word at an index.
  public subscript(index: Int) -> String { words[index] }

  /// Appends a word unless the set contains it.
  public mutating func insert(_ word: String) {
    if !words.contains(word) { words.append(word) }
  }

  /// Removes a word if the set contains it.
  public mutating func remove(_ word: String) {
    words.removeAll { $0 == word }
  }
}

extension Categories: Hashable {
  /// Whether two sets contain the same words, in any order.
  public static func == (left: Categories, right: Categories) -> Bool {
    left.words == right.words || Set(left.words) == Set(right.words)
  }

  /// Hashes the parts that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Set(words))
  }
}
