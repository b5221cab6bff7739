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
  /// What each side is to hold where something waits for a choice; nil if nothing does.
  let split: SplitMerge?

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
    split = nil
  }

  /// Creates a merge of which something waits for a choice.
  init(_ split: SplitMerge, local: LocalEntry, remote: RemoteEntry, remoteItem: CalendarItem) {
    item = split.items.local
    self.local = local
    self.remote = remote
    self.remoteItem = remoteItem
    isSent = split.items.remote.fingerprint != remoteItem.fingerprint
    self.split = split
  }

  /// Whether the local side has to be changed.
  var isWrittenHere: Bool { item.fingerprint != local.item.fingerprint }

  /// What waits for a choice, once both sides hold what they are to hold.
  ///
  /// What is still to be sent has no tag: the one that is known is that of what it replaces.
  var conflict: StoredConflict? {
    split.map { conflict(of: $0, etag: isSent ? nil : remote.etag) }
  }

  private func conflict(of split: SplitMerge, etag: EntityTag?) -> StoredConflict {
    let entry = entry(split.agreed, local.name, etag)
    return StoredConflict(
      uid: item.uid, title: item.title, base: entry.base, remoteBase: entry.remoteContent,
      local: split.items.local.serialized(), remote: split.items.remote.serialized(),
      href: remote.href, etag: etag)
  }

  private func entry(
    _ agreed: SplitMerge.Pair, _ name: String, _ etag: EntityTag?, isUnseen: Bool = false
  ) -> LedgerEntry {
    let isSame = agreed.local.fingerprint == agreed.remote.fingerprint
    return LedgerEntry(
      uid: item.uid, localName: name, localBase: agreed.local.fingerprint, href: remote.href,
      etag: etag, remoteBase: agreed.remote.fingerprint, base: agreed.local.serialized(),
      remoteContent: isSame ? nil : agreed.remote.serialized(), isUnseen: isUnseen)
  }

  /// The remote version that the sides agree on before anything is sent.
  var met: CalendarItem { split?.halfway.remote ?? remoteItem }

  /// The merge as a remote wants it sent, such as with what keeps it from mailing people.
  func sending(_ sent: CalendarItem, agreedOn rest: CalendarItem) -> PlannedMerge {
    guard let split else { return self }
    return PlannedMerge(
      split.sending(sent, agreedOn: rest), local: local, remote: remote, remoteItem: remoteItem)
  }

  /// What is written down once the remote has what was sent, under a tag.
  func settlement(_ etag: EntityTag?) -> Settlement {
    guard let split else { return Settlement(uid: item.uid, change: .keep) }
    return Settlement(
      uid: item.uid, change: .record(entry(split.agreed, local.name, etag, isUnseen: true)),
      conflict: conflict(of: split, etag: etag))
  }

  /// What both sides agree on once the merged item is written here under a name.
  func agreement(_ name: String) -> LedgerEntry {
    if let split { return entry(isSent ? split.halfway : split.agreed, name, remote.etag) }
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
