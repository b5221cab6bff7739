// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What is left of a plan when another sync has to go first.
extension SyncPlan {
  /// The plan without what follows from the absence of items that were moved, and have not got there yet.
  ///
  /// They are neither deleted on the remote nor, if they were edited there, put back here.
  ///
  /// - Parameters:
  ///   - uids: The items that were moved.
  ///   - entries: What both sides agreed on.
  ///   - open: The items of which something was left open. It is closed, or the server would not be asked
  ///     to move them.
  /// - Returns: The plan that is left.
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
        // It is what was agreed on, by another tag or name perhaps: by those it is moved.
        known?.href = href
        known?.etag = etag
      case .createLocal where entry == nil: return operation
      case .createLocal, .deleteRemote:
        // Of a version that was never agreed on no tag is known: by that it is looked at again, and is
        // moved as it is.
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

  /// The plan without deletions of items that a cut-off run of another sync was about to add.
  ///
  /// - Parameters:
  ///   - uids: The items.
  ///   - entries: What both sides agreed on; what they never agreed on waits for nobody, so that no two
  ///     syncs wait for each other.
  /// - Returns: The plan that is left.
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
