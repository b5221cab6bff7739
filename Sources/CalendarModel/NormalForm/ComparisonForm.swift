// SPDX-License-Identifier: Apache-2.0

package import ICalSyntax

/// The normal form of several versions of an item, to compare them part by part.
///
/// The meaning of a property can depend on other properties:
///
/// - The occurrence of an EXDATE depends on the start of the series.
/// - The meaning of a zone that only the calendar defines depends on the range in which the item
///   uses it.
/// - The equality of DURATION and DTEND depends on whether the component recurs.
///
/// If one version has another start, range or rule, the properties that it shares with the other
/// versions must still be equal. Therefore all versions are read in the same context.
package struct ComparisonForm: Sendable {
  private let normalizer: ComponentNormalizer

  /// Creates a form.
  ///
  /// - Parameters:
  /// - Parameters:
  ///   - form: The normal form of the item.
  ///   - components: The components of all versions. The start of the first main component
  ///     determines
  ///     the identifiers of all occurrences.
  ///   - definitions: The VTIMEZONE components of all versions; the first one with a TZID applies.
  package init(_ form: NormalForm, components: [Component], definitions: [Component]) {
    var zones = CanonicalZones(form, components, definitions)
    // The zones are resolved once for all copies.
    for name in components.usedTimeZones {
      _ = zones.zone(name)
    }
    normalizer = ComponentNormalizer(zones: zones, main: components.first { !$0.isOverride })
  }

  private init(_ normalizer: ComponentNormalizer) {
    self.normalizer = normalizer
  }

  /// Returns the form in which the start of this component determines the occurrence identifiers.
  package func naming(by main: Component) -> ComparisonForm {
    ComparisonForm(ComponentNormalizer(zones: normalizer.zones, main: main))
  }

  /// Returns the canonical properties of a component, in order.
  ///
  /// - Parameters:
  ///   - component: The component.
  ///   - isOnce: Whether the component is read as not recurring, because it is compared with one
  ///     that
  ///     does not recur.
  /// - Returns: The properties; defaults and metadata are omitted.
  package func properties(of component: Component, isOnce: Bool) -> [CanonicalProperty] {
    var normalizer = normalizer
    return normalizer.properties(of: component, isOnce: isOnce)
  }

  /// Returns the digest of a component and its nested components.
  package func digest(of component: Component) -> SHA256.Digest {
    var normalizer = normalizer
    return normalizer.digest(of: component)
  }

  /// Returns the key of the occurrence that a component describes.
  package func occurrenceKey(of component: Component) -> OccurrenceKey {
    component[.recurrenceID].map { occurrenceKey(named: $0) ?? .unreadable($0.rawValue) } ?? .series
  }

  /// Returns the key of the occurrence that a property identifies, or nil if it has no time.
  package func occurrenceKey(named property: Property) -> OccurrenceKey? {
    var normalizer = normalizer
    return normalizer.time(of: property).map(normalizer.occurrenceKey)
  }

  /// Returns the key of the occurrence at a time.
  package func occurrenceKey(at time: EventTime) -> OccurrenceKey {
    normalizer.occurrenceKey(at: canonical(time))
  }

  /// Whether two times are equal and their zones have the same meaning.
  package func areAlike(_ left: EventTime, _ right: EventTime) -> Bool {
    canonical(left) == canonical(right)
  }

  /// Returns the canonical name of a TZID, which is equal for all TZIDs with the same meaning.
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

/// A byte form that is equal for components with the same meaning, as input of a digest.
///
/// Each part is preceded by its length, so that two different lists of parts never produce the same
/// bytes.
///
/// It differs from the canonical form of `Serializer`, which preserves the complete file so that it
/// can be parsed again. This form omits metadata that changes with each export and default values,
/// splits lists and parses values.
package struct CanonicalForm {
  private(set) var bytes: [UInt8] = []

  /// Returns the digest of a component and its nested components, without context.
  ///
  /// Time zones are not resolved, so that updates of their rules do not change derived values.
  package static func digest(of component: Component) -> SHA256.Digest {
    NormalForm().digests(of: [component], definitions: [])[0]
  }

  /// Appends a part with its length as prefix.
  mutating func append(_ part: [UInt8]) {
    append(part.span)
  }

  /// Appends a part with its length as prefix.
  mutating func append(_ part: Span<UInt8>) {
    append(count: part.count)
    bytes.append(copying: part)
  }

  /// Appends a text with its length as prefix.
  mutating func append(_ text: String) {
    append(text.utf8.span)
  }

  /// Appends several parts with their number as prefix.
  mutating func append(list parts: [[UInt8]]) {
    append(count: parts.count)
    for part in parts { append(part) }
  }

  /// Appends a number as four bytes, most significant first.
  mutating func append(count: Int) {
    bytes.append(UInt8(truncatingIfNeeded: count >> 24))
    bytes.append(UInt8(truncatingIfNeeded: count >> 16))
    bytes.append(UInt8(truncatingIfNeeded: count >> 8))
    bytes.append(UInt8(truncatingIfNeeded: count))
  }

  static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.lexicographicallyPrecedes(right)
  }

  /// Appends the parts in these ranges of another form, sorted and without duplicates.
  mutating func append(_ ranges: [Range<Int>], of other: CanonicalForm) {
    var slices: [ArraySlice<UInt8>] = []
    slices.reserveCapacity(ranges.count)
    let sorted = ranges.map { other.bytes[$0] }.sorted { $0.lexicographicallyPrecedes($1) }
    for slice in sorted where slice != slices.last { slices.append(slice) }
    append(count: slices.count)
    for slice in slices { append(slice.span) }
  }
}
