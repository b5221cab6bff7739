// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime

/// The calendar that an import goes into, and what it held when it was last looked at.
struct ImportTarget: Sendable {
  private let calendar: (any LocalCalendar)?
  private let isDryRun: Bool
  private var entries: [UID: LocalEntry] = [:]
  /// Where what is done is written down; nil if nothing is written.
  let run: CalendarRun?
  /// What of the calendar cannot be read, and so is neither updated nor replaced.
  private(set) var unreadable: [UnreadableEntry] = []

  /// Opens a calendar and reads it.
  ///
  /// One that does not exist yet is made; if nothing is to be written, it is taken for an empty one.
  ///
  /// - Parameters:
  ///   - place: The calendar; nil if nothing is to be written.
  ///   - ledger: Where what is done is written down; nil if nothing is to be written.
  ///   - now: The clock.
  /// - Throws: `StoreError`.
  init(
    _ place: CalendarPlace?, ledger: (any LedgerStore)?,
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
    _ place: CalendarPlace, isDryRun: Bool
  ) throws(StoreError) -> (any LocalCalendar)? {
    guard isDryRun else { return try place.open(for: .creating) }
    return place.exists ? try place.open(for: .reading) : nil
  }

  /// The stored item with a UID, and where it is.
  subscript(uid: UID) -> LocalEntry? { entries[uid] }

  /// Reads the calendar, because nothing is known of it yet or somebody else changed it.
  mutating func lookAgain() async throws {
    guard let listing = try await calendar?.scan() else { return }
    entries = [:]
    for entry in listing.entries { entries[entry.item.uid] = entry }
    unreadable = listing.unreadable
  }

  /// Makes changes, unless nothing is to be written, and tells what became of each, in order.
  func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome] {
    guard !isDryRun, let run else {
      return changes.map { _ in .done(name: "", revision: nil) }
    }
    return try await run.apply(changes, over: changes.compactMap(entry))
  }

  /// What a change replaces or deletes.
  private func entry(_ change: LocalChange) -> LocalEntry? {
    switch change {
    case .create: nil
    case .update(_, _, let item): entries[item.uid]
    case .putBack(let name, _, _), .delete(let name, _):
      entries.values.first { $0.name == name }
    }
  }
}
