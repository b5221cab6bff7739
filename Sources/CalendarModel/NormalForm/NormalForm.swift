// SPDX-License-Identifier: Apache-2.0

public import CivilTime
public import ICalSyntax

/// The conversion of items to a form that is equal for items with the same meaning.
///
/// ```
/// components ──► properties, values and times read ──► canonical properties ──► Fingerprint
///                                     ▲
///                   ZoneResolver: what the TZIDs mean
/// ```
///
/// <doc:TheNormalForm> lists what the form omits and what it treats as equal.
///
/// With a resolver, zones are compared by meaning instead of name: `Europe/Kiev` equals
/// `Europe/Kyiv`, and a zone that only the calendar defines is represented by its offsets. Without
/// a resolver, TZIDs are compared as strings.
///
/// Only the results of equal forms are comparable. Two forms are equal if their resolvers are.
public struct NormalForm: Hashable, Sendable {
  /// The resolver of TZIDs; nil to compare TZIDs as strings.
  package let zones: ZoneResolver?

  /// Creates a form.
  ///
  /// - Parameter zones: The resolver of TZIDs.
  public init(zones: ZoneResolver? = nil) {
    self.zones = zones
  }

  /// The key for stored fingerprints; only fingerprints with equal keys are comparable.
  package var cacheKey: String { "\(Fingerprint.version)\(zones == nil ? "" : " with zones")" }

  /// Returns the fingerprint of one item's components.
  ///
  /// - Parameters:
  ///   - components: The components, in any order.
  ///   - definitions: The VTIMEZONE components that they use.
  /// - Returns: The fingerprint, with the version of the form.
  public func fingerprint(
    of components: [Component], definitions: [Component] = []
  ) -> Fingerprint {
    var form = CanonicalForm()
    // The name of the form prevents equal digests from different forms.
    form.append("epact item \(Fingerprint.version)")
    form.append(
      list: digests(of: components, definitions: definitions).map(\.bytes)
        .sorted(by: CanonicalForm.precedes))
    return Fingerprint(digest: SHA256.digest(of: form.bytes))
  }

  /// Returns the digests of one item's components, in order.
  func digests(of components: [Component], definitions: [Component]) -> [SHA256.Digest] {
    var normalizer = ComponentNormalizer(self, components, definitions)
    return components.map { normalizer.digest(of: $0) }
  }
}

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

/// A digest of the meaning of an item; items with the same meaning have equal fingerprints.
///
/// It is computed from the ``NormalForm`` of the components. Each component has its own digest, and
/// each part is preceded by its length, so that properties of different components are never
/// confused. For example, swapping the summaries of a series and its override changes the
/// fingerprint.
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
  /// The version of the normal form; each change of the form increments it.
  static let version = 4
  private static let prefix = "\(version):"

  /// The version of the form, a colon, and the SHA-256 digest as 64 lower-case hexadecimal digits.
  public let rawValue: String

  /// Creates a fingerprint from a `rawValue`.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  init(digest: SHA256.Digest) {
    rawValue = Self.prefix + digest.description
  }

  /// Creates the fingerprint of an item's components, in any order, without resolving time zones.
  public init(of components: some Sequence<Component>) {
    self = NormalForm().fingerprint(of: Array(components))
  }

  /// Whether the fingerprint has the current version of the normal form.
  ///
  /// An outdated fingerprint does not show whether an item changed. In that case, compare the item
  /// with its earlier version.
  public var isCurrent: Bool { rawValue.hasPrefix(Self.prefix) }

  /// The first twelve digits, for display.
  public var description: String {
    let digits = rawValue.drop { $0 != ":" }.dropFirst()
    return String((digits.isEmpty ? rawValue[...] : digits).prefix(12))
  }
}

/// The identity of an occurrence, independent of the notation (RECURRENCE-ID, RFC 5545 §3.8.4.4).
///
/// It is an instant if the zone is known, and a date in an all-day series.
public enum OccurrenceKey: Hashable, Sendable {
  /// The whole series.
  case series
  /// The occurrence on a date.
  case date(CivilDate)
  /// The occurrence at an instant.
  case instant(Instant)
  /// The occurrence at a local time in an unknown zone; `clock` is empty for a floating time.
  case local(CivilDateTime, clock: String)
  /// An unidentifiable occurrence, with the invalid value from the file.
  case unreadable(String)
}
