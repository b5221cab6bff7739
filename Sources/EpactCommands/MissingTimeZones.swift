// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// Definitions of time zones that items use but do not define.
///
/// Programs such as Outlook rely on definitions, and cannot interpret the times otherwise.
enum MissingTimeZones {
  /// The definitions, sorted by name; a warning reports zones that cannot be defined.
  static func definitions(for items: [CalendarItem], in context: Context) -> [Component] {
    var uses = TimeZoneUses()
    var defined: Set<String> = []
    for item in items {
      for component in item.components { uses.add(component) }
      for timeZone in item.timeZones {
        if let name = timeZone[.tzID]?.text { defined.insert(name) }
      }
    }
    let resolver = context.zoneResolver
    var timeZones: [Component] = []
    for (tzID, use) in uses.uses.sorted(by: { $0.key < $1.key }) where !defined.contains(tzID) {
      do throws(ZoneResolutionError) {
        timeZones.append(try resolver.makeDefinition(of: tzID, for: use))
      } catch {
        context.console.warn("\(error); no definition is written")
      }
    }
    return timeZones
  }
}
