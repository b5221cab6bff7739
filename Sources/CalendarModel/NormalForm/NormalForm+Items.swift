// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

extension NormalForm {
  /// Returns the key of the occurrence that a component of an item describes.
  ///
  /// In an all-day series, occurrences are identified by dates.
  package func occurrenceKey(
    of component: Component, among components: [Component], definitions: [Component] = []
  ) -> OccurrenceKey {
    occurrenceKeys(of: [component], among: components, definitions: definitions).first ?? .series
  }

  /// Which occurrences several components describe, in their order.
  package func occurrenceKeys(
    of described: [Component], among components: [Component], definitions: [Component] = []
  ) -> [OccurrenceKey] {
    var normalizer = ComponentNormalizer(self, components, definitions)
    return described.map { component in
      guard let property = component[.recurrenceID] else { return .series }
      guard let time = normalizer.time(of: property) else { return .unreadable(property.rawValue) }
      return normalizer.occurrenceKey(at: time)
    }
  }
}

extension CalendarItem {
  /// Returns the canonical properties of one of the components, in order.
  package func canonicalProperties(of component: Component) -> [CanonicalProperty] {
    var normalizer = ComponentNormalizer(normalForm, components, timeZones)
    return normalizer.properties(of: component)
  }

  /// Returns the key of the occurrence that one of the components describes.
  package func occurrenceKey(of component: Component) -> OccurrenceKey {
    normalForm.occurrenceKey(of: component, among: components, definitions: timeZones)
  }

  /// Which occurrences some of the components describe, in their order.
  package func occurrenceKeys(of described: [Component]) -> [OccurrenceKey] {
    normalForm.occurrenceKeys(of: described, among: components, definitions: timeZones)
  }
}
