// SPDX-License-Identifier: Apache-2.0

/// Turns a stored answer into the tier that a sync runs under.
public enum AccessGate {
  /// The tier that a grant allows.
  ///
  /// - Parameters:
  ///   - grant: The stored answer, or nil while nobody was asked.
  ///   - restriction: What an administrator decided, or nil.
  ///   - wanted: The lowest tier that does the job; it runs under no more than that.
  ///   - name: The name of the remote in the configuration, for the command that helps.
  /// - Returns: `writeOnly` or `full`.
  /// - Throws: `AccessError` whose message says where the answer can be changed.
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
    guard let grant else {
      let asked = min(wanted, restriction?.tier ?? .full)
      throw AccessError(
        code: .notDetermined,
        message: "no access to \(name) was granted yet; to grant it: \(command(name, asked))")
    }
    guard grant.tier != .none else {
      throw AccessError(
        code: .denied,
        message: "access to \(name) is denied, and is not asked for again; to change the answer: "
          + command(name, min(wanted, restriction?.tier ?? .full)))
    }
    return [grant.tier, restriction?.tier ?? .full, wanted].min() ?? .none
  }

  /// The command that grants a tier, with a purpose to fill in.
  public static func command(_ name: String, _ tier: AccessTier, purpose: String? = nil) -> String {
    "epact access \(name) --grant \(tier.rawValue) --purpose "
      + (purpose ?? "\"What it is for, and why\"")
  }
}
