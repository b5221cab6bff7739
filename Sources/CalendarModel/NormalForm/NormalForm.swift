// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// How items are brought into the form in which what means the same is the same.
///
/// ```
/// components ──► properties, values and times read ──► canonical properties ──► Fingerprint
///                                     ▲
///                   ZoneResolver: what the TZIDs mean
/// ```
///
/// What the form leaves out, and what it takes for the same, is told in <doc:TheNormalForm>.
///
/// With a resolver, zones are compared by what they are and not by what they are called: `Europe/Kiev`
/// is `Europe/Kyiv`, and a zone that only the calendar defines is its offsets. Without one a TZID is its
/// letters.
public struct NormalForm: Sendable {
  /// Tells forms with time zones apart: what two resolvers know cannot be compared.
  private final class Identity: Sendable {}

  /// Finds out what a TZID means; nil if it is only a name.
  package let zones: ZoneResolver?
  private let identity: Identity?

  /// Creates a form.
  ///
  /// - Parameter zones: Finds out what the TZIDs mean.
  public init(zones: ZoneResolver? = nil) {
    self.zones = zones
    identity = zones.map { _ in Identity() }
  }

  /// Whether two forms are one, so that what is the same in the one is the same in the other.
  func isSame(as other: NormalForm) -> Bool { identity === other.identity }

  /// Which fingerprints may be kept and compared with later ones: those of forms with one key.
  package var cacheKey: String { "\(Fingerprint.version)\(zones == nil ? "" : " with zones")" }

  /// The fingerprint of the components of one item, in any order, with the VTIMEZONE components that they
  /// use.
  public func fingerprint(
    of components: [Component], definitions: [Component] = []
  ) -> Fingerprint {
    var form = CanonicalForm()
    // The name of the form: fingerprints of another form than this one must not equal them.
    form.append("epact item \(Fingerprint.version)")
    form.append(
      list: digests(of: components, definitions: definitions).map(\.bytes)
        .sorted(by: CanonicalForm.precedes))
    return Fingerprint(digest: SHA256.digest(of: form.bytes))
  }

  /// The digests of the components of one item, in their order.
  func digests(of components: [Component], definitions: [Component]) -> [SHA256.Digest] {
    var normalizer = ComponentNormalizer(self, components, definitions)
    return components.map { normalizer.digest(of: $0) }
  }
}
