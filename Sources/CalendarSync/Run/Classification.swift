// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The state of an agreed item, judged by names, tags and fingerprints alone.
enum ItemClass {
  /// Both sides are as agreed: the run does not touch the item.
  case unchanged
  /// The local item differs from the agreed one, or is missing. The remote version is the agreed
  /// one.
  case changedHere
  /// The remote version may differ from the agreed one, and is fetched.
  case changedThere(RemoteEntry)
  /// The remote spells the href differently; its version is the agreed one.
  case respelled(RemoteEntry)
  /// The remote no longer holds the item at its place.
  case gone

  /// Classifies the ledger entry of an item.
  fileprivate init(_ place: LedgerSummary, _ sides: ClassifiedSides) {
    guard let entry = sides.remote.entry(of: place) else {
      self = .gone
      return
    }
    if sides.isSuspect(place.uid, at: entry) || !place.isKnown(as: entry) {
      self = .changedThere(entry)
    } else if entry.href != place.href {
      self = .respelled(entry)
    } else {
      self = place.isKept(as: sides.records[place.uid]) ? .unchanged : .changedHere
    }
  }
}

/// The reports of both sides about the agreed items.
private struct ClassifiedSides {
  let remote: RemoteView
  /// The local items.
  let records: [UID: LocalRecord]
  /// The items with intents or conflicts.
  let pending: Set<UID>
  /// The places whose tags are not reliable.
  let doubted: Set<Href>
  /// Whether no tag counts.
  let isVerifying: Bool

  /// Whether an item is fetched whatever its tag.
  func isSuspect(_ uid: UID, at entry: RemoteEntry) -> Bool {
    isVerifying || pending.contains(uid) || doubted.contains(entry.href)
  }
}

/// The second stage of a run: the items that need attention.
///
/// It contains only names, tags and fingerprints, and grows with their number. All other items are
/// unchanged on both sides since they last agreed.
struct ClassifiedItems {
  /// The local items by UID.
  private(set) var records: [UID: LocalRecord]
  /// The ledger entries without contents, by UID.
  private(set) var places: [UID: LedgerSummary]
  /// The items to fetch: first those known to the ledger, then new ones.
  private(set) var fetches: [RemoteEntry] = []
  /// The other items that need attention, in order.
  private(set) var rest: [UID] = []
  /// The unreadable local files with names unknown to the ledger, in order.
  let strays: [String]
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
  private let pending: Set<UID>

  /// Creates a classification without items.
  init() {
    (records, places, strays, missed, pending) = ([:], [:], [], [], [])
  }

  /// Classifies all items that either side or the ledger knows.
  ///
  /// - Parameters:
  ///   - survey: The survey of both sides.
  ///   - records: The local items to compare.
  ///   - places: The ledger entries to compare, without contents.
  init(_ survey: Survey, _ records: [LocalRecord], _ places: [LedgerSummary]) {
    let (pending, outside) = (survey.pending, survey.outside)
    let unsettled = survey.checkpoint.unsettled
    self.records = Dictionary(records.lazy.map { ($0.uid, $0) }) { first, _ in first }
    self.places = Dictionary(places.lazy.map { ($0.uid, $0) }) { first, _ in first }
    self.pending = Set(pending.keys)
    strays = Self.strays(survey.local.unreadable, among: places)
    let remote = RemoteView(survey.remote, unsettled: unsettled + outside.due, places: places)
    missed = Self.missed(outside, remote)
    var rest = Set(pending.keys)
    let owned = addAgreed(
      places,
      ClassifiedSides(
        remote: remote, records: self.records, pending: self.pending,
        doubted: Set(unsettled.filter { $0.etag == nil }.map(\.href)),
        isVerifying: survey.isVerifying), &rest)
    let new = remote.told.filter { !owned.contains($0.href) && !outside.holds($0) }
    var seen: Set<Href> = []
    fetches = (fetches + Self.inOrder(new)).filter { seen.insert($0.href).inserted }
    for (uid, record) in self.records where self.places[uid] == nil && !outside.holds(record) {
      rest.insert(uid)
      // A new local item may have been on the remote all along, outside of the filter.
      let entry = outside.entry(of: uid).flatMap(remote.entry(in:))
      add([entry].compactMap(\.self), of: uid, &seen)
    }
    for (uid, hrefs) in pending { add(hrefs.compactMap(remote.entry(at:)), of: uid, &seen) }
    self.rest = rest.subtracting(owners.values.joined()).inOrder()
  }

  /// Sorts the agreed items into those to fetch and the rest, and returns the places they occupy.
  private mutating func addAgreed(
    _ places: [LedgerSummary], _ sides: ClassifiedSides, _ rest: inout Set<UID>
  ) -> Set<Href> {
    let hasNews = !sides.remote.told.isEmpty
    var owned: Set<Href> = []
    var fetched: [(uid: UID, entry: RemoteEntry)] = []
    for place in places {
      var href = place.href
      switch ItemClass(place, sides) {
      case .unchanged: break
      case .changedHere: rest.insert(place.uid)
      case .changedThere(let entry):
        href = entry.href
        listed[place.uid] = entry
        fetched.append((place.uid, entry))
        owners[href, default: []].insert(place.uid)
      case .respelled(let entry):
        href = entry.href
        listed[place.uid] = entry
        rest.insert(place.uid)
      case .gone:
        gone.insert(place.uid)
        rest.insert(place.uid)
        continue
      }
      if hasNews { owned.insert(href) }
    }
    fetches = fetched.sorted(byBytesOf: \.uid.rawValue).map(\.entry)
    return owned
  }

  /// The new items, ordered by href.
  ///
  /// Remotes list in arbitrary order, and mostly name items by their UIDs. With this order, items
  /// that are written together are adjacent in the ledger, which then writes fewer pages.
  private static func inOrder(_ entries: [RemoteEntry]) -> [RemoteEntry] {
    entries.sorted(byBytesOf: \.href.rawValue)
  }

  private static func strays(
    _ unreadable: [UnreadableEntry], among places: [LedgerSummary]
  ) -> [String] {
    let unreadable = Set(unreadable.lazy.filter { $0.sharedUID == nil }.map(\.name))
    return unreadable.isEmpty ? [] : unreadable.subtracting(places.map(\.localName)).sorted()
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

  // MARK: Lookup

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
  ///
  /// - Parameter meant: The items whose deletion on a side is known to be meant.
  /// - Returns: The numbers.
  func missing(except meant: [MergeSide: Set<UID>]) -> DeletionCount {
    var count = DeletionCount(meant: meant)
    for uid in rest where places[uid] != nil {
      let isGone = gone.contains(uid)
      if isGone, records[uid] != nil { count.add(uid, on: .local) }
      if !isGone, records[uid] == nil { count.add(uid, on: .remote) }
    }
    return count
  }

  /// The known items that the local calendar does not hold.
  var absent: Set<UID> { Set(places.keys.filter { records[$0] == nil }) }

  // MARK: Items that were moved

  /// Adds the records of fetched items that are known under another href or only locally.
  mutating func add(_ records: [LocalRecord], _ places: [LedgerSummary]) {
    for record in records { self.records[record.uid] = record }
    for place in places { self.places[place.uid] = place }
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

extension SyncRun {
  /// Classifies the surveyed items.
  mutating func classify() async throws {
    let records: [LocalRecord]
    let (places, agreedCount): ([LedgerSummary], Int)
    if case .changes(let changes) = survey.extent {
      let uids = changes.uids
      (places, agreedCount) = try await ledger.places(
        of: binding, for: uids, at: survey.remote.reported ?? [])
      let others = Set(places.lazy.map(\.uid)).subtracting(uids)
      records = changes.found + survey.local.records(of: others)
    } else {
      places = try await ledger.places(of: binding)
      (records, agreedCount) = (survey.local.records(), places.count)
    }
    let items = ClassifiedItems(survey, records, places)
    let others = Set(survey.intents.map(\.uid))
      .union(survey.appended.map(\.uid).filter { items.records[$0] != nil })
      .filter { items.places[$0] == nil }
    work = WorkList(
      items, knownCount: agreedCount + others.count, partSize: options.partSize,
      isHandledAsWhole: local.isHandledAsWhole)
    try await excuseDeletions()
  }

  /// Excludes items from the safeguards that commands and programs deleted on purpose.
  ///
  /// The history is read only if the safeguards would stop the run.
  private mutating func excuseDeletions() async throws {
    func isTooMany(_ count: Int, on side: MergeSide) -> Bool {
      let limit = safeguards.doubted.contains(side) ? 0 : safeguards.limit(of: work.knownCount)
      return count > limit
    }
    let (absent, gone) = (work.items.absent, work.items.gone)
    if isTooMany(absent.count, on: .remote) {
      safeguards.excuse(
        try await ledger.deliberateDeletions(among: absent, in: binding.local), on: .remote)
    }
    // A folder is edited in the same way on either side of a sync.
    if binding.remote.kind == "folder", isTooMany(gone.count, on: .local) {
      safeguards.excuse(
        try await ledger.deliberateDeletions(among: gone, in: binding.remote.location),
        on: .local)
    }
  }

  /// Looks up the fetched items that the classification does not contain.
  ///
  /// A resource that is new on the remote may hold a known item, under another name or as a
  /// duplicate.
  mutating func classifyFetched(of part: Part) async throws {
    guard case .changes = survey.extent else { return }
    var uids: Set<UID> = []
    for case .item(_, _, let item) in part.fetched
    where work.items.places[item.uid] == nil && work.items.records[item.uid] == nil {
      uids.insert(item.uid)
    }
    // The entries of these items are not those of the start of the run.
    uids.subtract(results.settled)
    guard !uids.isEmpty else { return }
    let places = try await ledger.places(of: binding, for: uids).places
    work.add(survey.local.records(of: uids), places)
  }
}

extension LedgerSummary {
  /// Whether the ETag shows that the remote version is unchanged.
  fileprivate func isKnown(as entry: RemoteEntry) -> Bool {
    // Items that an older version added under write-only access must be fetched.
    guard hasBase || localBase.isCurrent else { return false }
    return etag != nil && etag == entry.etag
  }

  /// Whether the local version and its name are unchanged.
  fileprivate func isKept(as record: LocalRecord?) -> Bool {
    guard let record else { return false }
    return record.fingerprint == localBase && record.name == localName && localBase.isCurrent
  }
}
