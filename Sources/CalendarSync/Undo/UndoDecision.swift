// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Turns what a run did to one item, and what both sides hold now, into what takes it back.
struct UndoDecision {
  let uid: UID
  let change: ItemChange
  let local: LocalEntry?
  let remote: RemoteState?
  let entry: LedgerEntry?
  /// Whether one side cannot be read.
  let isUnknown: Bool
  /// Whether it is in conflict.
  ///
  /// What both sides agree on then holds neither edit that waits, and to put it back would lose both.
  let isWaiting: Bool

  /// The operations; none if both sides are already what they were before the run.
  var operations: [PlannedOperation] {
    if isUnknown { return [skip("one side cannot be read")] }
    if isWaiting { return [skip("it waits for a choice")] }
    if let problem = change.problem { return [skip(problem)] }
    let targets = change.targets
    guard stands(local?.item, change.after.local, targets.local, agreed: entry?.localBase),
      isUntouched
        || stands(remote?.item, change.after.remote, targets.remote, agreed: agreedRemotely)
    else { return [skip("it changed since")] }
    switch (targets.local, targets.remote) {
    case (.item(let item), _): return putBack(item)
    case (_, .item(let item)): return putBack(item)
    default: return takeAway(targets)
    }
  }

  /// Whether the remote holds the very version that it took from the run, whatever it made of it.
  private var isUntouched: Bool {
    guard let entry, let etag = entry.etag else { return false }
    return etag == remote?.entry.etag && entry.localBase == change.after.local?.fingerprint
  }

  /// What the remote made of what it was sent, as long as nobody changed the item since.
  private var agreedRemotely: Fingerprint? {
    guard let entry, entry.localBase == change.after.local?.fingerprint else { return nil }
    return entry.remoteBase
  }

  /// Whether a side holds what the run left, or what it is to hold.
  private func stands(
    _ now: CalendarItem?, _ after: CalendarItem?, _ target: ItemChange.Target,
    agreed: Fingerprint?
  ) -> Bool {
    switch target {
    case .leave: return true
    case .absent: if now == nil { return true }
    case .item(let item): if now?.fingerprint == item.fingerprint { return true }
    }
    guard let now else { return after == nil }
    return now.fingerprint == after?.fingerprint || after != nil && now.fingerprint == agreed
  }

  /// Both sides get an item back.
  private func putBack(_ item: CalendarItem) -> [PlannedOperation] {
    let reason = "as it was before the run"
    switch (local, remote) {
    case (nil, nil): return [plan(.restore(item), reason)]
    case (nil, let remote?): return [plan(.createLocal(item, remote.entry), reason)]
    case (let local?, nil):
      guard local.item.fingerprint == item.fingerprint else {
        return [skip("it is not on the remote any more")]
      }
      return [plan(.createRemote(local), reason)]
    case (let local?, let remote?):
      return replace(local, remote, by: item).map { [$0] } ?? []
    }
  }

  private func replace(
    _ local: LocalEntry, _ remote: RemoteState, by item: CalendarItem
  ) -> PlannedOperation? {
    let reason = "as it was before the run"
    guard let etag = remote.entry.etag, let there = remote.item else {
      return skip("the remote tells no version of it")
    }
    let isHere = local.item.fingerprint == item.fingerprint
    if there.fingerprint == item.fingerprint {
      return isHere ? nil : plan(.updateLocal(item, remote.entry, replacing: local), reason)
    }
    if isHere {
      return plan(.updateRemote(local, href: remote.entry.href, ifMatch: etag), reason)
    }
    // As for a merge: written here first, and what it has more than the remote is then sent.
    let both = PlannedMerge(
      item: item, local: local, remote: remote.entry, remoteItem: there, isSent: true)
    return plan(.merge(both), reason)
  }

  /// The sides that the run added the item to get rid of it.
  private func takeAway(
    _ targets: (local: ItemChange.Target, remote: ItemChange.Target)
  ) -> [PlannedOperation] {
    var operations: [PlannedOperation] = []
    if case .absent = targets.local, let local {
      operations.append(plan(.deleteLocal(local), "the run had added it here"))
    }
    if case .absent = targets.remote, let remote {
      guard let etag = remote.entry.etag else {
        return [skip("the remote tells no version of it")]
      }
      operations.append(
        plan(.deleteRemote(remote.entry.href, ifMatch: etag), "the run had added it there"))
    }
    return operations
  }

  private func skip(_ reason: String) -> PlannedOperation {
    PlannedOperation(
      uid: uid, title: title, action: .skip, reason: "\(reason); it is left alone", isFailure: true)
  }

  private func plan(_ action: PlannedOperation.Action, _ reason: String) -> PlannedOperation {
    PlannedOperation(uid: uid, title: title, action: action, reason: reason)
  }

  private var title: String {
    local?.item.title ?? remote?.item?.title ?? change.local?.before?.title
      ?? change.remote?.before?.title ?? uid.rawValue
  }
}
