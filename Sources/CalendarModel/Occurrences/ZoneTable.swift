// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax

/// The clocks of one source.
///
/// Each TZID is resolved once per source, or once per item if the definition has to be compared
/// over the times of the item.
struct ZoneTable: Sendable {
  let resolver: ZoneResolver
  /// The viewer's time zone.
  let viewer: ZoneRules
  /// The VTIMEZONE components of the source.
  var definitions: [Component] = []
  private var known: [String: ZoneRules?] = [:]
  /// The components of the current item.
  private var components: [Component] = []
  /// The zones whose resolution depends on the current item.
  private var itemZones: ComponentZones?
  private var itemRules: [String: ZoneRules?] = [:]
  /// The resolutions of names that the definitions of the current item overrule.
  private var overruledNames: [String: String] = [:]
  /// The definitions of the source by name, created on demand.
  private var definitionsByName: ZoneDefinitions?

  init(resolver: ZoneResolver, viewer: ZoneRules) {
    self.resolver = resolver
    self.viewer = viewer
  }

  /// Discards all resolutions, because another source may have different definitions.
  mutating func beginSource() {
    known = [:]
    definitionsByName = nil
  }

  /// Moves the table to the builder of an item, which returns it.
  ///
  /// Until then this table is empty, so that changes cause no copy.
  mutating func handOver() -> ZoneTable {
    let table = self
    (known, definitionsByName) = ([:], nil)
    (components, itemZones, itemRules, overruledNames) = ([], nil, [:], [:])
    return table
  }

  /// Starts an item, whose times decide between a name and a definition.
  mutating func beginItem(_ components: [Component]) {
    self.components = components
    guard itemZones != nil else { return }
    itemZones = nil
    itemRules.removeAll(keepingCapacity: true)
    overruledNames.removeAll(keepingCapacity: true)
  }

  /// The clock of the viewer.
  var viewerClock: SeriesClock { SeriesClock(form: .floating, rules: viewer) }

  /// The clock of a time; a time in an unknown zone is floating.
  mutating func clock(of time: EventTime) -> SeriesClock {
    switch time {
    case .date: return SeriesClock(form: .date, rules: viewer)
    case .floating: return viewerClock
    case .utc: return SeriesClock(form: .utc, rules: .utc)
    case .zoned(_, let tzID):
      guard let rules = rules(of: tzID) else { return viewerClock }
      return SeriesClock(form: .zoned(tzID: tzID), rules: rules)
    }
  }

  /// The diagnostic for the zone of a time if it is unknown or overruled by a definition.
  func objection(to time: EventTime?, at property: Property?) -> Diagnostic? {
    if let tzID = time?.tzID, let property, let name = overruledNames[tzID] {
      return ResolvedZone.overruled(name, tzID: tzID, at: property)
    }
    guard let tzID = time?.tzID, let property, case .some(.none) = known[tzID] ?? itemRules[tzID]
    else { return nil }
    return property.diagnostic(
      aboutName: .warning, .unknownTimeZone,
      "expected a known time zone, found '\(tzID)'; the time is kept as floating",
      reference: "RFC 5545 §3.2.19")
  }

  private mutating func rules(of tzID: String) -> ZoneRules? {
    if let known = known[tzID] ?? itemRules[tzID] { return known }
    let index = definitionsByName ?? ZoneDefinitions(definitions)
    definitionsByName = index
    let zone = resolver.resolve(tzID, among: index)
    if resolver.contender(of: zone, among: index) != nil {
      var zones = itemZones ?? ComponentZones(resolver, components: components, among: index)
      let meaning = zones.zone(tzID)
      let rules = try? resolver.rules(of: meaning)
      itemZones = zones
      overruledNames[tzID] = meaning.overruledName
      itemRules[tzID] = .some(rules)
      return rules
    }
    let rules = try? resolver.rules(of: zone)
    known[tzID] = .some(rules)
    return rules
  }
}
