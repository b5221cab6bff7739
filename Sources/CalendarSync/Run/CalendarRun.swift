// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// A run that changes a local calendar and has no remote, such as an import.
///
/// Each change is in the journal before it is made, as in a sync, so that it can be taken back. What a run
/// that was cut off left open is looked up in the calendar when it is taken back.
public actor CalendarRun {
  /// How many changes are made at a time when a run is taken back.
  private static let batchSize = 500

  private let calendar: any LocalCalendar
  private let ledger: any Ledger
  private let normalForm: NormalForm
  private let now: @Sendable () -> Instant
  private var run: RunID?
  private var summary = RunSummary()

  /// Creates a run, which begins with the first change.
  ///
  /// - Parameters:
  ///   - calendar: The calendar.
  ///   - ledger: Where the changes are written down.
  ///   - normalForm: The form in which items are compared.
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
    return run
  }

  /// Makes changes, with their intents written down before and their outcomes after.
  ///
  /// - Parameters:
  ///   - changes: The changes.
  ///   - entries: The items that are replaced or deleted.
  /// - Returns: What became of each, in order.
  /// - Throws: What the ledger or the calendar as a whole cannot do.
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
      // It may have been done all the same.
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

  /// Ends the run, if it began.
  public func end() async throws {
    guard let run else { return }
    try await ledger.endRun(run, summary: summary, at: now())
    self.run = nil
  }

  // MARK: Taking back

  /// Takes back a run of this calendar, as a run of its own that can be taken back in the same way.
  ///
  /// - Parameters:
  ///   - earlier: The run.
  ///   - history: What the run did.
  ///   - isDryRun: Whether only the plan is wanted.
  ///   - report: Called with everything that happens, in order.
  /// - Returns: What was done.
  /// - Throws: What the ledger or the calendar as a whole cannot do, or `CancellationError`.
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
      // What went wrong first is what has to be told.
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
    for start in stride(from: 0, to: steps.count, by: Self.batchSize) {
      try Task.checkCancellation()
      let batch = steps[start..<min(start + Self.batchSize, steps.count)]
      let outcomes = try await apply(batch.map(\.step.change), batch.map(\.step.intent))
      for ((operation, _), outcome) in zip(batch, outcomes) {
        switch outcome {
        case .done: report(.done(operation))
        case .conditionFailed:
          summary.deferred += 1
          report(.deferred(operation))
        case .failed(let reason), .unavailable(let reason):
          report(.failed(operation, reason: reason))
        }
      }
    }
  }

  /// Finds out what became of the changes of runs that were cut off, by what the calendar holds.
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
  /// The kind of what stands for a remote where there is none.
  private static let importKind = "import"

  /// What runs are bound to that bring files into a calendar: the calendar alone.
  public static func imports(into location: String) -> SyncBinding {
    SyncBinding(
      name: "\(importKind):\(location)", local: location,
      remote: RemoteIdentity(kind: importKind, location: ""))
  }

  /// Whether it is that of an import.
  public var isImport: Bool { remote.kind == Self.importKind }
}
