// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import ICalSyntax

/// A series, to compare changed and deleted occurrences with what it gives.
struct VendorSeries {
  private static let bookkeeping: Set<PropertyName> = [
    .dtStamp, .created, .lastModified, .sequence, .recurrenceID, .dtStart, .dtEnd, .duration,
    .rRule, .rDate, .exDate, "EXRULE",
  ]

  /// The component, with the exclusions that were added.
  private(set) var component: Component
  private let editor: ItemEditor
  private let item: CalendarItem
  private let times: VendorTimes
  private var excluded: Set<Instant>

  init(_ component: Component, _ definitions: [Component], _ zones: VendorZones) throws(ItemError) {
    self.component = component
    item = try CalendarItem(components: [component], timeZones: definitions)
    editor = ItemEditor(zones: zones.resolver, now: Instant(secondsSinceEpoch: 0))
    let times = VendorTimes(of: item, zones)
    self.times = times
    let dates = Event(component).recurrence.excludedDates
    excluded = Set(dates.compactMap { try? times.instant(of: $0) })
  }

  /// Whether the series excludes a time.
  func excludes(_ time: EventTime) -> Bool {
    (try? times.instant(of: time)).map(excluded.contains) ?? false
  }

  /// Excludes an occurrence; returns false if it is excluded already, or the series has none then.
  mutating func exclude(_ time: EventTime) -> Bool {
    guard let instant = try? times.instant(of: time), !excluded.contains(instant),
      let start = Event(component).start, let own = try? times.identifier(time, likeStart: start),
      occurrence(at: own) != nil
    else { return false }
    excluded.insert(instant)
    var content = Event()
    content.recurrence.excludedDates = [own]
    if let property = content.component[.exDate] { component.properties.append(property) }
    return true
  }

  /// The occurrence that the series gives at a time, with its start and end; nil if there is none.
  func occurrence(at time: EventTime) -> Component? {
    let found: (content: Event, component: Component)? = editor.occurrence(at: time, of: item)
    return found?.component
  }

  /// Whether an override says the same as the series.
  func gives(_ override: Component) -> Bool {
    let event = Event(override)
    guard let original = event.recurrenceID?.time, let start = event.start,
      let given = occurrence(at: original), let expected = Event(given).start,
      (try? times.instant(of: start)) == (try? times.instant(of: expected)),
      (try? times.end(of: event, from: start)).map(times.instantOrNil)
        == (try? times.end(of: Event(given), from: expected)).map(times.instantOrNil)
    else { return false }
    return Self.rest(of: override) == Self.rest(of: given)
  }

  private static func rest(of component: Component) -> [Component: Int] {
    var rest: [Component: Int] = [:]
    for property in component.properties where !bookkeeping.contains(property.name) {
      rest[Component("X", properties: [property], components: [] as [Component]), default: 0] += 1
    }
    for nested in component.components { rest[nested, default: 0] += 1 }
    return rest
  }
}

extension VendorTimes {
  fileprivate func instantOrNil(_ time: EventTime) -> Instant? { try? instant(of: time) }
}
