// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// A byte form that is equal for components with the same meaning, as input of a digest.
///
/// Each part is preceded by its length, so that two different lists of parts never produce the same
/// bytes.
///
/// It differs from the canonical form of `Serializer`, which preserves the complete file so that it
/// can be parsed again. This form omits metadata that changes with each export and default values,
/// splits lists and parses values.
package struct CanonicalForm {
  private(set) var bytes: [UInt8] = []

  /// Returns the digest of a component and its nested components, without context.
  ///
  /// Time zones are not resolved, so that updates of their rules do not change derived values.
  package static func digest(of component: Component) -> SHA256.Digest {
    NormalForm().digests(of: [component], definitions: [])[0]
  }

  /// Appends a part with its length as prefix.
  mutating func append(_ part: [UInt8]) {
    append(part.span)
  }

  /// Appends a part with its length as prefix.
  mutating func append(_ part: Span<UInt8>) {
    append(count: part.count)
    bytes.append(copying: part)
  }

  /// Appends a text with its length as prefix.
  mutating func append(_ text: String) {
    append(text.utf8.span)
  }

  /// Appends several parts with their number as prefix.
  mutating func append(list parts: [[UInt8]]) {
    append(count: parts.count)
    for part in parts { append(part) }
  }

  /// Appends a number as four bytes, most significant first.
  mutating func append(count: Int) {
    bytes.append(UInt8(truncatingIfNeeded: count >> 24))
    bytes.append(UInt8(truncatingIfNeeded: count >> 16))
    bytes.append(UInt8(truncatingIfNeeded: count >> 8))
    bytes.append(UInt8(truncatingIfNeeded: count))
  }

  static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.lexicographicallyPrecedes(right)
  }

  /// Appends the parts in these ranges of another form, sorted and without duplicates.
  mutating func append(_ ranges: [Range<Int>], of other: CanonicalForm) {
    var slices: [ArraySlice<UInt8>] = []
    slices.reserveCapacity(ranges.count)
    let sorted = ranges.map { other.bytes[$0] }.sorted { $0.lexicographicallyPrecedes($1) }
    for slice in sorted where slice != slices.last { slices.append(slice) }
    append(count: slices.count)
    for slice in slices { append(slice.span) }
  }
}
