// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// What one property of a component says, or one value of a list, however it is spelled.
///
/// Two of them are equal if they say the same. The end of a component is one property, whether DTEND, DUE
/// or DURATION tells it; what goes without saying has none at all.
package struct CanonicalProperty: Hashable, Sendable {
  /// The name; DTEND or DUE for the end of a component.
  package let name: PropertyName
  /// What it says, with its name and its parameters.
  package let bytes: [UInt8]
  /// The place in the component of the property that says it.
  package let place: Int

  /// Whether two properties say the same, wherever they stand.
  package static func == (left: CanonicalProperty, right: CanonicalProperty) -> Bool {
    left.bytes == right.bytes
  }

  /// Hashes what equality compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }
}
