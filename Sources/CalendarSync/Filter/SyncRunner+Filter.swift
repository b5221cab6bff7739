// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// What the filter of a sync has to do with its runs.
extension SyncRunner {
  /// What earlier runs found outside; nothing if everything is looked at.
  func outside(isVerifying: Bool) async throws -> OutsideView {
    guard options.filter.isActive, !isVerifying else { return OutsideView() }
    return OutsideView(try await ledger.outside(of: binding), at: now())
  }

  /// The plan without what the filter leaves where it is, of which the pass takes note.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - pass: What was found out so far.
  ///   - entries: What the sides agreed on.
  ///   - fetched: What was read on the remote.
  ///   - isPart: Whether deletions stay in it, because what seems to be missing may turn up.
  /// - Returns: The plan to be carried out.
  func filter(
    _ plan: SyncPlan, _ pass: inout SyncPass, _ entries: [LedgerEntry], _ fetched: [RemoteFetch],
    isPart: Bool
  ) -> SyncPlan {
    guard options.filter.isActive else { return plan }
    var filter = PlanFilter(
      clock, entries: entries, begun: Set((pass.intents.map(\.uid) + pass.appended.map(\.uid))),
      fetched: fetched, form: merge.normalForm)
    let operations = plan.operations.flatMap { filter.apply(to: $0, keepsDeletions: isPart) }
    pass.note(outside: filter.outside)
    let objection = plan.objection.flatMap { _ in
      safeguards.objection(to: operations, known: pass.knownCount)
    }
    return SyncPlan(operations: operations, objection: objection, conflicts: plan.conflicts)
  }

  /// What is here without what the filter leaves here; what is known goes on being told of.
  func filter(_ listing: LocalListing, known: Set<UID>) -> LocalListing {
    guard options.filter.isActive else { return listing }
    let clock = clock
    var listing = listing
    listing.entries.removeAll { entry in
      !known.contains(entry.item.uid) && clock.verdict(on: entry.item) != .inside
    }
    return listing
  }

  /// Remembers what is outside, and tells until when that will do.
  func keepOutside(of pass: SyncPass, in run: RunID) async throws -> Instant? {
    guard options.filter.isActive else { return nil }
    let items = pass.outside.items(after: pass.view, found: pass.found)
    try await ledger.store(outside: items, in: run)
    guard options.filter.hasWindow else { return nil }
    let next = items.compactMap(\.until).min()
    let latest = now().adding(seconds: SyncCheckpoint.longestRest)
    return [next, latest].compactMap(\.self).min()
  }

  private var clock: FilterClock { FilterClock(options.filter, merge.normalForm, at: now()) }
}
