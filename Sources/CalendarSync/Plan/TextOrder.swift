// SPDX-License-Identifier: Apache-2.0

package import CalendarModel

extension Sequence {
  /// The elements in the byte order of a text of each element.
  ///
  /// Sorting moves elements, which retains and releases their parts each time. Therefore numbers
  /// are sorted: the first sixteen bytes of each text after the common prefix, such as the folder
  /// of hrefs. They are nearly always distinct.
  ///
  /// - Complexity: O(*n* log *n*).
  package func sorted(byBytesOf text: (Element) -> String) -> [Element] {
    let elements = Array(self)
    let common = elements.first.map { TextKey.common(to: text($0), elements, text) } ?? 0
    let keys = elements.indices.map { TextKey(text(elements[$0]), from: common, at: $0) }
    return keys.sorted { left, right in
      if left.beginning != right.beginning { return left.beginning < right.beginning }
      let (first, second) = (text(elements[left.place]).utf8, text(elements[right.place]).utf8)
      if first.lexicographicallyPrecedes(second) { return true }
      return left.place < right.place && !second.lexicographicallyPrecedes(first)
    }.map { elements[$0.place] }
  }
}

extension Sequence<UID> {
  /// The identifiers in byte order.
  package func inOrder() -> [UID] { sorted(byBytesOf: \.rawValue) }
}

/// A number with the order of the beginning of a text, and the index of the text.
private struct TextKey {
  private static let length = 16

  let beginning: UInt128
  let place: Int

  /// The length of the common prefix of all texts, in bytes.
  static func common<Element>(
    to first: String, _ elements: [Element], _ text: (Element) -> String
  ) -> Int {
    let first = first.utf8.span
    var count = first.count
    for element in elements where count > 0 {
      let other = text(element)
      let bytes = other.utf8.span
      count = min(count, bytes.count)
      var index = 0
      while index < count, bytes[index] == first[index] { index += 1 }
      count = index
    }
    return count
  }

  init(_ text: String, from start: Int, at place: Int) {
    var beginning: UInt128 = 0
    var count = 0
    for byte in text.utf8.dropFirst(start).prefix(Self.length) {
      beginning = beginning << 8 | UInt128(byte)
      count += 1
    }
    // Missing bytes sort before all others.
    for _ in count..<Self.length { beginning <<= 8 }
    self.beginning = beginning
    self.place = place
  }
}
