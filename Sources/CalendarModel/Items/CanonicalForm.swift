// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// Bytes in which everything that means the same is written the same, to be digested.
///
/// Each part is written after its length. So no two different lists of parts give the same bytes.
///
/// Not the canonical form of `Serializer`: that one keeps everything that a file says, so that it can be
/// read again, while this one leaves out what changes with each export and what goes without saying,
/// takes lists apart, and reads values. And ledgers hold digests of it, so that it cannot change.
package struct CanonicalForm {
  private(set) var bytes: [UInt8] = []

  /// The digest of a component with all that is nested in it.
  package static func digest(of component: Component) -> SHA256.Digest {
    var properties = CanonicalForm()
    var ranges: [Range<Int>] = []
    ranges.reserveCapacity(component.properties.count)
    for property in component.properties {
      CanonicalProperty.append(property, to: &properties, ranges: &ranges)
    }
    let nested = component.components.map { digest(of: $0).bytes }
    var form = CanonicalForm()
    form.append(component.name.canonicalName)
    form.append(properties.sorted(ranges))
    form.append(list: nested.sorted(by: precedes))
    return SHA256.digest(of: form.bytes)
  }

  /// Appends a part, after its length.
  mutating func append(_ part: [UInt8]) {
    append(count: part.count)
    bytes += part
  }

  /// Appends a part, after its length.
  mutating func append(_ part: Span<UInt8>) {
    append(count: part.count)
    for index in part.indices { bytes.append(part[index]) }
  }

  /// Appends a text, after its length.
  mutating func append(_ text: String) {
    append(count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
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

  private mutating func append(_ parts: [ArraySlice<UInt8>]) {
    append(count: parts.count)
    for part in parts {
      append(count: part.count)
      bytes += part
    }
  }

  /// The parts in these ranges, sorted and each once: saying something twice is saying it once.
  private func sorted(_ ranges: [Range<Int>]) -> [ArraySlice<UInt8>] {
    var result: [ArraySlice<UInt8>] = []
    result.reserveCapacity(ranges.count)
    let slices = ranges.map { bytes[$0] }.sorted { $0.lexicographicallyPrecedes($1) }
    for slice in slices where slice != result.last { result.append(slice) }
    return result
  }
}
