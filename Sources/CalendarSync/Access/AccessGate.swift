// SPDX-License-Identifier: Apache-2.0

/// Turns a stored answer into the tier that a sync runs under.
public enum AccessGate {
  /// The tier that a grant allows.
  ///
  /// - Parameters:
  ///   - grant: The stored answer, or nil while nobody was asked.
  ///   - name: The name of the remote in the configuration, for the command that helps.
  /// - Returns: `writeOnly` or `full`.
  /// - Throws: `AccessError` whose message holds the command that asks for access.
  public static func tier(of grant: AccessGrant?, remote name: String) throws(AccessError)
    -> AccessTier
  {
    guard let grant else {
      throw AccessError(
        code: .notDetermined,
        message: "no access to \(name) was granted yet; to grant it: \(command(name, .full))")
    }
    guard grant.tier != .none else {
      throw AccessError(
        code: .denied,
        message: "access to \(name) is denied; to change that: \(command(name, .full))")
    }
    return grant.tier
  }

  /// The command that grants a tier, with a purpose to fill in.
  public static func command(_ name: String, _ tier: AccessTier) -> String {
    "epact access \(name) --grant \(tier.rawValue) --purpose \"What it is for, and why\""
  }
}
