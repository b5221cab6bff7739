// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

/// Writes the item of merged components, with the definitions of their time zones.
struct MergedItem {
  private let local: CalendarItem
  private let remote: CalendarItem
  private let localBase: ZoneDefinitions
  private let remoteBase: ZoneDefinitions

  init(
    local: CalendarItem, remote: CalendarItem, localBase: CalendarItem?, remoteBase: CalendarItem?
  ) {
    self.local = local
    self.remote = remote
    self.localBase = ZoneDefinitions(localBase?.timeZones ?? [])
    self.remoteBase = ZoneDefinitions(remoteBase?.timeZones ?? [])
  }

  /// The item with these components; nil if there are none, or if they form no item.
  func item(of components: [Component]) -> CalendarItem? {
    guard !components.isEmpty else { return nil }
    let zones = timeZones(usedBy: components)
    if components == local.components, zones == local.timeZones { return local }
    do throws(ItemError) {
      return try local.replacing(components: components, timeZones: zones)
    } catch {
      return nil
    }
  }

  /// The definitions of both sides; a changed definition takes precedence, and then the local one.
  private func timeZones(usedBy components: [Component]) -> [Component] {
    let used = components.usedTimeZones
    var zones = local.timeZones
    var places: [String: Int] = [:]
    for (place, zone) in zones.enumerated() {
      guard let name = zone[.tzID]?.text, places[name] == nil else { continue }
      places[name] = place
    }
    for zone in remote.timeZones {
      guard let name = zone[.tzID]?.text else { continue }
      guard let place = places[name] else {
        guard used.contains(name) else { continue }
        places[name] = zones.count
        zones.append(zone)
        continue
      }
      if zones[place] == localBase[name], zone != remoteBase[name] { zones[place] = zone }
    }
    return zones
  }
}

/// The occurrences of a merged series, for finding overrides without an occurrence.
struct MergedOccurrences {
  private let start: EventTime
  private let instances: RecurrenceInstances
  private let clock: MergeClock

  /// Creates the series, or nil if it does not recur or its rules cannot be expanded.
  init?(_ main: Component, _ clock: MergeClock) {
    guard let start = clock.time(of: main[.dtStart]),
      let recurrenceClock = clock.recurrenceClock(of: start)
    else { return nil }
    var set = RecurrenceSet(start: start.wallTime, clock: recurrenceClock)
    for property in main.properties(named: .rRule) {
      guard case .recurrence(let rule)? = property.typedValues.first else { return nil }
      set.rules.append(rule)
    }
    guard !set.rules.isEmpty else { return nil }
    for property in main.properties(named: .rDate) {
      for value in property.listValues {
        guard let time = clock.time(of: property.with(rawValue: value)),
          let wall = clock.wall(of: time, on: start)
        else { continue }
        set.dates.append(.local(wall))
      }
    }
    do throws(ExpansionError) { instances = try set.instances() } catch { return nil }
    self.start = start
    self.clock = clock
  }

  /// Whether the series is known not to contain the occurrence of an override.
  func lacks(_ override: Component) -> Bool {
    clock.time(of: override[.recurrenceID]).map(lacks) ?? false
  }

  /// Whether the series is known not to contain an occurrence with this original start.
  func lacks(_ time: EventTime) -> Bool {
    guard let wall = clock.wall(of: time, on: start) else { return false }
    let next = instances.starting(at: wall).first { _ in true }
    return next?.local != wall
  }

  /// Whether the series ends, and another one has occurrences after that end.
  ///
  /// The answer is no if the end is beyond the first `limit` occurrences.
  func ends(before other: MergedOccurrences, limit: Int) -> Bool {
    let first = instances.prefix(limit + 1).map(\.local)
    guard first.count <= limit, let last = first.last else { return false }
    return other.instances.starting(at: last).contains { $0.local > last }
  }

  /// The number of occurrences before a time; nil if no occurrence of the first `limit` starts then.
  func place(of time: CivilDateTime, limit: Int) -> Int? {
    for (place, instance) in instances.enumerated() {
      guard place < limit, instance.local <= time else { return nil }
      if instance.local == time { return place }
    }
    return nil
  }
}
