// SPDX-License-Identifier: Apache-2.0

/// Where grants live: in the ledger's database, out of reach of an edit of the configuration.
public protocol GrantStore: Sendable {
  /// The grant for a remote, or nil while nobody was asked.
  func grant(for remote: RemoteIdentity) async throws -> AccessGrant?

  /// All grants, in order of remote.
  func grants() async throws -> [AccessGrant]

  /// Stores a grant, in place of an earlier one for the same remote.
  ///
  /// If it is full and the earlier one was not, the versions that are known of the remote's items are
  /// forgotten: what is there is read and matched before anything that was known of it counts again.
  func store(_ grant: AccessGrant) async throws

  /// Takes a grant back; the remote is then as if nobody had been asked.
  func revoke(_ remote: RemoteIdentity) async throws
}
