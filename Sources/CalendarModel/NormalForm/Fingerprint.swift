// SPDX-License-Identifier: Apache-2.0

public import ICalSyntax

/// A digest of what an item means: equal for two files that say the same in different words.
///
/// It is made of the ``NormalForm`` of the components. Each component is digested on its own and each
/// part is written with its length before it, so that properties of different components are never
/// confused: exchanging the summaries of a series and of its override is a change.
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
  /// The version of the normal form: a change of the form counts it up.
  static let version = 4
  private static let prefix = "\(version):"

  /// The version of the form, a colon, and the SHA-256 digest as 64 lower-case hexadecimal digits.
  public let rawValue: String

  /// Creates a fingerprint from the text that `rawValue` gave.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  init(digest: SHA256.Digest) {
    rawValue = Self.prefix + digest.description
  }

  /// The fingerprint of the components of an item, in whatever order, by what they alone tell.
  public init(of components: some Sequence<Component>) {
    self = NormalForm().fingerprint(of: Array(components))
  }

  /// Whether the fingerprint was made of the normal form of this version of the program.
  ///
  /// One that was not says nothing of an item: to know whether the item changed since, compare it with
  /// what it was then.
  public var isCurrent: Bool { rawValue.hasPrefix(Self.prefix) }

  /// The first twelve digits, for people.
  public var description: String {
    let digits = rawValue.drop { $0 != ":" }.dropFirst()
    return String((digits.isEmpty ? rawValue[...] : digits).prefix(12))
  }
}
