// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Moves between calendars on a server that allows each UID once per account.
///
/// Such a server rejects an addition before the deletion in the other calendar. Therefore the
/// runner asks the server to move its version, which overwrites nothing. The next run merges edits
/// that were made together with the move.
extension SyncRun {
  /// Moves an item whose addition was rejected.
  ///
  /// - Parameters:
  ///   - operation: The addition.
  ///   - entry: The local version.
  ///   - origin: The entry of the sync of the other calendar.
  ///   - reason: The reason of the rejection.
  ///   - calendar: The remote.
  /// - Returns: The remaining settlement; nil if the outcome is unknown, or is recorded already.
  /// - Throws: An error of the ledger or of the remote as a whole, or `CancellationError`.
  mutating func move(
    _ operation: PlannedOperation, _ entry: LocalEntry, from origin: MoveOrigin,
    insteadOf reason: String, on calendar: any RemoteCalendar
  ) async throws -> Settlement? {
    let source = RemoteEntry(href: origin.entry.href, etag: origin.entry.etag)
    let given = Settlement(uid: operation.uid, change: .keep)
    // The addition failed; the move is a different change.
    let id = try await begin()
    try await ledger.settle([given], in: id)
    try await ledger.record([origin.intent], in: id)
    let outcome = try await request(operation) {
      try await calendar.move(entry.item, from: source)
    }
    switch outcome {
    case nil: return nil
    case .written(let href, let etag)?:
      results.send(operation.uid, to: href, isAddition: true)
      let arrived = origin.arriving(as: entry.name, href, etag)
      try await settle(Settlement(uid: operation.uid, change: .record(arrived)), leaving: origin)
      report(.done(operation))
      return nil
    case .conditionFailed?, .alreadyPresent?, .deleted?: postpone(operation)
    case .refused(let objection)?, .heldElsewhere(_, let objection)?:
      refuse(operation, .refusedMove(objection, addition: reason))
    }
    return given
  }

  /// Records the arrival of an item here and its departure from the other sync, in one transaction.
  ///
  /// An interruption between two transactions would be harmful if the user moves the file back.
  /// Either both syncs would have an entry for an item that is missing on one side, and delete it.
  /// Or neither would have one, and the version on the server would block the addition as a new
  /// item.
  private mutating func settle(
    _ arrival: Settlement, leaving origin: MoveOrigin
  ) async throws {
    let id = try await begin()
    let departure = try await ledger.beginRun(of: origin.binding, at: now())
    try await ledger.record([origin.intent], in: departure)
    try await ledger.settle([
      departure: [Settlement(uid: arrival.uid, change: .forget)], id: [arrival],
    ])
    results.remember([arrival])
    var summary = RunSummary()
    summary.deletedRemotely = 1
    try await ledger.endRun(departure, summary: summary, at: now())
  }
}

extension MoveOrigin {
  /// The intent of the move, with the content at the new place and the base after the move.
  fileprivate var intent: Intent {
    Intent(
      uid: entry.uid, action: .moveRemote, content: entry.remoteContent ?? entry.base,
      fingerprint: entry.remoteBase, before: nil,
      mergedWith: entry.remoteContent == nil ? nil : entry.base, href: nil, etag: nil)
  }

  /// The entry for the item at its new place, with the agreed versions from before the move.
  ///
  /// The returned ETag is valid for these only if the move was conditional on the ETag of the base.
  fileprivate func arriving(as name: String, _ href: Href, _ etag: EntityTag?) -> LedgerEntry {
    var arrived = entry
    (arrived.localName, arrived.href) = (name, href)
    arrived.etag = entry.etag.map(\.isWeak) == false ? etag : nil
    return arrived
  }
}
