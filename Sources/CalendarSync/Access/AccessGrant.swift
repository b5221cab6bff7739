// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A person's answer to the question whether a remote may be used, and how far.
public struct AccessGrant: Hashable, Sendable {
  /// The remote it is for.
  public let remote: RemoteIdentity
  /// What was granted.
  public let tier: AccessTier
  /// The sentence that was shown with the question: what is done, and why.
  public let purpose: String
  /// When the answer was given.
  public let grantedAt: Instant
  /// Who gave it: the name of the account on this machine.
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
