// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// Two edits of one item that were merged: what is written where.
///
/// The merged item is written here first; then both sides agree on the remote version, and what the
/// merged item has more is an edit of this side, which is sent as any other. So a run that is cut off
/// between the two loses nothing.
public struct PlannedMerge: Hashable, Sendable {
  /// The merged item.
  public let item: CalendarItem
  /// The local entry that it replaces.
  public let local: LocalEntry
  /// Where the remote version is, and which it was.
  public let remote: RemoteEntry
  /// The remote version that was merged.
  public let remoteItem: CalendarItem
  /// Whether the merged item is sent to the remote; if not, only the remote side was edited.
  public let isSent: Bool

  /// Creates a merge that is planned.
  public init(
    item: CalendarItem, local: LocalEntry, remote: RemoteEntry, remoteItem: CalendarItem,
    isSent: Bool
  ) {
    self.item = item
    self.local = local
    self.remote = remote
    self.remoteItem = remoteItem
    self.isSent = isSent
  }

  /// What both sides agree on once the merged item is written here under a name.
  func agreement(_ name: String) -> LedgerEntry {
    let content = remoteItem.serialized()
    guard isSent else {
      return LedgerEntry(
        uid: item.uid, localName: name, localBase: item.fingerprint, href: remote.href,
        etag: remote.etag, remoteBase: remoteItem.fingerprint, base: item.serialized(),
        remoteContent: content)
    }
    return LedgerEntry(
      uid: item.uid, localName: name, localBase: remoteItem.fingerprint, href: remote.href,
      etag: remote.etag, remoteBase: remoteItem.fingerprint, base: content)
  }
}
