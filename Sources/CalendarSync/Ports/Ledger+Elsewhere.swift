// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

extension Ledger {
  /// The items that a run was about to add when it was cut off, and that other calendars have known.
  ///
  /// Such an item came from there, and may have gone back: that it is missing on one side of this sync
  /// need not mean that somebody deleted it.
  ///
  /// - Parameters:
  ///   - binding: The sync that was about to add them.
  ///   - others: The syncs of the other calendars; not asked for unless something was cut off.
  /// - Returns: The items, which `SyncOptions.elsewhere` takes.
  /// - Throws: What the ledger cannot do.
  public func elsewhere(
    than binding: SyncBinding, in others: @autoclosure () -> [SyncBinding]
  ) async throws -> Set<UID> {
    let added = Set(
      try await pendingIntents(of: binding)
        .filter { $0.action == .createRemote || $0.action == .createLocal }.map(\.uid))
    guard !added.isEmpty else { return [] }
    var known: Set<UID> = []
    for other in others() {
      known.formUnion(try await places(of: other, for: added).places.map(\.uid))
    }
    return known
  }
}
