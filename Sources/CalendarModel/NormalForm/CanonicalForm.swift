// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// Bytes in which everything that means the same is written the same, to be digested.
///
/// Each part is written after its length. So no two different lists of parts give the same bytes.
///
/// Not the canonical form of `Serializer`: that one keeps everything that a file says, so that it can be
/// read again, while this one leaves out what changes with each export and what goes without saying,
/// takes lists apart, and reads values.
package struct CanonicalForm {
  private(set) var bytes: [UInt8] = []

  /// The digest of a component that stands for itself, with all that is nested in it.
  ///
  /// It knows nothing of time zones, so that no update of their rules changes what is derived from it.
  package static func digest(of component: Component) -> SHA256.Digest {
    NormalForm().digests(of: [component], definitions: [])[0]
  }

  /// Appends a part, after its length.
  mutating func append(_ part: [UInt8]) {
    append(part.span)
  }

  /// Appends a part, after its length.
  mutating func append(_ part: Span<UInt8>) {
    append(count: part.count)
    bytes.append(copying: part)
  }

  /// Appends a text, after its length.
  mutating func append(_ text: String) {
    append(text.utf8.span)
  }

  /// Appends several parts, after their number.
  mutating func append(list parts: [[UInt8]]) {
    append(count: parts.count)
    for part in parts { append(part) }
  }

  /// Appends a number, in four bytes.
  mutating func append(count: Int) {
    bytes.append(UInt8(truncatingIfNeeded: count >> 24))
    bytes.append(UInt8(truncatingIfNeeded: count >> 16))
    bytes.append(UInt8(truncatingIfNeeded: count >> 8))
    bytes.append(UInt8(truncatingIfNeeded: count))
  }

  static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.lexicographicallyPrecedes(right)
  }

  /// Appends the parts in these ranges of another form, sorted and each once: saying something twice is
  /// saying it once.
  mutating func append(_ ranges: [Range<Int>], of other: CanonicalForm) {
    var slices: [ArraySlice<UInt8>] = []
    slices.reserveCapacity(ranges.count)
    let sorted = ranges.map { other.bytes[$0] }.sorted { $0.lexicographicallyPrecedes($1) }
    for slice in sorted where slice != slices.last { slices.append(slice) }
    append(count: slices.count)
    for slice in slices { append(slice.span) }
  }
}
