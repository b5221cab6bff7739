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

  /// Uses a remote, and records its requests under the grant, also those before an error.
  ///
  /// - Parameters:
  ///   - factory: The factory of remotes, without a record.
  ///   - ledger: The ledger with the request log.
  ///   - isDryRun: Whether nothing is recorded.
  ///   - body: Uses the remotes of the factory with the record.
  /// - Returns: The result of `body`.
  /// - Throws: The error of `body`, or of the ledger.
  func recording<Result>(
    _ factory: Remotes, _ ledger: any LedgerStore, isDryRun: Bool = false,
    _ body: (Remotes) async throws -> Result
  ) async throws -> Result {
    var factory = factory
    let recorder = recorder(ledger, factory.machine, isDryRun: isDryRun)
    if let recorder { factory.note = { try await recorder.note($0) } }
    do {
      let result = try await body(factory)
      try await recorder?.flush()
      return result
    } catch {
      try? await recorder?.flush()
      throw error
    }
  }
}
