// SPDX-License-Identifier: Apache-2.0

/// The first eight letters of a name in upper case, as an integer with the order of names.
///
/// Most names differ in these letters, so sorting mostly compares integers.
struct CanonicalKey: Equatable, BitwiseCopyable, Sendable {
  /// The key of the empty name, which precedes all others.
  static var empty: CanonicalKey { CanonicalKey(0) }
  /// The key of the VALUE parameter.
  static var value: CanonicalKey { CanonicalKey(0x56_41_4C_55_45 << 24) }

  private let number: UInt64

  private init(_ number: UInt64) {
    self.number = number
  }

  /// Creates the key of a name from its first letters, which must be uppercase.
  @inline(__always)
  init(capitals word: UInt64) {
    number = word.byteSwapped
  }

  /// Creates the key of a name at an offset in a line.
  @inline(__always)
  init(_ text: Span<UInt8>, at start: Int, count: Int) {
    number = ByteWord.uppercased(ByteWord.prefix(text.word(at: start), count)).byteSwapped
  }

  /// Whether the left key precedes the right one.
  @inline(__always)
  static func < (left: CanonicalKey, right: CanonicalKey) -> Bool { left.number < right.number }

  /// Compares two names, ignoring case: negative if the left one comes first, 0 if they are equal.
  static func compare(
    _ left: Span<UInt8>, _ leftRange: Range<Int>, _ right: Span<UInt8>, _ rightRange: Range<Int>
  ) -> Int {
    let count = min(leftRange.count, rightRange.count)
    var offset = 0
    while offset < count {
      let leftKey = CanonicalKey(
        left, at: leftRange.lowerBound &+ offset, count: count &- offset)
      let rightKey = CanonicalKey(
        right, at: rightRange.lowerBound &+ offset, count: count &- offset)
      guard leftKey == rightKey else { return leftKey < rightKey ? -1 : 1 }
      offset &+= 8
    }
    return leftRange.count &- rightRange.count
  }
}

extension Array {
  /// The maximum number of elements for insertion sort.
  private static var insertionLimit: Int { 40 }

  /// Sorts by an order in which no two elements are equal; fast for few elements.
  @inline(__always)
  mutating func sortQuickly(by precedes: (Element, Element) -> Bool)
  where Element: BitwiseCopyable {
    guard count <= Self.insertionLimit else {
      sort(by: precedes)
      return
    }
    var elements = mutableSpan
    for index in 0..<elements.count {
      let element = elements[index]
      var place = index
      while place > 0, precedes(element, elements[place &- 1]) {
        elements[place] = elements[place &- 1]
        place &-= 1
      }
      elements[place] = element
    }
  }
}
