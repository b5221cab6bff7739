// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import ICalSyntax

/// The changes of the remote.
extension SyncRun {
  /// Makes changes of the remote in batches.
  ///
  /// The intents of a batch are stored before the first request, and the outcomes after the last.
  /// In between, as many requests are in flight as the remote takes at once.
  /// If a run is interrupted in between, the next run uses the intents to find out which requests
  /// succeeded.
  ///
  /// - Throws: An error of the ledger or of the remote as a whole, or `CancellationError`.
  mutating func send(
    _ operations: [PlannedOperation], to calendar: any RemoteCalendar
  ) async throws {
    guard !operations.isEmpty else { return }
    await survey.confirmListing()
    var operations = operations
    if operations.contains(where: \.isRemoteAddition),
      try await !survey.expectWholeListing(of: calendar)
    {
      for operation in operations where operation.isRemoteAddition { postpone(operation) }
      operations.removeAll(where: \.isRemoteAddition)
    }
    let id = try await begin()
    for start in stride(from: 0, to: operations.count, by: options.requestBatchSize) {
      try Task.checkCancellation()
      let end = min(start + options.requestBatchSize, operations.count)
      var batch: [Write] = []
      for operation in operations[start..<end] {
        let step = try await attempt(operation) { try await RemoteStep(operation, for: calendar) }
        if case let step?? = step { batch.append(Write(operation, step)) }
      }
      try await ledger.record(batch.map(\.step.intent), in: id)
      // If the preparation fails, each item is requested and reported on its own.
      try? await calendar.prepare(toChange: batch.compactMap(\.held))
      try await send(batch, to: calendar)
    }
  }

  /// Sends the requests of a batch, several at once, and records their outcomes.
  private mutating func send(
    _ batch: [Write], to calendar: any RemoteCalendar
  ) async throws {
    var settlements: [Settlement] = []
    var rest = batch[...]
    var isStopping = false
    let writes = OrderedTasks<Write, Result<WriteOutcome, any Error>>(
      limit: calendar.requestsAtOnce, ending: .complete
    ) { write in await write.step.result(from: calendar) }
    do {
      try await writes.run({ rest.popFirst() }) { write, result in
        // A move is a further request.
        if isStopping, case .success(.heldElsewhere) = result { return }
        do {
          if let settlement = try await conclude(write, result, on: calendar) {
            settlements.append(settlement)
          }
        } catch {
          isStopping = true
          throw error
        }
      }
    } catch {
      // Rethrow the original error.
      if !settlements.isEmpty { try? await settle(settlements) }
      throw error
    }
    guard !settlements.isEmpty else { return }
    settlements = await readBack(settlements, after: batch.map(\.step), from: calendar)
    try await settle(settlements)
  }

  /// Counts and reports the result of a request; returns nil if its outcome is unknown.
  private mutating func conclude(
    _ write: Write, _ result: Result<WriteOutcome, any Error>, on calendar: any RemoteCalendar
  ) async throws -> Settlement? {
    let (operation, step) = (write.operation, write.step)
    if let href = step.intent.href { results.touch(operation.uid, at: href) }
    let outcome = try await request(operation) { try result.get() }
    switch outcome {
    case nil: return nil
    case .written(let href, let etag)?:
      results.send(
        operation.uid, to: href, isAddition: step.intent.action == .createRemote)
      report(.done(operation))
      return step.settlement(href, etag)
    case .deleted?:
      results.deleteRemotely(at: step.intent.href)
      report(.done(operation))
      return Settlement(uid: operation.uid, change: .forget)
    case .conditionFailed?: postpone(operation)
    case .alreadyPresent(let href)?:
      results.note(taken: RemoteEntry(href: href, etag: nil))
      postpone(operation)
    case .heldElsewhere(let href, let reason)?:
      if case .createRemote(let entry) = operation.action,
        let origin = options.moves.origins[operation.uid],
        origin.entry.href.comparisonKey == href.comparisonKey
      {
        return try await move(
          operation, entry, from: origin, insteadOf: reason, on: calendar)
      }
      refuse(operation, .reported(reason))
    case .refused(let reason)?: refuse(operation, .reported(reason))
    }
    return withdrawal(of: operation, step.intent, isRefused: outcome?.isRefusal ?? false)
  }

  /// Sends a request; nil if it failed, and the next run checks its intent.
  mutating func request<Outcome>(
    _ operation: PlannedOperation, _ body: () async throws -> Outcome
  ) async throws -> Outcome? {
    let outcome = try await attempt(operation, body)
    if outcome != nil { results.noteAnswer() }
    return outcome
  }

  /// Performs a step of an operation; nil if it failed.
  ///
  /// - Throws: `CancellationError`, `UnavailableSide`, or the last of too many consecutive
  ///   failures.
  private mutating func attempt<Outcome>(
    _ operation: PlannedOperation, _ body: () async throws -> Outcome
  ) async throws -> Outcome? {
    do {
      return try await body()
    } catch is CancellationError {
      throw CancellationError()
    } catch let error as UnavailableSide {
      throw error
    } catch {
      results.noteFailedRequest(isRepeated: quarantine.knows(operation.uid))
      let obstacle = ItemObstacle.reported("\(error)")
      quarantine.fail(operation, obstacle)
      report(.failed(operation, obstacle))
      if results.failuresInARow >= options.failuresInARow { throw error }
      return nil
    }
  }

  // MARK: Verification

  /// Reads written items back if it is unknown what the remote stored of them.
  ///
  /// A server that returns no ETag has altered the content (RFC 4791 §5.3.4), and some servers drop
  /// or cut parts and return an ETag all the same. Therefore each kind of part is read back until
  /// the run has found the remote to store it. The result counts only if it is the sent content or
  /// an alteration of it. Otherwise it may be an edit of another program, which the next run merges.
  ///
  /// - Parameters:
  ///   - settlements: The settlements of the writes.
  ///   - steps: The writes.
  ///   - calendar: The remote.
  /// - Returns: The settlements, updated with the results.
  private mutating func readBack(
    _ settlements: [Settlement], after steps: [RemoteStep], from calendar: any RemoteCalendar
  ) async -> [Settlement] {
    let kinds = Dictionary(steps.map { ($0.intent.uid, $0.kinds) }) { $0.union($1) }
    var wanted: [Href: LedgerEntry] = [:]
    for case .record(let entry) in settlements.map(\.change) where entry.isUnseen {
      if entry.etag == nil || !results.stored.isSuperset(of: kinds[entry.uid] ?? []) {
        wanted[entry.href] = entry
      }
    }
    guard !wanted.isEmpty else { return settlements }
    let hrefs = wanted.keys.sorted { $0.rawValue < $1.rawValue }
    let fetched = (try? await calendar.fetch(hrefs)) ?? []
    var found: [UID: LedgerEntry] = [:]
    for case .item(let href, let tag?, let item) in fetched {
      let item = item.normalized(by: merge.normalForm)
      guard let entry = wanted[href], entry.uid == item.uid else { continue }
      let result = entry.read(item, tag, merge.normalForm)
      guard result != nil || item.fingerprint == entry.remoteBase else { continue }
      let losses = result?.losses ?? []
      if losses.isEmpty { results.note(stored: kinds[entry.uid] ?? []) }
      found[entry.uid] = result?.entry ?? entry
      report(losses)
    }
    let unread = Set(wanted.values.map(\.uid)).subtracting(found.keys)
    return settlements.map { settlement in
      guard case .record(var entry) = settlement.change else { return settlement }
      entry = found[settlement.uid] ?? entry
      // Without its tag, the item is read by the next run, and what it lacks counts as lost there.
      if unread.contains(settlement.uid) { entry.etag = nil }
      return Settlement(
        uid: settlement.uid, change: .record(entry), conflict: settlement.conflict)
    }
  }
}

/// A planned change of the remote, and the request for it.
private struct Write: Sendable {
  let operation: PlannedOperation
  let step: RemoteStep

  init(_ operation: PlannedOperation, _ step: RemoteStep) {
    self.operation = operation
    self.step = step
  }

  /// The item of the remote at the place of the write; nil for an addition.
  var held: HeldItem? {
    guard let href = step.intent.href else { return nil }
    return HeldItem(
      href: href, etag: step.intent.etag, item: operation.replaced, content: operation.held)
  }
}

extension RemoteStep {
  /// Sends the request, and returns its outcome or error.
  fileprivate func result(
    from calendar: any RemoteCalendar
  ) async -> Result<WriteOutcome, any Error> {
    do { return .success(try await send(to: calendar)) } catch { return .failure(error) }
  }
}
