// SPDX-License-Identifier: Apache-2.0

import CalendarStore
import CalendarSync

/// The permission to use a remote: its grant, under the policies of administrators.
///
/// It is checked before anything of the remote is accessed, including its password.
struct RemotePermission: Sendable {
  /// The grant, to which requests are attributed.
  let grant: AccessGrant?
  /// The tier to use: write-only or full.
  let tier: AccessTier

  /// Checks the permission.
  ///
  /// - Throws: `AccessError` if there is none; errors of the ledger and of the policies.
  init(
    for remote: RemoteSettings, wanted: AccessTier, _ ledger: any LedgerStore,
    _ factory: Remotes, _ machine: Machine
  ) async throws {
    let policies = try AccessPolicyFile(machine: machine).load()
    let name = remote.grantName
    // If access is denied, not even the symbolic links of a folder are resolved.
    let written = try factory.writtenIdentity(of: remote)
    if let earlier = try await ledger.grant(for: written), earlier.tier == .none {
      _ = try AccessGate.tier(of: earlier, wanted: wanted, remote: name)
    }
    if let restriction = policies.restriction(on: written), restriction.tier == .none {
      _ = try AccessGate.tier(of: nil, under: restriction, remote: name)
    }
    let identity = try factory.grantIdentity(of: remote)
    // A calendar of an account may be on another server of its site.
    let place = try factory.identity(of: remote)
    let restriction = [identity, place].compactMap(policies.restriction).min { $0.tier < $1.tier }
    grant = try await ledger.grant(for: identity)
    tier = try AccessGate.tier(of: grant, under: restriction, wanted: wanted, remote: name)
  }

  /// The record of requests under the grant; nil if nothing may be written.
  func recorder(
    _ ledger: any LedgerStore, _ machine: Machine, isDryRun: Bool
  ) -> AccessRecorder? {
    // A dry run writes nothing, including the request log.
    guard let grant, !isDryRun else { return nil }
    return AccessRecorder(log: ledger, grant: grant, tier: tier, now: machine.now)
  }
}
