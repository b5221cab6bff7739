// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// A decision of the user about the access to a remote, or of a program: a grant or a revocation.
///
/// Decisions are only added, so that the log shows under which grant each request was sent.
public struct AccessDecision: Hashable, Sendable {
  /// The object of a decision.
  public enum Subject: Hashable, Sendable {
    /// The access to a remote.
    case remote(RemoteIdentity)
    /// The access of a program to a kind of local items.
    case program(String, ProgramEntity)
  }

  /// The object of the decision.
  public let subject: Subject
  /// The granted tier; nil if the grant was revoked.
  public let tier: AccessTier?
  /// The purpose that was displayed for the decision; empty for a revocation.
  public let purpose: String
  /// The time of the decision.
  public let decidedAt: Instant
  /// The name of the user's account on this machine.
  public let decidedBy: String

  /// Creates a decision.
  public init(
    about subject: Subject, tier: AccessTier?, purpose: String, at decidedAt: Instant,
    by decidedBy: String
  ) {
    self.subject = subject
    self.tier = tier
    self.purpose = purpose
    self.decidedAt = decidedAt
    self.decidedBy = decidedBy
  }

  /// Whether the decision allows something; a refusal and a revocation do not.
  public var isGrant: Bool { tier.map { $0 > AccessTier.none } ?? false }

  /// The revocation of a grant.
  public static func revocation(
    of subject: Subject, at time: Instant, by user: String
  ) -> AccessDecision {
    AccessDecision(about: subject, tier: nil, purpose: "", at: time, by: user)
  }
}
