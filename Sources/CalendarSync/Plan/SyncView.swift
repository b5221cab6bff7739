// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Both sides and the ledger without any content: what of it all has to be looked at.
///
/// It is made of names, tags and fingerprints alone, and grows with their number. What it leaves out
/// is as it was on both sides when they last agreed.
struct SyncView {
  /// The local items by UID.
  let records: [UID: LocalRecord]
  /// What the ledger knows, by UID.
  let places: [UID: LedgerPlace]
  /// What has to be fetched to be known: first what the ledger knows, then what is new.
  private(set) var fetches: [RemoteEntry] = []
  /// The items with something to do that needs no fetching, in order.
  private(set) var rest: [UID] = []
  /// Whether there is a local file that cannot be read under a name that the ledger does not know.
  let hasStray: Bool
  /// The items of which a place is fetched.
  private(set) var owners: [Href: Set<UID>] = [:]
  /// Where the remote has items that were changed, or are spelled otherwise.
  private var listed: [UID: RemoteEntry] = [:]
  /// Where there is nothing any more of what was outside of the filter.
  let missed: Set<Href>
  /// The items that are not where they were, nor anywhere else that was looked at.
  private(set) var gone: Set<UID> = []
  /// Where the items are that were found at another place than theirs.
  private var moved: [UID: RemoteEntry] = [:]
  /// Where the remote has something that it does not list.
  let held: Set<Href>
  private let pending: Set<UID>

  /// Compares.
  ///
  /// - Parameters:
  ///   - records: The local items.
  ///   - unreadable: What is here and is no readable item.
  ///   - changes: The remote side.
  ///   - unsettled: What earlier changes of the remote left to do.
  ///   - held: Where the remote has something that it does not list.
  ///   - places: What the sides agreed on.
  ///   - pending: The items of interrupted runs and of conflicts, with the places they name.
  ///   - outside: What is known to be outside of the filter.
  ///   - isVerifying: Whether everything is looked at, whatever tags and dates say.
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
      // What came here may be what the remote had outside of the filter all along.
      let entry = outside.entry(of: uid).flatMap(remote.entry(in:))
      add([entry].compactMap(\.self), of: uid, &seen)
    }
    for (uid, hrefs) in pending { add(hrefs.compactMap(remote.entry(at:)), of: uid, &seen) }
    self.rest = rest.subtracting(owners.values.joined()).inOrder()
  }

  /// What is new, in the order of its places.
  ///
  /// Remotes list as they please, and mostly name items by their UIDs: in this order what comes together
  /// stands together in the ledger, which writes whole pages, and so in fewer of them.
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

  /// Has places fetched that may hold an item.
  private mutating func add(_ entries: [RemoteEntry], of uid: UID, _ seen: inout Set<Href>) {
    for entry in entries {
      owners[entry.href, default: []].insert(uid)
      if seen.insert(entry.href).inserted { fetches.append(entry) }
    }
  }

  /// How many items are to be looked at.
  var count: Int { fetches.count + rest.count }

  /// Where the remote has an item that the ledger knows; nil if it is not there any more.
  func entry(of uid: UID) -> RemoteEntry? {
    if gone.contains(uid) { return nil }
    return listed[uid] ?? places[uid].map { RemoteEntry(href: $0.href, etag: $0.etag) }
  }

  /// Whether an item may have to be deleted on one side; what may not is not told so.
  func mayBeDeleted(_ uid: UID) -> Bool {
    pending.contains(uid) || places[uid] != nil && (gone.contains(uid) || records[uid] == nil)
  }

  /// How many items seem to be missing, by the side on which they would be deleted.
  var missing: DeletionCount {
    var count = DeletionCount()
    for uid in rest where places[uid] != nil {
      let isGone = gone.contains(uid)
      if isGone, records[uid] != nil { count.local += 1 }
      if !isGone, records[uid] == nil { count.remote += 1 }
    }
    return count
  }

  /// Notes that what was fetched from where an item was is something else.
  mutating func lose(_ uid: UID) {
    gone.insert(uid)
    (listed[uid], moved[uid]) = (nil, nil)
  }

  /// Notes where an item was found that is not where it was.
  mutating func find(_ uid: UID, at entry: RemoteEntry) {
    gone.remove(uid)
    (listed[uid], moved[uid]) = (entry, entry)
  }

  /// What the ledger knows of an item, with the place at which it was found.
  func relocated(_ entry: LedgerEntry) -> LedgerEntry {
    guard let found = moved[entry.uid] else { return entry }
    var entry = entry
    (entry.href, entry.etag) = (found.href, found.etag)
    return entry
  }
}

extension LedgerPlace {
  /// Whether the tag says that the remote holds what it held.
  func isKnown(as entry: RemoteEntry) -> Bool {
    // What was added under write-only access by an older version has to be looked at.
    guard hasBase || localBase.isCurrent else { return false }
    return etag != nil && etag == entry.etag
  }

  /// Whether the local side holds what it held, under the name it had.
  func isKept(as record: LocalRecord?) -> Bool {
    guard let record else { return false }
    return record.fingerprint == localBase && record.name == localName && localBase.isCurrent
  }
}
