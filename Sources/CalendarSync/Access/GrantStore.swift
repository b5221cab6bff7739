// SPDX-License-Identifier: Apache-2.0

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
  func revoke(_ remote: RemoteIdentity) async throws
}
