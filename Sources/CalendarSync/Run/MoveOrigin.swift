// SPDX-License-Identifier: Apache-2.0

/// The origin of a moved item: its entry in the sync of another calendar.
public struct MoveOrigin: Hashable, Sendable {
  /// The binding of that sync.
  public let binding: SyncBinding
  /// The last agreed entry of that sync.
  public let entry: LedgerEntry

  /// Creates an origin; the remotes of both syncs must belong to one account.
  public init(binding: SyncBinding, entry: LedgerEntry) {
    self.binding = binding
    self.entry = entry
  }
}
