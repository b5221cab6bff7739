// SPDX-License-Identifier: Apache-2.0

package import CalendarModel

extension Sequence {
  /// The elements in the order of the bytes of a text of each.
  ///
  /// To sort elements is to move them, and to count up and down the references in them each time. So what
  /// is sorted is numbers: the first sixteen bytes of each text, which nearly always tell two apart.
  ///
  /// - Complexity: O(*n* log *n*).
  package func sorted(byBytesOf text: (Element) -> String) -> [Element] {
    let elements = Array(self)
    let keys = elements.indices.map { TextKey(text(elements[$0]), at: $0) }
    return keys.sorted { left, right in
      if left.beginning != right.beginning { return left.beginning < right.beginning }
      let (first, second) = (text(elements[left.place]).utf8, text(elements[right.place]).utf8)
      if first.lexicographicallyPrecedes(second) { return true }
      return left.place < right.place && !second.lexicographicallyPrecedes(first)
    }.map { elements[$0.place] }
  }
}

extension Sequence<UID> {
  /// The identifiers in their order.
  package func inOrder() -> [UID] { sorted(byBytesOf: \.rawValue) }
}

/// The beginning of a text, as a number that has its order, and which text it is of.
private struct TextKey {
  private static let length = 16

  let beginning: UInt128
  let place: Int

  init(_ text: String, at place: Int) {
    var beginning: UInt128 = 0
    var count = 0
    for byte in text.utf8.prefix(Self.length) {
      beginning = beginning << 8 | UInt128(byte)
      count += 1
    }
    // What a text lacks is less than anything that another has there.
    for _ in count..<Self.length { beginning <<= 8 }
    self.beginning = beginning
    self.place = place
  }
}
