// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// All state of one run of a sync.
///
/// The stages of the run are extensions in the other files of this folder. Most state is written by
/// one stage and read by the later ones, in this order.
struct SyncRun {
  /// The sides, the ledger and the options.
  let engine: SyncEngine

  // MARK: In the ledger

  /// The run in the ledger; nil before the first record, and in a dry run.
  private(set) var id: RunID?
  /// The results so far.
  var summary = RunSummary()
  /// Whether the failed items of the run are stored.
  var hasStoredQuarantine = false

  // MARK: Survey and classification

  /// The reports of both sides and of the ledger.
  var survey = Survey()
  /// The check of the cursor of a complete listing, while it is running.
  var confirmation: Task<RemoteCursor?, Never>?
  /// Whether the listing contains all items; nil before the first addition.
  var isListingWhole: Bool?
  /// The remote versions of unresolved conflicts, which need not be fetched again.
  var versions: [RemoteEntry: CalendarItem] = [:]
  /// The items that need attention.
  var work = WorkList()
  /// The results of fetches that were needed before the plan, by place.
  var prefetched: [Href: RemoteFetch] = [:]

  /// The items whose last change by this sync was their deletion on the remote; nil before they are
  /// needed.
  var sentDeletions: Set<UID>?

  // MARK: Rules

  /// The limits for deletions.
  var safeguards: Safeguards
  /// The items that failed in earlier runs and in this one.
  var quarantine = Quarantine([], at: Instant(secondsSinceEpoch: 0))

  // MARK: Changes

  /// The agreed ETags of this run, by href.
  var agreed: [Href: EntityTag] = [:]
  /// The items that this run settled.
  var settled: Set<UID> = []
  /// The items with remaining work, whose known versions are not reliable.
  var unfinished: Set<UID> = []
  /// The items that the run wrote or deleted, by their names here and their places on the remote.
  var written: (local: [String: UID], remote: [Href: UID]) = ([:], [:])
  /// The places of additions to the remote.
  var added: [Href] = []
  /// The places where the run replaced or deleted an item of the remote.
  var replaced: [Href] = []
  /// The places where the remote already holds items to be added; the next run checks them.
  var found: [RemoteEntry] = []
  /// The intents of earlier runs whose outcomes are undecided.
  var undecided: [UID: [Intent]] = [:]
  /// The number of failed requests since the last successful one.
  var failuresInARow = 0
  /// The reason why the local calendar accepts no changes at the moment.
  var unavailable: UnavailableSide?
  /// The kinds of parts that the remote was found to store.
  var stored: Set<PartKind> = []
  /// Whether the remote stored an item without returning an ETag.
  var hasMissingETag = false
  /// The losses of the remote that were reported.
  private var losses: Set<RemoteLoss> = []

  init(_ engine: SyncEngine) {
    self.engine = engine
    safeguards = engine.options.safeguards
  }

  var local: any LocalCalendar { engine.local }
  var ledger: any Ledger { engine.ledger }
  var options: SyncOptions { engine.options }
  var merge: ThreeWayMerge { engine.merge }
  var binding: SyncBinding { engine.binding }

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
    confirmation?.cancel()
    await confirmListing()
    guard let id else { return }
    if !hasStoredQuarantine { try? await storeQuarantine(isCutShort: true) }
    let end = error is CancellationError || Task.isCancelled ? nil : now()
    try? await ledger.endRun(id, summary: summary, at: end)
  }

  // MARK: Events

  /// Reports an event, and records the items with remaining work.
  mutating func report(_ event: SyncEvent) {
    switch event {
    case .planned(let plan):
      unfinished.formUnion(plan.operations.filter(\.isFailure).map(\.uid))
    case .deferred(let operation), .failed(let operation, _): unfinished.insert(operation.uid)
    default: break
    }
    engine.report(event)
  }

  /// Reports the losses of the remote, each of them once.
  mutating func report(_ found: [RemoteLoss]) {
    for loss in found where losses.insert(loss).inserted { report(.lost(loss)) }
  }

  /// Reports a plan, and counts its unresolved parts.
  mutating func announce(_ plan: SyncPlan) {
    report(.planned(plan))
    work.note(plan)
    summary.conflicts += plan.conflicts
    summary.failed += plan.operations.count(where: \.isFailure)
    summary.stoppedByGuard = summary.stoppedByGuard || plan.objection != nil
  }
}
