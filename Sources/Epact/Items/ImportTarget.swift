// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import CivilTime
import Glibc

/// The calendar into which items are imported, with the items found by the last scan.
struct ImportTarget: Sendable {
  private let calendar: RecordedCalendar?
  private let ledger: LedgerDatabase?
  /// The run that records the changes; nil if nothing is written.
  private let run: CalendarRun?
  private var entries: [UID: LocalEntry] = [:]
  /// The unreadable entries of the calendar, which are neither updated nor replaced.
  private(set) var unreadable: [UnreadableEntry] = []

  /// Whether the calendar is one file, which each batch of changes rewrites as a whole.
  var isFile: Bool { calendar?.isHandledAsWhole ?? false }

  /// Opens a calendar and reads it.
  ///
  /// A calendar that does not exist is created. If nothing is written, it is treated as empty
  /// instead.
  ///
  /// - Parameters:
  ///   - path: The absolute path of the calendar; nil if there is none, so that nothing is written.
  ///   - ledger: The ledger that records the changes; nil if nothing is written.
  ///   - machine: The clock, and the names by which syncs know items.
  /// - Throws: `StoreError`.
  init(
    _ path: String?, ledger: LedgerDatabase?, machine: Machine
  ) async throws {
    let calendar = try path.flatMap {
      try Self.open($0, isDryRun: ledger == nil, knowing: machine.knownNames)
    }
    self.calendar = calendar
    self.ledger = ledger
    run = ledger.flatMap { ledger in
      calendar.map { CalendarRun(of: $0, ledger: ledger, now: machine.now) }
    }
    try await rescan()
  }

  private static func open(
    _ path: String, isDryRun: Bool, knowing names: KnownNames
  ) throws(StoreError) -> RecordedCalendar? {
    guard !isDryRun || FileMode(path) != nil else { return nil }
    return RecordedCalendar(
      try LocalCalendars.openEditable(
        path: path, for: isDryRun ? .reading : .creating, knowing: names))
  }

  /// The stored entry with a UID.
  subscript(uid: UID) -> LocalEntry? { entries[uid] }

  /// Scans the calendar, at the start or after another program has changed it.
  mutating func rescan() async throws {
    guard let listing = try await calendar?.scan() else { return }
    entries = [:]
    for entry in listing.entries { entries[entry.item.uid] = entry }
    unreadable = listing.unreadable
  }

  /// Applies changes unless nothing is written, and returns the outcome of each, in order.
  func apply(_ changes: [LocalChange]) async throws -> [LocalOutcome] {
    guard let run else { return changes.map { _ in .done(name: "", revision: nil) } }
    return try await run.apply(changes, over: changes.compactMap(entry))
  }

  /// Ends the run in the history, and records the bytes of its files.
  func end() async throws {
    if let id = await run?.id, let files = calendar?.changes, !files.isEmpty {
      try await ledger?.write { try $0.record(files, in: id) }
    }
    try await run?.end()
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
