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
    let added = try await cutOffAdditions(of: binding)
    guard !added.isEmpty else { return [] }
    var known: Set<UID> = []
    for other in others() {
      known.formUnion(try await places(of: other, for: added).places.map(\.uid))
    }
    return known
  }

  /// The items that other syncs were about to add when they were cut off, and do not know yet.
  ///
  /// One that came from here has to stay known here until they went on: else nobody could tell any more
  /// that it may have gone back.
  ///
  /// - Parameter others: The syncs of the other calendars.
  /// - Returns: The items, which `SyncOptions.awaited` takes.
  /// - Throws: What the ledger cannot do.
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
