// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// Bytes in which everything that means the same is written the same, to be digested.
///
/// Each part is written after its length. So no two different lists of parts give the same bytes.
package struct CanonicalForm {
  private(set) var bytes: [UInt8] = []

  /// The digest of a component with all that is nested in it.
  package static func digest(of component: Component) -> SHA256.Digest {
    // Saying the same thing twice is saying it once.
    var properties = Set<[UInt8]>()
    for property in component.properties {
      properties.formUnion(CanonicalProperty.encodings(of: property))
    }
    let nested = component.components.map { digest(of: $0).bytes }
    var form = CanonicalForm()
    form.append(Array(component.name.canonicalName.utf8))
    form.append(list: properties.sorted(by: precedes))
    form.append(list: nested.sorted(by: precedes))
    return SHA256.digest(of: form.bytes)
  }

  /// Appends a part, after its length.
  mutating func append(_ part: [UInt8]) {
    append(count: part.count)
    bytes += part
  }

  /// Appends a text, after its length.
  mutating func append(_ text: String) {
    append(Array(text.utf8))
  }

  /// Appends several parts, after their number.
  mutating func append(list parts: [[UInt8]]) {
    append(count: parts.count)
    for part in parts { append(part) }
  }

  private mutating func append(count: Int) {
    for shift in stride(from: 24, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: count >> shift))
    }
  }

  static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.lexicographicallyPrecedes(right)
  }
}
