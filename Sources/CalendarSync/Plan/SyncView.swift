// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The items that need attention, from both sides and the ledger without contents.
///
/// It contains only names, tags and fingerprints, and grows with their number. All other items are
/// unchanged on both sides since they last agreed.
struct SyncView {
  /// The local items by UID.
  let records: [UID: LocalRecord]
  /// The ledger entries without contents, by UID.
  let places: [UID: LedgerPlace]
  /// The items to fetch: first those known to the ledger, then new ones.
  private(set) var fetches: [RemoteEntry] = []
  /// The other items that need attention, in order.
  private(set) var rest: [UID] = []
  /// Whether a local file with a name unknown to the ledger is unreadable.
  let hasStray: Bool
  /// The items of each fetched place.
  private(set) var owners: [Href: Set<UID>] = [:]
  /// The places of changed or differently spelled items on the remote.
  private var listed: [UID: RemoteEntry] = [:]
  /// The places outside of the filter that no longer exist on the remote.
  let missed: Set<Href>
  /// The items that are missing at their places and were not found elsewhere.
  private(set) var gone: Set<UID> = []
  /// The new places of items that were found elsewhere.
  private var moved: [UID: RemoteEntry] = [:]
  /// The resources that exist on the remote but are not listed.
  let held: Set<Href>
  private let pending: Set<UID>

  /// Compares both sides with the ledger.
  ///
  /// - Parameters:
  ///   - records: The local items.
  ///   - unreadable: The unreadable entries of the local calendar.
  ///   - changes: The response of the remote.
  ///   - unsettled: The unsettled entries of earlier responses.
  ///   - held: The resources that exist on the remote but are not listed.
  ///   - places: The ledger entries without contents.
  ///   - pending: The items of interrupted runs and of conflicts, with their hrefs.
  ///   - outside: The items outside of the filter.
  ///   - isVerifying: Whether to fetch everything, regardless of tags.
  init(
    records: [LocalRecord], unreadable: [UnreadableEntry], changes: RemoteChanges,
    unsettled: [RemoteEntry], held: Set<Href>, places: [LedgerPlace], pending: [UID: [Href]],
    outside: OutsideView = OutsideView(), isVerifying: Bool
  ) {
    let records = Dictionary(records.lazy.map { ($0.uid, $0) }) { first, _ in first }
    self.records = records
    self.places = Dictionary(places.lazy.map { ($0.uid, $0) }) { first, _ in first }
    (self.held, self.pending) = (held, Set(pending.keys))
    hasStray = Self.hasStray(unreadable, among: places)
    let doubted = Set(unsettled.filter { $0.etag == nil }.map(\.href))
    let remote = RemoteView(
      changes, unsettled: unsettled + outside.due, held: held, places: places)
    missed = Self.missed(outside, remote)
    var rest = Set(pending.keys)
    var owned: Set<Href> = []
    var known: [(uid: UID, entry: RemoteEntry)] = []
    for place in places {
      guard let entry = remote.entry(of: place) else {
        gone.insert(place.uid)
        rest.insert(place.uid)
        continue
      }
      if !remote.told.isEmpty { owned.insert(entry.href) }
      let isPending = pending[place.uid] != nil
      if isVerifying || isPending || doubted.contains(entry.href) || !place.isKnown(as: entry) {
        listed[place.uid] = entry
        known.append((place.uid, entry))
        owners[entry.href, default: []].insert(place.uid)
      } else if entry.href != place.href {
        listed[place.uid] = entry
        rest.insert(place.uid)
      } else if !place.isKept(as: records[place.uid]) {
        rest.insert(place.uid)
      }
    }
    known = known.sorted(byBytesOf: \.uid.rawValue)
    let new = Self.inOrder(remote.told.filter { !owned.contains($0.href) && !outside.holds($0) })
    var seen: Set<Href> = []
    fetches = (known.map(\.entry) + new).filter { seen.insert($0.href).inserted }
    for (uid, record) in records where self.places[uid] == nil && !outside.holds(record) {
      rest.insert(uid)
      // A new local item may have been on the remote all along, outside of the filter.
      let entry = outside.entry(of: uid).flatMap(remote.entry(in:))
      add([entry].compactMap(\.self), of: uid, &seen)
    }
    for (uid, hrefs) in pending { add(hrefs.compactMap(remote.entry(at:)), of: uid, &seen) }
    self.rest = rest.subtracting(owners.values.joined()).inOrder()
  }

  /// The new items, ordered by href.
  ///
  /// Remotes list in arbitrary order, and mostly name items by their UIDs. With this order, items
  /// that are written together are adjacent in the ledger, which then writes fewer pages.
  private static func inOrder(_ entries: [RemoteEntry]) -> [RemoteEntry] {
    entries.sorted(byBytesOf: \.href.rawValue)
  }

  private static func hasStray(
    _ unreadable: [UnreadableEntry], among places: [LedgerPlace]
  ) -> Bool {
    let unreadable = Set(unreadable.map(\.name))
    return !unreadable.isEmpty && !unreadable.isSubset(of: places.map(\.localName))
  }

  private static func missed(_ outside: OutsideView, _ remote: RemoteView) -> Set<Href> {
    Set(outside.places.filter { remote.entry(in: RemoteEntry(href: $0, etag: nil)) == nil })
  }

  /// Schedules the fetch of places that may hold an item.
  private mutating func add(_ entries: [RemoteEntry], of uid: UID, _ seen: inout Set<Href>) {
    for entry in entries {
      owners[entry.href, default: []].insert(uid)
      if seen.insert(entry.href).inserted { fetches.append(entry) }
    }
  }

  /// The number of items that need attention.
  var count: Int { fetches.count + rest.count }

  /// The place of a known item on the remote; nil if it no longer exists.
  func entry(of uid: UID) -> RemoteEntry? {
    if gone.contains(uid) { return nil }
    return listed[uid] ?? places[uid].map { RemoteEntry(href: $0.href, etag: $0.etag) }
  }

  /// Whether an item may have to be deleted on one side.
  func mayBeDeleted(_ uid: UID) -> Bool {
    pending.contains(uid) || places[uid] != nil && (gone.contains(uid) || records[uid] == nil)
  }

  /// The number of missing items, by the side on which they would be deleted.
  var missing: DeletionCount {
    var count = DeletionCount()
    for uid in rest where places[uid] != nil {
      let isGone = gone.contains(uid)
      if isGone, records[uid] != nil { count.local += 1 }
      if !isGone, records[uid] == nil { count.remote += 1 }
    }
    return count
  }

  /// Records that an item is no longer at its known place.
  mutating func lose(_ uid: UID) {
    gone.insert(uid)
    (listed[uid], moved[uid]) = (nil, nil)
  }

  /// Records the new place of a moved item.
  mutating func find(_ uid: UID, at entry: RemoteEntry) {
    gone.remove(uid)
    (listed[uid], moved[uid]) = (entry, entry)
  }

  /// The ledger entry of an item, with its new place if it was moved.
  func relocated(_ entry: LedgerEntry) -> LedgerEntry {
    guard let found = moved[entry.uid] else { return entry }
    var entry = entry
    (entry.href, entry.etag) = (found.href, found.etag)
    return entry
  }
}

extension LedgerPlace {
  /// Whether the ETag shows that the remote version is unchanged.
  func isKnown(as entry: RemoteEntry) -> Bool {
    // Items that an older version added under write-only access must be fetched.
    guard hasBase || localBase.isCurrent else { return false }
    return etag != nil && etag == entry.etag
  }

  /// Whether the local version and its name are unchanged.
  func isKept(as record: LocalRecord?) -> Bool {
    guard let record else { return false }
    return record.fingerprint == localBase && record.name == localName && localBase.isCurrent
  }
}
