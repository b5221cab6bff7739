// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Creates the plan of a sync from the contents of both sides and the ledger.
///
/// It is a pure function in two steps: `hrefsToFetch` returns the items that the run must fetch,
/// and `plan(fetched:)` decides. Neither step sends or writes anything.
public struct Planner: Sendable {
  private let local: LocalListing
  private let listing: [RemoteEntry]
  private let entries: [UID: LedgerEntry]
  private let intents: [UID: [Intent]]
  private let conflicts: [UID: StoredConflict]
  private let safeguards: Safeguards
  private let merge: ThreeWayMerge
  /// The items whose entries use an older normal form or older time zone rules.
  private let renewed: Set<UID>
  /// The names of the local files that cannot be read.
  private let unreadableNames: Set<String>
  /// Whether the ledger does not know one of these names.
  private let hasStray: Bool
  /// The context of the whole run, if this is the planner of a part.
  private let scope: PlanScope?

  /// Creates a planner.
  ///
  /// - Parameters:
  ///   - local: The complete contents of the local calendar.
  ///   - listing: The complete listing of the remote.
  ///   - entries: The ledger entries.
  ///   - intents: The intents of an interrupted run.
  ///   - conflicts: The unresolved conflicts.
  ///   - appended: The additions from a time without read access.
  ///   - safeguards: The limits for deletions.
  ///   - merge: The comparison of items and the merge of concurrent edits.
  public init(
    local: LocalListing, listing: [RemoteEntry], entries: [LedgerEntry], intents: [Intent],
    conflicts: [StoredConflict], appended: [AppendRecord] = [], safeguards: Safeguards,
    merge: ThreeWayMerge = ThreeWayMerge()
  ) {
    self.init(
      local: local.normalized(by: merge.normalForm), listing: listing, entries: entries,
      intents: intents, conflicts: conflicts, appended: appended, safeguards: safeguards,
      merge: merge, scope: nil)
  }

  /// Creates a planner for a part of the run, whose items are in normal form already.
  init(
    local: LocalListing, listing: [RemoteEntry], entries: [LedgerEntry], intents: [Intent],
    conflicts: [StoredConflict], appended: [AppendRecord], safeguards: Safeguards,
    merge: ThreeWayMerge, scope: PlanScope?
  ) {
    self.merge = merge
    self.scope = scope
    let known = entries + Self.entries(for: appended, in: local)
    let places = RemotePlaces(
      listing, known: known.map(\.href) + intents.compactMap(\.href))
    self.local = local
    self.listing = listing
    var respelled = Dictionary(known.map { ($0.uid, places.respelled($0)) }) { first, _ in first }
    renewed = Self.renew(&respelled, local, merge.normalForm)
    self.entries = respelled
    self.intents = Dictionary(grouping: intents.map(places.respelled), by: \.uid)
    self.conflicts = Dictionary(conflicts.map { ($0.uid, $0) }) { _, last in last }
    self.safeguards = safeguards
    unreadableNames = Set(local.unreadable.map(\.name))
    hasStray = scope?.hasStray ?? !unreadableNames.isSubset(of: known.map(\.localName))
  }

  /// Converts the entries of items that seem changed to the current form, and returns their UIDs.
  private static func renew(
    _ entries: inout [UID: LedgerEntry], _ local: LocalListing, _ form: NormalForm
  ) -> Set<UID> {
    let items = Dictionary(local.entries.map { ($0.item.uid, $0.item) }) { first, _ in first }
    var renewed: Set<UID> = []
    for (uid, entry) in entries {
      let fingerprint = items[uid]?.fingerprint ?? entry.localBase
      guard
        !entry.localBase.isCurrent || !entry.remoteBase.isCurrent || fingerprint != entry.localBase,
        let newer = entry.renewed(by: form)
      else { continue }
      entries[uid] = newer
      renewed.insert(uid)
    }
    return renewed
  }

  /// The implied entries of items that were added under write-only access and still exist locally.
  ///
  /// As long as an item was not changed locally, it is also the content that was sent.
  private static func entries(
    for records: [AppendRecord], in local: LocalListing
  ) -> [LedgerEntry] {
    guard !records.isEmpty else { return [] }
    let here = Dictionary(local.entries.map { ($0.item.uid, $0) }) { first, _ in first }
    return records.compactMap { record in
      here[record.uid].map { entry in
        let isSame = entry.item.fingerprint == record.fingerprint
        return LedgerEntry(
          uid: record.uid, localName: entry.name, localBase: record.fingerprint, href: record.href,
          etag: record.etag, remoteBase: record.fingerprint,
          base: isSame ? entry.item.serialized() : nil, isUnseen: true)
      }
    }
  }

  /// The items to fetch: new ones, and those whose ETag is unknown or changed.
  public var hrefsToFetch: [Href] {
    if let asked = scope?.asked { return listing.map(\.href).filter(asked.contains) }
    let known = knownByHref
    return listing.filter { $0.etag == nil || known[$0.href] != $0.etag }.map(\.href)
  }

  /// The plan, based on the fetched items of `hrefsToFetch`.
  public func plan(fetched: [RemoteFetch]) -> SyncPlan {
    let asked = hrefsToFetch
    let locals = Dictionary(local.entries.map { ($0.item.uid, $0) }) { first, _ in first }
    // Without local items no meaning can be shared, and items of a part are in normal form already.
    let fetched =
      locals.isEmpty && scope != nil
      ? fetched
      : fetched.map { $0.normalized(by: merge.normalForm).sharingMeaning(with: locals) }
    var remote = RemoteSide(
      listing: listing, asked: asked, fetched: fetched, entries: entries, held: scope?.held ?? [])
    remote.addUnchanged(hrefs: Set(listing.map(\.href)).subtracting(asked))
    let remembered = Set(entries.keys).union(intents.keys)
    let decided = scope?.decided ?? []
    let uids = remembered.union(locals.keys).union(remote.items.keys).union(conflicts.keys)
      .filter { !decided.contains($0) }.inOrder()
    var operations = remote.reports + undeliveredReports(remote.undelivered, locals)
    operations += (scope?.isFirst == false ? [] : unreadableReports)
    let reports = operations.count
    var waiting = 0
    var losses: [RemoteLoss] = []
    for uid in uids {
      let intents = intents[uid] ?? []
      let decision = ItemDecision(
        uid: uid, local: locals[uid], isLocalUnknown: isLocalUnknown(uid),
        remote: remote.items[uid],
        isRemoteUnknown: remote.isUnknown(entries[uid]?.href, intents.compactMap(\.href)),
        entry: entries[uid], isRenewed: renewed.contains(uid), intents: intents,
        isElsewhere: entries[uid] == nil && scope?.elsewhere.contains(uid) == true,
        conflict: conflicts[uid], threeWay: merge)
      losses += decision.losses(isVerifying: scope?.isVerifying ?? false)
      guard let operation = decision.operation else { continue }
      operations.append(operation)
      let isLeftWaiting = operation.action == .skip && conflicts[uid] != nil
      if operation.waiting != nil || isLeftWaiting { waiting += 1 }
    }
    return SyncPlan(
      operations: Self.sorted(operations, after: reports),
      objection: safeguards.objection(
        to: operations, known: scope?.knownCount ?? remembered.count),
      conflicts: waiting, losses: losses)
  }

  /// The operations in the order of the plan.
  ///
  /// Only reports are out of order, and most plans have none. Indices are sorted instead of
  /// operations, because moving an operation moves all its contents.
  private static func sorted(
    _ operations: [PlannedOperation], after reports: Int
  ) -> [PlannedOperation] {
    guard reports > 0 else { return operations }
    let keys = operations.enumerated().map { (uid: $1.uid, verb: $1.verb, place: $0) }
    return keys.sorted { left, right in
      guard left.uid == right.uid else { return left.uid < right.uid }
      return (left.verb, left.place) < (right.verb, right.place)
    }.map { operations[$0.place] }
  }

  /// The ETags of items that are known to be unchanged since the sides last agreed.
  ///
  /// Items of interrupted runs and of conflicts are excluded.
  private var knownByHref: [Href: EntityTag] {
    var known: [Href: EntityTag] = [:]
    for (uid, entry) in entries where intents[uid] == nil && conflicts[uid] == nil {
      // Items that an older version added under write-only access must be fetched.
      if entry.base == nil, !entry.localBase.isCurrent { continue }
      if let etag = entry.etag { known[entry.href] = etag }
    }
    return known
  }

  /// Whether the item may exist in the local calendar although it was not read.
  ///
  /// Users rename files, and intents do not store names. An unreadable file with a name unknown to
  /// the ledger may therefore be any missing item.
  private func isLocalUnknown(_ uid: UID) -> Bool {
    if let scope, scope.unknown.contains(uid) { return true }
    guard entries[uid] != nil || intents[uid] != nil else { return false }
    return hasStray || entries[uid].map { unreadableNames.contains($0.localName) } ?? false
  }

  /// Reports of resources that are listed but not returned; their local operations are deferred.
  private func undeliveredReports(
    _ places: [RemoteEntry], _ locals: [UID: LocalEntry]
  ) -> [PlannedOperation] {
    guard !places.isEmpty else { return [] }
    var awaited = Set(intents.values.joined().compactMap(\.href))
    for entry in entries.values
    where locals[entry.uid]?.item.fingerprint != entry.localBase || intents[entry.uid] != nil {
      awaited.insert(entry.href)
    }
    return places.map {
      PlannedOperation(undelivered: $0, isAwaited: awaited.contains($0.href))
    }
  }

  private var unreadableReports: [PlannedOperation] {
    local.unreadable.map { entry in
      PlannedOperation(
        uid: UID(entry.name), title: entry.name, action: .skip,
        reason: "the local file is left alone: \(entry.reason)", isFailure: true)
    }
  }
}
