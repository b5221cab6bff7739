// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// A run with more items than fit into memory at once.
///
/// Only the current part is held in memory with its contents. For a calendar in one file, which is
/// rewritten as a whole, parts grow with the file. All fetches come first, because a fetched item
/// may be one that is missing elsewhere. Deletions come last, when this is known, and
/// the safeguards check them as a whole.
extension SyncRun {
  /// Plans and carries out the run in parts.
  mutating func synchronizeInParts(with calendar: any RemoteCalendar) async throws {
    guard try await !rehearse(with: calendar) else { return }
    try await fetchInParts(from: calendar, isRehearsal: false)
    for part in work.additions {
      try Task.checkCancellation()
      let plan = try await decide(part)
      announce(plan)
      try await carryOut(plan, with: calendar)
      work.decide(part)
    }
    try await deleteInParts(with: calendar)
  }

  /// Plans all parts without carrying them out, if the run is a dry run or seems to delete too
  /// much.
  ///
  /// A missing item may have been moved, which only a fetch can show.
  ///
  /// - Returns: Whether the run ends with the rehearsal.
  private mutating func rehearse(with calendar: any RemoteCalendar) async throws -> Bool {
    let objection = safeguards.objection(
      to: work.items.missing(except: safeguards.meant), known: work.knownCount)
    guard options.isDryRun || objection != nil else { return false }
    let before = work
    try await fetchInParts(from: calendar, isRehearsal: true)
    let deletions = try await planDeletions()
    if options.isDryRun {
      for part in work.additions { announce(try await decide(part)) }
    }
    if options.isDryRun || deletions.objection != nil {
      announce(deletions)
      return true
    }
    work = before
    return false
  }

  /// Fetches part by part, and carries out all operations except deletions.
  ///
  /// While a part is carried out, the next ones are fetched if the remote takes several requests.
  private mutating func fetchInParts(
    from calendar: any RemoteCalendar, isRehearsal: Bool
  ) async throws {
    let total = work.items.fetches.count
    var (rest, done) = (work.fetches[...], 0)
    let source = FetchSource(calendar, self)
    let fetching = OrderedTasks<Part, Result<[RemoteFetch], any Error>>(
      limit: calendar.fetchesAtOnce, waiting: 1, ending: .cancel,
      runsAhead: calendar.requestsAtOnce > 1
    ) { part in
      do { return .success(try await source.fetch(part.fetches)) } catch { return .failure(error) }
    }
    report(.progress(SyncProgress(.fetching, done: 0, total: total)))
    var current = Part(isProvisional: true)
    try await fetching.run({ rest.popFirst() }) { part, fetched in
      do {
        current.append(part, try fetched.get())
      } catch {
        // The next run need not fetch again what has been fetched.
        if !isRehearsal, !Task.isCancelled { try await take(&current, from: calendar, isRehearsal) }
        throw error
      }
      done += part.fetches.count
      report(.progress(SyncProgress(.fetching, done: done, total: total)))
      if work.isFull(current) { try await take(&current, from: calendar, isRehearsal) }
    }
    try await take(&current, from: calendar, isRehearsal)
  }

  /// Plans a fetched part and carries it out; leaves an empty one.
  private mutating func take(
    _ part: inout Part, from calendar: any RemoteCalendar, _ isRehearsal: Bool
  ) async throws {
    guard !part.fetches.isEmpty else { return }
    let plan = try await decide(part)
    if !isRehearsal || options.isDryRun { announce(plan) }
    if !isRehearsal { try await carryOut(plan, with: calendar) }
    work.count(plan.operations, meant: safeguards.meant)
    work.decide(part)
    part = Part(isProvisional: true)
  }

  /// The deletions as one plan, with the objection to all of them; lists only one part of them.
  private mutating func planDeletions() async throws -> SyncPlan {
    var operations: [PlannedOperation] = []
    var conflicts = 0
    var deletions = work.counted ?? DeletionCount(meant: safeguards.meant)
    for part in work.deletions {
      let plan = try await decide(part)
      operations += plan.operations.prefix(max(0, options.partSize - operations.count))
      conflicts += plan.conflicts
      deletions.add(plan.operations)
    }
    return SyncPlan(
      operations: operations,
      objection: safeguards.objection(to: deletions, known: work.knownCount), conflicts: conflicts)
  }

  /// Carries out the remaining operations, including deletions if they are within the limits.
  private mutating func deleteInParts(with calendar: any RemoteCalendar) async throws {
    let whole = try await planDeletions()
    guard whole.objection == nil else { return announce(whole) }
    for part in work.deletions {
      try Task.checkCancellation()
      var plan = try await decide(part)
      // The objection to all deletions counts, and not that to a part of them.
      plan.objection = nil
      announce(plan)
      try await carryOut(plan, with: calendar)
    }
  }
}
