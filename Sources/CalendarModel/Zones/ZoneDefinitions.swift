// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// The VTIMEZONE components of one calendar by their TZIDs (RFC 5545 §3.8.3.1).
///
/// If a TZID has two definitions, the first one applies.
package struct ZoneDefinitions: Sendable {
  private let components: [String: Component]

  /// Indexes definitions; those without a TZID are ignored.
  package init(_ definitions: [Component]) {
    var components: [String: Component] = [:]
    for definition in definitions {
      guard let name = definition[.tzID]?.text, components[name] == nil else { continue }
      components[name] = definition
    }
    self.components = components
  }

  /// The definition of a TZID, or nil if there is none.
  package subscript(tzID: String) -> Component? { components[tzID] }

  /// The definition of a TZID as a list, empty if there is none.
  fileprivate func all(named tzID: String) -> [Component] { components[tzID].map { [$0] } ?? [] }
}

extension ZoneResolver {
  /// Resolves a TZID with indexed definitions, for files with many of them.
  package func resolve(
    _ tzID: String, among definitions: ZoneDefinitions, use: TimeZoneUses.Use? = nil
  ) -> ResolvedZone {
    resolve(tzID, definitions: definitions.all(named: tzID), use: use)
  }

  /// The definition that overrules the name if they disagree; nil if the name takes precedence.
  func contender(of zone: ResolvedZone, among definitions: ZoneDefinitions) -> Component? {
    contender(of: zone, definitions.all(named: zone.tzID))
  }
}
