// SPDX-License-Identifier: Apache-2.0

/// What the sync of another calendar knows of an item that was moved from there to this one.
public struct MoveOrigin: Hashable, Sendable {
  /// What that sync is bound to.
  public let binding: SyncBinding
  /// What both sides of it last agreed on.
  public let entry: LedgerEntry

  /// Creates an origin; the remotes of both syncs have to be of one account.
  public init(binding: SyncBinding, entry: LedgerEntry) {
    self.binding = binding
    self.entry = entry
  }
}
