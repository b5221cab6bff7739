// SPDX-License-Identifier: Apache-2.0

import CalendarSync
import Synchronization
import TestSupport

/// A ledger that knows which syncs started over, which nothing in it tells after their next run.
final class WatchedLedger: AccountLedger {
  private let ledger: MemoryLedger
  private let names = Mutex<Set<CollectionID>>([])

  init(_ ledger: MemoryLedger) {
    self.ledger = ledger
  }

  /// The calendars whose syncs started over.
  var startedOver: Set<CollectionID> { names.withLock { $0 } }

  func collections(of account: AccountBinding) async throws -> [KnownCollection] {
    try await ledger.collections(of: account)
  }

  func store(
    _ collection: KnownCollection, of account: AccountBinding, startingOver isNew: Bool
  ) async throws {
    try await ledger.store(collection, of: account, startingOver: isNew)
    if isNew { names.withLock { _ = $0.insert(collection.id) } }
  }

  func forget(_ id: CollectionID, of account: AccountBinding) async throws {
    try await ledger.forget(id, of: account)
  }
}
