// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Each operation: the intent, the request, the outcome.
extension SyncRunner {
  func perform(
    _ operation: PlannedOperation, on calendar: any RemoteCalendar, in run: RunID,
    _ summary: inout RunSummary
  ) async throws {
    switch operation.action {
    case .createRemote(let entry):
      try await write(
        operation, entry, .createRemote, href: nil, etag: nil, on: calendar, in: run, &summary
      ) { item in
        try await calendar.create(item)
      }
    case .updateRemote(let entry, let href, let etag):
      try await write(
        operation, entry, .updateRemote, href: href, etag: etag, on: calendar, in: run, &summary
      ) { item in
        try await calendar.update(href, to: item, ifMatch: etag)
      }
    case .deleteRemote(let href, let etag):
      try await delete(operation, href, etag, on: calendar, in: run, &summary)
    default: return
    }
  }

  /// Adds or replaces an item on the remote.
  private func write(
    _ operation: PlannedOperation, _ entry: LocalEntry, _ action: Intent.Action, href: Href?,
    etag: EntityTag?, on calendar: any RemoteCalendar, in run: RunID,
    _ summary: inout RunSummary, _ request: (CalendarItem) async throws -> WriteOutcome
  ) async throws {
    let item = entry.item
    let outgoing = try await attempt(operation, &summary) {
      try await calendar.outgoing(item, replacing: href)
    }
    guard let sent = outgoing else { return }
    try await ledger.record(
      [
        Intent(
          uid: operation.uid, action: action, content: sent.serialized(),
          fingerprint: sent.fingerprint, before: nil, href: href, etag: etag)
      ], in: run)
    let answer = try await attempt(operation, &summary) { try await request(sent) }
    guard let outcome = answer else { return }
    switch outcome {
    case .written(let href, let etag):
      let agreed = LedgerEntry(
        uid: operation.uid, localName: entry.name, localBase: item.fingerprint, href: href,
        etag: etag, remoteBase: sent.fingerprint, base: item.serialized(),
        remoteContent: sent.fingerprint == item.fingerprint ? nil : sent.serialized(),
        isUnseen: true)
      try await settle(operation, .record(agreed), in: run)
      summary.uploaded += 1
    case .conditionFailed: try await postpone(operation, in: run, &summary)
    case .alreadyPresent(let href):
      found.append(RemoteEntry(href: href, etag: nil))
      try await postpone(operation, in: run, &summary)
    case .refused(let reason): try await giveUp(operation, reason, in: run, &summary)
    }
  }

  private func delete(
    _ operation: PlannedOperation, _ href: Href, _ etag: EntityTag, on calendar: any RemoteCalendar,
    in run: RunID, _ summary: inout RunSummary
  ) async throws {
    try await ledger.record(
      [
        Intent(
          uid: operation.uid, action: .deleteRemote, content: nil, fingerprint: nil, before: nil,
          href: href, etag: etag)
      ], in: run)
    let outcome = try await attempt(operation, &summary) {
      try await calendar.delete(href, ifMatch: etag)
    }
    switch outcome {
    case nil: return
    case .deleted?:
      try await settle(operation, .forget, in: run)
      summary.deletedRemotely += 1
    case .conditionFailed?: try await postpone(operation, in: run, &summary)
    case .refused(let reason)?: try await giveUp(operation, reason, in: run, &summary)
    }
  }

  /// Changes the local calendar, several items at a time: a calendar in one file is written whole.
  ///
  /// - Parameters:
  ///   - operations: The changes.
  ///   - run: The run that they belong to.
  ///   - summary: Where they are counted.
  /// - Returns: What is to be sent of items that were merged.
  /// - Throws: What the ledger or the calendar as a whole cannot do, or `CancellationError`.
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
      let settlements = zip(batch, outcomes).map { step, outcome in
        guard case .done(let name, _) = outcome else {
          return Settlement(uid: step.0.uid, change: .keep)
        }
        return Settlement(uid: step.0.uid, change: step.1.settlement(name))
      }
      try await settle(settlements, in: run)
      for ((operation, step), outcome) in zip(batch, outcomes) {
        tell(operation, outcome, isDeletion: step.intent.action == .deleteLocal, &summary)
        if let upload = step.upload(operation, outcome) { uploads.append(upload) }
      }
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
      summary.failed += 1
      report(.failed(operation, reason: reason))
    }
  }

  /// Adds an event to a remote that may not be read.
  ///
  /// If its place is taken, what is there is what an earlier add sent that was cut off; the event may
  /// have changed since.
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
    switch outcome {
    case .added(let href, let etag):
      record = AppendRecord(uid: item.uid, href: href, etag: etag, fingerprint: item.fingerprint)
    case .alreadyPresent(let href):
      record = AppendRecord(
        uid: item.uid, href: href, etag: nil,
        fingerprint: earlier.compactMap(\.fingerprint).first ?? item.fingerprint)
    case .refused(let reason): return try await giveUp(operation, reason, in: run, &summary)
    }
    try await settle(operation, .appended(record), in: run)
    summary.appended += 1
  }

  /// Sends a request; nil if it failed, with the intent left for the next run to look into.
  private func attempt<Outcome>(
    _ operation: PlannedOperation, _ summary: inout RunSummary,
    _ request: () async throws -> Outcome
  ) async throws -> Outcome? {
    do {
      let outcome = try await request()
      failuresInARow = 0
      return outcome
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      failuresInARow += 1
      summary.failed += 1
      report(.failed(operation, reason: "\(error)"))
      if failuresInARow >= options.failuresInARow { throw error }
      return nil
    }
  }

  private func settle(
    _ operation: PlannedOperation, _ change: Settlement.Change, in run: RunID
  ) async throws {
    try await settle([Settlement(uid: operation.uid, change: change)], in: run)
    report(.done(operation))
  }

  private func postpone(
    _ operation: PlannedOperation, in run: RunID, _ summary: inout RunSummary
  ) async throws {
    summary.deferred += 1
    try await settle([Settlement(uid: operation.uid, change: .keep)], in: run)
    report(.deferred(operation))
  }

  private func giveUp(
    _ operation: PlannedOperation, _ reason: String, in run: RunID, _ summary: inout RunSummary
  ) async throws {
    try await settle([Settlement(uid: operation.uid, change: .keep)], in: run)
    summary.failed += 1
    report(.failed(operation, reason: reason))
  }
}
