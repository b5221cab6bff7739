// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// A run with more items than fit into memory at once.
extension SyncRunner {
  /// Plans and carries out a run in parts.
  func synchronizeInParts(
    _ pass: inout SyncPass, with calendar: any RemoteCalendar
  ) async throws {
    let bound = safeguards.objection(to: pass.view.missing, known: pass.knownCount)
    if options.isDryRun || bound != nil {
      // A missing item may have been renamed, which only a fetch can show.
      var rehearsal = pass
      try await fetchInParts(&rehearsal, from: calendar, isRehearsal: true)
      let deletions = try await planDeletions(&rehearsal)
      if options.isDryRun { try await planAdditions(&rehearsal) }
      if options.isDryRun || deletions.objection != nil {
        report(.planned(deletions))
        rehearsal.count(deletions)
        pass = rehearsal
        return
      }
    }
    try await fetchInParts(&pass, from: calendar, isRehearsal: false)
    for uids in pass.takeAdditions() {
      try Task.checkCancellation()
      let plan = try await plan(&pass, asked: [], fetched: [], uids: uids)
      report(.planned(plan))
      pass.count(plan)
      try await carryOut(plan, &pass, with: calendar)
      pass.decide(uids)
    }
    try await deleteInParts(&pass, with: calendar)
  }

  /// Fetches part by part, and carries out all operations except deletions.
  private func fetchInParts(
    _ pass: inout SyncPass, from calendar: any RemoteCalendar, isRehearsal: Bool
  ) async throws {
    let fetches = pass.view.fetches
    for start in stride(from: 0, to: fetches.count, by: options.partSize) {
      try Task.checkCancellation()
      let asked = Array(fetches[start..<min(start + options.partSize, fetches.count)])
      var fetched: [RemoteFetch] = []
      try await fetch(asked, of: fetches.count, after: start, from: calendar) { fetched += $0 }
      var plan = try await plan(&pass, asked: asked, fetched: fetched, uids: [], isPart: true)
      plan = pass.putOff(from: plan, asked: asked, fetched: fetched)
      if !isRehearsal || options.isDryRun {
        report(.planned(plan))
        pass.count(plan)
      }
      if !isRehearsal { try await carryOut(plan, &pass, with: calendar) }
      pass.decide(asked, fetched)
    }
  }

  /// Reports the plans of operations that need no fetch.
  private func planAdditions(_ pass: inout SyncPass) async throws {
    for uids in pass.takeAdditions() {
      let plan = try await plan(&pass, asked: [], fetched: [], uids: uids)
      report(.planned(plan))
      pass.count(plan)
    }
  }

  /// The deletions as one plan, with the objection to all of them; lists only one part of them.
  private func planDeletions(_ pass: inout SyncPass) async throws -> SyncPlan {
    var operations: [PlannedOperation] = []
    var conflicts = 0
    var count = DeletionCount()
    for uids in pass.deletions {
      let plan = try await plan(&pass, asked: [], fetched: [], uids: uids)
      operations += plan.operations.prefix(max(0, options.partSize - operations.count))
      conflicts += plan.conflicts
      count.add(plan.operations)
    }
    return SyncPlan(
      operations: operations,
      objection: safeguards.objection(to: count, known: pass.knownCount),
      conflicts: conflicts)
  }

  /// Carries out the remaining operations, including deletions if they are within the limits.
  private func deleteInParts(
    _ pass: inout SyncPass, with calendar: any RemoteCalendar
  ) async throws {
    let whole = try await planDeletions(&pass)
    guard whole.objection == nil else {
      report(.planned(whole))
      pass.count(whole)
      return
    }
    for uids in pass.deletions {
      try Task.checkCancellation()
      var plan = try await plan(&pass, asked: [], fetched: [], uids: uids)
      plan = SyncPlan(operations: plan.operations, conflicts: plan.conflicts)
      report(.planned(plan))
      pass.count(plan)
      try await carryOut(plan, &pass, with: calendar)
    }
  }
}
