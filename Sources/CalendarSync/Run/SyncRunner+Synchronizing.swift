// SPDX-License-Identifier: Apache-2.0

import CalendarModel

// A run with full access:
//
//   survey ──► remote changes ──► SyncView: names, tags and fingerprints of all items,
//                                     │      or of local changes if there are no others
//             no work: done      few: one part      many: parts, deletions last
//                                     │
//              fetch ──► read files ──► entries ──► Planner ──► carry out
//
// Only the current part is held in memory with its contents. Most runs have one part, whose plan is
// the plan of the run. With several parts, all fetches come first, because a fetched item may be
// one that is missing elsewhere. Deletions come last, when this is known, and the safeguards check
// them as a whole.

extension SyncRunner {
  /// Synchronizes the items of both sides.
  ///
  /// - Parameter calendar: The remote.
  /// - Returns: The summary and the run, which has not ended yet; the run is nil in a dry run, or
  ///   if a safeguard stopped it before anything was recorded.
  /// - Throws: An error of the ledger or of a side as a whole, after the run was ended.
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
      // Rethrow the original error.
      if let run = pass.run {
        try? await keepQuarantine(pass.summary, isCutShort: true, in: run)
        await breakOff(run, pass.summary, after: error)
      }
      throw error
    }
    return (pass.summary, pass.run)
  }

  /// Forbids deletions on a side if the other side is on another file system than in the last run.
  private func doubtDeletions(since checkpoint: SyncCheckpoint, _ calendar: any RemoteCalendar) {
    if let snapshot = checkpoint.snapshot, !local.isSamePlace(as: snapshot) {
      safeguards.doubted.insert(.remote)
    }
    if let cursor = checkpoint.cursor, !calendar.isSamePlace(as: cursor) {
      safeguards.doubted.insert(.local)
    }
  }

  /// The items with intents or conflicts, and their known places on the remote.
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

  /// Completes a run that found both sides unchanged.
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

  /// Stores the resume state for the next run.
  ///
  /// The new cursor is stored only if all reported changes are settled or stored as unsettled. A
  /// removed item cannot be fetched again, so that an unsettled removal prevents the new cursor.
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
      // The old cursor is not sufficient: an item that was added after it and removed again only
      // shows in a listing.
      (next.cursor, next.unsettled) = (nil, [])
    }
    next.unlisted = unlisted
    if unlisted.count > options.unsettledLimit {
      // Checking that many places costs no less than a complete listing.
      (next.cursor, next.unsettled, next.unlisted) = (nil, [], [])
    }
    next.snapshot = snapshot
    // The snapshot was made before the changes of the run, and does not contain them.
    let isAsFound = !pass.summary.hasChanges
    // The next run moves or deletes withheld items.
    next.isAtRest =
      isAsFound && isWhole && unsettled.isEmpty && pass.isAtRest && !hasUntold
      && options.withheld.isEmpty
    next.restsUntil = try await keepOutside(of: pass, in: run)
    // Items with problems are recorded, so that one bad item does not make every run compare
    // everything.
    if isVerifying && isWhole || old.verifiedAt == nil { next.verifiedAt = now() }
    if next != old || !settled.isEmpty { try await ledger.store(next, in: run) }
    try await keepQuarantine(pass.summary, isCutShort: false, in: run)
  }

  /// Plans and carries out the run in one part.
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

  /// Fetches items and converts them to normal form.
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

  /// Reads the contents that a part needs, and plans it.
  ///
  /// - Parameters:
  ///   - pass: The state of the run.
  ///   - asked: The fetched places.
  ///   - fetched: The fetch results.
  ///   - uids: The items that need no fetch.
  ///   - isPart: Whether a missing item may be found in a later part.
  /// - Returns: The plan.
  /// - Throws: An error of the ledger or of the calendar.
  func plan(
    _ pass: inout SyncPass, asked: [RemoteEntry], fetched: [RemoteFetch], uids: [UID],
    isPart: Bool = false
  ) async throws -> SyncPlan {
    var involved = Set(uids)
    for entry in asked { involved.formUnion(pass.view.owners[entry.href] ?? []) }
    for case .item(_, _, let item) in fetched { involved.insert(item.uid) }
    // An item that was unknown at the start of the run has an entry only if this run settled it.
    let known = involved.filter { pass.view.places[$0] != nil || settled.contains($0) }
    let entries = try await ledger.entries(of: binding, for: known.inOrder())
      .map(pass.view.relocated)
    let open = involved.filter { !pass.decided.contains($0) }
    let records = open.compactMap { pass.view.records[$0] }.sorted(byBytesOf: \.name)
    // The fingerprint in a record of an earlier run may be based on older time zone rules.
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

  /// Carries out a plan.
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
    // Additions precede deletions, so that an interruption leaves duplicates instead of losses.
    for part in [operations.filter { !$0.isDeletion }, operations.filter(\.isDeletion)] {
      let uploads = try await change(part.filter(\.isLocal), in: run, &summary)
      try await send(
        part.filter { !$0.isLocal } + uploads, to: calendar, in: run, &summary)
      // The other side is complete, but nothing is deleted while one side is unavailable.
      if let unavailable { throw unavailable }
    }
  }

  /// The run in the ledger, which begins with the first record.
  private func begin(_ pass: inout SyncPass) async throws -> RunID {
    if let run = pass.run { return run }
    let run = try await ledger.beginRun(of: binding, at: now())
    pass.run = run
    return run
  }
}
