// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Makes the plan of a sync from what both sides hold and what the ledger remembers.
///
/// It is a pure function in two steps: `hrefsToFetch` tells which items have to be read on the remote
/// at all, `plan(fetched:)` decides. Nothing is sent and nothing is written by either.
public struct Planner: Sendable {
  private let local: LocalListing
  private let listing: [RemoteEntry]
  private let entries: [UID: LedgerEntry]
  private let intents: [UID: [Intent]]
  private let conflicts: [UID: StoredConflict]
  private let safeguards: Safeguards
  private let merge: ThreeWayMerge
  /// The items whose entries are of an older normal form, or of older rules of time zones.
  private let renewed: Set<UID>
  /// The names of the local files that cannot be read.
  private let unreadableNames: Set<String>
  /// Whether one of them is a name that the ledger does not know.
  private let hasStray: Bool
  /// What is known of the whole, where this is the plan of a part.
  private let scope: PlanScope?

  /// Creates a planner.
  ///
  /// - Parameters:
  ///   - local: Everything that the local calendar holds.
  ///   - listing: The complete listing of the remote.
  ///   - entries: What the sides last agreed on.
  ///   - intents: What an interrupted run was about to do.
  ///   - conflicts: The conflicts that wait.
  ///   - appended: What was added while the remote could not be read.
  ///   - safeguards: How many deletions are believed.
  ///   - merge: How items are compared, and two edits of one merged.
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

  /// Creates a planner of a part of what is to be done, whose items have the form already.
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

  /// Brings the entries of items that seem changed into today's form; gives those that were not.
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

  /// What was added under write-only access, and is still here, is something the sides agreed on; as long
  /// as it was not changed here, this side tells what was sent.
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

  /// The items that have to be read: new ones, and those whose tag is not the one that is known.
  public var hrefsToFetch: [Href] {
    if let asked = scope?.asked { return listing.map(\.href).filter(asked.contains) }
    let known = knownByHref
    return listing.filter { $0.etag == nil || known[$0.href] != $0.etag }.map(\.href)
  }

  /// The plan, once the items of `hrefsToFetch` were read.
  public func plan(fetched: [RemoteFetch]) -> SyncPlan {
    let asked = hrefsToFetch
    let locals = Dictionary(local.entries.map { ($0.item.uid, $0) }) { first, _ in first }
    // Nothing is the same as what is not here, and what a part is made of has the form already.
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

  /// The operations in the order of a plan; by place, because to move one is to move all that is in it.
  ///
  /// They are in order but for the reports, and mostly there are none.
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

  /// The tags under which items are known to be what they were when the sides last agreed.
  ///
  /// What an interrupted run was about to change is not known, nor is what is in conflict.
  private var knownByHref: [Href: EntityTag] {
    var known: [Href: EntityTag] = [:]
    for (uid, entry) in entries where intents[uid] == nil && conflicts[uid] == nil {
      // What was added under write-only access by an older version has to be looked at.
      if entry.base == nil, !entry.localBase.isCurrent { continue }
      if let etag = entry.etag { known[entry.href] = etag }
    }
    return known
  }

  /// Whether the item may be in the local calendar although it was not read there.
  ///
  /// People rename files, and an intent does not tell a name: a file that cannot be read and that the
  /// ledger does not know by name may be any item that is missing.
  private func isLocalUnknown(_ uid: UID) -> Bool {
    if let scope, scope.unknown.contains(uid) { return true }
    guard entries[uid] != nil || intents[uid] != nil else { return false }
    return hasStray || entries[uid].map { unreadableNames.contains($0.localName) } ?? false
  }

  /// What is listed and not given; what has to be done with it here waits for it.
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
