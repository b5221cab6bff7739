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
  private let intents: [UID: Intent]
  private let conflicts: [UID: StoredConflict]
  private let safeguards: Safeguards

  /// Creates a planner.
  ///
  /// - Parameters:
  ///   - local: Everything that the local calendar holds.
  ///   - listing: The complete listing of the remote.
  ///   - entries: What the sides last agreed on.
  ///   - intents: What an interrupted run was about to do.
  ///   - conflicts: The conflicts that wait.
  ///   - safeguards: How many deletions are believed.
  public init(
    local: LocalListing, listing: [RemoteEntry], entries: [LedgerEntry], intents: [Intent],
    conflicts: [StoredConflict], safeguards: Safeguards
  ) {
    self.local = local
    self.listing = listing
    self.entries = Dictionary(entries.map { ($0.uid, $0) }) { first, _ in first }
    self.intents = Dictionary(intents.map { ($0.uid, $0) }) { _, last in last }
    self.conflicts = Dictionary(conflicts.map { ($0.uid, $0) }) { _, last in last }
    self.safeguards = safeguards
  }

  /// The items that have to be read: new ones, and those whose tag is not the one that is known.
  public var hrefsToFetch: [Href] {
    let known = knownByHref
    return listing.filter { $0.etag == nil || known[$0.href] != $0.etag }.map(\.href)
  }

  /// The plan, once the items of `hrefsToFetch` were read.
  public func plan(fetched: [RemoteFetch]) -> SyncPlan {
    var remote = RemoteSide(listing: listing, fetched: fetched, entries: entries)
    remote.addUnchanged(hrefs: Set(listing.map(\.href)).subtracting(hrefsToFetch))
    let locals = Dictionary(local.entries.map { ($0.item.uid, $0) }) { first, _ in first }
    let uids = Set(locals.keys).union(entries.keys).union(remote.items.keys).sorted()
    var operations = remote.reports + unreadableReports
    for uid in uids {
      let decision = ItemDecision(
        uid: uid, local: locals[uid], isLocalUnknown: isLocalUnknown(uid),
        remote: remote.items[uid], isRemoteUnknown: remote.isUnknown(entries[uid]),
        entry: entries[uid], intent: intents[uid], conflict: conflicts[uid])
      if let operation = decision.operation { operations.append(operation) }
    }
    operations.sort { ($0.uid, $0.verb) < ($1.uid, $1.verb) }
    let waiting = operations.count { if case .conflict = $0.action { true } else { false } }
    return SyncPlan(
      operations: operations,
      objection: safeguards.objection(to: operations, known: entries.count),
      conflicts: waiting)
  }

  /// The tags under which items are known to be what they were when the sides last agreed.
  ///
  /// What an interrupted run was about to change is not known, nor is what is in conflict.
  private var knownByHref: [Href: EntityTag] {
    var known: [Href: EntityTag] = [:]
    for (uid, entry) in entries where intents[uid] == nil && conflicts[uid] == nil {
      if let etag = entry.etag { known[entry.href] = etag }
    }
    return known
  }

  private func isLocalUnknown(_ uid: UID) -> Bool {
    guard let name = entries[uid]?.localName else { return false }
    return local.unreadable.contains { $0.name == name }
  }

  private var unreadableReports: [PlannedOperation] {
    local.unreadable.map { entry in
      PlannedOperation(
        uid: UID(entry.name), title: entry.name, action: .skip,
        reason: "the local file is left alone: \(entry.reason)")
    }
  }
}
