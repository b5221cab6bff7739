// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

extension Ledger {
  /// The items whose addition was interrupted, and that the ledgers of other calendars contain.
  ///
  /// Such an item came from another calendar, and may have been moved back. Its absence on one side
  /// of this sync does not prove that a user deleted it.
  ///
  /// - Parameters:
  ///   - binding: The sync whose additions were interrupted.
  ///   - others: The syncs of the other calendars; evaluated only if an addition was interrupted.
  /// - Returns: The items, for `SyncOptions.elsewhere`.
  /// - Throws: An error of the ledger.
  public func elsewhere(
    than binding: SyncBinding, in others: @autoclosure () -> [SyncBinding]
  ) async throws -> Set<UID> {
    let added = try await cutOffAdditions(of: binding)
    guard !added.isEmpty else { return [] }
    var known: Set<UID> = []
    for other in others() {
      known.formUnion(try await places(of: other, for: added).places.map(\.uid))
    }
    return known
  }

  /// The items whose addition by other syncs was interrupted, and that those syncs do not know yet.
  ///
  /// This sync keeps its entry of such an item until the other syncs continue. Without the entry, a
  /// later run could not detect that the item was moved back.
  ///
  /// - Parameter others: The syncs of the other calendars.
  /// - Returns: The items, for `SyncOptions.awaited`.
  /// - Throws: An error of the ledger.
  public func awaited(by others: [SyncBinding]) async throws -> Set<UID> {
    var awaited: Set<UID> = []
    for other in others {
      let added = try await cutOffAdditions(of: other)
      guard !added.isEmpty else { continue }
      let known = try await places(of: other, for: added).places.map(\.uid)
      awaited.formUnion(added.subtracting(known))
    }
    return awaited
  }

  private func cutOffAdditions(of binding: SyncBinding) async throws -> Set<UID> {
    Set(
      try await pendingIntents(of: binding)
        .filter { $0.action == .createRemote || $0.action == .createLocal }.map(\.uid))
  }
}
