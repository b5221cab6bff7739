// SPDX-License-Identifier: Apache-2.0

/// The first eight letters of a name in upper case, as a number that is in the order of names.
///
/// Most names differ in them, so that sorting is mostly comparing numbers.
struct CanonicalKey: Equatable, BitwiseCopyable, Sendable {
  /// That of no name at all: before all names.
  static var empty: CanonicalKey { CanonicalKey(0) }
  /// That of the VALUE parameter.
  static var value: CanonicalKey { CanonicalKey(0x56_41_4C_55_45 << 24) }

  private let number: UInt64

  private init(_ number: UInt64) {
    self.number = number
  }

  /// The key of a name that begins with these letters, all of them capital ones.
  @inline(__always)
  init(capitals word: UInt64) {
    number = word.byteSwapped
  }

  /// The key of the name at an index of a line.
  @inline(__always)
  init(_ text: Span<UInt8>, at start: Int, count: Int) {
    number = ByteWord.uppercased(ByteWord.prefix(text.word(at: start), count)).byteSwapped
  }

  /// Whether the key comes before another one.
  @inline(__always)
  static func < (left: CanonicalKey, right: CanonicalKey) -> Bool { left.number < right.number }

  /// Compares two names in whatever case: negative if the left one comes first, 0 if they are the same.
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
  /// The most elements that are sorted by insertion.
  private static var insertionLimit: Int { 40 }

  /// Sorts the elements by an order in which no two of them are equal; quick where they are few.
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
