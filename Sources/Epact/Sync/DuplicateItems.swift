// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
public import CalendarSync

/// An item that is in two calendars: of one account, or one that a run added beside the other.
///
/// One machine may move an item to another calendar while another machine edits it. The edit then
/// adds it to its first calendar again.
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
  /// The title of the item that the run added; nil if it was there before the run.
  public let title: String?
  /// Whether both calendars are of one account.
  public let isOfOneAccount: Bool
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
    let arrived = results.reduce(into: [:]) { $0.merge($1.arrived) { first, _ in first } }
    var duplicates: [[DuplicateItem]] = []
    for (_, group) in Dictionary(grouping: bindings, by: account).sorted(by: { $0.key < $1.key })
    where group.count > 1 && group.contains(where: { changed.contains($0.name) }) {
      // Two syncs of the same calendar have the same items.
      guard Set(group.map(\.remote)).count > 1 else { continue }
      let found = try await find(among: group, arrived, ledger)
      if !found.isEmpty { duplicates.append(found) }
    }
    let added = try await added(arrived, to: bindings, ledger)
    if !added.isEmpty { duplicates.append(added) }
    return duplicates
  }

  /// Finds the items that a run added to one calendar and that another calendar, of another account,
  /// had or got, too.
  private static func added(
    _ titles: [UID: String], to bindings: [SyncBinding], _ ledger: any LedgerStore
  ) async throws -> [DuplicateItem] {
    guard !titles.isEmpty else { return [] }
    let arrived = Set(titles.keys)
    var known: [UID: (binding: SyncBinding, location: Location)] = [:]
    var found: [UID: DuplicateItem] = [:]
    for binding in bindings {
      for place in try await ledger.places(of: binding, for: arrived).places {
        let here = Location(sync: binding.name, href: place.href)
        guard let other = known.updateValue((binding, here), forKey: place.uid),
          // Two syncs of one calendar have the same items.
          other.binding.local != binding.local, other.binding.remote != binding.remote,
          account(other.binding) != account(binding)
        else { continue }
        found[place.uid] = DuplicateItem(
          uid: place.uid, title: titles[place.uid], isOfOneAccount: false,
          locations: [other.location, here])
      }
    }
    return found.values.sorted { $0.uid < $1.uid }
  }

  private static func find(
    among bindings: [SyncBinding], _ titles: [UID: String], _ ledger: any LedgerStore
  ) async throws -> [DuplicateItem] {
    var known: [UID: (location: Location, remote: RemoteIdentity)] = [:]
    var found: [DuplicateItem] = []
    for binding in bindings {
      for place in try await ledger.places(of: binding) {
        let here = Location(sync: binding.name, href: place.href)
        guard let other = known.updateValue((here, binding.remote), forKey: place.uid),
          other.remote != binding.remote
        else { continue }
        found.append(
          DuplicateItem(
            uid: place.uid, title: titles[place.uid], isOfOneAccount: true,
            locations: [other.location, here]))
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
