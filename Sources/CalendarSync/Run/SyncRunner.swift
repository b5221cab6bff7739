// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CivilTime

/// Runs a sync: surveys both sides, creates a plan, and carries it out.
///
/// The ledger stores the intent before each request and the outcome afterwards, so that the next
/// run can complete an interrupted run. Errors of one item never stop the others.
public actor SyncRunner {
  let local: any LocalCalendar
  let ledger: any Ledger
  let options: SyncOptions
  let merge: ThreeWayMerge
  /// The policy for calendar properties that both sides changed.
  let policy: MergePolicy
  private let listener: @Sendable (SyncEvent) -> Void
  let remote: any Remote
  let tier: AccessTier
  let binding: SyncBinding
  let now: @Sendable () -> Instant
  /// The reason why the local calendar accepts no changes at the moment.
  var unavailable: UnavailableSide?
  /// The number of failed requests since the last successful one.
  var failuresInARow = 0
  /// The agreed ETags of this run, by href.
  var agreed: [Href: EntityTag] = [:]
  /// The items that this run settled.
  var settled: Set<UID> = []
  /// The places where the remote already holds items to be added; the next run checks them.
  var found: [RemoteEntry] = []
  /// The items with remaining work, whose known versions are not reliable.
  var unfinished: Set<UID> = []
  /// The remote versions of unresolved conflicts, which need not be fetched again.
  var versions: [RemoteEntry: CalendarItem] = [:]
  /// The places of additions to the remote.
  var added: [Href] = []
  /// The intents of earlier runs whose outcomes are undecided.
  var undecided: [UID: [Intent]] = [:]
  /// The losses of the remote that were reported.
  private var losses: Set<RemoteLoss> = []
  /// Whether the remote was found to preserve values that some servers cut.
  var keepsValues = false
  /// Whether the remote stored an item without returning an ETag.
  var hasUntold = false

  /// The limits for deletions.
  var safeguards: Safeguards

  /// The items that failed in earlier runs and in this one.
  var quarantine = Quarantine([], at: Instant(secondsSinceEpoch: 0))

  /// Creates a runner for one run of one sync.
  ///
  /// - Parameters:
  ///   - name: The name of the sync.
  ///   - local: The local calendar.
  ///   - remote: The remote, which is opened only as far as the tier allows.
  ///   - tier: The granted access.
  ///   - ledger: The ledger that stores the state between runs.
  ///   - options: The options of the run.
  ///   - merge: The comparison of items and the merge of concurrent edits.
  ///   - now: The clock.
  ///   - report: Called with every event, in order.
  public init(
    name: String, local: any LocalCalendar, remote: any Remote, tier: AccessTier,
    ledger: any Ledger, options: SyncOptions = SyncOptions(),
    merge: ThreeWayMerge = ThreeWayMerge(),
    now: @escaping @Sendable () -> Instant, report: @escaping @Sendable (SyncEvent) -> Void
  ) {
    self.local = local
    self.remote = remote
    self.tier = tier
    self.ledger = ledger
    self.options = options
    safeguards = options.safeguards
    self.merge = merge
    policy = merge.policies.standard
    self.now = now
    listener = report
    binding = SyncBinding(
      name: name, local: local.location, remote: remote.identity, filter: options.filter.text)
  }

  /// Runs the sync once.
  ///
  /// - Returns: The summary, which also shows whether a safeguard stopped the run.
  /// - Throws: `AccessError` without access, or an error that makes a whole side unusable; then
  ///   nothing was done, or only complete operations.
  public func run() async throws -> RunSummary {
    switch try await tier.open(remote) {
    case .appendOnly(let appender): return try await append(to: appender)
    case .full(let calendar):
      report(.progress(SyncProgress(.reading, done: 0, total: 0)))
      let (items, run) = try await synchronize(with: calendar)
      return try await ending(run, items) { summary in
        guard !summary.stoppedByGuard else { return }
        try await self.synchronizeProperties(with: calendar, in: run, &summary)
      }
    }
  }

  /// Ends a run with its summary after the remaining work; `run` is nil in a dry run.
  private func ending(
    _ run: RunID?, _ summary: RunSummary, after rest: (inout RunSummary) async throws -> Void
  ) async throws -> RunSummary {
    var summary = summary
    do {
      try await rest(&summary)
    } catch {
      // Rethrow the original error.
      if let run { await breakOff(run, summary, after: error) }
      throw error
    }
    if let run { try await ledger.endRun(run, summary: summary, at: now()) }
    return summary
  }

  /// Ends a run after an error; an interrupted run has no end time.
  func breakOff(_ run: RunID, _ summary: RunSummary, after error: any Error) async {
    let end = error is CancellationError || Task.isCancelled ? nil : now()
    try? await ledger.endRun(run, summary: summary, at: end)
  }

  /// Reports an event, and records the items with remaining work.
  func report(_ event: SyncEvent) {
    switch event {
    case .planned(let plan):
      unfinished.formUnion(plan.operations.filter(\.isFailure).map(\.uid))
    case .deferred(let operation), .failed(let operation, _): unfinished.insert(operation.uid)
    default: break
    }
    listener(event)
  }

  /// Reports the losses of the remote, each of them once.
  func report(_ found: [RemoteLoss]) {
    for loss in found where losses.insert(loss).inserted { report(.lost(loss)) }
  }

  private func append(to appender: any RemoteAppender) async throws -> RunSummary {
    let intents = try await ledger.pendingIntents(of: binding)
    let records = try await ledger.appended(to: binding.remote)
    let entries = try await ledger.entries(of: binding)
    let known = Set(records.map(\.uid) + entries.map(\.uid) + intents.map(\.uid))
    let planner = AppendPlanner(
      local: filter(try await local.scan(), known: known), records: records, entries: entries,
      intents: intents, normalForm: merge.normalForm)
    try await openQuarantine()
    return try await carryOut(quarantine.examine(planner.plan)) { operations, run, summary in
      for operation in operations {
        try Task.checkCancellation()
        let earlier = intents.filter { $0.uid == operation.uid && $0.action == .append }
        try await self.append(operation, to: appender, after: earlier, in: run, &summary)
      }
    }
  }

  /// Carries out a plan, unless a safeguard objects or the run is a dry run.
  func carryOut(
    _ plan: SyncPlan, _ perform: ([PlannedOperation], RunID, inout RunSummary) async throws -> Void
  ) async throws -> RunSummary {
    report(.planned(plan))
    var summary = RunSummary()
    summary.conflicts = plan.conflicts
    summary.failed = plan.operations.count(where: \.isFailure)
    summary.stoppedByGuard = plan.objection != nil
    guard !options.isDryRun, plan.objection == nil else { return summary }
    let run = try await ledger.beginRun(of: binding, at: now())
    do {
      try await settleWhatIsKnown(plan, in: run)
      try await perform(plan.operations.filter(\.isChange), run, &summary)
    } catch {
      // Rethrow the original error.
      try? await keepQuarantine(summary, isCutShort: true, in: run)
      await breakOff(run, summary, after: error)
      throw error
    }
    try await keepQuarantine(summary, isCutShort: false, in: run)
    try await ledger.endRun(run, summary: summary, at: now())
    return summary
  }

  /// Records everything that needs no request: agreements and new conflicts.
  func settleWhatIsKnown(_ plan: SyncPlan, in run: RunID) async throws {
    let waiting = try await ledger.conflicts(of: binding)
    let open = Set(try await ledger.pendingIntents(of: binding).map(\.uid))
    let settlements: [Settlement] = plan.operations.compactMap { operation in
      switch operation.action {
      case .record(let entry): Settlement(uid: operation.uid, change: .record(entry))
      case .forget: Settlement(uid: operation.uid, change: .forget)
      case .conflict(let conflict, let agreed):
        waiting.contains(conflict) && agreed == nil && !open.contains(conflict.uid)
          ? nil
          : Settlement(
            uid: operation.uid, change: agreed.map { .record($0) } ?? .keep, conflict: conflict)
      default: nil
      }
    }
    if !settlements.isEmpty { try await settle(settlements, in: run) }
  }

  /// Records outcomes in the ledger and in the state of the run.
  func settle(_ settlements: [Settlement], in run: RunID) async throws {
    try await ledger.settle(settlements, in: run)
    remember(settlements)
  }

  /// Records outcomes in the state of the run.
  func remember(_ settlements: [Settlement]) {
    for settlement in settlements {
      switch settlement.change {
      case .keep, .withdraw, .appended: continue
      case .forget: break
      case .record(let entry):
        agreed[entry.href] = entry.etag
        if entry.etag == nil { hasUntold = true }
      }
      settled.insert(settlement.uid)
      undecided[settlement.uid] = nil
    }
  }
}
