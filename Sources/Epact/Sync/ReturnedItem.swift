// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarSync

/// An item that a run downloaded to one calendar after the user deleted it from another one.
///
/// Another machine moved it before it learnt of the deletion, so that the deletion has no effect.
public struct ReturnedItem: Sendable, Hashable {
  /// The UID of the item.
  public let uid: UID
  /// Its title.
  public let title: String
  /// The name of the sync of the calendar from which it was deleted.
  public let origin: String
  /// The name of the sync that downloaded it.
  public let sync: String

  /// Finds the items after a run, in order of UID.
  ///
  /// - Parameters:
  ///   - results: The results of the run.
  ///   - moves: The moves of the run, which bring nothing back.
  ///   - bindings: All syncs of the configuration.
  ///   - ledger: The history.
  /// - Returns: The items.
  /// - Throws: An error of the ledger.
  static func find(
    in results: [SyncResult], besides moves: [CalendarMove], _ bindings: [SyncBinding],
    _ ledger: any LedgerStore
  ) async throws -> [ReturnedItem] {
    // The history is read once for each calendar.
    var arrivals: [UID: (sync: String, title: String)] = [:]
    for result in results {
      let moved = Set(moves.lazy.filter { $0.arrival == result.name }.map(\.uid))
      for uid in result.downloaded.subtracting(moved) {
        arrivals[uid] = (result.name, result.arrived[uid] ?? uid.rawValue)
      }
    }
    let places = Dictionary(bindings.map { ($0.name, $0.local) }) { first, _ in first }
    var found: [UID: ReturnedItem] = [:]
    for other in bindings {
      let uids = arrivals.filter { places[$0.value.sync] != other.local }.keys
      for uid in try await ledger.deliberateDeletions(among: Set(uids), in: other.local) {
        guard let arrival = arrivals[uid] else { continue }
        found[uid] = ReturnedItem(
          uid: uid, title: arrival.title, origin: other.name, sync: arrival.sync)
      }
    }
    return found.values.sorted { $0.uid < $1.uid }
  }
}
