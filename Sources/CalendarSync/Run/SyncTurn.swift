// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The moves between calendars that one run has to respect.
public struct MoveContext: Hashable, Sendable {
  /// The items that left the calendar, and that their new remote does not hold yet.
  ///
  /// The run does not delete them.
  public var withheld: Set<UID> = []
  /// The origins of items that came from another calendar of the same account.
  public var origins: [UID: MoveOrigin] = [:]
  /// The items whose addition was interrupted, and that another calendar knows.
  ///
  /// The addition does not count as agreed, because the item may have been moved back.
  public var elsewhere: Set<UID> = []
  /// The items whose addition by another sync was interrupted.
  ///
  /// The run deletes them only after the other sync continued.
  public var awaited: Set<UID> = []

  /// Creates a context without moves.
  public init() {}
}

/// The origin of a moved item: its entry in the sync of another calendar.
public struct MoveOrigin: Hashable, Sendable {
  /// The binding of that sync.
  public let binding: SyncBinding
  /// The last agreed entry of that sync.
  public let entry: LedgerEntry

  /// Creates an origin; the remotes of both syncs must belong to one account.
  public init(binding: SyncBinding, entry: LedgerEntry) {
    self.binding = binding
    self.entry = entry
  }
}

/// A sync of a group whose turn it is.
public struct SyncTurn: Sendable {
  /// The index of the sync in the group.
  public let index: Int
  let binding: SyncBinding?
  /// The items that left and entered the calendar before any sync of the group ran.
  let traffic: CalendarTraffic
  /// The syncs of other calendars, whether or not they run.
  let otherCalendars: [SyncBinding]
  let ledger: any Ledger
  let isDryRun: Bool
  /// The new syncs of the items that left the calendar.
  var destinations: [UID: SyncBinding] = [:]
  /// The old syncs of items that came to the calendar, which the server can move.
  ///
  /// Of a sync that pushes, only the items that it wrote are moved away.
  var sources: [(binding: SyncBinding, uids: Set<UID>, ownOnly: Bool)] = []
  /// The items whose addition was interrupted, and that another calendar knew.
  ///
  /// It is determined before any sync runs, because a sync forgets the items that it deletes.
  var elsewhere: Set<UID> = []

  /// The moves that the run has to respect, by the current state of the ledger.
  public func moves() async throws -> MoveContext {
    var moves = MoveContext()
    moves.elsewhere = elsewhere
    moves.awaited = try await ledger.awaited(by: otherCalendars)
    guard !isDryRun else { return moves }
    for (binding, uids) in Dictionary(grouping: destinations.keys, by: { destinations[$0] }) {
      guard let binding else { continue }
      // A sync that may only add has records instead of entries.
      let there = Set(try await ledger.places(of: binding).map(\.uid))
        .union(try await ledger.appended(to: binding.remote).map(\.uid))
      moves.withheld.formUnion(Set(uids).subtracting(there))
    }
    for source in sources {
      let origins = try await origins(of: source.uids, in: source.binding)
        .filter { $0.value.entry.isOwn || !source.ownOnly }
      moves.origins.merge(origins) { $1 }
    }
    return moves
  }

  /// The items that left the calendar for another one, and that this sync has let go.
  public func departed() async throws -> Set<UID> {
    guard !isDryRun, !destinations.isEmpty, let binding else { return [] }
    return Set(destinations.keys).subtracting(try await ledger.places(of: binding).map(\.uid))
  }

  /// The entries of items in the ledger of their old sync, except those with work left there.
  private func origins(
    of uids: Set<UID>, in binding: SyncBinding
  ) async throws -> [UID: MoveOrigin] {
    let waiting =
      try await ledger.pendingIntents(of: binding).map(\.uid)
      + ledger.conflicts(of: binding).map(\.uid)
    let entries = try await ledger.entries(of: binding, for: uids.subtracting(waiting).sorted())
    return Dictionary(
      entries.filter { $0.base != nil }.map { ($0.uid, MoveOrigin(binding: binding, entry: $0)) }
    ) { first, _ in first }
  }
}

extension Ledger {
  /// The items whose addition was interrupted, and that the ledgers of other calendars contain.
  ///
  /// Such an item came from another calendar, and may have been moved back. Its absence on one side
  /// of this sync does not prove that a user deleted it.
  ///
  /// - Parameters:
  ///   - binding: The sync whose additions were interrupted.
  ///   - others: The syncs of the other calendars; evaluated only if an addition was interrupted.
  /// - Returns: The items, for `MoveContext.elsewhere`.
  /// - Throws: An error of the ledger.
  func elsewhere(
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
  /// - Returns: The items, for `MoveContext.awaited`.
  /// - Throws: An error of the ledger.
  fileprivate func awaited(by others: [SyncBinding]) async throws -> Set<UID> {
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
