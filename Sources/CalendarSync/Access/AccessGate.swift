// SPDX-License-Identifier: Apache-2.0

/// Turns a stored answer into the tier that a sync runs under.
public enum AccessGate {
  /// The tier that a grant allows.
  ///
  /// - Parameters:
  ///   - grant: The stored answer, or nil while nobody was asked.
  ///   - restriction: What an administrator decided, or nil.
  ///   - wanted: The lowest tier that does the job; it runs under no more than that.
  ///   - name: The name of the remote in the configuration, for the message and the remedy.
  /// - Returns: `writeOnly` or `full`.
  /// - Throws: `AccessError` with the grant that would help.
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
