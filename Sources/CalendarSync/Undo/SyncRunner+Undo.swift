// SPDX-License-Identifier: Apache-2.0

/// The undo of a run.
extension SyncRunner {
  /// Undoes a run, in a new run that can be undone, too.
  ///
  /// - Parameters:
  ///   - earlier: The run.
  ///   - history: The history that contains the changes of the run.
  /// - Returns: The summary of the new run.
  /// - Throws: `UndoError` if the binding of the sync has changed, `AccessError` without full
  ///   access, or an error that makes a whole side unusable.
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
