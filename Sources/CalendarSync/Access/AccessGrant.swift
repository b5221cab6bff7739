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

/// The store of grants: the ledger's database, which an edit of the configuration cannot change.
public protocol GrantStore: Sendable {
  /// The grant for a remote, or nil if the user has not decided yet.
  func grant(for remote: RemoteIdentity) async throws -> AccessGrant?

  /// All grants, in order of remote.
  func grants() async throws -> [AccessGrant]

  /// Stores a grant, and replaces an earlier one for the same remote.
  ///
  /// If the new grant is full and the earlier one was not, the store deletes the known ETags of the
  /// remote's items. The next run then fetches and matches all items before it relies on earlier
  /// state.
  func store(_ grant: AccessGrant) async throws

  /// Revokes a grant; the remote then has no stored decision.
  func revoke(_ remote: RemoteIdentity, at time: Instant, by user: String) async throws
}

/// The text that is displayed in a request for access: the use of the calendar and its reason.
///
/// Any text in any language is accepted. Programs must sanitize it for display like all external
/// text.
public struct Purpose: Hashable, Sendable, CustomStringConvertible {
  /// The text, with single spaces between its words.
  public let text: String

  /// Creates a purpose from a text.
  ///
  /// - Throws: `AccessError.emptyPurpose` if the text has no visible character.
  public init(_ text: String) throws(AccessError) {
    guard text.unicodeScalars.contains(where: Self.isVisible) else {
      throw .emptyPurpose
    }
    self.text = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  /// Whether a character is visible, as opposed to separators, controls and combining characters.
  private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .surrogate,
      .unassigned, .nonspacingMark, .enclosingMark:
      false
    default: !scalar.properties.isDefaultIgnorableCodePoint
    }
  }

  /// The text.
  public var description: String { text }
}

/// Determines the tier of a sync from a stored grant.
public enum AccessGate {
  /// The tier that a grant allows.
  ///
  /// - Parameters:
  ///   - grant: The stored grant, or nil if the user has not decided yet.
  ///   - restriction: The restriction of an administrator, or nil.
  ///   - wanted: The lowest sufficient tier, which is also the highest returned tier.
  ///   - name: The name of the remote in the configuration, for the error.
  /// - Returns: `writeOnly` or `full`.
  /// - Throws: `AccessError` with the grant that would resolve the error.
  public static func tier(
    of grant: AccessGrant?, under restriction: AccessRestriction? = nil,
    wanted: AccessTier = .full, remote name: String
  ) throws(AccessError) -> AccessTier {
    if let restriction, restriction.tier == .none {
      throw .restricted(remote: name, restriction)
    }
    let useful = min(wanted, restriction?.tier ?? .full)
    guard let grant else { throw .notDetermined(remote: name, needs: useful) }
    guard grant.tier != .none else { throw .denied(remote: name, needs: useful) }
    return min(grant.tier, useful)
  }
}

/// The reason why access is denied or insufficient.
///
/// Programs word the values. The code identifies the reason in logs.
public enum AccessError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The user has not decided about the remote yet; a grant of the tier would resolve the error.
  case notDetermined(remote: String, needs: AccessTier)
  /// The user denied access to the remote; a grant of the tier would resolve the error.
  case denied(remote: String, needs: AccessTier)
  /// An administrator decided that the remote is never contacted.
  case restricted(remote: String, AccessRestriction)
  /// A remote is opened without access.
  case noAccess(RemoteIdentity)
  /// The tier does not allow the request.
  case requestRefused(AccessRequest, AccessTier)
  /// The kind of remote requires full access, for this reason, in its own words.
  case needsFull(reason: String)
  /// Only full access can restore a remote.
  case restoreNeedsFull
  /// Only full access can undo a run.
  case undoNeedsFull
  /// Only full access can read the remote of a sync that pulls.
  case pullNeedsFull
  /// A sync that pulls cannot restore its remote.
  case pullRestoresNothing
  /// The purpose has no visible character.
  case emptyPurpose

  /// The code and the values, for logs.
  public var description: String {
    switch self {
    case .notDetermined(let remote, let tier):
      String(code: "not-determined", [remote, tier.rawValue])
    case .denied(let remote, let tier): String(code: "denied", [remote, tier.rawValue])
    case .restricted(let remote, let restriction):
      String(code: "restricted", [remote, "\(restriction)"])
    case .noAccess(let remote): String(code: "no-access", ["\(remote)"])
    case .requestRefused(let request, let tier):
      String(code: "request-refused", ["\(request)", tier.rawValue])
    case .needsFull(let reason): String(code: "needs-full", [reason])
    case .restoreNeedsFull: "restore-needs-full"
    case .undoNeedsFull: "undo-needs-full"
    case .pullNeedsFull: "pull-needs-full"
    case .pullRestoresNothing: "pull-restores-nothing"
    case .emptyPurpose: "empty-purpose"
    }
  }
}
