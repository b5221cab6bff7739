// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Epact

/// The target calendar of an import, with the items found by the last scan.
struct ImportTarget: Sendable {
  private let calendar: (any LocalCalendar)?
  private let isDryRun: Bool
  private var entries: [UID: LocalEntry] = [:]
  /// The run that records the changes; nil if nothing is written.
  let run: CalendarRun?
  /// The unreadable entries of the calendar, which are neither updated nor replaced.
  private(set) var unreadable: [UnreadableEntry] = []

  /// Opens a calendar and reads it.
  ///
  /// A calendar that does not exist is created. If nothing is written, it is treated as empty
  /// instead.
  ///
  /// - Parameters:
  ///   - place: The calendar; nil if nothing is written.
  ///   - ledger: The ledger that records the changes; nil if nothing is written.
  ///   - now: The clock.
  /// - Throws: `StoreError`.
  init(
    _ place: CalendarLocation?, ledger: (any LedgerStore)?,
    now: @escaping @Sendable () -> Instant
  ) async throws {
    isDryRun = ledger == nil
    let calendar = try place.flatMap { try Self.open($0, isDryRun: ledger == nil) }
    self.calendar = calendar
    run = ledger.flatMap { ledger in
      calendar.map { CalendarRun(of: $0, ledger: ledger, now: now) }
    }
    try await lookAgain()
  }

  private static func open(
    _ place: CalendarLocation, isDryRun: Bool
  ) throws(StoreError) -> (any LocalCalendar)? {
    guard isDryRun else { return try place.open(for: .creating) }
    return place.exists ? try place.open(for: .reading) : nil
  }

  /// The stored entry with a UID.
  subscript(uid: UID) -> LocalEntry? { entries[uid] }

  /// Scans the calendar, at the start or after another program has changed it.
  mutating func lookAgain() async throws {
    guard let listing = try await calendar?.scan() else { return }
    entries = [:]
    for entry in listing.entries { entries[entry.item.uid] = entry }
    unreadable = listing.unreadable
  }

  /// Applies changes unless nothing is written, and returns the outcome of each, in order.
  func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome] {
    guard !isDryRun, let run else {
      return changes.map { _ in .done(name: "", revision: nil) }
    }
    return try await run.apply(changes, over: changes.compactMap(entry))
  }

  /// The entry that a change replaces or deletes.
  private func entry(_ change: LocalChange) -> LocalEntry? {
    switch change {
    case .create: nil
    case .update(_, _, let item): entries[item.uid]
    case .putBack(let name, _, _), .delete(let name, _):
      entries.values.first { $0.name == name }
    }
  }
}
