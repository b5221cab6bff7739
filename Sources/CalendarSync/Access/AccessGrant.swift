// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The user's decision about the access to a remote.
public struct AccessGrant: Hashable, Sendable {
  /// The remote.
  public let remote: RemoteIdentity
  /// The granted tier.
  public let tier: AccessTier
  /// The purpose that was displayed for the decision: the use of the calendar and its reason.
  public let purpose: String
  /// The time of the decision.
  public let grantedAt: Instant
  /// The name of the user's account on this machine.
  public let grantedBy: String

  /// Creates a grant.
  public init(
    remote: RemoteIdentity, tier: AccessTier, purpose: String, grantedAt: Instant, grantedBy: String
  ) {
    self.remote = remote
    self.tier = tier
    self.purpose = purpose
    self.grantedAt = grantedAt
    self.grantedBy = grantedBy
  }
}
