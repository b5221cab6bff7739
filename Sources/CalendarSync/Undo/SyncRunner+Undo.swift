// SPDX-License-Identifier: Apache-2.0

/// Taking back what a run did.
extension SyncRunner {
  /// Takes back a run, as a run of its own that can be taken back in the same way.
  ///
  /// - Parameters:
  ///   - earlier: The run.
  ///   - history: What the run did.
  /// - Returns: What was done.
  /// - Throws: `UndoError` if the sync is bound to other places by now, `AccessError` unless access is
  ///   full, and what makes a whole side unusable.
  public func undo(_ earlier: PastRun, _ history: any RunHistory) async throws -> RunSummary {
    guard earlier.binding == binding else {
      throw UndoError(
        "run \(earlier.id.rawValue) was of other places than the sync has now; nothing was sent")
    }
    guard tier == .full, case .full(let calendar) = try await tier.open(remote) else {
      throw AccessError(
        code: .denied, message: "a run is taken back only under full access; nothing was sent")
    }
    let planner = UndoPlanner(
      journal: try await history.journal(of: earlier.id), local: try await local.scan(),
      listing: try await calendar.list(), entries: try await ledger.entries(of: binding),
      conflicts: try await ledger.conflicts(of: binding),
      normalForm: merge.normalForm)
    _ = try await openIntents()
    let hrefs = planner.hrefsToFetch
    let fetched = hrefs.isEmpty ? [] : try await calendar.fetch(hrefs)
    try Task.checkCancellation()
    var summary = try await carryOut(planner.plan(fetched: fetched)) {
      operations, run, summary in
      try await history.note(run, undoes: earlier.id)
      try await self.perform(operations, on: calendar, in: run, &summary)
      try await self.undoProperties(of: earlier.id, history, with: calendar, in: run, &summary)
    }
    if options.isDryRun {
      try await undoProperties(of: earlier.id, history, with: calendar, in: nil, &summary)
    }
    return summary
  }
}
