// SPDX-License-Identifier: Apache-2.0

import CalendarModel

extension SyncEngine {
  /// Undoes a run, in a new run that can be undone, too.
  ///
  /// A one-way sync restores the side that it writes. The safeguards count the deletions of an undo as
  /// they count those of a sync. An item is not deleted if the other side does not hold it any more.
  ///
  /// - Parameters:
  ///   - earlier: The run.
  ///   - history: The history that contains the changes of the run.
  /// - Returns: The summary of the new run.
  /// - Throws: `UndoError` if the binding of the sync has changed, `AccessError` without full
  ///   access, or an error that makes a whole side unusable.
  public func undo(_ earlier: PastRun, _ history: any RunHistory) async throws -> RunSummary {
    guard earlier.binding == binding else {
      throw UndoError.otherPlaces(earlier.id)
    }
    guard tier == .full, case .full(let calendar) = try await tier.open(remote) else {
      throw AccessError.undoNeedsFull
    }
    return try await perform { try await $0.undo(earlier.id, history, with: calendar) }
  }
}

extension SyncRun {
  /// Undoes the changes of a run to items, and then to calendar properties.
  fileprivate mutating func undo(
    _ earlier: RunID, _ history: any RunHistory, with calendar: any RemoteCalendar
  ) async throws {
    doubtDeletions(since: try await ledger.checkpoint(of: binding), calendar)
    let entries = try await ledger.entries(of: binding)
    let planner = UndoPlanner(
      journal: try await history.journal(of: earlier), local: try await local.scan(),
      listing: try await calendar.list(), entries: entries,
      conflicts: try await ledger.conflicts(of: binding), sides: options.direction.written,
      normalForm: merge.normalForm)
    try await openIntents()
    let hrefs = planner.hrefsToFetch
    let fetched = hrefs.isEmpty ? [] : try await calendar.fetch(hrefs)
    try Task.checkCancellation()
    var plan = planner.plan(fetched: fetched)
    safeguards.attribute(to: .undo(earlier))
    plan.objection = safeguards.objection(to: plan.operations, known: entries.count)
    announce(plan)
    guard plan.objection == nil else { return }
    guard !options.isDryRun else {
      return try await undoProperties(of: earlier, history, with: calendar)
    }
    try await settleWhatIsKnown(plan)
    try await history.note(begin(), undoes: earlier)
    try await perform(plan.operations.filter(\.isChange), on: calendar)
    try await undoProperties(of: earlier, history, with: calendar)
    try await storeQuarantine(isCutShort: false)
  }
}

/// The reason why a run cannot be undone.
///
/// Programs word the values.
public enum UndoError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The run was between other places than the sync has now.
  case otherPlaces(RunID)

  /// The code and the values, for logs.
  public var description: String {
    switch self {
    case .otherPlaces(let run): String(code: "other-places", ["\(run.rawValue)"])
    }
  }
}
