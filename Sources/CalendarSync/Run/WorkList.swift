// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The items of a run that need attention, and how far the run has come with them.
struct WorkList {
  /// The items as they were at the start of the run, with the moves that were found since.
  private(set) var items: ClassifiedItems
  /// The number of items that the sides agreed on.
  let knownCount: Int
  /// The items that have been handled.
  private(set) var decided: Set<UID> = []
  /// The deletions and the kept items of the fetched parts, for the safeguards.
  private(set) var counted: DeletionCount?
  /// Whether no part has been planned yet.
  private(set) var isFirst = true
  /// The items that this run found outside of the filter.
  private(set) var found: [OutsideItem] = []
  private var foundPlaces: Set<Href> = []
  /// The items whose operations wait until all parts are fetched.
  private var postponed: Set<UID> = []
  /// The ETags of the fetched versions.
  private var tags: [Href: EntityTag] = [:]
  private var hasSkipped = false
  private let partSize: Int
  /// Whether the local calendar reads and rewrites all items for each part.
  private let isHandledAsWhole: Bool

  /// Creates a list without items.
  init() {
    self.init(ClassifiedItems(), knownCount: 0, partSize: 1, isHandledAsWhole: false)
  }

  /// Creates a list of classified items.
  init(_ items: ClassifiedItems, knownCount: Int, partSize: Int, isHandledAsWhole: Bool) {
    (self.items, self.knownCount) = (items, knownCount)
    (self.partSize, self.isHandledAsWhole) = (partSize, isHandledAsWhole)
  }

  /// The number of items.
  var count: Int { items.count }

  /// The places of a part: the fetched ones, and those of its other items.
  func listing(_ part: Part, _ involved: Set<UID>) -> [RemoteEntry] {
    var seen = Set(part.fetches.map(\.href))
    return part.fetches
      + involved.filter { items.entry(of: $0) != nil }.inOrder().compactMap(items.entry)
      .filter { seen.insert($0.href).inserted }
  }

  // MARK: Parts

  /// The approximate number of items in a local calendar that is handled as a whole; otherwise 0.
  var wholeCount: Int { isHandledAsWhole ? items.records.count + decided.count : 0 }

  /// Whether a part is large enough to be carried out.
  ///
  /// Parts that grow with a calendar in one file keep the number of its rewrites logarithmic. They
  /// may be as large as the file, which is in memory as a whole anyway.
  func isFull(_ part: Part) -> Bool { part.fetches.count >= max(partSize, wholeCount) }

  /// The items that need a fetch, in parts of fixed size.
  var fetches: [Part] {
    let entries = items.fetches
    return stride(from: 0, to: entries.count, by: partSize).map {
      Part(fetches: Array(entries[$0..<min($0 + partSize, entries.count)]), isProvisional: true)
    }
  }

  /// The items that need no fetch and cannot be deletions, in parts.
  var additions: [Part] {
    parts(of: items.rest.filter { !items.mayBeDeleted($0) && !decided.contains($0) })
  }

  /// The items that are missing on a side, in parts.
  var deletions: [Part] {
    let missing = postponed.union(items.rest.filter(items.mayBeDeleted)).subtracting(decided)
    return parts(of: missing.inOrder())
  }

  private func parts(of uids: [UID]) -> [Part] {
    let size = max(partSize, wholeCount)
    return stride(from: 0, to: uids.count, by: size).map {
      Part(uids: Array(uids[$0..<min($0 + size, uids.count)]))
    }
  }

  // MARK: Progress

  /// Adds the records of fetched items that were not classified.
  mutating func add(_ records: [LocalRecord], _ places: [LedgerSummary]) {
    items.add(records, places)
  }

  /// Records the fetched versions; uses the listed ETag if the response has none.
  mutating func note(_ part: Part) {
    for entry in part.fetches { tags[entry.href] = entry.etag }
    for case .item(let href, let etag?, _) in part.fetched { tags[href] = etag }
  }

  /// Records a plan.
  mutating func note(_ plan: SyncPlan) {
    isFirst = false
    hasSkipped = hasSkipped || plan.operations.contains { $0.action == .skip }
  }

  /// Counts the deletions and the kept items of a plan, without deletions that are known to be meant.
  mutating func count(_ operations: [PlannedOperation], meant: [MergeSide: Set<UID>]) {
    var count = counted ?? DeletionCount(meant: meant)
    count.add(operations)
    counted = count
  }

  /// Records items outside of the filter.
  mutating func note(outside items: [OutsideItem]) {
    found += items
    for item in items where item.side == .remote { foundPlaces.insert(Href(item.place)) }
  }

  /// Records that the items of a part are handled, except the postponed ones.
  mutating func decide(_ part: Part) {
    decided.formUnion(part.uids)
    for entry in part.fetches { decided.formUnion(items.owners[entry.href] ?? []) }
    for case .item(_, _, let item) in part.fetched { decided.insert(item.uid) }
    if part.isProvisional { decided.subtract(postponed) }
  }

  /// Removes the operations from the plan of a part that a later part may invalidate.
  ///
  /// These are deletions, and all operations that depend on the absence of an item from its place:
  /// a later part may find the item elsewhere. They are planned again at the end of the run.
  mutating func postpone(from plan: SyncPlan, of part: Part) -> SyncPlan {
    let moved = part.movedAway(items.owners)
    // An item that was missing and is found here is not missing.
    for case .item(_, _, let item) in part.fetched { postponed.remove(item.uid) }
    var kept: [PlannedOperation] = []
    for operation in plan.operations {
      let isMoved = moved.contains(operation.uid) && operation.needsAbsence
      guard operation.isDeletion || isMoved else {
        kept.append(operation)
        continue
      }
      postponed.insert(operation.uid)
      if isMoved {
        items.lose(operation.uid)
      } else if case .deleteRemote(let href, let etag) = operation.action,
        items.entry(of: operation.uid)?.href != href
      {
        // Deletions are planned without a fetch, so that the place must be recorded now.
        items.find(operation.uid, at: RemoteEntry(href: href, etag: etag))
      }
    }
    return SyncPlan(operations: kept, conflicts: plan.conflicts)
  }

  // MARK: Remaining work

  /// Whether the run skipped no item.
  var isComplete: Bool { !hasSkipped }

  /// The fetched places that are not settled, and those that the remote holds already.
  ///
  /// A comparison of contents can find items with remaining work although the ETag is unchanged, so
  /// they are stored without an ETag and fetched again.
  ///
  /// - Parameter results: What the run did.
  /// - Returns: The places and their versions.
  func unsettled(after results: RunResults) -> [RemoteEntry] {
    let (agreed, unfinished) = (results.agreed, results.unfinished)
    return items.fetches.compactMap { entry in
      guard let tag = tags[entry.href] else { return RemoteEntry(href: entry.href, etag: nil) }
      if agreed[entry.href] == tag || foundPlaces.contains(entry.href) { return nil }
      let owners = items.owners[entry.href] ?? []
      if !unfinished.isDisjoint(with: owners) || unfinished.contains(UID(entry.href.rawValue)) {
        return RemoteEntry(href: entry.href, etag: nil)
      }
      let isKnown = owners.contains { uid in
        items.places[uid].map { $0.href == entry.href && $0.etag == tag } ?? false
      }
      return isKnown ? nil : RemoteEntry(href: entry.href, etag: tag)
    } + results.taken
  }
}
