// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

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
