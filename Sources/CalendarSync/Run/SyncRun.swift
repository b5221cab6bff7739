// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// All state of one run of a sync.
///
/// The stages of the run are extensions in the other files of this folder. Each value is written by
/// one stage, in this order, and read by the later ones; the fields of a value are changed by its own
/// methods alone.
struct SyncRun {
  /// The sides, the ledger and the options.
  let engine: SyncEngine

  // MARK: In the ledger

  /// The run in the ledger; nil before the first record, and in a dry run.
  private(set) var id: RunID?

  // MARK: Before the plan

  /// The fields and the stash of the remote; nil if it stores whole items.
  var holding: (any ItemHolding)?
  /// The reports of both sides and of the ledger.
  var survey = Survey()
  /// The versions that the run has read of the remote before the plan.
  var known = KnownContents()
  /// The items that need attention.
  var work = WorkList()

  // MARK: Rules

  /// The limits for deletions.
  var safeguards: Safeguards
  /// The items that failed in earlier runs and in this one.
  var quarantine = Quarantine([], at: Instant(secondsSinceEpoch: 0))

  // MARK: Changes

  /// The results so far, and the work that is left for the next run.
  var results = RunResults()

  init(_ engine: SyncEngine) {
    self.engine = engine
    safeguards = engine.options.safeguards
  }

  var local: any LocalCalendar { engine.local }
  var ledger: any Ledger { engine.ledger }
  var options: SyncOptions { engine.options }
  var merge: ThreeWayMerge { engine.merge }
  var binding: SyncBinding { engine.binding }

  /// The numbers of changes, conflicts and failures so far.
  var summary: RunSummary { results.summary }

  /// The current time.
  func now() -> Instant { engine.now() }

  // MARK: Beginning and end

  /// The run in the ledger, which begins with the first record.
  mutating func begin() async throws -> RunID {
    if let id { return id }
    let new = try await ledger.beginRun(of: binding, at: now())
    id = new
    return new
  }

  /// Ends the run, if it has begun.
  func end() async throws {
    if let id { try await ledger.endRun(id, summary: summary, at: now()) }
  }

  /// Ends the run after an error; an interrupted run has no end time.
  ///
  /// Errors of the ledger are ignored here, because the caller rethrows the original error.
  mutating func breakOff(after error: any Error) async {
    await survey.abandonListing()
    guard let id else { return }
    if !quarantine.isStored { try? await storeQuarantine(isCutShort: true) }
    let end = error is CancellationError || Task.isCancelled ? nil : now()
    try? await ledger.endRun(id, summary: summary, at: end)
  }

  // MARK: Events

  /// Reports an event, and records the items with remaining work.
  mutating func report(_ event: SyncEvent) {
    results.note(event)
    engine.report(event)
  }

  /// Reports the losses of the remote, each of them once.
  mutating func report(_ found: [RemoteLoss]) {
    for loss in found where results.note(loss) { report(.lost(loss)) }
  }

  /// Reports a plan, and counts its unresolved parts.
  mutating func announce(_ plan: SyncPlan) {
    report(.planned(plan))
    work.note(plan)
    results.count(plan)
  }
}
