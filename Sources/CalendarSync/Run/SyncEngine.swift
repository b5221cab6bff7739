// SPDX-License-Identifier: Apache-2.0

import CalendarModel
public import CivilTime

/// Runs a sync between a local calendar and a remote.
///
/// A run is one value, `SyncRun`, that passes through six stages. Each stage is a file:
///
/// 1. `Survey`: both sides and the ledger report what may have changed.
/// 2. `Classification`: names, tags and fingerprints show which items need attention.
///    `RollbackCheck` stops a run whose remote was restored from a backup.
/// 3. `Deciding`: each of these items is read, and `ItemDecision` plans one operation.
/// 4. `PlanRules`: rules remove the operations that this run must not carry out.
/// 5. `CarryingOut`, `Sending`: intent, change and outcome of each operation.
/// 6. `Closing`: the ledger stores what the next run needs.
///
/// The ledger stores the intent before each request and the outcome afterwards, so that the next
/// run can complete an interrupted run. Errors of one item never stop the others.
public struct SyncEngine: Sendable {
  let local: any LocalCalendar
  let remote: any Remote
  let tier: AccessTier
  let ledger: any Ledger
  private(set) var options: SyncOptions
  let merge: ThreeWayMerge
  let binding: SyncBinding
  let now: @Sendable () -> Instant
  let report: @Sendable (SyncEvent) -> Void

  /// Creates an engine for one sync.
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
    self.merge = merge
    self.now = now
    self.report = report
    binding = SyncBinding(
      name: name, local: local.location, remote: remote.identity, filter: options.filter.text)
  }

  /// Runs the sync once.
  ///
  /// - Returns: The summary, which also shows whether a safeguard stopped the run.
  /// - Throws: `AccessError` without access or beyond the direction, or an error that makes a whole
  ///   side unusable; then nothing was done, or only complete operations.
  public func run() async throws -> RunSummary {
    guard tier == .full || options.rollback != .push else {
      throw AccessError.restoreNeedsFull
    }
    if options.direction == .pull {
      guard tier == .full else { throw AccessError.pullNeedsFull }
      guard options.rollback != .push else { throw AccessError.pullRestoresNothing }
    }
    // A checkpoint holds a snapshot of the whole calendar, so that it is read once.
    let checkpoint = tier == .full ? try await ledger.checkpoint(of: binding) : SyncCheckpoint()
    var probe: CursorProbe?
    if let cursor = checkpoint.cursor, remote.mayRepeat(cursor) {
      probe = try await ledger.probe(of: binding, cursor, without: checkpoint.unlisted)
    }
    let opened = try await tier.open(
      remote, isNew: await ledger.isEmpty(for: binding, checkpoint), probe: probe)
    switch opened {
    case .appendOnly(let appender): return try await perform { try await $0.append(to: appender) }
    case .full(let calendar):
      return try await perform {
        try await $0.synchronize(with: calendar, since: checkpoint, probe)
      }
    }
  }

  /// The engine of a sync of a group, which respects the moves between the calendars of the group.
  func moving(_ moves: MoveContext) -> SyncEngine {
    var engine = self
    engine.options.moves = moves
    return engine
  }

  /// Performs the stages of one run, and ends the run in the ledger whether or not they succeed.
  func perform(_ stages: (inout SyncRun) async throws -> Void) async throws -> RunSummary {
    var run = SyncRun(self)
    do {
      try await stages(&run)
    } catch {
      await run.breakOff(after: error)
      throw error
    }
    try await run.end()
    return run.summary
  }
}

/// A run with full access.
extension SyncRun {
  /// Synchronizes the items of both sides, and then the properties of the calendars.
  mutating func synchronize(
    with calendar: any RemoteCalendar, since checkpoint: SyncCheckpoint, _ probe: CursorProbe?
  ) async throws {
    report(.progress(SyncProgress(.reading, done: 0, total: 0)))
    holding = calendar.holding
    try await survey(with: calendar, since: checkpoint, probe)
    if survey.extent == .nothing {
      try await rest()
    } else {
      try await classify()
      if let plan = try await checkForRollback(with: calendar) {
        announce(plan)
      } else if work.count <= options.partSize {
        try await synchronizeAtOnce(with: calendar)
      } else {
        try await synchronizeInParts(with: calendar)
      }
      try await close(with: calendar)
    }
    guard !summary.stoppedByGuard else { return }
    try await synchronizeProperties(with: calendar)
  }

  /// Decides about all items together: the plan of the only part is the plan of the run.
  private mutating func synchronizeAtOnce(with calendar: any RemoteCalendar) async throws {
    var part = Part(fetches: work.items.fetches, uids: work.items.rest)
    part.fetched = try await fetch(part.fetches, from: calendar)
    try Task.checkCancellation()
    let plan = try await decide(part)
    announce(plan)
    guard !options.isDryRun, plan.objection == nil else { return }
    try await carryOut(plan, with: calendar)
  }
}
