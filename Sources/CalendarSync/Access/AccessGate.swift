// SPDX-License-Identifier: Apache-2.0

/// Determines the tier of a sync from a stored grant.
public enum AccessGate {
  /// The tier that a grant allows.
  ///
  /// - Parameters:
  ///   - grant: The stored grant, or nil if the user has not decided yet.
  ///   - restriction: The restriction of an administrator, or nil.
  ///   - wanted: The lowest sufficient tier, which is also the highest returned tier.
  ///   - name: The name of the remote in the configuration, for the message and the remedy.
  /// - Returns: `writeOnly` or `full`.
  /// - Throws: `AccessError` with the grant that would resolve the error.
  public static func tier(
    of grant: AccessGrant?, under restriction: AccessRestriction? = nil,
    wanted: AccessTier = .full, remote name: String
  ) throws(AccessError) -> AccessTier {
    if let restriction, restriction.tier == .none {
      throw AccessError(
        code: .restricted,
        message: "access to \(name) is restricted: \(restriction.decidedBy) decided in "
          + "\(restriction.place) that it is never contacted")
    }
    let remedy = AccessError.Remedy(remote: name, tier: min(wanted, restriction?.tier ?? .full))
    guard let grant else {
      throw AccessError(
        code: .notDetermined, message: "no access to \(name) was granted yet", remedy: remedy)
    }
    guard grant.tier != .none else {
      throw AccessError(
        code: .denied, message: "access to \(name) is denied, and is not asked for again",
        remedy: remedy)
    }
    return [grant.tier, restriction?.tier ?? .full, wanted].min() ?? .none
  }
}
