// SPDX-License-Identifier: Apache-2.0

import CalendarModel

// A run under full access:
//
//   survey ──► what changed on the remote ──► SyncView: names, tags and fingerprints of all,
//                                                 │      or of what changed if that is here alone
//                nothing to do: done      few: one part      many: parts, deletions last
//                                                 │
//                          fetch ──► read files ──► entries ──► Planner ──► carry out
//
// A part holds the contents of what it deals with, and nothing else does. In most nights there is one,
// and its plan is the plan of the run. Where there are several, all that is fetched comes first, because
// what is fetched may turn out to be an item that is missing elsewhere; what is deleted comes last, when
// that is known, and is guarded as a whole.

extension SyncRunner {
  /// Brings the items of both sides together.
  ///
  /// - Parameter calendar: The remote.
  /// - Returns: What was done, and the run, which has not come to its end yet; there is none if it is dry, or
  ///   if a guard stopped it before anything was written down.
  /// - Throws: What the ledger or a side as a whole cannot do, once the run is ended.
  func synchronize(
    with calendar: any RemoteCalendar
  ) async throws -> (summary: RunSummary, run: RunID?) {
    let checkpoint = try await ledger.checkpoint(of: binding)
    let isVerifying = options.isDueForVerification(checkpoint, now: now())
    doubtDeletions(since: checkpoint, calendar)
    let survey = try await local.survey(
      since: isVerifying ? nil : checkpoint.snapshot, in: merge.normalForm, at: now())
    let answer = try await answer(of: calendar, since: checkpoint, isVerifying: isVerifying)
    let changes = answer.changes
    let intents = try await openIntents()
    let conflicts = try await ledger.conflicts(of: binding)
    let pending = Self.pending(intents, conflicts)
    let isStill = checkpoint.isAtRest && checkpoint.restsUntil.map { now() < $0 } ?? true
    let wasAtRest = isStill && !isVerifying && pending.isEmpty
    if wasAtRest, survey.isUnchanged, case .none(let cursor) = changes {
      return try await rest(checkpoint, cursor, survey.snapshot)
    }
    try await openQuarantine()
    if !isVerifying { try await keepVersions(of: conflicts, intents) }
    let outside = try await outside(isVerifying: isVerifying)
    let appended = try await ledger.appended(to: binding.remote)
    let compared = try await compared(
      survey, answer, wasAtRest: wasAtRest && checkpoint.unsettled.isEmpty && appended.isEmpty)
    let view = SyncView(
      records: compared.records, unreadable: survey.unreadable, changes: changes,
      unsettled: checkpoint.unsettled, held: answer.held, places: compared.places,
      pending: pending, outside: outside, isVerifying: isVerifying)
    var pass = SyncPass(
      view: view, agreedCount: compared.agreedCount, unreadable: survey.unreadable,
      intents: intents, conflicts: conflicts, appended: appended, outside: outside,
      hasReadAll: isVerifying || checkpoint.snapshot == nil, isVerifying: isVerifying,
      options: options)
    do {
      if view.count <= options.partSize {
        try await synchronizeAtOnce(&pass, with: calendar)
      } else {
        try await synchronizeInParts(&pass, with: calendar)
      }
      try await finish(&pass, checkpoint, changes, survey.snapshot, isVerifying: isVerifying)
    } catch {
      // What went wrong first is what has to be told.
      if let run = pass.run {
        try? await keepQuarantine(pass.summary, isCutShort: true, in: run)
        await breakOff(run, pass.summary, after: error)
      }
      throw error
    }
    return (pass.summary, pass.run)
  }

  /// Believes no deletion on a side whose counterpart is in another place than at the last run.
  private func doubtDeletions(since checkpoint: SyncCheckpoint, _ calendar: any RemoteCalendar) {
    if let snapshot = checkpoint.snapshot, !local.isSamePlace(as: snapshot) {
      safeguards.doubted.insert(.remote)
    }
    if let cursor = checkpoint.cursor, !calendar.isSamePlace(as: cursor) {
      safeguards.doubted.insert(.local)
    }
  }

  /// What was left open of which items, and where that is on the remote as far as it is known.
  private static func pending(
    _ intents: [Intent], _ conflicts: [StoredConflict]
  ) -> [UID: [Href]] {
    var pending: [UID: [Href]] = [:]
    for intent in intents { pending[intent.uid, default: []] += [intent.href].compactMap(\.self) }
    for conflict in conflicts {
      pending[conflict.uid, default: []] += [conflict.href].compactMap(\.self)
    }
    return pending
  }

  /// A run that found the items of both sides as they were.
  private func rest(
    _ checkpoint: SyncCheckpoint, _ cursor: RemoteCursor, _ snapshot: LocalSnapshot?
  ) async throws -> (summary: RunSummary, run: RunID?) {
    report(.planned(SyncPlan(operations: [])))
    guard !options.isDryRun else { return (RunSummary(), nil) }
    let run = try await ledger.beginRun(of: binding, at: now())
    var next = checkpoint
    (next.cursor, next.snapshot) = (cursor, snapshot)
    if next != checkpoint { try await ledger.store(next, in: run) }
    return (RunSummary(), run)
  }

  /// Stores from where the next run goes on.
  ///
  /// The cursor is only taken over if what it passes over is settled, or can be noted beside it: of what
  /// is gone there is nothing left that could be fetched again.
  private func finish(
    _ pass: inout SyncPass, _ old: SyncCheckpoint, _ changes: RemoteChanges,
    _ snapshot: LocalSnapshot?, isVerifying: Bool
  ) async throws {
    guard !options.isDryRun, !pass.summary.stoppedByGuard else { return }
    let run = try await begin(&pass)
    let unsettled = pass.unsettled(agreed: agreed, unfinished: unfinished) + found
    let unlisted = pass.view.held.sorted { $0.rawValue < $1.rawValue } + added
    let isWhole =
      unsettled.count <= options.unsettledLimit && !pass.hasUnsettledRemovals(settled: settled)
    var next = old
    if isWhole {
      next.cursor =
        switch changes {
        case .none(let cursor), .some(_, _, let cursor): cursor
        case .complete(_, let cursor): cursor
        }
      next.unsettled = next.cursor == nil ? unsettled.filter { $0.etag == nil } : unsettled
    } else {
      // The old cursor would not do: what came after it and goes again is told by a listing alone.
      (next.cursor, next.unsettled) = (nil, [])
    }
    next.unlisted = unlisted
    if unlisted.count > options.unsettledLimit {
      // So much costs no less to look for than to list everything again.
      (next.cursor, next.unsettled, next.unlisted) = (nil, [], [])
    }
    next.snapshot = snapshot
    // A snapshot from before what the run wrote does not tell whether that is still there.
    let isAsFound = !pass.summary.hasChanges
    // What was withheld is to be moved or deleted by the next run.
    next.isAtRest =
      isAsFound && isWhole && unsettled.isEmpty && pass.isAtRest && !hasUntold
      && options.withheld.isEmpty
    next.restsUntil = try await keepOutside(of: pass, in: run)
    // What could not be dealt with is noted; so one bad item does not make each run compare everything.
    if isVerifying && isWhole || old.verifiedAt == nil { next.verifiedAt = now() }
    if next != old || !settled.isEmpty { try await ledger.store(next, in: run) }
    try await keepQuarantine(pass.summary, isCutShort: false, in: run)
  }

  /// Plans and does everything in one go.
  private func synchronizeAtOnce(
    _ pass: inout SyncPass, with calendar: any RemoteCalendar
  ) async throws {
    var fetched: [RemoteFetch] = []
    try await fetch(pass.view.fetches, of: pass.view.fetches.count, from: calendar) {
      fetched += $0
    }
    try Task.checkCancellation()
    let plan = try await plan(
      &pass, asked: pass.view.fetches, fetched: fetched, uids: pass.view.rest)
    report(.planned(plan))
    pass.count(plan)
    guard !options.isDryRun, plan.objection == nil else { return }
    try await carryOut(plan, &pass, with: calendar)
  }

  /// Fetches, bringing what comes into the form in which it is compared.
  func fetch(
    _ entries: [RemoteEntry], of total: Int, after done: Int = 0,
    from calendar: any RemoteCalendar, _ take: ([RemoteFetch]) async throws -> Void
  ) async throws {
    guard !entries.isEmpty else { return }
    var done = done
    report(.progress(SyncProgress(.fetching, done: done, total: total)))
    let kept = entries.compactMap { entry in
      versions[entry].map { RemoteFetch.item(href: entry.href, etag: entry.etag, item: $0) }
    }
    if !kept.isEmpty { try await take(kept) }
    done += kept.count
    let hrefs = entries.filter { versions[$0] == nil }.map(\.href)
    guard !hrefs.isEmpty else {
      return report(.progress(SyncProgress(.fetching, done: done, total: total)))
    }
    try await calendar.fetch(hrefs) { batch in
      try await take(batch.map { $0.normalized(by: merge.normalForm) })
      done += batch.count
      report(.progress(SyncProgress(.fetching, done: min(done, total), total: total)))
    }
  }

  /// Reads what a part needs, and plans it.
  ///
  /// - Parameters:
  ///   - pass: What was found out and done so far.
  ///   - asked: What was fetched.
  ///   - fetched: What fetching it gave.
  ///   - uids: The items of which nothing is fetched.
  ///   - isPart: Whether what seems to be missing may turn up in a later part.
  /// - Returns: The plan.
  /// - Throws: What the ledger or the calendar cannot do.
  func plan(
    _ pass: inout SyncPass, asked: [RemoteEntry], fetched: [RemoteFetch], uids: [UID],
    isPart: Bool = false
  ) async throws -> SyncPlan {
    var involved = Set(uids)
    for entry in asked { involved.formUnion(pass.view.owners[entry.href] ?? []) }
    for case .item(_, _, let item) in fetched { involved.insert(item.uid) }
    // Of what was not known when the run began, it has entries only where it settled something.
    let known = involved.filter { pass.view.places[$0] != nil || settled.contains($0) }
    let entries = try await ledger.entries(of: binding, for: known.inOrder())
      .map(pass.view.relocated)
    let open = involved.filter { !pass.decided.contains($0) }
    let records = open.compactMap { pass.view.records[$0] }.sorted(byBytesOf: \.name)
    // A record that was kept from an earlier run may tell what the item meant by older rules of zones.
    var listing =
      pass.hasReadAll
      ? try await local.read(records, in: merge.normalForm)
      : try await local.read(records.map(\.name), in: merge.normalForm)
    let read = Set(listing.entries.map(\.item.uid))
    listing.entries.removeAll { !open.contains($0.item.uid) }
    listing.unreadable = pass.unreadable
    let scope = PlanScope(
      asked: Set(asked.map(\.href)), knownCount: pass.knownCount, hasStray: pass.view.hasStray,
      decided: pass.decided, unknown: Set(records.map(\.uid)).subtracting(read),
      held: pass.view.held, elsewhere: options.elsewhere, isFirst: pass.isFirst,
      isVerifying: pass.isVerifying)
    pass.note(asked: asked, fetched: fetched)
    let planner = Planner(
      local: listing, listing: pass.listing(asked, involved), entries: entries,
      intents: pass.intents.filter { open.contains($0.uid) },
      conflicts: pass.conflicts.filter { open.contains($0.uid) },
      appended: pass.appended.filter { open.contains($0.uid) }, safeguards: safeguards,
      merge: merge, scope: scope)
    let left = Set(pass.intents.map(\.uid) + pass.conflicts.map(\.uid))
    let made = planner.plan(fetched: fetched)
    report(made.losses)
    let plan = filter(
      made.withholding(options.withheld, entries, open: left)
        .awaiting(options.awaited, entries), &pass,
      entries, fetched, isPart: isPart)
    return quarantine.examine(plan)
  }

  /// Does what a plan says.
  func carryOut(
    _ plan: SyncPlan, _ pass: inout SyncPass, with calendar: any RemoteCalendar
  ) async throws {
    let run = try await begin(&pass)
    try await settleWhatIsKnown(plan, in: run)
    try await perform(plan.operations.filter(\.isChange), on: calendar, in: run, &pass.summary)
  }

  /// Makes changes on both sides.
  func perform(
    _ operations: [PlannedOperation], on calendar: any RemoteCalendar, in run: RunID,
    _ summary: inout RunSummary
  ) async throws {
    // What is added comes before what is deleted: cut off anywhere, there is rather too much.
    for part in [operations.filter { !$0.isDeletion }, operations.filter(\.isDeletion)] {
      let uploads = try await change(part.filter(\.isLocal), in: run, &summary)
      try await send(
        part.filter { !$0.isLocal } + uploads, to: calendar, in: run, &summary)
      // The other side has got what it was to get; nothing is deleted where something is missing.
      if let unavailable { throw unavailable }
    }
  }

  /// The run, which begins with the first thing that is written down.
  private func begin(_ pass: inout SyncPass) async throws -> RunID {
    if let run = pass.run { return run }
    let run = try await ledger.beginRun(of: binding, at: now())
    pass.run = run
    return run
  }
}
