// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CivilTime

/// The items that left or entered a local calendar since its last run.
///
/// An item that leaves one calendar and enters another was moved. It is added to the new remote
/// before it is deleted from the old one. After an interruption it therefore exists twice instead
/// of nowhere.
public struct CalendarTraffic: Hashable, Sendable {
  /// The agreed items that are no longer in the calendar.
  public var departed: Set<UID> = []
  /// The items in the calendar that the sides have not agreed on.
  public var arrived: Set<UID> = []

  /// Creates the traffic of an unchanged calendar.
  public init() {}

  /// Determines the items that left or entered a calendar, without contacting the remote.
  ///
  /// - Parameters:
  ///   - calendar: The local calendar.
  ///   - ledger: The ledger of its sync.
  ///   - binding: The binding of the sync.
  ///   - form: The normal form for comparing items.
  ///   - now: The current time.
  /// - Throws: An error of the calendar or of the ledger.
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
    // An unreadable file may be any missing item.
    if survey.unreadable.isEmpty { departed = known.subtracting(here) }
  }
}
