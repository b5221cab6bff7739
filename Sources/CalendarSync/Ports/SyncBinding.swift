// SPDX-License-Identifier: Apache-2.0

/// What the state of a sync belongs to: if any part changes, the state is not used.
///
/// A sync that starts over matches items by UID and content, and never deletes.
public struct SyncBinding: Hashable, Sendable {
  /// The name of the sync in the configuration.
  public let name: String
  /// The location of the local calendar.
  public let local: String
  /// The remote calendar.
  public let remote: RemoteIdentity
  /// Which items are brought from one side to the other, as `ItemFilter.text` tells it.
  public let filter: String

  /// Creates a binding.
  public init(name: String, local: String, remote: RemoteIdentity, filter: String = "") {
    self.name = name
    self.local = local
    self.remote = remote
    self.filter = filter
  }
}
