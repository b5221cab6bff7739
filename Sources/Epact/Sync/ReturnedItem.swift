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
    var found: [UID: ReturnedItem] = [:]
    for result in results {
      let moved = Set(moves.lazy.filter { $0.arrival == result.name }.map(\.uid))
      let downloaded = result.downloaded.subtracting(moved)
      guard !downloaded.isEmpty, let here = bindings.first(where: { $0.name == result.name })
      else { continue }
      for other in bindings where other.local != here.local {
        let deleted = try await ledger.deliberateDeletions(among: downloaded, in: other.local)
        for uid in deleted {
          let title = result.arrived[uid] ?? uid.rawValue
          found[uid] = ReturnedItem(uid: uid, title: title, origin: other.name, sync: here.name)
        }
      }
    }
    return found.values.sorted { $0.uid < $1.uid }
  }
}
