// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import ICalSyntax

/// The planned merge of two edits of one item, with the content for each side.
///
/// The merged item is first written to the local calendar. Then both sides agree on the remote
/// version, and the rest of the merged item is a local edit, which is sent like any other edit. An
/// interruption between the two steps therefore loses nothing. If the remote lost parts of the agreed
/// version, the local side agrees on that version with the edits of the remote, so that these parts
/// remain losses of the remote and do not become local additions.
public struct PlannedMerge: Hashable, Sendable {
  /// The merged item.
  public let item: CalendarItem
  /// The local entry that it replaces.
  public let local: LocalEntry
  /// The href and ETag of the remote version.
  public let remote: RemoteEntry
  /// The remote version that was merged.
  public let remoteItem: CalendarItem
  /// Whether the merged item is sent to the remote; if not, only the remote side was edited.
  public let isSent: Bool
  /// The local version that is agreed on before anything is sent, if the remote lost parts of it.
  private var unreduced: CalendarItem?
  /// The contents for each side if there is an unresolved conflict; nil otherwise.
  let split: SplitMerge?

  /// Creates a planned merge without conflicts.
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

  /// Creates a planned merge with an unresolved conflict.
  init(_ split: SplitMerge, local: LocalEntry, remote: RemoteEntry, remoteItem: CalendarItem) {
    item = split.items.local
    self.local = local
    self.remote = remote
    self.remoteItem = remoteItem
    isSent = split.items.remote.fingerprint != remoteItem.fingerprint
    self.split = split
  }

  /// The merge with the local version that is agreed on before anything is sent.
  ///
  /// - Parameter item: The last agreed local version with the edits of the remote.
  /// - Returns: The merge.
  func agreeing(on item: CalendarItem?) -> PlannedMerge {
    var copy = self
    copy.unreduced = item
    return copy
  }

  /// Whether the local side changes.
  var isWrittenHere: Bool { item.fingerprint != local.item.fingerprint }

  /// The unresolved conflict after both sides were written.
  ///
  /// Its ETag is nil if content is still to be sent, because the known ETag belongs to the replaced
  /// version.
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

  /// The merge with the content as it is sent, for example with parameters that prevent mail.
  func sending(_ sent: CalendarItem, agreedOn rest: CalendarItem) -> PlannedMerge {
    guard let split else { return self }
    return PlannedMerge(
      split.sending(sent, agreedOn: rest), local: local, remote: remote, remoteItem: remoteItem)
  }

  /// The settlement after the remote stored the content with an ETag.
  func settlement(_ etag: EntityTag?) -> Settlement {
    guard let split else { return Settlement(uid: item.uid, change: .keep) }
    return Settlement(
      uid: item.uid, change: .record(entry(split.agreed, local.name, etag, isUnseen: true)),
      conflict: conflict(of: split, etag: etag))
  }

  /// The agreed entry after the merged item was written to the local calendar under a name.
  func agreement(_ name: String) -> LedgerEntry {
    if let split { return entry(isSent ? split.halfway : split.agreed, name, remote.etag) }
    guard isSent else {
      return LedgerEntry(
        uid: item.uid, localName: name, localBase: item.fingerprint, href: remote.href,
        etag: remote.etag, remoteBase: remoteItem.fingerprint, base: item.serialized(),
        remoteContent: remoteItem.serialized())
    }
    let agreed = SplitMerge.Pair(local: unreduced ?? remoteItem, remote: remoteItem)
    return entry(agreed, name, remote.etag)
  }
}

extension CalendarItem {
  /// The definitions of time zones that the item names and only the other item defines.
  func definitionsLacking(from other: CalendarItem) -> [Component] {
    let known = Set(timeZones.compactMap { $0[.tzID]?.text })
    let missing = other.timeZones.filter { $0[.tzID].map { !known.contains($0.text) } ?? false }
    guard !missing.isEmpty else { return [] }
    let used = components.usedTimeZones
    return missing.filter { $0[.tzID].map { used.contains($0.text) } ?? false }
  }

  /// The item with the definitions that it lacks, as the other item has them.
  func defining(from other: CalendarItem) -> CalendarItem {
    let lacking = definitionsLacking(from: other)
    guard !lacking.isEmpty else { return self }
    return (try? replacing(components: components, timeZones: timeZones + lacking)) ?? self
  }
}
