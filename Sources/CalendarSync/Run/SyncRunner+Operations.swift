// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The operations of a run: intent, request and outcome.
extension SyncRunner {
  /// Makes changes of the remote in batches.
  ///
  /// The intents of a batch are stored before the first request, and the outcomes after the last.
  /// If a run is interrupted in between, the next run uses the intents to find out which requests
  /// succeeded.
  ///
  /// - Parameters:
  ///   - operations: The changes.
  ///   - calendar: The remote.
  ///   - run: The run.
  ///   - summary: The summary that counts the outcomes.
  /// - Throws: An error of the ledger or of the remote as a whole, or `CancellationError`.
  func send(
    _ operations: [PlannedOperation], to calendar: any RemoteCalendar, in run: RunID,
    _ summary: inout RunSummary
  ) async throws {
    for start in stride(from: 0, to: operations.count, by: options.requestBatchSize) {
      try Task.checkCancellation()
      let end = min(start + options.requestBatchSize, operations.count)
      var batch: [(PlannedOperation, RemoteStep)] = []
      for operation in operations[start..<end] {
        if let step = try await prepare(operation, for: calendar, &summary) {
          batch.append((operation, step))
        }
      }
      try await ledger.record(batch.map(\.1.intent), in: run)
      // If the preparation fails, each item is requested and reported on its own.
      try? await calendar.prepare(toChange: batch.compactMap(\.1.intent.href))
      var settlements: [Settlement] = []
      do {
        for (operation, step) in batch {
          try Task.checkCancellation()
          let settlement = try await perform(operation, step, on: calendar, in: run, &summary)
          if let settlement { settlements.append(settlement) }
        }
      } catch {
        // Rethrow the original error.
        if !settlements.isEmpty { try? await settle(settlements, in: run) }
        throw error
      }
      if !settlements.isEmpty {
        settlements = await read(settlements, after: batch.map(\.1), from: calendar)
        try await settle(settlements, in: run)
      }
    }
  }

  /// Prepares the step of an operation; nil if that fails or there is nothing to send.
  private func prepare(
    _ operation: PlannedOperation, for calendar: any RemoteCalendar, _ summary: inout RunSummary
  ) async throws -> RemoteStep? {
    do {
      return try await RemoteStep(operation, for: calendar)
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as UnavailableSide {
      throw error
    } catch {
      try fail(operation, error, &summary)
      return nil
    }
  }

  /// Sends one request; nil if its outcome is unknown.
  private func perform(
    _ operation: PlannedOperation, _ step: RemoteStep, on calendar: any RemoteCalendar,
    in run: RunID, _ summary: inout RunSummary
  ) async throws -> Settlement? {
    let outcome = try await attempt(operation, &summary) { try await step.send(to: calendar) }
    switch outcome {
    case nil: return nil
    case .written(let href, let etag)?:
      summary.uploaded += 1
      if step.intent.action == .createRemote { added.append(href) }
      report(.done(operation))
      return step.settlement(href, etag)
    case .deleted?:
      summary.deletedRemotely += 1
      report(.done(operation))
      return Settlement(uid: operation.uid, change: .forget)
    case .conditionFailed?:
      summary.deferred += 1
      report(.deferred(operation))
    case .alreadyPresent(let href)?:
      found.append(RemoteEntry(href: href, etag: nil))
      summary.deferred += 1
      report(.deferred(operation))
    case .heldElsewhere(let href, let reason)?:
      if case .createRemote(let entry) = operation.action,
        let origin = options.origins[operation.uid],
        origin.entry.href.comparisonKey == href.comparisonKey
      {
        return try await move(
          operation, entry, from: origin, insteadOf: reason, on: calendar, in: run, &summary)
      }
      refuse(operation, reason, &summary)
    case .refused(let reason)?: refuse(operation, reason, &summary)
    }
    return withdrawal(of: operation, step.intent, isRefused: outcome?.isRefusal ?? false)
  }

  /// Records that the remote rejected an item.
  func refuse(_ operation: PlannedOperation, _ reason: String, _ summary: inout RunSummary) {
    quarantine.fail(operation, reason, isRefused: true)
    summary.failed += 1
    report(.failed(operation, reason: reason))
  }

  /// Changes the local calendar in batches, because a calendar in one file is rewritten as a whole.
  ///
  /// - Parameters:
  ///   - operations: The changes.
  ///   - run: The run.
  ///   - summary: The summary that counts the outcomes.
  /// - Returns: The uploads of merged items.
  /// - Throws: An error of the ledger or of the calendar as a whole, or `CancellationError`.
  func change(
    _ operations: [PlannedOperation], in run: RunID, _ summary: inout RunSummary
  ) async throws -> [PlannedOperation] {
    var uploads: [PlannedOperation] = []
    for start in stride(from: 0, to: operations.count, by: options.batchSize) {
      try Task.checkCancellation()
      let batch = operations[start..<min(start + options.batchSize, operations.count)]
        .compactMap { operation in LocalStep(operation).map { (operation, $0) } }
      try await ledger.record(batch.map(\.1.intent), in: run)
      let outcomes = try await local.apply(batch.map(\.1.change))
      let settlements: [Settlement] = zip(batch, outcomes).compactMap { step, outcome in
        switch outcome {
        case .done(let name, _):
          step.1.settlement(step.0, name)
        case .conditionFailed: withdrawal(of: step.0, step.1.intent)
        // The change may have been made nevertheless: the next run checks the intent.
        case .failed, .unavailable: nil
        }
      }
      try await settle(settlements, in: run)
      for ((operation, step), outcome) in zip(batch, outcomes) {
        tell(operation, outcome, isDeletion: step.intent.action == .deleteLocal, &summary)
        if let upload = step.upload(operation, outcome) { uploads.append(upload) }
      }
      if unavailable != nil { break }
    }
    return uploads
  }

  private func tell(
    _ operation: PlannedOperation, _ outcome: LocalOutcome, isDeletion: Bool,
    _ summary: inout RunSummary
  ) {
    switch outcome {
    case .done:
      if isDeletion { summary.deletedLocally += 1 } else { summary.downloaded += 1 }
      report(.done(operation))
    case .conditionFailed:
      summary.deferred += 1
      report(.deferred(operation))
    case .failed(let reason):
      quarantine.fail(operation, reason)
      summary.failed += 1
      report(.failed(operation, reason: reason))
    case .unavailable(let reason):
      if unavailable == nil { unavailable = UnavailableSide(reason: reason) }
    }
  }

  /// Adds an event to a remote without read access.
  ///
  /// If the place is taken, it holds the content of an earlier, interrupted addition. The event may
  /// have changed since then.
  func append(
    _ operation: PlannedOperation, to appender: any RemoteAppender, after earlier: [Intent],
    in run: RunID, _ summary: inout RunSummary
  ) async throws {
    guard case .append(let item) = operation.action else { return }
    try await ledger.record(
      [
        Intent(
          uid: item.uid, action: .append, content: item.serialized(),
          fingerprint: item.fingerprint, before: nil, href: nil, etag: nil)
      ], in: run)
    let outcome = try await attempt(operation, &summary) { try await appender.append(item) }
    guard let outcome else { return }
    let record: AppendRecord
    // Without an earlier intent, no recorded run added the event.
    var isAdded = true
    switch outcome {
    case .added(let href, let etag):
      record = AppendRecord(uid: item.uid, href: href, etag: etag, fingerprint: item.fingerprint)
    case .alreadyPresent(let href):
      record = AppendRecord(
        uid: item.uid, href: href, etag: nil,
        fingerprint: earlier.compactMap(\.fingerprint).first ?? item.fingerprint)
      isAdded = !earlier.isEmpty
    case .refused(let reason): return try await giveUp(operation, reason, in: run, &summary)
    }
    try await settle(operation, .appended(record), in: run)
    if isAdded { summary.appended += 1 }
  }

  /// Sends a request; nil if it failed, and the next run checks its intent.
  func attempt<Outcome>(
    _ operation: PlannedOperation, _ summary: inout RunSummary,
    _ request: () async throws -> Outcome
  ) async throws -> Outcome? {
    do {
      let outcome = try await request()
      failuresInARow = 0
      return outcome
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as UnavailableSide {
      throw error
    } catch {
      try fail(operation, error, &summary)
      return nil
    }
  }

  /// Reports a failed request; too many consecutive failures end the run.
  private func fail(
    _ operation: PlannedOperation, _ error: any Error, _ summary: inout RunSummary
  ) throws {
    // Repeated failures of an item do not count, because a few bad items would stop all others.
    if !quarantine.knows(operation.uid) { failuresInARow += 1 }
    quarantine.fail(operation, "\(error)")
    summary.failed += 1
    report(.failed(operation, reason: "\(error)"))
    if failuresInARow >= options.failuresInARow { throw error }
  }

  private func settle(
    _ operation: PlannedOperation, _ change: Settlement.Change, in run: RunID
  ) async throws {
    try await settle([Settlement(uid: operation.uid, change: change)], in: run)
    report(.done(operation))
  }

  private func giveUp(
    _ operation: PlannedOperation, _ reason: String, in run: RunID, _ summary: inout RunSummary
  ) async throws {
    try await settle([Settlement(uid: operation.uid, change: .keep)], in: run)
    refuse(operation, reason, &summary)
  }
}
