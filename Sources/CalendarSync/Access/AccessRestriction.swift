// SPDX-License-Identifier: Apache-2.0

/// An administrator's restriction on a remote: the highest tier that a user may grant.
public struct AccessRestriction: Hashable, Sendable, CustomStringConvertible {
  /// The highest tier that may be granted.
  public let tier: AccessTier
  /// The name of the decision maker, as given in the policy.
  public let decidedBy: String
  /// The location of the rule: a file with a line number.
  public let place: String

  /// Creates a restriction.
  public init(tier: AccessTier, decidedBy: String, place: String) {
    self.tier = tier
    self.decidedBy = decidedBy
    self.place = place
  }

  /// The tier, the decision maker and the place in the policy.
  ///
  /// Example: `restricted to write-only by the IT department (/etc/epact/policy.toml:4)`.
  public var description: String { "restricted to \(tier.rawValue) by \(decidedBy) (\(place))" }
}
