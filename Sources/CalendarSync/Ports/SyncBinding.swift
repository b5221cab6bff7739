// SPDX-License-Identifier: Apache-2.0

/// The key of the state of a sync: if any part changes, the state is not used.
///
/// A sync without state matches items by UID and content, and never deletes.
public struct SyncBinding: Hashable, Sendable {
  /// The name of the sync in the configuration.
  public let name: String
  /// The location of the local calendar.
  public let local: String
  /// The remote calendar.
  public let remote: RemoteIdentity
  /// The filter that selects the items, as the text of `ItemFilter.text`.
  public let filter: String

  /// Creates a binding.
  public init(name: String, local: String, remote: RemoteIdentity, filter: String = "") {
    self.name = name
    self.local = local
    self.remote = remote
    self.filter = filter
  }
}
