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
