// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// Which items left a local calendar since its last run, and which came to it.
///
/// An item that leaves one calendar and comes to another was moved. It is added to the other remote before
/// it is deleted from the one: cut off in between, it is there twice rather than nowhere.
public struct CalendarTraffic: Hashable, Sendable {
  /// The items that the sides had agreed on and that are not here any more.
  public var departed: Set<UID> = []
  /// The items that are here and that the sides have not agreed on.
  public var arrived: Set<UID> = []

  /// Creates the traffic of a calendar that nothing came to or left.
  public init() {}

  /// Looks what left a calendar and what came to it; nothing is contacted.
  ///
  /// - Parameters:
  ///   - calendar: The local calendar.
  ///   - ledger: What is remembered of its sync.
  ///   - binding: What the sync is bound to.
  ///   - form: The form in which items are compared.
  ///   - now: The clock.
  /// - Throws: What the calendar or the ledger cannot do.
  public init(
    of calendar: any LocalCalendar, _ ledger: any Ledger, _ binding: SyncBinding,
    in form: NormalForm,
    at now: Instant
  ) async throws {
    let checkpoint = try await ledger.checkpoint(of: binding)
    let survey = try await calendar.survey(since: checkpoint.snapshot, in: form, at: now)
    guard !(survey.isUnchanged && checkpoint.isAtRest) else { return }
    let here = Set(survey.records().map(\.uid))
    let known = Set(try await ledger.places(of: binding).map(\.uid))
    arrived = here.subtracting(known)
    // What cannot be read may be any item that is missing.
    if survey.unreadable.isEmpty { departed = known.subtracting(here) }
  }
}

extension SyncPlan {
  /// The plan without what follows from the absence of items that were moved, and have not got there yet.
  ///
  /// They are neither deleted on the remote nor, if they were edited there, put back here.
  ///
  /// - Parameters:
  ///   - uids: The items that were moved.
  ///   - entries: What both sides agreed on.
  ///   - open: The items of which something was left open. It is closed, or the server would not be asked
  ///     to move them.
  /// - Returns: The plan that is left.
  func withholding(
    _ uids: Set<UID>, _ entries: [LedgerEntry], open: Set<UID>
  ) -> SyncPlan {
    guard !uids.isEmpty else { return self }
    let operations = operations.map { operation in
      guard uids.contains(operation.uid) else { return operation }
      let reason = "it was moved to another calendar, and is not on the remote of that one yet"
      let entry = entries.first { $0.uid == operation.uid }
      var known = entry
      switch operation.action {
      case .deleteRemote(let href, let etag) where !open.contains(operation.uid):
        // It is what was agreed on, by another tag or name perhaps: by those it is moved.
        known?.href = href
        known?.etag = etag
      case .createLocal where entry == nil: return operation
      case .createLocal, .deleteRemote:
        // Of a version that was never agreed on no tag is known: by that it is looked at again, and is
        // moved as it is.
        known?.etag = nil
      default: return operation
      }
      var action = PlannedOperation.Action.skip
      if let known, known != entry || open.contains(operation.uid) { action = .record(known) }
      return PlannedOperation(
        uid: operation.uid, title: operation.title, action: action, reason: reason)
    }
    return SyncPlan(operations: operations, objection: objection, conflicts: conflicts)
  }
}
