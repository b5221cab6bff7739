// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The fifth stage of a run: intent, change and outcome of each operation.
extension SyncRun {
  /// Carries out a plan.
  mutating func carryOut(_ plan: SyncPlan, with calendar: any RemoteCalendar) async throws {
    try await settleWhatIsKnown(plan)
    try await perform(plan.operations.filter(\.isChange), on: calendar)
  }

  /// Records everything that needs no request: agreements and new conflicts.
  mutating func settleWhatIsKnown(_ plan: SyncPlan) async throws {
    _ = try await begin()
    let waiting = try await ledger.conflicts(of: binding)
    let open = Set(try await ledger.pendingIntents(of: binding).map(\.uid))
    let settlements: [Settlement] = plan.operations.compactMap { operation in
      switch operation.action {
      case .record(let entry): Settlement(uid: operation.uid, change: .record(entry))
      case .forget: Settlement(uid: operation.uid, change: .forget)
      case .conflict(let conflict, let agreed):
        waiting.contains(conflict) && agreed == nil && !open.contains(conflict.uid)
          ? nil
          : Settlement(
            uid: operation.uid, change: agreed.map { .record($0) } ?? .keep, conflict: conflict)
      default: nil
      }
    }
    if !settlements.isEmpty { try await settle(settlements) }
  }

  /// Makes changes on both sides.
  mutating func perform(
    _ operations: [PlannedOperation], on calendar: any RemoteCalendar
  ) async throws {
    // Additions precede deletions, so that an interruption leaves duplicates instead of losses.
    for part in [operations.filter { !$0.isDeletion }, operations.filter(\.isDeletion)] {
      let uploads = try await changeLocally(part.filter(\.isLocal))
      try await send(part.filter { !$0.isLocal } + uploads, to: calendar)
      // The other side is complete, but nothing is deleted while one side is unavailable.
      if let unavailable = results.unavailable { throw unavailable }
    }
  }

  // MARK: The local calendar

  /// Changes the local calendar in batches.
  ///
  /// Each batch rewrites a calendar in one file. The first batch is therefore as large as the file,
  /// and each further one is larger, so that the total work is almost linear.
  ///
  /// - Parameter operations: The changes.
  /// - Returns: The uploads of merged items.
  /// - Throws: An error of the ledger or of the calendar as a whole, or `CancellationError`.
  private mutating func changeLocally(
    _ operations: [PlannedOperation]
  ) async throws -> [PlannedOperation] {
    let id = try await begin()
    var uploads: [PlannedOperation] = []
    var rest = operations[...]
    var size = max(options.batchSize, work.wholeCount)
    while !rest.isEmpty {
      try Task.checkCancellation()
      let batch = rest.prefix(size)
        .compactMap { operation in
          LocalStep(operation, at: work.items.places[operation.uid]?.href).map { (operation, $0) }
        }
      rest = rest.dropFirst(size)
      if local.isHandledAsWhole { size *= 2 }
      try await ledger.record(batch.map(\.1.intent), in: id)
      let outcomes = try await local.apply(batch.map(\.1.change))
      let settlements: [Settlement] = zip(batch, outcomes).compactMap { step, outcome in
        switch outcome {
        case .done(let name, _): settlement(of: step.1, step.0, name)
        case .conditionFailed: withdrawal(of: step.0, step.1.intent)
        // The change may have been made nevertheless: the next run checks the intent.
        case .failed, .unavailable: nil
        }
      }
      try await settle(settlements)
      for ((operation, step), outcome) in zip(batch, outcomes) {
        count(outcome, of: operation, isDeletion: step.intent.action == .deleteLocal)
        if let upload = step.upload(operation, outcome) { uploads.append(upload) }
      }
      if results.unavailable != nil { break }
    }
    return uploads
  }

  /// The settlement of a change that was made under a name.
  private mutating func settlement(
    of step: LocalStep, _ operation: PlannedOperation, _ name: String
  ) -> Settlement {
    results.write(operation.uid, as: name)
    return step.settlement(operation, name)
  }

  /// Counts and reports the outcome of a local change.
  private mutating func count(
    _ outcome: LocalOutcome, of operation: PlannedOperation, isDeletion: Bool
  ) {
    switch outcome {
    case .done:
      results.countLocalChange(isDeletion: isDeletion)
      report(.done(operation))
    case .conditionFailed: postpone(operation)
    case .failed(let reason):
      quarantine.fail(operation, .reported(reason))
      results.countFailure()
      report(.failed(operation, .reported(reason)))
    case .unavailable(let reason): results.note(unavailable: reason)
    }
  }

  // MARK: Outcomes

  /// Records outcomes in the ledger and in the state of the run.
  ///
  /// A one-way sync has no conflicts: the next run decides for its source, even after an undo.
  mutating func settle(_ settlements: [Settlement]) async throws {
    let id = try await begin()
    let settlements =
      options.direction == .both
      ? settlements : settlements.map { Settlement(uid: $0.uid, change: $0.change) }
    try await ledger.settle(settlements, in: id)
    results.remember(settlements)
  }

  /// The settlement of a change that was not made.
  ///
  /// - Parameters:
  ///   - operation: The change.
  ///   - intent: Its intent.
  ///   - isRefused: Whether the remote rejected it. The rejected addition of an item that the
  ///     remote does not list shows that no earlier addition succeeded.
  /// - Returns: The settlement; nil if an earlier run was about to make the same change. That run
  ///   may have made it, which is why it cannot be made now.
  func withdrawal(
    of operation: PlannedOperation, _ intent: Intent, isRefused: Bool = false
  ) -> Settlement? {
    if isRefused, intent.action == .createRemote {
      return Settlement(uid: operation.uid, change: .keep, conflict: operation.kept)
    }
    let earlier = results.undecided[operation.uid] ?? []
    if earlier.contains(where: intent.isSameWrite) { return nil }
    return Settlement(
      uid: operation.uid, change: earlier.isEmpty ? .keep : .withdraw,
      conflict: operation.kept)
  }

  /// Leaves an item that changed in the meantime to the next run.
  mutating func postpone(_ operation: PlannedOperation) {
    results.countDeferral()
    report(.deferred(operation))
  }

  /// Records that the remote rejected an item.
  mutating func refuse(_ operation: PlannedOperation, _ obstacle: ItemObstacle) {
    quarantine.fail(operation, obstacle, isRefused: true)
    results.countFailure()
    report(.failed(operation, obstacle))
  }
}
