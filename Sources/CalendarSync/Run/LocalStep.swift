// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// A change of the local calendar, with what is written down before and after it.
struct LocalStep {
  let change: LocalChange
  let intent: Intent
  private let remote: RemoteEntry?
  /// The merge that the change is the first half of.
  private let merge: PlannedMerge?

  /// The step of an operation, or nil if it is no change of the local calendar.
  init?(_ operation: PlannedOperation) {
    let item: CalendarItem?
    let replaced: LocalEntry?
    let action: Intent.Action
    var merge: PlannedMerge?
    switch operation.action {
    case .merge(let planned):
      merge = planned
      (item, replaced, remote, action) =
        (planned.item, planned.local, planned.remote, .updateLocal)
      change = .update(
        name: planned.local.name, from: planned.local.revision, to: planned.item)
    case .createLocal(let new, let entry):
      (item, replaced, remote, action) = (new, nil, entry, .createLocal)
      change = .create(new)
    case .updateLocal(let new, let entry, let old):
      (item, replaced, remote, action) = (new, old, entry, .updateLocal)
      change = .update(name: old.name, from: old.revision, to: new)
    case .restore(let new):
      (item, replaced, remote, action) = (new, nil, nil, .createLocal)
      change = .create(new)
    case .deleteLocal(let old):
      (item, replaced, remote, action) = (nil, old, nil, .deleteLocal)
      change = .delete(name: old.name, from: old.revision)
    default: return nil
    }
    self.merge = merge
    intent = Intent(
      uid: operation.uid, action: action, content: item?.serialized(),
      fingerprint: item?.fingerprint, before: replaced?.item.serialized(),
      mergedWith: merge?.met.serialized(), href: remote?.href, etag: remote?.etag)
  }

  /// The second half of a merge or of putting an item back, once the first is done: what is to be sent.
  func upload(_ operation: PlannedOperation, _ outcome: LocalOutcome) -> PlannedOperation? {
    guard case .done(let name, let revision?) = outcome else { return nil }
    if case .restore(let item) = operation.action {
      let entry = LocalEntry(name: name, revision: revision, item: item)
      return PlannedOperation(
        uid: operation.uid, title: operation.title, action: .createRemote(entry),
        reason: operation.reason)
    }
    guard let merge, merge.isSent, let etag = merge.remote.etag else { return nil }
    let entry = LocalEntry(name: name, revision: revision, item: merge.item)
    if let split = merge.split {
      let rest = PlannedMerge(
        split, local: entry, remote: merge.remote, remoteItem: merge.remoteItem)
      return PlannedOperation(
        uid: operation.uid, title: operation.title, action: .sendMerged(rest),
        reason: operation.reason)
    }
    return PlannedOperation(
      uid: operation.uid, title: operation.title,
      action: .updateRemote(entry, href: merge.remote.href, ifMatch: etag),
      reason: operation.reason)
  }

  /// What the ledger holds once the change is done under a name.
  func settlement(_ name: String) -> Settlement.Change {
    if let merge { return .record(merge.agreement(name)) }
    guard let remote, let fingerprint = intent.fingerprint else { return .forget }
    return .record(
      LedgerEntry(
        uid: intent.uid, localName: name, localBase: fingerprint, href: remote.href,
        etag: remote.etag, remoteBase: fingerprint, base: intent.content))
  }
}
