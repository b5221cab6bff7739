// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What a calendar says that its items need when they stand alone.
struct CalendarDefinitions: Sendable {
  /// The properties of a calendar that each of its items keeps; the others, as METHOD or
  /// X-WR-CALNAME, are about the calendar and not about any one item.
  private static let kept: Set<PropertyName> = [.version, .productID, .calscale]

  private(set) var properties: [Property] = []
  /// The METHOD of the calendar, which makes a scheduling message of each of its items.
  private(set) var method: Property?
  private var timeZones: [String: Component] = [:]

  mutating func add(_ property: Property) {
    if method == nil, property.isNamed(.method), !property.text.isEmpty { method = property }
    guard Self.kept.contains(property.name) else { return }
    guard !properties.contains(where: { $0.name == property.name }) else { return }
    properties.append(property)
  }

  /// Adds a definition; the first one of a name stays, and a different one is reported.
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

  /// The definitions that a component uses, in the order of their names.
  func timeZones(usedBy component: Component) -> [Component] {
    component.usedTimeZones.sorted().compactMap { timeZones[$0] }
  }
}
