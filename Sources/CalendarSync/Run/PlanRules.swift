// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The fourth stage of a run: a rule about what a run may carry out.
///
/// Each rule takes a plan and returns the plan that remains. The rules apply to every plan, in the
/// order of the cases, which matters twice: deletions that an earlier rule removes do not count for the
/// limit, and deletions that wait for other parts do.
enum PlanRule: CaseIterable {
  /// An item that was moved to another calendar stays until the remote of that calendar holds it.
  case awaitArrival
  /// An item that another sync was about to add stays until that sync continues.
  case awaitOtherSync
  /// Items outside of the filter are neither copied nor deleted.
  case filter
  /// Items that the remote cannot hold are not sent to it.
  case holding
  /// Items that failed before are skipped until their next attempt is due.
  case quarantine
  /// Too many deletions stop the plan.
  case limitDeletions
  /// Deletions wait until all parts are fetched.
  case postponeDeletions

  fileprivate func apply(
    to plan: SyncPlan, of contents: PartContents, in run: inout SyncRun
  ) -> SyncPlan {
    switch self {
    case .awaitArrival: run.awaitingArrivals(plan, contents.entries)
    case .awaitOtherSync: run.awaitingOtherSyncs(plan, contents.entries)
    case .filter: run.filtering(plan, contents)
    case .holding: run.holding(plan)
    case .quarantine: run.quarantine.examine(plan)
    case .limitDeletions: run.limitingDeletions(of: plan)
    case .postponeDeletions:
      contents.part.isProvisional ? run.postponing(plan, of: contents.part) : plan
    }
  }
}

extension SyncRun {
  /// Applies rules to a plan.
  mutating func apply(
    _ rules: [PlanRule], to plan: SyncPlan, of contents: PartContents
  ) -> SyncPlan {
    var plan = plan
    for rule in rules { plan = rule.apply(to: plan, of: contents, in: &self) }
    return plan
  }

  /// The plan with the objection to its deletions, if there are too many.
  fileprivate func limitingDeletions(of plan: SyncPlan) -> SyncPlan {
    var plan = plan
    plan.objection = safeguards.objection(to: plan.operations, known: work.knownCount)
    return plan
  }

  /// The plan of a fetched part without the operations that a later part may invalidate.
  ///
  /// They are planned again without a fetch. Edited versions that a sync deletes on the remote are kept until
  /// then, because the journal stores them.
  fileprivate mutating func postponing(_ plan: SyncPlan, of part: Part) -> SyncPlan {
    for operation in plan.operations {
      guard case .deleteRemote(let href, let etag) = operation.action,
        let item = operation.replaced
      else { continue }
      known.keep(.item(href: href, etag: etag, item: item), of: operation.uid)
    }
    return work.postpone(from: plan, of: part)
  }

  /// The plan without the consequences of moves whose new remote does not hold the item yet.
  ///
  /// The items are neither deleted on the remote nor, if they were edited there, restored locally.
  fileprivate func awaitingArrivals(_ plan: SyncPlan, _ entries: [LedgerEntry]) -> SyncPlan {
    let uids = options.moves.withheld
    guard !uids.isEmpty else { return plan }
    let entries = Dictionary(entries.map { ($0.uid, $0) }) { first, _ in first }
    // Their state is recorded, because otherwise the server would not be asked to move them.
    let open = Set(survey.intents.map(\.uid) + survey.conflicts.map(\.uid))
    var plan = plan
    plan.operations = plan.operations.map { operation in
      guard uids.contains(operation.uid) else { return operation }
      let entry = entries[operation.uid]
      var known = entry
      switch operation.action {
      // The item may have another href than the agreed one, which the move uses. A removal is
      // reported once, so that the next run would take the agreed href for the place of the item.
      case .deleteRemote(let href, let etag):
        known?.href = href
        known?.etag = open.contains(operation.uid) ? nil : etag
      case .createLocal where entry == nil: return operation
      case .createLocal(_, let place):
        // For a version that was never agreed on, the tag is removed: the item is then fetched
        // again, and moved unchanged.
        known?.href = place.href
        known?.etag = nil
      default: return operation
      }
      var action = PlannedOperation.Action.skip
      if let known, known != entry || open.contains(operation.uid) { action = .record(known) }
      return PlannedOperation(
        uid: operation.uid, title: operation.title, action: action,
        reason: .obstacle(.awaitsArrival))
    }
    return plan
  }

  /// The plan without deletions of items whose addition by another sync was interrupted.
  ///
  /// Items without a ledger entry are not awaited, so that two syncs never wait for each other.
  fileprivate func awaitingOtherSyncs(_ plan: SyncPlan, _ entries: [LedgerEntry]) -> SyncPlan {
    guard !options.moves.awaited.isEmpty else { return plan }
    let known = options.moves.awaited.intersection(entries.map(\.uid))
    var plan = plan
    plan.operations = plan.operations.map { operation in
      guard operation.isDeletion, known.contains(operation.uid) else { return operation }
      return PlannedOperation(
        skipping: operation.uid, title: operation.title, because: .awaitsOtherSync)
    }
    return plan
  }
}
