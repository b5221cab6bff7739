// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import Epact
import ICalSyntax

/// The option `--calendar-zone`, which applies the declared zone of a file to floating times.
struct CalendarZoneOption: ParsableArguments {
  @Flag(
    name: .customLong("calendar-zone"),
    help: "Read floating times in the zone that their file declares (X-WR-TIMEZONE).")
  var isUsed = false

  /// The time zones if the option is set, otherwise nil.
  func zones(in context: Context) -> ZoneResolver? { isUsed ? context.zoneResolver : nil }
}

/// Converts floating times of a file to its declared zone, and adds a missing definition.
struct CalendarZoning {
  private let zones: ZoneResolver
  private var zone = CalendarZone()
  private var uses = TimeZoneUses()
  private var isDefined = false

  init(_ zones: ZoneResolver) {
    self.zones = zones
  }

  /// The converted element, and a definition to insert before it.
  mutating func take(_ element: ReaderElement) -> (ReaderElement, definition: Component?) {
    switch element {
    case .calendarBegan: self = CalendarZoning(zones)
    case .property(let property): zone.take(property)
    case .component(let component) where component.name == .timeZone:
      if component[.tzID]?.text == zone.tzID { isDefined = true }
    case .component(let component):
      let zoned = zone.applied(to: component)
      if zone.tzID != nil { uses.add(zoned) }
      return (.component(zoned), nil)
    case .calendarEnded: return (element, definition)
    case .diagnostic: break
    }
    return (element, nil)
  }

  /// The definition of the zone if the calendar uses it without defining it.
  private var definition: Component? {
    guard !isDefined, let tzID = zone.tzID, let use = uses[tzID] else { return nil }
    return try? zones.makeDefinition(of: tzID, for: use)
  }
}
