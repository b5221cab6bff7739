// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The calendar's properties and definitions that its items need on their own.
struct CalendarDefinitions: Sendable {
  /// The calendar properties that each item keeps.
  ///
  /// Other properties, such as METHOD or X-WR-CALNAME, describe the calendar.
  private static let kept: Set<PropertyName> = [.version, .productID, .calscale]

  private(set) var properties: [Property] = []
  /// The METHOD of the calendar, with which each item is a scheduling message.
  private(set) var method: Property?
  private var timeZones: [String: Component] = [:]

  mutating func add(_ property: Property) {
    if method == nil, property.isNamed(.method), !property.text.isEmpty { method = property }
    guard Self.kept.contains(property.name) else { return }
    guard !properties.contains(where: { $0.name == property.name }) else { return }
    properties.append(property)
  }

  /// Adds a definition; the first one with a name is kept, and a different one is reported.
  mutating func add(timeZone: Component) -> Diagnostic? {
    guard let name = timeZone[.tzID]?.text else { return nil }
    guard let first = timeZones[name] else {
      timeZones[name] = timeZone
      return nil
    }
    guard CanonicalForm.digest(of: first) != CanonicalForm.digest(of: timeZone) else { return nil }
    return timeZone.diagnostic(
      .warning, .timeZoneConflict,
      "expected one definition of the time zone '\(name)', found another one, which is not used",
      reference: "RFC 5545 §3.6.5")
  }

  /// The definitions that a component uses, sorted by name.
  func timeZones(usedBy component: Component) -> [Component] {
    component.usedTimeZones.sorted().compactMap { timeZones[$0] }
  }
}
