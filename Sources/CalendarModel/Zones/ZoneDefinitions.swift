// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// The VTIMEZONE components of one calendar by their TZIDs (RFC 5545 §3.8.3.1).
///
/// Of two definitions for one name the first counts, as everywhere.
package struct ZoneDefinitions: Sendable {
  private let components: [String: Component]

  /// Indexes definitions; those without a TZID are left out.
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
  /// Resolves a TZID by definitions that are looked up by name, where there are many of them.
  package func resolve(
    _ tzID: String, among definitions: ZoneDefinitions, use: TimeZoneUses.Use? = nil
  ) -> ResolvedZone {
    resolve(tzID, definitions: definitions.all(named: tzID), use: use)
  }

  /// The definition that wins over the name of a zone if the two disagree; nil if the name always wins.
  func contender(of zone: ResolvedZone, among definitions: ZoneDefinitions) -> Component? {
    contender(of: zone, definitions.all(named: zone.tzID))
  }
}
