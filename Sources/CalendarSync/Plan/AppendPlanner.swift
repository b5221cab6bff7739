// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// Creates the plan of a write-only sync, which can only add events.
///
/// The planner cannot read the remote. It uses the records of earlier additions, and the ledger
/// entries from a time when the sync had full access.
public struct AppendPlanner: Sendable {
  private let local: LocalListing
  private let records: [UID: AppendRecord]
  private let entries: [UID: LedgerEntry]
  private let intents: Set<UID>

  /// Creates a planner.
  public init(
    local: LocalListing, records: [AppendRecord], entries: [LedgerEntry] = [], intents: [Intent],
    normalForm: NormalForm = NormalForm()
  ) {
    self.local = local.normalized(by: normalForm)
    self.entries = Dictionary(entries.map { ($0.uid, $0) }) { first, _ in first }
    self.records = Dictionary(records.map { ($0.uid, $0) }) { first, _ in first }
    self.intents = Set(intents.filter { $0.action == .append }.map(\.uid))
  }

  /// The plan, which contains only appends and reports.
  public var plan: SyncPlan {
    var operations = local.entries.compactMap { operation(for: $0.item) }
    operations += local.unreadable.map {
      PlannedOperation(
        uid: UID($0.name), title: $0.name, action: .skip,
        reason: "the local file is left alone: \($0.reason)", isFailure: true)
    }
    let present = Set(local.entries.map(\.item.uid))
    operations += records.values.filter { !present.contains($0.uid) }.map {
      PlannedOperation(
        uid: $0.uid, title: $0.uid.rawValue, action: .skip,
        reason: "added earlier and deleted here since; deleting it there needs full access")
    }
    operations += intents.subtracting(present).subtracting(records.keys).map {
      PlannedOperation(
        uid: $0, title: $0.rawValue, action: .skip,
        reason:
          "an add was cut off, and it was deleted here since; whether it is there is not known")
    }
    return SyncPlan(operations: operations.sorted { ($0.uid, $0.verb) < ($1.uid, $1.verb) })
  }

  private func operation(for item: CalendarItem) -> PlannedOperation? {
    func plan(_ action: PlannedOperation.Action, _ reason: String) -> PlannedOperation {
      PlannedOperation(uid: item.uid, title: item.title, action: action, reason: reason)
    }
    guard item.kind == .event else {
      let what = item.kind == .reminder ? "reminders need" : "only events can be added; this needs"
      return plan(.skip, "\(what) full access")
    }
    guard let known = records[item.uid]?.fingerprint ?? entries[item.uid]?.localBase else {
      return plan(
        .append(item), intents.contains(item.uid) ? "the last add was cut off" : "new here")
    }
    // For additions of an older version only an outdated fingerprint is known, which is not
    // comparable.
    guard known.isCurrent, known != item.fingerprint else { return nil }
    return plan(.skip, "added earlier and changed here since; changing it there needs full access")
  }
}
