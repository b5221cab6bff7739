// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// A run that changes a local calendar without a remote, such as an import.
///
/// As in a sync, the journal records each change before it is made, so that it can be undone.
/// Undoing an interrupted run compares its pending changes with the calendar.
public actor CalendarRun {
  /// The number of changes in the first batch when a run is undone.
  private static let batchSize = 500

  private let calendar: any LocalCalendar
  private let ledger: any Ledger
  private let normalForm: NormalForm
  private let now: @Sendable () -> Instant
  private var run: RunID?

  /// The number of the run; nil before its first change.
  package private(set) var id: RunID?
  private var summary = RunSummary()

  /// Creates a run, which begins with the first change.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - ledger: The ledger that records the changes.
  ///   - normalForm: The normal form for comparing items.
  ///   - now: The clock.
  public init(
    of calendar: any LocalCalendar, ledger: any Ledger, normalForm: NormalForm = NormalForm(),
    now: @escaping @Sendable () -> Instant
  ) {
    self.calendar = calendar
    self.ledger = ledger
    self.normalForm = normalForm
    self.now = now
  }

  private var binding: SyncBinding { .imports(into: calendar.location) }

  private func begin() async throws -> RunID {
    if let run { return run }
    let run = try await ledger.beginRun(of: binding, at: now())
    self.run = run
    id = run
    return run
  }

  /// Makes changes; records their intents first and their outcomes afterwards.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - entries: The items that are replaced or deleted.
  /// - Returns: The outcomes, in order.
  /// - Throws: An error of the ledger or of the calendar as a whole.
  public func apply(
    _ changes: [LocalChange], over entries: [LocalEntry]
  ) async throws -> [LocalOutcome] {
    guard !changes.isEmpty else { return [] }
    let known = Dictionary(entries.map { ($0.name, $0.item) }) { first, _ in first }
    return try await apply(changes, changes.compactMap { Self.intent($0, known) })
  }

  private func apply(
    _ changes: [LocalChange], _ intents: [Intent]
  ) async throws -> [LocalOutcome] {
    let run = try await begin()
    try await ledger.record(intents, in: run)
    let outcomes = try await calendar.apply(changes)
    var settlements: [Settlement] = []
    for (intent, outcome) in zip(intents, outcomes) {
      switch outcome {
      case .done:
        settlements.append(Settlement(uid: intent.uid, change: .forget))
        if intent.action == .deleteLocal {
          summary.deletedLocally += 1
        } else {
          summary.downloaded += 1
        }
      case .conditionFailed: settlements.append(Settlement(uid: intent.uid, change: .keep))
      // The change may have been made nevertheless.
      case .failed, .unavailable: summary.failed += 1
      }
    }
    try await ledger.settle(settlements, in: run)
    return outcomes
  }

  private static func intent(
    _ change: LocalChange, _ known: [String: CalendarItem]
  ) -> Intent? {
    let action: Intent.Action
    let (before, after): (CalendarItem?, CalendarItem?)
    switch change {
    case .create(let item): (action, before, after) = (.createLocal, nil, item)
    case .update(let name, _, let item):
      (action, before, after) = (.updateLocal, known[name], item)
    case .putBack(let name, _, let bytes):
      (action, before, after) =
        (.updateLocal, known[name], try? CalendarItem(parsing: bytes))
    case .delete(let name, _): (action, before, after) = (.deleteLocal, known[name], nil)
    }
    guard let uid = (after ?? before)?.uid else { return nil }
    return Intent(
      uid: uid, action: action, content: after?.serialized(), fingerprint: after?.fingerprint,
      before: before?.serialized(), href: nil, etag: nil)
  }

  /// Ends the run, if it has begun.
  public func end() async throws {
    guard let run else { return }
    try await ledger.endRun(run, summary: summary, at: now())
    self.run = nil
  }

  // MARK: Taking back

  /// Undoes a run of this calendar, in a new run that can be undone, too.
  ///
  /// - Parameters:
  ///   - earlier: The run.
  ///   - history: The history that contains the changes of the run.
  ///   - isDryRun: Whether to return only the plan.
  ///   - report: Called with every event, in order.
  /// - Returns: The summary of the new run.
  /// - Throws: An error of the ledger or of the calendar as a whole, or `CancellationError`.
  public func undo(
    _ earlier: PastRun, _ history: any RunHistory, isDryRun: Bool,
    report: @Sendable (SyncEvent) -> Void
  ) async throws -> RunSummary {
    let listing = try await calendar.scan().normalized(by: normalForm)
    if !isDryRun {
      let run = try await begin()
      try await history.note(run, undoes: earlier.id)
      try await close(ledger.pendingIntents(of: binding), by: listing, in: run)
    }
    let planner = UndoPlanner(
      journal: try await history.journal(of: earlier.id), local: listing, listing: [], entries: [],
      sides: [.local], normalForm: normalForm)
    let plan = planner.plan(fetched: [])
    report(.planned(plan))
    summary.failed = plan.operations.count(where: \.isFailure)
    guard !isDryRun else { return summary }
    do {
      try await perform(plan.operations.filter(\.isChange), report)
    } catch {
      // Rethrow the original error.
      try? await end()
      throw error
    }
    try await end()
    return summary
  }

  private func perform(
    _ operations: [PlannedOperation], _ report: (SyncEvent) -> Void
  ) async throws {
    let steps = operations.compactMap { operation in
      LocalStep(operation).map { (operation: operation, step: $0) }
    }
    var (rest, size) = (steps[...], Self.batchSize)
    while !rest.isEmpty {
      try Task.checkCancellation()
      let batch = rest.prefix(size)
      rest = rest.dropFirst(size)
      // Each batch rewrites a calendar in one file.
      if calendar.isHandledAsWhole { size *= 2 }
      let outcomes = try await apply(batch.map(\.step.change), batch.map(\.step.intent))
      for ((operation, _), outcome) in zip(batch, outcomes) {
        switch outcome {
        case .done: report(.done(operation))
        case .conditionFailed:
          summary.deferred += 1
          report(.deferred(operation))
        case .failed(let reason), .unavailable(let reason):
          report(.failed(operation, .reported(reason)))
        }
      }
    }
  }

  /// Determines the outcomes of interrupted changes from the contents of the calendar.
  private func close(
    _ intents: [Intent], by listing: LocalListing, in run: RunID
  ) async throws {
    guard !intents.isEmpty else { return }
    let held = Dictionary(listing.entries.map { ($0.item.uid, $0.item) }) { first, _ in first }
    let settlements = intents.map { intent in
      let item = held[intent.uid]
      let isDone =
        intent.action == .deleteLocal ? item == nil : item.map { intent.wrote($0) } ?? false
      return Settlement(uid: intent.uid, change: isDone ? .forget : .keep)
    }
    try await ledger.settle(settlements, in: run)
  }
}

extension SyncBinding {
  /// The kind of the remote identity in bindings without a remote.
  private static let importKind = "import"

  /// The binding of runs that import files into a calendar: the calendar alone.
  public static func imports(into location: String) -> SyncBinding {
    SyncBinding(
      name: "\(importKind):\(location)", local: location,
      remote: RemoteIdentity(kind: importKind, location: ""))
  }

  /// Whether the binding is that of an import.
  public var isImport: Bool { remote.kind == Self.importKind }

  /// The kind of the remote identity, and the name, of edits.
  private static let editKind = "edit"

  /// The binding of all edits: no calendar, because an edit may change several.
  public static let edits = SyncBinding(
    name: "\(editKind):", local: "", remote: RemoteIdentity(kind: editKind, location: ""))

  /// Whether the binding is that of edits.
  public var isEdit: Bool { remote.kind == Self.editKind }

  /// Whether the binding has no remote.
  package var isLocal: Bool { isImport || isEdit || calendarChange != nil }
}
