// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The state of a run with full access, without contents.
struct SyncPass {
  /// The comparison of both sides at the start of the run.
  private(set) var view: SyncView
  /// The local files that are not readable items.
  let unreadable: [UnreadableEntry]
  /// The intents of interrupted runs.
  let intents: [Intent]
  /// The unresolved conflicts.
  let conflicts: [StoredConflict]
  /// The additions from a time without read access.
  let appended: [AppendRecord]
  /// Whether this run read all local items instead of reusing records of an earlier run.
  let hasReadAll: Bool
  /// Whether the run compares everything, regardless of tags and timestamps.
  let isVerifying: Bool
  /// The items that were outside of the filter before.
  let outside: OutsideView
  /// The items that this run found outside of the filter.
  private(set) var found: [OutsideItem] = []
  private var foundPlaces: Set<Href> = []
  /// The number of items that the sides agreed on.
  let knownCount: Int
  /// The run in the ledger, after it has begun.
  var run: RunID?
  /// The results so far.
  var summary = RunSummary()
  /// The items that have been handled.
  private(set) var decided: Set<UID> = []
  /// Whether no part has been planned yet.
  private(set) var isFirst = true
  private var putOff: Set<UID> = []
  /// The ETags of the fetched versions.
  private var tags: [Href: EntityTag] = [:]
  private var hasSkipped = false
  private let partSize: Int

  init(
    view: SyncView, agreedCount: Int, unreadable: [UnreadableEntry], intents: [Intent],
    conflicts: [StoredConflict], appended: [AppendRecord], outside: OutsideView, hasReadAll: Bool,
    isVerifying: Bool, options: SyncOptions
  ) {
    self.view = view
    self.unreadable = unreadable
    self.intents = intents
    self.conflicts = conflicts
    self.appended = appended
    self.hasReadAll = hasReadAll
    self.isVerifying = isVerifying
    self.outside = outside
    partSize = options.partSize
    let others = Set(intents.map(\.uid))
      .union(appended.map(\.uid).filter { view.records[$0] != nil })
      .filter { view.places[$0] == nil }
    knownCount = agreedCount + others.count
  }

  /// The listing of a part: the fetched places, and the places of its other items.
  func listing(_ asked: [RemoteEntry], _ involved: Set<UID>) -> [RemoteEntry] {
    var seen = Set(asked.map(\.href))
    return asked
      + involved.filter { view.entry(of: $0) != nil }.inOrder().compactMap(view.entry)
      .filter { seen.insert($0.href).inserted }
  }

  /// The items that need no fetch and cannot be deletions, split into parts.
  func takeAdditions() -> [[UID]] {
    parts(of: view.rest.filter { !view.mayBeDeleted($0) && !decided.contains($0) })
  }

  /// The items that are missing on a side, split into parts.
  var deletions: [[UID]] {
    let missing = putOff.union(view.rest.filter(view.mayBeDeleted)).subtracting(decided)
    return parts(of: missing.inOrder())
  }

  private func parts(of uids: [UID]) -> [[UID]] {
    stride(from: 0, to: uids.count, by: partSize).map {
      Array(uids[$0..<min($0 + partSize, uids.count)])
    }
  }

  // MARK: Findings

  /// Records the fetched versions; uses the listed ETag if the response has none.
  mutating func note(asked: [RemoteEntry], fetched: [RemoteFetch]) {
    for entry in asked { tags[entry.href] = entry.etag }
    for case .item(let href, let etag?, _) in fetched { tags[href] = etag }
  }

  /// Records the items outside of the filter.
  mutating func note(outside items: [OutsideItem]) {
    found += items
    for item in items where item.side == .remote { foundPlaces.insert(Href(item.place)) }
  }

  /// Removes the operations from the plan of a part that a later part may invalidate.
  ///
  /// These are deletions, and all operations that depend on the absence of an item from its place:
  /// a later part may find the item elsewhere. They are deferred to the end of the run.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - asked: The fetched places.
  ///   - fetched: The fetch results.
  /// - Returns: The remaining plan.
  mutating func putOff(
    from plan: SyncPlan, asked: [RemoteEntry], fetched: [RemoteFetch]
  ) -> SyncPlan {
    let moved = movedAway(asked, fetched)
    // An item that was missing and is found here is not missing.
    for case .item(_, _, let item) in fetched { putOff.remove(item.uid) }
    var kept: [PlannedOperation] = []
    for operation in plan.operations {
      let isMoved = moved.contains(operation.uid) && operation.needsAbsence
      guard operation.isDeletion || isMoved else {
        kept.append(operation)
        continue
      }
      putOff.insert(operation.uid)
      if isMoved {
        view.lose(operation.uid)
      } else if case .deleteRemote(let href, let etag) = operation.action,
        view.entry(of: operation.uid)?.href != href
      {
        // Deletions are planned without a fetch, so that the place must be recorded now.
        view.find(operation.uid, at: RemoteEntry(href: href, etag: etag))
      }
    }
    return SyncPlan(operations: kept, conflicts: plan.conflicts)
  }

  /// The items whose place was fetched and now holds another item.
  private func movedAway(_ asked: [RemoteEntry], _ fetched: [RemoteFetch]) -> Set<UID> {
    var owners: Set<UID> = []
    for entry in asked { owners.formUnion(view.owners[entry.href] ?? []) }
    for case .item(_, _, let item) in fetched { owners.remove(item.uid) }
    return owners
  }

  /// Records that a part is handled.
  mutating func decide(_ uids: some Sequence<UID>) {
    decided.formUnion(uids)
  }

  /// Records that the fetched items are handled, except the deferred ones.
  mutating func decide(_ asked: [RemoteEntry], _ fetched: [RemoteFetch]) {
    for entry in asked { decided.formUnion(view.owners[entry.href] ?? []) }
    for case .item(_, _, let item) in fetched { decided.insert(item.uid) }
    decided.subtract(putOff)
  }

  /// Counts the unresolved parts of a plan.
  mutating func count(_ plan: SyncPlan) {
    isFirst = false
    summary.conflicts += plan.conflicts
    summary.failed += plan.operations.count(where: \.isFailure)
    summary.stoppedByGuard = summary.stoppedByGuard || plan.objection != nil
    hasSkipped = hasSkipped || plan.operations.contains { $0.action == .skip }
  }

  // MARK: Remaining work

  /// Whether no work remains, as far as both sides are known.
  var isAtRest: Bool {
    summary.conflicts == 0 && summary.failed == 0 && summary.deferred == 0 && !hasSkipped
      && unreadable.isEmpty
  }

  /// The fetched places that are not settled.
  ///
  /// - Parameters:
  ///   - agreed: The places and ETags that both sides agree on.
  ///   - unfinished: The items with remaining work. A comparison of contents can find them although
  ///     the ETag is unchanged, so they are stored without an ETag and fetched again.
  /// - Returns: The places and their versions.
  func unsettled(agreed: [Href: EntityTag], unfinished: Set<UID>) -> [RemoteEntry] {
    view.fetches.compactMap { entry in
      guard let tag = tags[entry.href] else { return RemoteEntry(href: entry.href, etag: nil) }
      if agreed[entry.href] == tag || foundPlaces.contains(entry.href) { return nil }
      let owners = view.owners[entry.href] ?? []
      if !unfinished.isDisjoint(with: owners) || unfinished.contains(UID(entry.href.rawValue)) {
        return RemoteEntry(href: entry.href, etag: nil)
      }
      let isKnown = owners.contains { uid in
        view.places[uid].map { $0.href == entry.href && $0.etag == tag } ?? false
      }
      return isKnown ? nil : RemoteEntry(href: entry.href, etag: tag)
    }
  }

  /// Whether the remote lacks an item whose removal is not settled.
  func hasUnsettledRemovals(settled: Set<UID>) -> Bool {
    !view.gone.isSubset(of: settled)
  }
}
