// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

extension Component {
  /// The UID, or nil if it is missing or empty (RFC 5545 §3.8.4.7).
  package var uid: UID? {
    guard let text = self[.uid]?.text, !text.isEmpty else { return nil }
    return UID(text)
  }

  /// Whether the component overrides an occurrence of a series (RFC 5545 §3.8.4.4).
  package var isOverride: Bool { self[.recurrenceID] != nil }

  /// Whether the component and all nested components have their own END lines.
  package var isWhole: Bool { isComplete && components.allSatisfy(\.isWhole) }

  /// The revision of the component.
  package var revision: ComponentRevision { ComponentRevision(of: self) }

  /// The key of the component's occurrence, without the context of its item.
  package var occurrenceKey: OccurrenceKey { NormalForm().occurrenceKey(of: self, among: []) }

  /// The TZIDs in the component and its nested components, without duplicates (RFC 5545 §3.2.19).
  package var usedTimeZones: Set<String> {
    var names: Set<String> = []
    for property in properties where property.hasParameters {
      if let name = property[.tzID] { names.insert(name) }
    }
    for nested in components { names.formUnion(nested.usedTimeZones) }
    return names
  }
}
