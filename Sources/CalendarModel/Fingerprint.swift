// SPDX-License-Identifier: Apache-2.0

/// A digest of what an item means: equal for two files that say the same in different words.
///
/// It ignores what carries no meaning of its own: PRODID, DTSTAMP, LAST-MODIFIED, CREATED, folding,
/// the order of properties and parameters, the case of names. It never confuses properties of
/// different components.
public struct Fingerprint: Hashable, Sendable, CustomStringConvertible {
  /// The SHA-256 digest as 64 lower-case hexadecimal digits.
  public let rawValue: String

  /// Creates a fingerprint from the hexadecimal digits that `rawValue` gave.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The first twelve digits, for people.
  public var description: String { String(rawValue.prefix(12)) }
}
