// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The plan that remains if another sync must run first.
extension SyncPlan {
  /// The plan without the consequences of moves whose new remote does not hold the item yet.
  ///
  /// The items are neither deleted on the remote nor, if they were edited there, restored locally.
  ///
  /// - Parameters:
  ///   - uids: The moved items.
  ///   - entries: The ledger entries.
  ///   - open: The items with pending intents or conflicts. Their state is recorded, because
  ///     otherwise the server would not be asked to move them.
  /// - Returns: The remaining plan.
  func withholding(
    _ uids: Set<UID>, _ entries: [LedgerEntry], open: Set<UID>
  ) -> SyncPlan {
    guard !uids.isEmpty else { return self }
    let operations = operations.map { operation in
      guard uids.contains(operation.uid) else { return operation }
      let reason = "it was moved to another calendar, and is not on the remote of that one yet"
      let entry = entries.first { $0.uid == operation.uid }
      var known = entry
      switch operation.action {
      case .deleteRemote(let href, let etag) where !open.contains(operation.uid):
        // The item is the agreed one, possibly with another tag or href, which the move uses.
        known?.href = href
        known?.etag = etag
      case .createLocal where entry == nil: return operation
      case .createLocal, .deleteRemote:
        // For a version that was never agreed on, the tag is removed: the item is then fetched
        // again, and moved unchanged.
        known?.etag = nil
      default: return operation
      }
      var action = PlannedOperation.Action.skip
      if let known, known != entry || open.contains(operation.uid) { action = .record(known) }
      return PlannedOperation(
        uid: operation.uid, title: operation.title, action: action, reason: reason)
    }
    return SyncPlan(operations: operations, objection: objection, conflicts: conflicts)
  }

  /// The plan without deletions of items whose addition by another sync was interrupted.
  ///
  /// - Parameters:
  ///   - uids: The items.
  ///   - entries: The ledger entries; items without an entry are not withheld, so that two syncs
  ///     never wait for each other.
  /// - Returns: The remaining plan.
  func awaiting(_ uids: Set<UID>, _ entries: [LedgerEntry]) -> SyncPlan {
    guard !uids.isEmpty else { return self }
    let known = uids.intersection(entries.map(\.uid))
    let operations = operations.map { operation in
      guard operation.isDeletion, known.contains(operation.uid) else { return operation }
      return PlannedOperation(
        uid: operation.uid, title: operation.title, action: .skip,
        reason: "another sync was cut off while it was adding it, and goes first")
    }
    return SyncPlan(operations: operations, objection: objection, conflicts: conflicts)
  }
}
