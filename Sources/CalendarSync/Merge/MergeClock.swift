// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax
import Recurrence

/// Interprets the times and meanings of all versions of an item consistently.
struct MergeClock {
  private var rules: [String: ZoneRules] = [:]
  private var form: ComparisonForm

  /// Creates a clock for the versions of an item, which compares according to a normal form.
  ///
  /// If the form has no time zones, times in different zones are never the same instant.
  init(_ form: NormalForm, items: [CalendarItem]) {
    self.form = ComparisonForm(
      form, components: items.flatMap(\.components), definitions: items.flatMap(\.timeZones))
    guard let zones = form.zones else { return }
    for item in items {
      var names: Set<String> = []
      for component in item.components { names.formUnion(component.usedTimeZones) }
      guard !names.isEmpty else { continue }
      var meanings = ComponentZones(
        zones, components: item.components, definitions: item.timeZones)
      for name in names where rules[name] == nil {
        rules[name] = try? zones.rules(of: meanings.zone(name))
      }
    }
  }

  /// The clock for a series with the start of a component.
  func naming(by main: Component) -> MergeClock {
    var copy = self
    copy.form = form.naming(by: main)
    return copy
  }

  // MARK: Meaning

  /// The meaning of a component with its nested components, regardless of notation.
  func meaning(of component: Component) -> SHA256.Digest { form.digest(of: component) }

  /// The meanings of the properties of a component, in order; see `ComparisonForm`.
  func meanings(in component: Component, isOnce: Bool) -> [CanonicalProperty] {
    form.properties(of: component, isOnce: isOnce)
  }

  /// Whether two times are equal in the same zone, regardless of its name.
  func areAlike(_ left: EventTime, _ right: EventTime) -> Bool { form.areAlike(left, right) }

  /// The occurrence of a time, equal for all its notations (RFC 5545 §3.8.4.4).
  func occurrence(at time: EventTime) -> OccurrenceKey { form.occurrenceKey(at: time) }

  /// The occurrence that a property identifies, or nil if it is not a time.
  func occurrence(named property: Property) -> OccurrenceKey? {
    form.occurrenceKey(named: property)
  }

  /// The occurrence that a component describes.
  func occurrence(of component: Component) -> OccurrenceKey { form.occurrenceKey(of: component) }

  // MARK: Times

  /// The time of a property value, or nil if it is not a time.
  func time(of value: Value, in property: Property) -> EventTime? {
    switch value {
    case .date(let date): .date(date)
    case .dateTime(let time, isUTC: true): .utc(time)
    case .dateTime(let time, isUTC: false):
      property.tzID.map { .zoned(time, tzID: $0) } ?? .floating(time)
    default: nil
    }
  }

  /// The first time of a property, or nil if it has none.
  func time(of property: Property?) -> EventTime? {
    guard let property, let value = property.typedValues.first else { return nil }
    return time(of: value, in: property)
  }

  /// The instant of a time, or nil if it depends on the viewer's zone.
  func instant(at time: EventTime) -> Instant? {
    switch time {
    case .date, .floating: nil
    case .utc(let wall): Instant(utc: wall)
    case .zoned(let wall, let tzID): rules[tzID]?.instant(of: wall)
    }
  }

  /// Whether two times are the same instant, date or floating time.
  func isSame(_ left: EventTime, _ right: EventTime) -> Bool {
    guard let left = instant(at: left), let right = instant(at: right) else {
      return areAlike(left, right)
    }
    return left == right
  }

  /// The clock for expanding a series with this start, or nil if its zone has no rules.
  func recurrenceClock(of start: EventTime) -> RecurrenceClock? {
    switch start {
    case .date: .date
    case .floating: .floating
    case .utc: .utc
    case .zoned(_, let tzID): rules[tzID].map { .zone($0) }
    }
  }

  /// The local time in the zone of another time, or nil if it is undefined.
  func wall(of time: EventTime, on other: EventTime) -> CivilDateTime? {
    switch (other, time) {
    case (.date, .date), (.floating, .floating), (.utc, .utc): return time.wallTime
    case (.zoned(_, let name), .zoned(let wall, let own)) where name == own: return wall
    case (.zoned, .zoned), (.zoned, .utc), (.utc, .zoned):
      guard let instant = instant(at: time) else { return nil }
      guard let name = other.tzID else { return instant.civil() }
      return rules[name]?.civil(at: instant)
    default: return nil
    }
  }
}
