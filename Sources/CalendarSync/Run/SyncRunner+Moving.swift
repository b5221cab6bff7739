// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// An item that came from the calendar of another sync, on a server that has each UID once in an account.
///
/// It cannot be added here before it is deleted there. So the server is asked to move what it has, which
/// overwrites nothing; what was edited along with the move, here or there, is merged by the next run.
extension SyncRunner {
  /// Moves an item that could not be added.
  ///
  /// - Parameters:
  ///   - operation: The addition.
  ///   - entry: What the local side holds.
  ///   - origin: What the sync of the other calendar knows of it.
  ///   - reason: Why the server did not take the addition.
  ///   - calendar: The remote.
  ///   - run: The run.
  ///   - summary: Where it is counted.
  /// - Returns: What is still to be written down; nil if it is not known what became of it, or if all is.
  /// - Throws: What the ledger or the remote as a whole cannot do, or `CancellationError`.
  func move(
    _ operation: PlannedOperation, _ entry: LocalEntry, from origin: MoveOrigin,
    insteadOf reason: String, on calendar: any RemoteCalendar, in run: RunID,
    _ summary: inout RunSummary
  ) async throws -> Settlement? {
    let source = RemoteEntry(href: origin.entry.href, etag: origin.entry.etag)
    let given = Settlement(uid: operation.uid, change: .keep)
    // The addition came to nothing; what is about to be done now is something else.
    try await ledger.settle([given], in: run)
    try await ledger.record([origin.intent], in: run)
    let outcome = try await attempt(operation, &summary) {
      try await calendar.move(entry.item, from: source)
    }
    switch outcome {
    case nil: return nil
    case .moved(let href, let etag)?:
      summary.uploaded += 1
      added.append(href)
      let arrived = origin.arriving(as: entry.name, href, etag)
      try await settle(
        Settlement(uid: operation.uid, change: .record(arrived)), in: run, leaving: origin)
      report(.done(operation))
      return nil
    case .conditionFailed?:
      summary.deferred += 1
      report(.deferred(operation))
    case .refused(let objection)?:
      refuse(operation, "\(reason); moving it from there: \(objection)", &summary)
    }
    return given
  }

  /// Writes down that an item is here, and no more where it was moved from, as a run of that sync.
  ///
  /// It is at once and together that one sync takes it from the other. Cut off in between, and with the
  /// file put back to where it was, both would else know of an item that is gone on one side, and delete
  /// it; or neither would, and what is on the server would seem to be new there, and be in the way of it.
  private func settle(
    _ arrival: Settlement, in run: RunID, leaving origin: MoveOrigin
  ) async throws {
    let departure = try await ledger.beginRun(of: origin.binding, at: now())
    try await ledger.record([origin.intent], in: departure)
    try await ledger.settle([
      departure: [Settlement(uid: arrival.uid, change: .forget)], run: [arrival],
    ])
    remember([arrival])
    var summary = RunSummary()
    summary.deletedRemotely = 1
    try await ledger.endRun(departure, summary: summary, at: now())
  }
}

extension MoveOrigin {
  /// What is written down before the move: what will be at the new place, and what the sides agree on then.
  fileprivate var intent: Intent {
    Intent(
      uid: entry.uid, action: .moveRemote, content: entry.remoteContent ?? entry.base,
      fingerprint: entry.remoteBase, before: nil,
      mergedWith: entry.remoteContent == nil ? nil : entry.base, href: nil, etag: nil)
  }

  /// The entry for the item at its new place: what was agreed on is what it was before the move.
  ///
  /// The tag of the answer counts only if the move was conditional on the one that belongs to that.
  fileprivate func arriving(as name: String, _ href: Href, _ etag: EntityTag?) -> LedgerEntry {
    var arrived = entry
    (arrived.localName, arrived.href) = (name, href)
    arrived.etag = entry.etag.map(\.isWeak) == false ? etag : nil
    return arrived
  }
}
