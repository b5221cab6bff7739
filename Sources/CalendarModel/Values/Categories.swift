// SPDX-License-Identifier: Apache-2.0

/// Words by which items are sorted: a set, in the order in which it was told (RFC 5545 §3.8.1.2).
///
/// Each word stands in it once, and two sets are equal if they have the same words.
public struct Categories: Sendable, RandomAccessCollection, ExpressibleByArrayLiteral {
  private var words: [String] = []

  /// Creates an empty set.
  public init() {}

  /// Creates a set of these words.
  public init(_ words: some Sequence<String>) {
    for word in words { insert(word) }
  }

  /// Creates a set of these words.
  public init(arrayLiteral words: String...) {
    self.init(words)
  }

  /// Zero.
  public var startIndex: Int { 0 }
  /// The number of words.
  public var endIndex: Int { words.count }
  /// The word at a place.
  public subscript(index: Int) -> String { words[index] }

  /// Adds a word as the last one, unless it is there.
  public mutating func insert(_ word: String) {
    if !words.contains(word) { words.append(word) }
  }

  /// Takes a word out, if it is there.
  public mutating func remove(_ word: String) {
    words.removeAll { $0 == word }
  }
}

extension Categories: Hashable {
  /// Whether two sets have the same words, in whatever order.
  public static func == (left: Categories, right: Categories) -> Bool {
    left.words == right.words || Set(left.words) == Set(right.words)
  }

  /// Hashes what equality compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Set(words))
  }
}
