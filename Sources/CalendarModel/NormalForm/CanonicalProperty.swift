// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// The canonical form of a property, or of one value of a list.
///
/// Two forms are equal if their meanings are equal. The end of a component has one form, whether
/// the file has DTEND, DUE or DURATION. Default values have no form.
package struct CanonicalProperty: Hashable, Sendable {
  /// The name; DTEND or DUE for the end of a component.
  package let name: PropertyName
  /// The canonical bytes with the name and the parameters.
  package let bytes: [UInt8]
  /// The index of the original property in the component.
  package let place: Int

  /// Whether two properties have the same meaning, regardless of their position.
  package static func == (left: CanonicalProperty, right: CanonicalProperty) -> Bool {
    left.bytes == right.bytes
  }

  /// Hashes the parts that `==` compares.
  package func hash(into hasher: inout Hasher) {
    hasher.combine(bytes)
  }
}
