// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

/// Tells which moment a time of an item is, by the rules of the zones that its versions use.
struct MergeClock {
  private var rules: [String: ZoneRules] = [:]
  private let form: NormalForm
  /// The definitions of time zones of all versions.
  private let definitions: [Component]

  /// Creates a clock for some versions of an item, which compares as a form does: if that knows no time
  /// zones, times in different zones are never the same moment.
  init(_ form: NormalForm, items: [CalendarItem]) {
    self.form = form
    definitions = items.flatMap(\.timeZones)
    guard let zones = form.zones else { return }
    for item in items {
      var names: Set<String> = []
      for component in item.components { names.formUnion(component.usedTimeZones) }
      for name in names where rules[name] == nil {
        let zone = zones.resolve(name, definitions: item.timeZones)
        rules[name] = try? zones.rules(of: zone)
      }
    }
  }

  /// What components mean, however they are spelled.
  func form(of components: [Component]) -> Fingerprint {
    form.fingerprint(of: components, definitions: definitions)
  }

  /// The time that a value of a property is, or nil if it is none.
  func time(of value: Value, in property: Property) -> EventTime? {
    switch value {
    case .date(let date): .date(date)
    case .dateTime(let time, isUTC: true): .utc(time)
    case .dateTime(let time, isUTC: false):
      property.tzID.map { .zoned(time, tzID: $0) } ?? .floating(time)
    default: nil
    }
  }

  /// The one time that a property is, or nil if it is none.
  func time(of property: Property?) -> EventTime? {
    guard let property, let value = property.typedValues.first else { return nil }
    return time(of: value, in: property)
  }

  /// The occurrence that a time names, equal for all spellings of it (RFC 5545 §3.8.4.4).
  func occurrence(at time: EventTime) -> OccurrenceKey {
    switch time {
    case .date(let date): .date(date)
    case .floating(let wall): .local(wall, clock: "")
    case .utc(let wall): .instant(Instant(utc: wall))
    case .zoned(let wall, let tzID):
      rules[tzID].map { .instant($0.instant(of: wall)) } ?? .local(wall, clock: tzID)
    }
  }

  /// The occurrence that a property names; of one that is no time, its value.
  func occurrence(of property: Property) -> OccurrenceKey {
    time(of: property).map(occurrence) ?? .unreadable(property.rawValue)
  }

  /// The occurrence that a component describes, among the components of its version.
  func occurrence(of component: Component, among components: [Component]) -> OccurrenceKey {
    form.occurrenceKey(of: component, among: components, definitions: definitions)
  }

  /// The clock by which a series with this start is reckoned, or nil if its zone has no rules.
  func recurrenceClock(of start: EventTime) -> RecurrenceClock? {
    switch start {
    case .date: .date
    case .floating: .floating
    case .utc: .utc
    case .zoned(_, let tzID): rules[tzID].map { .zone($0) }
    }
  }

  /// What the clocks of another time show at a time, or nil if that cannot be told.
  func wall(of time: EventTime, on other: EventTime) -> CivilDateTime? {
    switch (other, time) {
    case (.date, .date), (.floating, .floating), (.utc, .utc): return time.wallTime
    case (.zoned(_, let name), .zoned(let wall, let own)) where name == own: return wall
    case (.zoned, .zoned), (.zoned, .utc), (.utc, .zoned):
      guard case .instant(let instant) = occurrence(at: time) else { return nil }
      guard let name = other.tzID else { return instant.civil() }
      return rules[name]?.civil(at: instant)
    default: return nil
    }
  }
}
