// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// Settles conflicts that wait, without asking the remote.
///
/// What was chosen is written to the local calendar, and the ledger then takes the remote version for
/// what both sides agree on. So the next sync sends the choice as any other edit, on the condition that
/// the remote still holds the version that was looked at; if it does not, it is merged again.
public struct ConflictResolver: Sendable {
  /// What is chosen.
  public enum Choice: Hashable, Sendable {
    /// The local version of what is in conflict; the rest is merged.
    case local
    /// The remote version of what is in conflict; the rest is merged.
    case remote
    /// As `local`, and the remote version as an item of its own, under a UID of its own.
    case both
    /// Something else.
    case edited(CalendarItem)
  }

  private let calendar: any LocalCalendar
  private let ledger: any Ledger
  private let binding: SyncBinding
  private let normalForm: NormalForm
  private let now: @Sendable () -> Instant

  /// Creates a resolver for the conflicts of one sync.
  ///
  /// - Parameters:
  ///   - calendar: The local calendar.
  ///   - ledger: Where the conflicts wait.
  ///   - binding: What the sync is bound to.
  ///   - normalForm: The form in which items are compared, which is that of the sync.
  ///   - now: The clock.
  public init(
    calendar: any LocalCalendar, ledger: any Ledger, binding: SyncBinding,
    normalForm: NormalForm = NormalForm(), now: @escaping @Sendable () -> Instant
  ) {
    self.calendar = calendar
    self.ledger = ledger
    self.binding = binding
    self.normalForm = normalForm
    self.now = now
  }

  /// The versions of a conflict merged, with what is in conflict from one side.
  ///
  /// - Parameters:
  ///   - conflict: The conflict.
  ///   - side: The side whose version of what is in conflict is taken.
  ///   - local: The local version as it is now, if it is another than when the conflict was found.
  /// - Returns: The merged item, and what was in conflict.
  /// - Throws: `ConflictError` if a version is missing or cannot be read.
  public func merged(
    _ conflict: StoredConflict, taking side: MergeSide, local: CalendarItem? = nil
  ) throws(ConflictError) -> MergeResult {
    try Self.merged(conflict, taking: side, local: local, normalForm: normalForm)
  }

  /// The versions of a conflict merged, with what is in conflict from one side, in a normal form.
  ///
  /// - Throws: `ConflictError` if a version is missing or cannot be read.
  public static func merged(
    _ conflict: StoredConflict, taking side: MergeSide, local: CalendarItem? = nil,
    normalForm: NormalForm
  ) throws(ConflictError) -> MergeResult {
    func item(_ bytes: [UInt8]?) throws(ConflictError) -> CalendarItem {
      try Self.item(bytes, conflict.uid, normalForm)
    }
    let here: CalendarItem
    if let local { here = local } else { here = try item(conflict.local) }
    let remote = try item(conflict.remote)
    // The choice is between what the sides hold: a merge would do again what was taken back.
    if conflict.isTakenBack {
      return MergeResult(item: side == .local ? here : remote, conflicts: [])
    }
    let base = try? item(conflict.base)
    let remoteBase = (try? item(conflict.remoteBase)) ?? base
    let policy: MergePolicy = side == .local ? .local : .remote
    return ThreeWayMerge(policies: MergePolicies(policy), normalForm: normalForm).merge(
      localBase: base, remoteBase: remoteBase, local: here, remote: remote)
  }

  /// Settles a conflict.
  ///
  /// - Throws: `ConflictError`, or what the calendar or the ledger cannot do; then the conflict waits on.
  public func resolve(_ conflict: StoredConflict, as choice: Choice) async throws {
    let listing = try await calendar.scan()
    guard let entry = listing.entries.first(where: { $0.item.uid == conflict.uid }) else {
      throw ConflictError(
        .gone, "'\(conflict.uid)' is not in the local calendar any more; the next sync decides")
    }
    let known = try await ledger.entries(of: binding).first { $0.uid == conflict.uid }
    guard let href = conflict.href ?? known?.href else {
      throw ConflictError(
        .unplaced,
        "it is not known where '\(conflict.uid)' is on the remote; the next sync finds it")
    }
    let remote = try item(conflict.remote, conflict.uid)
    let planned = PlannedMerge(
      item: try item(for: choice, conflict, entry.item.normalized(by: normalForm)), local: entry,
      remote: RemoteEntry(href: href, etag: conflict.etag), remoteItem: remote, isSent: true)
    let run = try await ledger.beginRun(of: binding, at: now())
    var summary = RunSummary()
    if choice == .both { try await keep(remote, in: run, &summary) }
    try await carryOut(planned, in: run, &summary)
    try await ledger.endRun(run, summary: summary, at: now())
  }

  private func item(
    for choice: Choice, _ conflict: StoredConflict, _ local: CalendarItem
  ) throws(ConflictError) -> CalendarItem {
    switch choice {
    case .local, .both: return try merged(conflict, taking: .local, local: local).item
    case .remote: return try merged(conflict, taking: .remote, local: local).item
    case .edited(let item):
      guard item.uid == conflict.uid else {
        throw ConflictError(
          .otherItem, "expected the UID '\(conflict.uid)', found '\(item.uid)'")
      }
      // Who edited it has not seen what was written here since.
      guard try self.item(conflict.local, conflict.uid).fingerprint == local.fingerprint else {
        throw ConflictError(
          .gone, "'\(conflict.uid)' was edited here since; the next sync decides")
      }
      return item
    }
  }

  /// Writes the chosen item, with its intent before and the agreement after it.
  private func carryOut(
    _ planned: PlannedMerge, in run: RunID, _ summary: inout RunSummary
  ) async throws {
    let uid = planned.item.uid
    var name = planned.local.name
    if planned.item != planned.local.item {
      try await ledger.record(
        [
          Intent(
            uid: uid, action: .updateLocal, content: planned.item.serialized(),
            fingerprint: planned.item.fingerprint, before: planned.local.item.serialized(),
            mergedWith: planned.remoteItem.serialized(),
            other: planned.remoteItem.serialized(), href: planned.remote.href,
            etag: planned.remote.etag)
        ], in: run)
      name = try await write(
        .update(name: name, from: planned.local.revision, to: planned.item), of: uid)
      summary.downloaded += 1
    }
    try await ledger.settle(
      [Settlement(uid: uid, change: .record(planned.agreement(name)))], in: run)
  }

  /// Adds the remote version as an item of its own; the same one however often it is tried.
  private func keep(
    _ remote: CalendarItem, in run: RunID, _ summary: inout RunSummary
  ) async throws {
    guard let copy = ConflictCopy(of: remote).item else {
      throw ConflictError(.unreadable, "'\(remote.uid)' cannot be copied")
    }
    let outcomes = try await calendar.apply([.create(copy)])
    switch outcomes.first {
    case .done?: summary.downloaded += 1
    case .conditionFailed?: return  // An earlier try added it.
    case .failed(let reason)?, .unavailable(let reason)?:
      throw ConflictError(.notWritten, reason)
    case nil: return
    }
  }

  private func write(_ change: LocalChange, of uid: UID) async throws -> String {
    switch try await calendar.apply([change]).first {
    case .done(let name, _)?: return name
    case .failed(let reason)?, .unavailable(let reason)?:
      throw ConflictError(.notWritten, reason)
    case .conditionFailed?, nil:
      throw ConflictError(.notWritten, "'\(uid)' changed meanwhile; nothing was written")
    }
  }

  private func item(_ bytes: [UInt8]?, _ uid: UID) throws(ConflictError) -> CalendarItem {
    try Self.item(bytes, uid, normalForm)
  }

  private static func item(
    _ bytes: [UInt8]?, _ uid: UID, _ normalForm: NormalForm
  ) throws(ConflictError) -> CalendarItem {
    guard let bytes, let item = try? CalendarItem(parsing: bytes, normalForm: normalForm)
    else {
      throw ConflictError(.unreadable, "a version of '\(uid)' is missing or cannot be read")
    }
    return item
  }
}
