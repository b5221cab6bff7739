// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// The normal form of several versions of one item, to compare them part by part.
///
/// What a property says may depend on what stands beside it: which occurrence an EXDATE means, on the
/// start of the series; what a zone is that only the calendar defines, on the range in which the item
/// uses it; whether DURATION and DTEND mean the same, on whether there is a series. That one version
/// has another start, range or rule must not make a change of each property that it has in common with the
/// others: so all are read as beside the same ones.
package struct ComparisonForm: Sendable {
  private let normalizer: ComponentNormalizer

  /// Creates a form.
  ///
  /// - Parameters:
  ///   - form: The normal form of the item.
  ///   - components: The components of all versions. By the start of the first one that is no override,
  ///     all name the occurrences of the series.
  ///   - definitions: The VTIMEZONE components of all versions; of two for one name the first counts.
  package init(_ form: NormalForm, components: [Component], definitions: [Component]) {
    var zones = CanonicalZones(form, components, definitions)
    // Found once for all copies.
    for name in components.reduce(into: Set(), { $0.formUnion($1.usedTimeZones) }) {
      _ = zones.zone(name)
    }
    normalizer = ComponentNormalizer(zones: zones, main: components.first { !$0.isOverride })
  }

  private init(_ normalizer: ComponentNormalizer) {
    self.normalizer = normalizer
  }

  /// The form in which the occurrences of the series are named by the start of this component.
  package func naming(by main: Component) -> ComparisonForm {
    ComparisonForm(ComponentNormalizer(zones: normalizer.zones, main: main))
  }

  /// What the properties of a component say, in their order.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - isOnce: Whether it is read as something that takes place once, because one that it is compared
  ///     with does.
  /// - Returns: The properties that say anything.
  package func properties(of component: Component, isOnce: Bool) -> [CanonicalProperty] {
    var normalizer = normalizer
    return normalizer.properties(of: component, isOnce: isOnce)
  }

  /// What a component says with all that is nested in it.
  package func digest(of component: Component) -> SHA256.Digest {
    var normalizer = normalizer
    return normalizer.digest(of: component)
  }

  /// Which occurrence a component describes.
  package func occurrenceKey(of component: Component) -> OccurrenceKey {
    component[.recurrenceID].map { occurrenceKey(named: $0) ?? .unreadable($0.rawValue) } ?? .series
  }

  /// Which occurrence a property names, or nil if it is no time.
  package func occurrenceKey(named property: Property) -> OccurrenceKey? {
    var normalizer = normalizer
    return normalizer.time(of: property).map(normalizer.occurrenceKey)
  }

  /// Which occurrence a time names.
  package func occurrenceKey(at time: EventTime) -> OccurrenceKey {
    normalizer.occurrenceKey(at: canonical(time))
  }

  /// Whether two times are the same on clocks that are the same, whatever these are called.
  package func areAlike(_ left: EventTime, _ right: EventTime) -> Bool {
    canonical(left) == canonical(right)
  }

  /// What a TZID means, by a name that is the same for all that mean the same.
  package func zoneName(_ tzID: String) -> String {
    var zones = normalizer.zones
    return zones.zone(tzID).name
  }

  private func canonical(_ time: EventTime) -> CanonicalTime {
    switch time {
    case .date(let date): return .date(date)
    case .floating(let wall): return .floating(wall)
    case .utc(let wall): return .utc(wall)
    case .zoned(let wall, let tzID):
      var zones = normalizer.zones
      return CanonicalTime(wall, in: zones.zone(tzID))
    }
  }
}

extension Component {
  /// Whether the component recurs, by rules or by dates (RFC 5545 §3.8.5).
  package var isSeries: Bool { self[.rRule] != nil || self[.rDate] != nil }
}
