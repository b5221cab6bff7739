// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// Items that a run decides about together.
struct Part {
  /// The places that are fetched.
  var fetches: [RemoteEntry] = []
  /// The items that need no fetch.
  var uids: [UID] = []
  /// Whether a later part may still find a missing item elsewhere.
  var isProvisional = false
  /// The results of the fetches.
  var fetched: [RemoteFetch] = []

  /// Adds a fetched part.
  mutating func append(_ part: Part, _ results: [RemoteFetch]) {
    fetches += part.fetches
    fetched += results
  }

  /// The items whose place was fetched and that are not there, given the items of each place.
  func movedAway(_ owners: [Href: Set<UID>]) -> Set<UID> {
    var moved: Set<UID> = []
    for entry in fetches { moved.formUnion(owners[entry.href] ?? []) }
    for case .item(_, _, let item) in fetched { moved.remove(item.uid) }
    return moved
  }
}

/// The contents of a part: what each side and the ledger hold of its items.
struct PartContents {
  var part = Part()
  /// The items of the part that no earlier part has handled.
  var open: Set<UID> = []
  /// The readable local items, and all unreadable files.
  var local = LocalListing()
  /// The places of the items on the remote.
  var listing: [RemoteEntry] = []
  /// The ledger entries.
  var entries: [LedgerEntry] = []
  /// The items whose files exist but could not be read again.
  var unknown: Set<UID> = []
}

/// The facts that a plan depends on apart from the contents of a part.
struct PlanScope {
  /// The intents of interrupted runs.
  var intents: [Intent] = []
  /// The unresolved conflicts.
  var conflicts: [StoredConflict] = []
  /// The additions from a time without read access.
  var appended: [AppendRecord] = []
  /// The resources that were added earlier and exist, but are not listed.
  var held: Set<Href> = []
  /// The items whose local versions replace those that the restored remote went back to.
  var rolledBack: Set<UID> = []
  /// Whether the remote is a folder.
  var isRemoteFolder = false
  /// Whether an interrupted write to the remote may have done a part of its work.
  var isWrittenInParts = false
  /// Whether the run compares contents.
  var isVerifying = false
  /// The rules of a one-way sync; nil for a sync in both directions.
  var oneWay: OneWay?
  /// The unreadable local files with names unknown to the ledger, in order.
  var strays: [String] = []
  /// Whether the part is the first, which reports problems that belong to no part.
  var isFirst = true
  /// The items that earlier parts have handled.
  var decided: Set<UID> = []
  /// The items whose addition was interrupted, and that another calendar knows.
  var elsewhere: Set<UID> = []
}
