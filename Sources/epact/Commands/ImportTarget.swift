// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync

/// The calendar that an import goes into, and what it held when it was last looked at.
struct ImportTarget: Sendable {
  private let calendar: (any LocalCalendar)?
  private let isDryRun: Bool
  private var entries: [UID: LocalEntry] = [:]
  /// What of the calendar cannot be read, and so is neither updated nor replaced.
  private(set) var unreadable: [UnreadableEntry] = []

  /// Opens a calendar and reads it.
  ///
  /// One that does not exist yet is made; if nothing is to be written, it is taken for an empty one.
  ///
  /// - Throws: `StoreError`.
  init(_ place: CalendarPlace?, isDryRun: Bool) async throws {
    self.isDryRun = isDryRun
    calendar = try place.flatMap { try Self.open($0, isDryRun: isDryRun) }
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
    guard !isDryRun, let calendar else {
      return changes.map { _ in .done(name: "", revision: nil) }
    }
    return try await calendar.apply(changes)
  }
}
