// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax

/// The time zones of an item without the names that its author gave them.
///
/// A zone of the database has its database name. Any other zone that the item defines is named by a
/// digest of its offsets, and defined anew: the names, comments and other texts of the definition are
/// hidden. An unknown zone is left out, because its times are floating for all readers.
struct ProjectedZones {
  private let zones: ZoneResolver
  private let item: CalendarItem
  private let uses: TimeZoneUses
  private var known: [String: Zone] = [:]
  /// The definitions of the zones that the database does not have, in the order of their use.
  private(set) var definitions: [Component] = []

  private enum Zone {
    case utc, floating
    case named(String)
  }

  /// Prepares the zones of an item.
  init(of item: CalendarItem, zones: ZoneResolver) {
    self.zones = zones
    self.item = item
    var uses = TimeZoneUses()
    for component in item.components { uses.add(component) }
    self.uses = uses
  }

  /// The time in its zone.
  mutating func time(_ time: EventTime) -> EventTime {
    guard case .zoned(let wall, let tzID) = time else { return time }
    switch zone(tzID) {
    case .utc: return .utc(wall)
    case .floating: return .floating(wall)
    case .named(let name): return .zoned(wall, tzID: name)
    }
  }

  /// The end in its zone.
  mutating func end(_ end: EventEnd) -> EventEnd {
    switch end {
    case .time(let time): .time(self.time(time))
    case .duration: end
    }
  }

  /// The dates and rules in their zones; dates in order, each once.
  mutating func recurrence(_ source: RecurrenceProperties) -> RecurrenceProperties {
    var result = source
    result.dates = source.dates.map { date in
      switch date {
      case .time(let time): .time(self.time(time))
      case .period(let start, let end): .period(start: time(start), end: self.end(end))
      }
    }
    result.excludedDates = source.excludedDates.map { time($0) }
    return result
  }

  private mutating func zone(_ tzID: String) -> Zone {
    if let zone = known[tzID] { return zone }
    let zone = found(tzID)
    known[tzID] = zone
    return zone
  }

  private mutating func found(_ tzID: String) -> Zone {
    let resolved = zones.resolve(tzID, definitions: item.timeZones, use: uses[tzID])
    if let name = resolved.canonicalName { return name == "UTC" ? .utc : .named(name) }
    guard let rules = try? zones.rules(of: resolved) else { return .floating }
    return .named(define(rules, for: uses[tzID]))
  }

  /// Defines a zone, unless a zone with the same offsets is defined already, and returns its name.
  private mutating func define(_ rules: ZoneRules, for use: TimeZoneUses.Use?) -> String {
    let epoch = Instant(secondsSinceEpoch: 0)
    let first = use?.instants(by: rules, horizon: epoch)?.lowerBound ?? epoch
    let unnamed = definition(of: rules, from: min(first, epoch), named: "")
    let digest = SHA256.digest(of: Serializer().bytes(of: unnamed)).description
    let name = "Zone-\(digest.prefix(16))"
    if !definitions.contains(where: { $0[.tzID]?.text == name }) {
      definitions.append(definition(of: rules, from: min(first, epoch), named: name))
    }
    return name
  }

  private func definition(
    of rules: ZoneRules, from first: Instant, named name: String
  ) -> Component {
    var definition = TimeZoneComponent(rules: rules, tzID: name).component(from: first)
    // The abbreviations are texts of the author.
    definition.components = ComponentList(
      definition.components.map { observance in
        var observance = observance
        observance[.tzName] = nil
        return observance
      })
    return definition
  }
}
