// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// The filter of a run.
extension SyncRunner {
  /// The items that earlier runs found outside; empty if the run compares everything.
  func outside(isVerifying: Bool) async throws -> OutsideView {
    guard options.filter.isActive, !isVerifying else { return OutsideView() }
    return OutsideView(try await ledger.outside(of: binding), at: now())
  }

  /// The plan without the operations that the filter excludes; records the excluded items.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - pass: The state of the run.
  ///   - entries: The ledger entries.
  ///   - fetched: The items that were fetched from the remote.
  ///   - isPart: Whether to keep deletions, because missing items may still be found.
  /// - Returns: The filtered plan.
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

  /// The local items without those that the filter excludes; known items are kept.
  func filter(_ listing: LocalListing, known: Set<UID>) -> LocalListing {
    guard options.filter.isActive else { return listing }
    let clock = clock
    var listing = listing
    listing.entries.removeAll { entry in
      !known.contains(entry.item.uid) && clock.verdict(on: entry.item) != .inside
    }
    return listing
  }

  /// Stores the items outside of the filter, and returns the time of the next check.
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
