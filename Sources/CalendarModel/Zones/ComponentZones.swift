// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// What TZIDs mean in some components, such as those of one item: also where a definition has to be
/// compared over the times in use.
///
/// ```swift
/// var zones = ComponentZones(resolver, components: item.components, definitions: item.timeZones)
/// zones.zone("Mountain Standard Time (Mexico)").canonicalName   // "America/Mazatlan"
/// ```
public struct ComponentZones: Sendable {
  private let resolver: ZoneResolver
  private let components: [Component]
  private let definitions: [Component]
  /// What the components use zones for; found when a definition first has to be compared.
  private var uses: TimeZoneUses?

  /// Creates a reading of some components.
  ///
  /// - Parameters:
  ///   - resolver: The meaning of names.
  ///   - components: The components that use the zones.
  ///   - definitions: The VTIMEZONE components of the file.
  public init(_ resolver: ZoneResolver, components: [Component], definitions: [Component]) {
    self.resolver = resolver
    self.components = components
    self.definitions = definitions
  }

  /// The zone that a TZID means.
  public mutating func zone(_ tzID: String) -> ResolvedZone {
    let zone = resolver.resolve(tzID, definitions: definitions)
    guard resolver.contender(of: zone, definitions) != nil else { return zone }
    return resolver.resolve(tzID, definitions: definitions, use: use(of: tzID))
  }

  private mutating func use(of tzID: String) -> TimeZoneUses.Use? {
    if let uses { return uses[tzID] }
    var uses = TimeZoneUses()
    for component in components { uses.add(component) }
    self.uses = uses
    return uses[tzID]
  }
}
