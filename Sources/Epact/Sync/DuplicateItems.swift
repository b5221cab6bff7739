// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync

/// An item that is in two calendars of one account.
///
/// RFC 4791 §4.1 requires UIDs to be unique only within a calendar. However, servers that send
/// invitations keep one item of a UID for each user (RFC 6638 §3.2.4.1), and some reject a second
/// one in any calendar.
public struct DuplicateItem: Sendable, Hashable {
  /// An item on the remote of a sync.
  public struct Location: Sendable, Hashable {
    /// The name of the sync.
    public let sync: String
    /// The name of the item on the remote.
    public let href: Href
  }

  /// The UID of both items.
  public let uid: UID
  /// The locations of the items, in the order of the syncs.
  public let locations: [Location]

  /// Finds the duplicates after a run that changed something, by account, then by UID.
  static func find(
    in sessions: [SyncSession], changedBy results: [SyncResult], _ ledger: any LedgerStore
  ) async throws -> [[DuplicateItem]] {
    let changed = Set(results.filter { $0.counts.contains { $0.number > 0 } }.map(\.name))
    guard !changed.isEmpty, sessions.count > 1 else { return [] }
    let bindings = sessions.compactMap { session in
      try? SyncBinding(of: session.sync, in: session.configuration, session.machine)
    }
    var duplicates: [[DuplicateItem]] = []
    for (_, group) in Dictionary(grouping: bindings, by: account).sorted(by: { $0.key < $1.key })
    where group.count > 1 && group.contains(where: { changed.contains($0.name) }) {
      // Two syncs of the same calendar have the same items.
      guard Set(group.map(\.remote)).count > 1 else { continue }
      let found = try await find(among: group, ledger)
      if !found.isEmpty { duplicates.append(found) }
    }
    return duplicates
  }

  private static func find(
    among bindings: [SyncBinding], _ ledger: any LedgerStore
  ) async throws -> [DuplicateItem] {
    var known: [UID: (location: Location, remote: RemoteIdentity)] = [:]
    var found: [DuplicateItem] = []
    for binding in bindings {
      for place in try await ledger.places(of: binding) {
        let here = Location(sync: binding.name, href: place.href)
        guard let other = known.updateValue((here, binding.remote), forKey: place.uid),
          other.remote != binding.remote
        else { continue }
        found.append(DuplicateItem(uid: place.uid, locations: [other.location, here]))
      }
    }
    return found.sorted { ($0.uid, $0.locations[1].sync) < ($1.uid, $1.locations[1].sync) }
  }

  /// The account of a remote; a remote without an account gets a value of its own.
  private static func account(_ binding: SyncBinding) -> String {
    let remote = binding.remote
    guard remote.kind == "caldav" else { return "\(remote)" }
    let origin = remote.location.split(separator: "/", maxSplits: 2).prefix(2)
    return "\(remote.user)@\(origin.joined(separator: "//"))"
  }
}
