// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// The resolution of TZIDs in some components, such as those of one item.
///
/// It includes comparisons with definitions over the times in use.
///
/// ```swift
/// var zones = ComponentZones(resolver, components: item.components, definitions: item.timeZones)
/// zones.zone("Mountain Standard Time (Mexico)").canonicalName   // "America/Mazatlan"
/// ```
public struct ComponentZones: Sendable {
  private let resolver: ZoneResolver
  private let components: [Component]
  private let definitions: [Component]
  /// The definitions by name, created on demand.
  private var definitionsByName: ZoneDefinitions?
  /// The uses of zones in the components, created on demand for a comparison.
  private var uses: TimeZoneUses?

  /// Creates a resolution for components.
  ///
  /// - Parameters:
  ///   - resolver: The resolver of names.
  ///   - components: The components that use the zones.
  ///   - definitions: The VTIMEZONE components of the file.
  public init(_ resolver: ZoneResolver, components: [Component], definitions: [Component]) {
    self.resolver = resolver
    self.components = components
    self.definitions = definitions
  }

  /// Creates a resolution with indexed definitions.
  init(_ resolver: ZoneResolver, components: [Component], among definitions: ZoneDefinitions) {
    self.init(resolver, components: components, definitions: [])
    definitionsByName = definitions
  }

  /// The zone of a TZID.
  public mutating func zone(_ tzID: String) -> ResolvedZone {
    let index = definitionsByName ?? ZoneDefinitions(definitions)
    definitionsByName = index
    let zone = resolver.resolve(tzID, among: index)
    guard resolver.contender(of: zone, among: index) != nil else { return zone }
    return resolver.resolve(tzID, among: index, use: use(of: tzID))
  }

  /// The uses of a zone in the components; nil if they do not use it.
  mutating func use(of tzID: String) -> TimeZoneUses.Use? {
    if let uses { return uses[tzID] }
    let uses = TimeZoneUses(of: components)
    self.uses = uses
    return uses[tzID]
  }
}
