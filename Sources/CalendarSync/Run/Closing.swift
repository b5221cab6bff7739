// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The last stage of a run: the ledger stores what the next run needs.
extension SyncRun {
  /// Completes a run that found both sides unchanged.
  mutating func rest() async throws {
    report(.planned(SyncPlan(operations: [])))
    guard !options.isDryRun else { return }
    let id = try await begin()
    var next = survey.checkpoint
    (next.cursor, next.snapshot) = (survey.remote.changes.cursor, survey.local.snapshot)
    next.unreported = []
    if next != survey.checkpoint { try await ledger.store(next, in: id) }
  }

  /// Stores the resume state and the failed items.
  mutating func close(with calendar: any RemoteCalendar) async throws {
    await survey.confirmListing()
    guard !options.isDryRun, !summary.stoppedByGuard else { return }
    let id = try await begin()
    let nextWake = try await storeOutside(in: id)
    let next = nextCheckpoint(of: calendar, nextWake: nextWake)
    if next != survey.checkpoint || !results.settled.isEmpty {
      try await ledger.store(next, in: id)
    }
    try await storeQuarantine(isCutShort: false)
  }

  /// The resume state for the next run.
  ///
  /// The new cursor is stored only if all reported changes are settled or stored as unsettled. A
  /// removed item cannot be fetched again, so that an unsettled removal prevents the new cursor.
  private func nextCheckpoint(
    of calendar: any RemoteCalendar, nextWake: Instant?
  ) -> SyncCheckpoint {
    let unsettled = work.unsettled(after: results)
    let unlisted = survey.remote.held.sorted { $0.rawValue < $1.rawValue } + results.added
    // After a change of the direction, the next run has to find the items that only the remote holds.
    let leavesItemsThere =
      options.direction == .push && !(work.found.isEmpty && survey.outside.places.isEmpty)
    let isWhole =
      unsettled.count <= options.unsettledLimit && work.items.gone.isSubset(of: results.settled)
    var next = survey.checkpoint
    next.unlisted = unlisted
    next.unreported =
      results.replaced.count > options.unsettledLimit ? [] : results.replaced
    if unlisted.count > options.unsettledLimit || leavesItemsThere {
      // Checking many places costs no less than a complete listing, which may still lack some.
      (next.cursor, next.unsettled) = (nil, [])
    } else if isWhole {
      next.cursor = survey.remote.changes.cursor.flatMap { cursor in
        let written = results.written.remote
        return written.isEmpty ? cursor : calendar.cursor(cursor, doubting: written)
      }
      next.unsettled = next.cursor == nil ? unsettled.filter { $0.etag == nil } : unsettled
    } else {
      // The old cursor is not sufficient: an item that was added after it and removed again only
      // shows in a listing.
      (next.cursor, next.unsettled) = (nil, [])
    }
    let snapshot = survey.local.snapshot.flatMap { snapshot in
      let written = results.written.local
      return written.isEmpty ? snapshot : local.snapshot(snapshot, doubting: written)
    }
    next.snapshot = snapshot ?? survey.local.snapshot
    next.isAtRest =
      isWhole && unsettled.isEmpty && hasNoWorkLeft
      && (snapshot != nil || results.written.local.isEmpty)
    next.nextWake = nextWake
    // Items with problems are recorded, so that one bad item does not make every run compare
    // everything.
    if survey.isVerifying && isWhole || next.verifiedAt == nil { next.verifiedAt = now() }
    return next
  }

  /// Whether the next run has nothing to do unless a side changes.
  private var hasNoWorkLeft: Bool {
    guard work.isComplete, survey.local.unreadable.isEmpty else { return false }
    guard summary.conflicts == 0, summary.failed == 0, summary.deferred == 0 else { return false }
    // The next run moves or deletes withheld items.
    return !results.hasMissingETag && options.moves.withheld.isEmpty
  }

  /// Stores the failed items.
  mutating func storeQuarantine(isCutShort: Bool) async throws {
    guard let id else { return }
    let items = quarantine.items(hasChanges: summary.hasChanges, isCutShort: isCutShort)
    if items != quarantine.before { try await ledger.store(items, in: id) }
    quarantine.markStored()
  }
}
