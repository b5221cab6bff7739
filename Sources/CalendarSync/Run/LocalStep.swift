// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// A change of the local calendar, with its intent and its settlement.
struct LocalStep {
  let change: LocalChange
  let intent: Intent
  private let remote: RemoteEntry?
  /// The merge that this change is the first step of.
  private let merge: PlannedMerge?
  /// The restored versions, if the step undoes changes of a run.
  private let back: PutBack?

  /// Creates the step of an operation, or nil if it does not change the local calendar.
  ///
  /// - Parameters:
  ///   - operation: The operation.
  ///   - place: The agreed place of the item on the remote, for the journal line of a deletion.
  init?(_ operation: PlannedOperation, at place: Href? = nil) {
    let item: CalendarItem?
    let replaced: LocalEntry?
    let action: Intent.Action
    var merge: PlannedMerge?
    switch operation.action {
    case .putBack(let planned):
      guard planned.side == .local, let change = Self.change(planned) else { return nil }
      self.change = change
      (remote, self.merge, back) = (planned.place, nil, planned)
      intent = planned.intent(operation.uid, writing: planned.content)
      return
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
    case .deleteLocal(let old):
      (item, replaced, remote, action) = (nil, old, nil, .deleteLocal)
      change = .delete(name: old.name, from: old.revision)
    default: return nil
    }
    (self.merge, back) = (merge, nil)
    intent = Intent(
      uid: operation.uid, action: action, content: item?.serialized(),
      fingerprint: item?.fingerprint, before: replaced?.item.serialized(),
      mergedWith: merge?.met.serialized(), other: merge?.remoteItem.serialized(),
      href: remote?.href ?? (item == nil ? place : nil), etag: remote?.etag)
  }

  /// The change that restores an item, with its exact previous bytes if the item still exists.
  private static func change(_ planned: PutBack) -> LocalChange? {
    switch (planned.localTarget, planned.local) {
    case (let item?, let old?):
      .putBack(name: old.name, from: old.revision, to: item.serialized())
    case (let item?, nil): .create(item)
    case (nil, let old?): .delete(name: old.name, from: old.revision)
    case (nil, nil): nil
    }
  }

  /// The upload that completes a merge or an undo after the local change was made.
  func upload(_ operation: PlannedOperation, _ outcome: LocalOutcome) -> PlannedOperation? {
    guard case .done(let name, let revision) = outcome else { return nil }
    if let back {
      let entry = back.localTarget.flatMap { item in
        revision.map { LocalEntry(name: name, revision: $0, item: item) }
      }
      return back.rest(entry).map {
        PlannedOperation(
          uid: operation.uid, title: operation.title, action: .putBack($0),
          reason: operation.reason)
      }
    }
    guard let revision, let merge, merge.isSent, let etag = merge.remote.etag else { return nil }
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
      reason: operation.reason, replacing: merge.remoteItem)
  }

  /// The settlement after the change was made under a name.
  func settlement(_ operation: PlannedOperation, _ name: String) -> Settlement {
    back?.settlement(operation.uid, local: name)
      ?? Settlement(uid: operation.uid, change: agreement(name), conflict: operation.waiting)
  }

  private func agreement(_ name: String) -> Settlement.Change {
    if let merge { return .record(merge.agreement(name)) }
    guard let remote, let fingerprint = intent.fingerprint else { return .forget }
    return .record(
      LedgerEntry(
        uid: intent.uid, localName: name, localBase: fingerprint, href: remote.href,
        etag: remote.etag, remoteBase: fingerprint, base: intent.content))
  }
}
