// SPDX-License-Identifier: Apache-2.0

import ArgumentParser
import CalendarModel
import ICalSyntax

/// Whether floating times are read in the zone that their file declares: an option of the commands that
/// read times.
struct CalendarZoneOption: ParsableArguments {
  @Flag(
    name: .customLong("calendar-zone"),
    help: "Read floating times in the zone that their file declares (X-WR-TIMEZONE).")
  var isUsed = false

  /// The time zones, if the option is given.
  func zones(in context: Context) -> ZoneResolver? { isUsed ? context.zoneResolver : nil }
}

/// Puts floating times of a file into the zone that it declares, and defines the zone if the file does not.
struct CalendarZoning {
  private let zones: ZoneResolver
  private var zone = CalendarZone()
  private var uses = TimeZoneUses()
  private var isDefined = false

  init(_ zones: ZoneResolver) {
    self.zones = zones
  }

  /// The element with its times in the zone, and the definition that comes before it.
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

  /// The definition of the zone, if the calendar uses it and has none.
  private var definition: Component? {
    guard !isDefined, let tzID = zone.tzID, let use = uses[tzID] else { return nil }
    return try? zones.makeDefinition(of: tzID, for: use)
  }
}
