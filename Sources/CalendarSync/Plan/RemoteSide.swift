// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// The contents of the remote by UID, after listing and fetching.
struct RemoteSide {
  /// The items, at most one for each UID.
  private(set) var items: [UID: RemoteState] = [:]
  /// The resources that are listed but not returned.
  private(set) var undelivered: [RemoteEntry] = []
  /// The reports about all other resources.
  private(set) var reports: [PlannedOperation] = []
  /// The places of items whose UID belongs to an item at another place.
  private(set) var doubles: [UID: [Href]] = [:]
  private var unknown: Set<Href>
  private let entries: [UID: LedgerEntry]
  private let listed: [Href: RemoteEntry]
  /// The resources that exist but are not listed.
  private let held: Set<Href>

  /// Sorts the fetched results; requested resources without a result are unknown.
  init(
    listing: [RemoteEntry], asked: Set<Href>, fetched: [RemoteFetch], entries: [UID: LedgerEntry],
    held: Set<Href>
  ) {
    self.held = held
    self.entries = entries
    unknown = asked
    listed = Dictionary(listing.map { ($0.href, $0) }) { first, _ in first }
    var found: [UID: [RemoteState]] = [:]
    found.reserveCapacity(fetched.count)
    for result in fetched {
      switch result {
      case .item(let href, let etag, let item):
        let entry = RemoteEntry(href: href, etag: etag ?? listed[href]?.etag)
        unknown.remove(href)
        found[item.uid, default: []].append(RemoteState(entry: entry, item: item))
      case .unreadable(let href, let reason):
        report(href, .remoteItem(reason))
      case .missing(let href):
        undelivered.append(listed[href] ?? RemoteEntry(href: href, etag: nil))
      }
    }
    var read: Set<Href> = []
    read.reserveCapacity(fetched.count)
    for states in found.values { for state in states { read.insert(state.entry.href) } }
    for (uid, states) in found { choose(among: states, for: uid, read: read) }
  }

  /// Adds the items that were not fetched because their ETags are unchanged.
  mutating func addUnchanged(hrefs: Set<Href>) {
    for (uid, entry) in entries where items[uid] == nil && hrefs.contains(entry.href) {
      items[uid] = listed[entry.href].map { RemoteState(entry: $0, item: nil) }
    }
  }

  /// Whether a place could not be read.
  func isUnknown(_ href: Href) -> Bool { unknown.contains(href) }

  /// Chooses the known href, or else the one that `SharedUID` chooses, for a UID that the remote
  /// holds twice.
  ///
  /// The known href need not be among the fetched ones: if its ETag is unchanged, or if it is
  /// unreadable, it is still the chosen one. Otherwise the sync would alternate between the two. An
  /// unlisted known href is only an alias under which the remote first returned the item.
  private mutating func choose(among states: [RemoteState], for uid: UID, read: Set<Href>) {
    // Nearly always the item is new to the ledger, or at the known href.
    if states.count == 1, let state = states.first {
      let known = entries[uid]?.href
      if known == nil || known == state.entry.href {
        items[uid] = state
        return
      }
    }
    let sorted = states.sorted {
      SharedUID.precedes($0.entry.href.rawValue, $1.entry.href.rawValue)
    }
    let known = entries[uid].map(\.href).flatMap { held.contains($0) ? nil : listed[$0]?.href }
    let knownState = sorted.first { $0.entry.href == known }
    let isElsewhere = knownState == nil && known.map { !read.contains($0) } ?? false
    if !isElsewhere { items[uid] = knownState ?? sorted.first }
    guard let chosen = isElsewhere ? known : items[uid]?.entry.href else { return }
    for other in sorted where other.entry.href != chosen {
      doubles[uid, default: []].append(other.entry.href)
      report(other.entry.href, .double(uid, chosen: chosen.rawValue))
    }
  }

  private mutating func report(_ href: Href, _ obstacle: ItemObstacle) {
    reports.append(
      PlannedOperation(
        skipping: UID(href.rawValue), title: href.rawValue, because: obstacle, isFailure: true))
  }
}

/// The state of one item on the remote, after listing and fetching.
struct RemoteState {
  /// The href and ETag.
  let entry: RemoteEntry
  /// The item, or nil if its ETag shows that it is unchanged since the sides last agreed.
  let item: CalendarItem?
}
