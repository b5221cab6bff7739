// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The rule for remotes that cannot hold everything.
extension SyncRun {
  /// The plan without changes of the remote that it cannot hold; records what goes into its stash.
  ///
  /// Both versions of such an item stay as they are, and the item is reported as failed.
  func holding(_ plan: SyncPlan) -> SyncPlan {
    guard let holding else { return plan }
    var plan = plan
    plan.operations = plan.operations.map { operation in
      if operation.deletesThere,
        let refusal = operation.current.flatMap(holding.refusal(ofDeleting:))
      {
        return operation.refused(refusal)
      }
      guard let item = operation.outgoing else { return operation }
      switch holding.fit(of: item, replacing: operation.current) {
      case .whole: return operation
      case .stashed(let names): return operation.stashing(names)
      case .refused(let refusal): return operation.refused(refusal)
      }
    }
    return plan
  }
}

extension PlannedOperation {
  /// The item of the remote that the operation replaces or deletes; nil if there is none.
  fileprivate var current: HeldItem? {
    switch action {
    case .updateRemote(_, let href, let etag), .deleteRemote(let href, let etag):
      HeldItem(href: href, etag: etag, item: replaced, content: held)
    case .merge(let planned), .sendMerged(let planned):
      HeldItem(
        href: planned.remote.href, etag: planned.remote.etag, item: planned.remoteItem)
    case .putBack(let planned):
      planned.place.map { HeldItem(href: $0.href, etag: $0.etag, item: planned.remote) }
    case .createRemote, .append, .createLocal, .updateLocal, .deleteLocal, .record, .forget,
      .conflict, .skip:
      nil
    }
  }

  /// Whether the operation deletes an item of the remote.
  fileprivate var deletesThere: Bool { effect == Effect(.delete, on: .remote) }

  /// The operation as one that skips the item, because the remote cannot hold it.
  fileprivate func refused(_ refusal: HoldingRefusal) -> PlannedOperation {
    PlannedOperation(skipping: uid, title: title, because: .notHeld(refusal), isFailure: true)
  }

  /// The item that the operation writes to the remote, now or after the local change; nil if there is
  /// none.
  fileprivate var outgoing: CalendarItem? {
    switch action {
    case .createRemote(let entry), .updateRemote(let entry, _, _): entry.item
    case .append(let item): item
    case .merge(let planned): planned.isSent ? planned.split?.items.remote ?? planned.item : nil
    case .sendMerged(let planned): planned.split?.items.remote
    case .putBack(let planned): planned.side == .remote ? planned.remoteTarget : nil
    case .deleteRemote, .createLocal, .updateLocal, .deleteLocal, .record, .forget, .conflict,
      .skip:
      nil
    }
  }
}
