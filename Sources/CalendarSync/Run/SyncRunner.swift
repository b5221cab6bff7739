// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CivilTime

/// Runs a sync: looks at both sides, plans, and carries the plan out.
///
/// Before each request its intent is durable in the ledger, and after it the outcome, so that a run
/// that is cut off anywhere is finished by the next one. Errors of one item never stop the others.
public actor SyncRunner {
  let local: any LocalCalendar
  let ledger: any Ledger
  let options: SyncOptions
  let merge: ThreeWayMerge
  /// What is done with properties of the calendar as a whole that both sides changed.
  let policy: MergePolicy
  private let listener: @Sendable (SyncEvent) -> Void
  let remote: any Remote
  let tier: AccessTier
  let binding: SyncBinding
  let now: @Sendable () -> Instant
  /// Why the local calendar takes no changes now.
  var unavailable: UnavailableSide?
  /// Failed requests since the last that succeeded.
  var failuresInARow = 0
  /// What both sides were brought to agree on, by where it is on the remote.
  var agreed: [Href: EntityTag] = [:]
  /// The items that something was settled of.
  var settled: Set<UID> = []
  /// Where the remote was found to hold items that were to be added: the next run looks there.
  var found: [RemoteEntry] = []
  /// The items that something was left to do with: what is known of them says nothing of what they are.
  var unfinished: Set<UID> = []
  /// The remote versions of conflicts that wait, which need not be fetched again.
  var versions: [RemoteEntry: CalendarItem] = [:]
  /// Where items were added to the remote.
  var added: [Href] = []
  /// What earlier runs were about to do, as long as it is not decided what became of it.
  var undecided: [UID: [Intent]] = [:]
  /// What the remote was found to have lost.
  private var losses: Set<RemoteLoss> = []
  /// Whether the remote was seen to keep values that others cut.
  var keepsValues = false
  /// Whether the remote told no version of something that it took.
  var hasUntold = false

  /// How many deletions are believed.
  var safeguards: Safeguards

  /// The items that failed before, and those that fail now.
  var quarantine = Quarantine([], at: Instant(secondsSinceEpoch: 0))

  /// Creates a runner for one run of one sync.
  ///
  /// - Parameters:
  ///   - name: The name of the sync.
  ///   - local: The local calendar.
  ///   - remote: The remote, which is opened no further than the tier allows.
  ///   - tier: What a person granted.
  ///   - ledger: What is remembered between runs.
  ///   - options: How to run.
  ///   - merge: How items are compared, and two edits of one merged.
  ///   - now: The clock.
  ///   - report: Called with everything that happens, in order.
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
  /// - Returns: What was done. A guard that stopped the run is told there and is no error.
  /// - Throws: `AccessError` under no access, and what makes a whole side unusable; then nothing, or
  ///   only whole operations, were done.
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

  /// Ends a run with what it did, whatever becomes of the rest of it; there is no run if it is dry.
  private func ending(
    _ run: RunID?, _ summary: RunSummary, after rest: (inout RunSummary) async throws -> Void
  ) async throws -> RunSummary {
    var summary = summary
    do {
      try await rest(&summary)
    } catch {
      // What went wrong first is what has to be told.
      if let run { await breakOff(run, summary, after: error) }
      throw error
    }
    if let run { try await ledger.endRun(run, summary: summary, at: now()) }
    return summary
  }

  /// Ends a run that cannot go on; one that was interrupted has no end.
  func breakOff(_ run: RunID, _ summary: RunSummary, after error: any Error) async {
    let end = error is CancellationError || Task.isCancelled ? nil : now()
    try? await ledger.endRun(run, summary: summary, at: end)
  }

  /// Tells what happens, and remembers what is left to do.
  func report(_ event: SyncEvent) {
    switch event {
    case .planned(let plan):
      unfinished.formUnion(plan.operations.filter(\.isFailure).map(\.uid))
    case .deferred(let operation), .failed(let operation, _): unfinished.insert(operation.uid)
    default: break
    }
    listener(event)
  }

  /// Tells what the remote has lost, once.
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

  /// Carries a plan out, unless a guard stands against it or only the plan is wanted.
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
      // What went wrong first is what has to be told.
      try? await keepQuarantine(summary, isCutShort: true, in: run)
      await breakOff(run, summary, after: error)
      throw error
    }
    try await keepQuarantine(summary, isCutShort: false, in: run)
    try await ledger.endRun(run, summary: summary, at: now())
    return summary
  }

  /// Writes down in one go what needs no request: agreements, and conflicts that are new.
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

  /// Writes outcomes down, and remembers what the sides agree on by now.
  func settle(_ settlements: [Settlement], in run: RunID) async throws {
    try await ledger.settle(settlements, in: run)
    remember(settlements)
  }

  /// Remembers what the sides agree on by outcomes that are written down.
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
