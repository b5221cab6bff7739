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
  /// The definitions by name, made when a zone is first asked for.
  private var definitionsByName: ZoneDefinitions?
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

  /// Creates a reading by definitions that are indexed already.
  init(_ resolver: ZoneResolver, components: [Component], among definitions: ZoneDefinitions) {
    self.init(resolver, components: components, definitions: [])
    definitionsByName = definitions
  }

  /// The zone that a TZID means.
  public mutating func zone(_ tzID: String) -> ResolvedZone {
    let index = definitionsByName ?? ZoneDefinitions(definitions)
    definitionsByName = index
    let zone = resolver.resolve(tzID, among: index)
    guard resolver.contender(of: zone, among: index) != nil else { return zone }
    return resolver.resolve(tzID, among: index, use: use(of: tzID))
  }

  /// The use that the components make of a zone; nil if they do not use it.
  mutating func use(of tzID: String) -> TimeZoneUses.Use? {
    if let uses { return uses[tzID] }
    let uses = TimeZoneUses(of: components)
    self.uses = uses
    return uses[tzID]
  }
}
