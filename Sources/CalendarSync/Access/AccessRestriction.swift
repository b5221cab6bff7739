// SPDX-License-Identifier: Apache-2.0

/// What an administrator decided about a remote: the most that a person may grant.
public struct AccessRestriction: Hashable, Sendable, CustomStringConvertible {
  /// The most that may be granted.
  public let tier: AccessTier
  /// Who decided, in their own words.
  public let decidedBy: String
  /// Where it is written: a file, with its line.
  public let place: String

  /// Creates a restriction.
  public init(tier: AccessTier, decidedBy: String, place: String) {
    self.tier = tier
    self.decidedBy = decidedBy
    self.place = place
  }

  /// The decision, as `restricted to write-only by the IT department (/etc/epact/policy.toml:4)`.
  public var description: String { "restricted to \(tier.rawValue) by \(decidedBy) (\(place))" }
}
