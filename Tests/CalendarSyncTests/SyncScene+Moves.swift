// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import TestSupport

extension SyncScene {
  /// Lets the next run know what left the calendar for that of another sync, and what came from there, as
  /// the program does.
  ///
  /// - Parameters:
  ///   - own: What left this calendar, and what came to it.
  ///   - other: The other sync.
  ///   - others: What left the other calendar, and what came to it.
  ///   - isAccount: Whether both remotes are of one account, so that the server can move items.
  /// - Throws: What the ledger cannot do.
  mutating func know(
    _ own: CalendarTraffic, of other: SyncScene, _ others: CalendarTraffic, isAccount: Bool
  ) async throws {
    let there = Set(try await ledger.places(of: other.binding).map(\.uid))
    options.withheld = own.departed.intersection(others.arrived).subtracting(there)
    options.awaited = try await ledger.awaited(by: [other.binding])
    guard isAccount else { return }
    let waiting =
      try await ledger.pendingIntents(of: other.binding).map(\.uid)
      + ledger.conflicts(of: other.binding).map(\.uid)
    let came = others.departed.intersection(own.arrived).subtracting(waiting)
    let entries = try await ledger.entries(of: other.binding, for: came.sorted())
    options.origins = Dictionary(
      uniqueKeysWithValues: entries.filter { $0.base != nil }
        .map { ($0.uid, MoveOrigin(binding: other.binding, entry: $0)) })
  }

  /// Lets the next run know what it does where the other sync does not run.
  mutating func knowAlone(_ other: SyncScene) async throws {
    (options.withheld, options.origins) = ([], [:])
    options.awaited = try await ledger.awaited(by: [other.binding])
    try await lookElsewhere(other)
  }

  /// Lets the next run know what it was about to add when it was cut off, and the other sync knows; as the
  /// program does it, before either of them runs.
  mutating func lookElsewhere(_ other: SyncScene) async throws {
    options.elsewhere = try await ledger.elsewhere(than: binding, in: [other.binding])
  }
}
