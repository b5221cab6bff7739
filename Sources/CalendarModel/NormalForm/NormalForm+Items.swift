// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

extension NormalForm {
  /// What the properties of a component of an item say, in their order.
  package func properties(
    of component: Component, in item: CalendarItem
  ) -> [CanonicalProperty] {
    var normalizer = ComponentNormalizer(self, item.components, item.timeZones)
    return normalizer.properties(of: component)
  }

  /// Which occurrence a component describes, among all of an item: a series of days knows its
  /// occurrences by days.
  package func occurrenceKey(
    of component: Component, among components: [Component], definitions: [Component] = []
  ) -> OccurrenceKey {
    guard let property = component[.recurrenceID] else { return .series }
    var normalizer = ComponentNormalizer(self, components, definitions)
    guard let time = normalizer.time(of: property) else { return .unreadable(property.rawValue) }
    let found = time.onClock(of: normalizer.mainStart)
    if let instant = found.instant { return .instant(instant) }
    switch found {
    case .date(let date): return .date(date)
    case .floating, .utc, .zoned: return .local(found.wallTime, clock: found.clockName)
    }
  }
}

extension CalendarItem {
  /// What the properties of one of the components say, in their order.
  package func canonicalProperties(of component: Component) -> [CanonicalProperty] {
    normalForm.properties(of: component, in: self)
  }

  /// Which occurrence one of the components describes.
  package func occurrenceKey(of component: Component) -> OccurrenceKey {
    normalForm.occurrenceKey(of: component, among: components, definitions: timeZones)
  }
}
