// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Turns what is known of one item into the operation that is planned for it.
struct ItemDecision {
  let uid: UID
  let local: LocalEntry?
  let isLocalUnknown: Bool
  let remote: RemoteState?
  let isRemoteUnknown: Bool
  let entry: LedgerEntry?
  /// What interrupted runs were about to do with the item, in that order.
  let intents: [Intent]
  /// The conflict that waits for the item.
  let conflict: StoredConflict?

  /// The operation, or nil if there is nothing to do and nothing to write down.
  var operation: PlannedOperation? {
    switch merge {
    case .nothing: unchanged
    case .agree: agreed.map { plan(.record($0), "both sides hold the same") }
    case .takeLocal: upload
    case .takeRemote: download
    case .restoreRemote:
      local.map { plan(.createRemote($0), "deleted on the remote, but edited here since") }
    case .restoreLocal: restoreLocal
    case .deleteRemote: deleteRemote
    case .deleteLocal: local.map { plan(.deleteLocal($0), "deleted on the remote") }
    case .forget: plan(.forget, "deleted on both sides")
    case .conflict: conflicting
    case .leave: plan(.skip, "one side cannot be read; the item is left alone")
    }
  }

  private var merge: ItemMerge {
    let localFingerprint = local?.item.fingerprint
    let remoteFingerprint = remote?.item?.fingerprint
    let areEqual = localFingerprint != nil && localFingerprint == remoteFingerprint
    guard let base else {
      if local == nil && isLocalUnknown || remote == nil && isRemoteUnknown { return .leave }
      return ItemMerge(isLocal: local != nil, isRemote: remote != nil, areEqual: areEqual)
    }
    let localState: SideState =
      localFingerprint.map { $0 == base.local ? .unchanged : .changed }
      ?? (isLocalUnknown ? .unknown : .absent)
    let remoteState: SideState =
      remote == nil
      ? (isRemoteUnknown ? .unknown : .absent)
      : remoteFingerprint.map { $0 == base.remote ? .unchanged : .changed } ?? .unchanged
    return ItemMerge(local: localState, remote: remoteState, areEqual: areEqual)
  }

  /// What the sides held when they last agreed; nil if they never did, or agreed on a deletion.
  ///
  /// If one side holds just what an interrupted run was about to write there, that run got through,
  /// and what it wrote is the base. If one side is without what a run was about to delete there, that
  /// run got through too, and what the other side holds now was put back since.
  private var base: (local: Fingerprint, remote: Fingerprint, content: [UInt8]?)? {
    for intent in intents.reversed() {
      switch intent.action {
      case .createRemote, .updateRemote, .append:
        guard let sent = intent.fingerprint, sent == remote?.item?.fingerprint else { continue }
        return (sent, sent, intent.content)
      case .createLocal, .updateLocal:
        guard let sent = intent.fingerprint, sent == local?.item.fingerprint else { continue }
        return (sent, sent, intent.content)
      case .deleteRemote:
        if remote == nil, !isRemoteUnknown { return nil }
      case .deleteLocal:
        if local == nil, !isLocalUnknown { return nil }
      }
    }
    return entry.map { ($0.localBase, $0.remoteBase, $0.base) }
  }

  /// Nothing changed; but names, tags, a finished run or a conflict that is over are written down.
  private var unchanged: PlannedOperation? {
    guard let local, let remote, let base else { return nil }
    let renewed = LedgerEntry(
      uid: uid, localName: local.name, localBase: base.local, href: remote.entry.href,
      etag: remote.entry.etag, remoteBase: base.remote, base: base.content)
    guard renewed != entry || !intents.isEmpty || conflict != nil else { return nil }
    return plan(.record(renewed), "nothing changed")
  }

  /// The entry for contents that mean the same.
  private var agreed: LedgerEntry? {
    guard let local, let remote else { return nil }
    return LedgerEntry(
      uid: uid, localName: local.name, localBase: local.item.fingerprint, href: remote.entry.href,
      etag: remote.entry.etag, remoteBase: remote.item?.fingerprint ?? local.item.fingerprint,
      base: local.item.serialized())
  }

  private var upload: PlannedOperation? {
    guard let local else { return nil }
    guard let remote else { return plan(.createRemote(local), "new here") }
    guard let etag = remote.entry.etag else { return withoutTag }
    return plan(
      .updateRemote(local, href: remote.entry.href, ifMatch: etag), "changed here")
  }

  private var download: PlannedOperation? {
    guard let remote, let item = remote.item else { return nil }
    guard let local else { return plan(.createLocal(item, remote.entry), "new on the remote") }
    return plan(
      .updateLocal(item, remote.entry, replacing: local), "changed on the remote")
  }

  private var restoreLocal: PlannedOperation? {
    guard let remote, let item = remote.item else { return nil }
    return plan(
      .createLocal(item, remote.entry), "deleted here, but edited on the remote since")
  }

  private var deleteRemote: PlannedOperation? {
    guard let remote else { return nil }
    guard let etag = remote.entry.etag else { return withoutTag }
    return plan(.deleteRemote(remote.entry.href, ifMatch: etag), "deleted here")
  }

  private var conflicting: PlannedOperation? {
    guard let local, let remote else { return nil }
    let found = StoredConflict(
      uid: uid, title: local.item.title, base: base?.content, local: local.item.serialized(),
      remote: remote.item?.serialized(), etag: remote.entry.etag)
    let isWaiting = conflict.map { $0.local == found.local && isSameItem($0.remote, remote.item) }
    let reason =
      isWaiting == true
      ? "both versions are kept and wait for a choice" : "edited on both sides; both are kept"
    return plan(.conflict(found), reason)
  }

  /// Whether bytes mean the same as an item: remotes put new tags and stamps on what is unchanged.
  private func isSameItem(_ bytes: [UInt8]?, _ item: CalendarItem?) -> Bool {
    guard let bytes, let known = try? CalendarItem(parsing: bytes) else { return false }
    return known.fingerprint == item?.fingerprint
  }

  private var withoutTag: PlannedOperation {
    PlannedOperation(
      uid: uid, title: local?.item.title ?? uid.rawValue, action: .skip,
      reason: "the remote tells no version of the item, so that it cannot be changed safely",
      isFailure: true)
  }

  private func plan(_ action: PlannedOperation.Action, _ reason: String) -> PlannedOperation {
    let title = local?.item.title ?? remote?.item?.title ?? uid.rawValue
    return PlannedOperation(uid: uid, title: title, action: action, reason: reason)
  }
}
