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
      guard let item = operation.outgoing else { return operation }
      switch holding.fit(of: item) {
      case .whole: return operation
      case .stashed(let names): return operation.stashing(names)
      case .refused(let refusal):
        return PlannedOperation(
          skipping: operation.uid, title: operation.title, because: .notHeld(refusal),
          isFailure: true)
      }
    }
    return plan
  }
}

extension PlannedOperation {
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
