// SPDX-License-Identifier: Apache-2.0

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
public struct NormalForm: Sendable {
  /// An identity for forms with resolvers; results of different resolvers are not comparable.
  private final class Identity: Sendable {}

  /// The resolver of TZIDs; nil to compare TZIDs as strings.
  package let zones: ZoneResolver?
  private let identity: Identity?

  /// Creates a form.
  ///
  /// - Parameter zones: The resolver of TZIDs.
  public init(zones: ZoneResolver? = nil) {
    self.zones = zones
    identity = zones.map { _ in Identity() }
  }

  /// Whether the results of two forms are comparable.
  func isSame(as other: NormalForm) -> Bool { identity === other.identity }

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
