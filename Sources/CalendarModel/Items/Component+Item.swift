// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

extension Component {
  /// The UID, or nil if there is none or an empty one (RFC 5545 §3.8.4.7).
  package var uid: UID? {
    guard let text = self[.uid]?.text, !text.isEmpty else { return nil }
    return UID(text)
  }

  /// Whether the component describes one occurrence of a series (RFC 5545 §3.8.4.4).
  package var isOverride: Bool { self[.recurrenceID] != nil }

  /// Whether the component and all that is nested in it ended with END lines of their own.
  package var isWhole: Bool { isComplete && components.allSatisfy(\.isWhole) }

  /// Which version of its UID the component is.
  package var revision: ComponentRevision { ComponentRevision(of: self) }

  /// What tells the components of one item apart, as far as they alone tell.
  package var occurrenceKey: OccurrenceKey { NormalForm().occurrenceKey(of: self, among: []) }

  /// The TZID parameters in the component and in all that is nested in it, each once
  /// (RFC 5545 §3.2.19).
  package var usedTimeZones: Set<String> {
    var names: Set<String> = []
    for property in properties where property.hasParameters {
      if let name = property[.tzID] { names.insert(name) }
    }
    for nested in components { names.formUnion(nested.usedTimeZones) }
    return names
  }
}
