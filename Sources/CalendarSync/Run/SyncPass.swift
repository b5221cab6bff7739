// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What a run under full access has found out and done so far, without contents.
struct SyncPass {
  /// Both sides, as they were at the beginning.
  private(set) var view: SyncView
  /// The local files that are no readable items.
  let unreadable: [UnreadableEntry]
  /// What interrupted runs were about to do.
  let intents: [Intent]
  /// The conflicts that wait.
  let conflicts: [StoredConflict]
  /// What was added while the remote could not be read.
  let appended: [AppendRecord]
  /// Whether every local item was read in this run, and none is only known from an earlier one.
  let hasReadAll: Bool
  /// Whether everything is looked at, whatever tags and dates say.
  let isVerifying: Bool
  /// What was known to be outside of the filter.
  let outside: OutsideView
  /// What is found outside of it.
  private(set) var found: [OutsideItem] = []
  private var foundPlaces: Set<Href> = []
  /// How many items the sides agreed on.
  let knownCount: Int
  /// The run in the ledger, once it has begun.
  var run: RunID?
  /// What was done.
  var summary = RunSummary()
  /// The items that are dealt with.
  private(set) var decided: Set<UID> = []
  /// Whether nothing was planned yet.
  private(set) var isFirst = true
  private var putOff: Set<UID> = []
  /// The versions that were fetched.
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

  /// What the remote has of a part: what was asked for, and where its other items are.
  func listing(_ asked: [RemoteEntry], _ involved: Set<UID>) -> [RemoteEntry] {
    var seen = Set(asked.map(\.href))
    return asked
      + involved.filter { view.entry(of: $0) != nil }.inOrder().compactMap(view.entry)
      .filter { seen.insert($0.href).inserted }
  }

  /// The items of which nothing is fetched and nothing can be missing, part by part.
  func takeAdditions() -> [[UID]] {
    parts(of: view.rest.filter { !view.mayBeDeleted($0) && !decided.contains($0) })
  }

  /// The items that are missing somewhere, part by part.
  var deletions: [[UID]] {
    let missing = putOff.union(view.rest.filter(view.mayBeDeleted)).subtracting(decided)
    return parts(of: missing.inOrder())
  }

  private func parts(of uids: [UID]) -> [[UID]] {
    stride(from: 0, to: uids.count, by: partSize).map {
      Array(uids[$0..<min($0 + partSize, uids.count)])
    }
  }

  // MARK: What was found

  /// Notes which versions were fetched; where the answer tells none, it is the one that was listed.
  mutating func note(asked: [RemoteEntry], fetched: [RemoteFetch]) {
    for entry in asked { tags[entry.href] = entry.etag }
    for case .item(let href, let etag?, _) in fetched { tags[href] = etag }
  }

  /// Notes what is outside of the filter.
  mutating func note(outside items: [OutsideItem]) {
    found += items
    for item in items where item.side == .remote { foundPlaces.insert(Href(item.place)) }
  }

  /// Takes out of the plan of a part what a later part may show to be wrong, for the end of the run.
  ///
  /// These are deletions, and whatever else is done because an item is not where it was any more: it may
  /// be where a later part looks.
  ///
  /// - Parameters:
  ///   - plan: The plan.
  ///   - asked: What was fetched.
  ///   - fetched: What fetching it gave.
  /// - Returns: What is left of the plan.
  mutating func putOff(
    from plan: SyncPlan, asked: [RemoteEntry], fetched: [RemoteFetch]
  ) -> SyncPlan {
    let moved = movedAway(asked, fetched)
    // What was missing until now and is found here is not missing.
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
        // At the end nothing is fetched that would tell.
        view.find(operation.uid, at: RemoteEntry(href: href, etag: etag))
      }
    }
    return SyncPlan(operations: kept, conflicts: plan.conflicts)
  }

  /// The items of which a place was read that holds something else by now.
  private func movedAway(_ asked: [RemoteEntry], _ fetched: [RemoteFetch]) -> Set<UID> {
    var owners: Set<UID> = []
    for entry in asked { owners.formUnion(view.owners[entry.href] ?? []) }
    for case .item(_, _, let item) in fetched { owners.remove(item.uid) }
    return owners
  }

  /// Notes that a part is dealt with.
  mutating func decide(_ uids: some Sequence<UID>) {
    decided.formUnion(uids)
  }

  /// Notes that what was fetched is dealt with, but for what was put off.
  mutating func decide(_ asked: [RemoteEntry], _ fetched: [RemoteFetch]) {
    for entry in asked { decided.formUnion(view.owners[entry.href] ?? []) }
    for case .item(_, _, let item) in fetched { decided.insert(item.uid) }
    decided.subtract(putOff)
  }

  /// Counts what a plan leaves undone.
  mutating func count(_ plan: SyncPlan) {
    isFirst = false
    summary.conflicts += plan.conflicts
    summary.failed += plan.operations.count(where: \.isFailure)
    summary.stoppedByGuard = summary.stoppedByGuard || plan.objection != nil
    hasSkipped = hasSkipped || plan.operations.contains { $0.action == .skip }
  }

  // MARK: What is left

  /// Whether nothing is left to do, as far as both sides are known.
  var isAtRest: Bool {
    summary.conflicts == 0 && summary.failed == 0 && summary.deferred == 0 && !hasSkipped
      && unreadable.isEmpty
  }

  /// What was fetched and is not settled.
  ///
  /// - Parameters:
  ///   - agreed: What both sides were brought to agree on.
  ///   - unfinished: The items that something was left to do with. The tag of what was found by comparing
  ///     contents may be the one that is known; so they are noted without, to be fetched again.
  /// - Returns: Where they are, and in which versions.
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

  /// Whether something is gone from the remote that is not settled.
  func hasUnsettledRemovals(settled: Set<UID>) -> Bool {
    !view.gone.isSubset(of: settled)
  }
}
