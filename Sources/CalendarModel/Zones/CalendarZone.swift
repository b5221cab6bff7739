// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// The time zone that a calendar declares for its floating times (X-WR-TIMEZONE).
///
/// The property is not part of RFC 5545. Programs that write it expect floating times to be in its
/// zone.
///
/// ```swift
/// var zone = CalendarZone()
/// for property in calendar.properties { zone.take(property) }
/// let event = zone.applied(to: component)   // DTSTART;TZID=Europe/Berlin:…
/// ```
public struct CalendarZone: Hashable, Sendable {
  /// The TZID of the zone; nil if the calendar declares none.
  public private(set) var tzID: String?

  /// Creates the state for a calendar without a declaration.
  public init() {}

  /// Takes a property of the calendar; the first declaration applies.
  public mutating func take(_ property: Property) {
    guard tzID == nil, property.isNamed("X-WR-TIMEZONE"), !property.text.isEmpty else { return }
    tzID = property.text
  }

  /// The component with its floating times in the zone; unchanged if the calendar declares none.
  public func applied(to component: Component) -> Component {
    guard let tzID, component.name != .timeZone, component.hasFloatingTimes else {
      return component
    }
    var changed = component
    changed.properties = PropertyList(
      component.properties.map { property -> Property in
        guard property.isFloatingTime else { return property }
        var zoned = property
        zoned[.tzID] = tzID
        return zoned
      })
    changed.components = ComponentList(component.components.map { applied(to: $0) })
    return changed
  }
}

extension Component {
  /// Whether the component or a nested one has a floating time.
  fileprivate var hasFloatingTimes: Bool {
    properties.contains(where: \.isFloatingTime) || components.contains(where: \.hasFloatingTimes)
  }
}
