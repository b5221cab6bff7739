// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What the remote holds, by UID, after listing and fetching.
struct RemoteSide {
  /// The items, at most one for each UID.
  private(set) var items: [UID: RemoteState] = [:]
  /// The places that are listed and for which nothing is given.
  private(set) var undelivered: [RemoteEntry] = []
  /// What is to be said about the rest.
  private(set) var reports: [PlannedOperation] = []
  private var unknown: Set<Href>
  private let entries: [UID: LedgerEntry]
  private let listed: [Href: RemoteEntry]
  /// Where something is that the remote does not list.
  private let held: Set<Href>

  /// Sorts out what was read; what was asked for and is not in the answers is unknown.
  init(
    listing: [RemoteEntry], asked: [Href], fetched: [RemoteFetch], entries: [UID: LedgerEntry],
    held: Set<Href>
  ) {
    self.held = held
    self.entries = entries
    unknown = Set(asked)
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
        report(href, "the remote item is left alone: \(reason)")
      case .missing(let href):
        undelivered.append(listed[href] ?? RemoteEntry(href: href, etag: nil))
      }
    }
    var read: Set<Href> = []
    read.reserveCapacity(fetched.count)
    for states in found.values { for state in states { read.insert(state.entry.href) } }
    for (uid, states) in found { choose(among: states, for: uid, read: read) }
  }

  /// Adds the items that were not fetched, because their tags are the ones that are known.
  mutating func addUnchanged(hrefs: Set<Href>) {
    for (uid, entry) in entries where items[uid] == nil && hrefs.contains(entry.href) {
      items[uid] = listed[entry.href].map { RemoteState(entry: $0, item: nil) }
    }
  }

  /// Whether one of the places where an item is known to be could not be read.
  func isUnknown(_ known: Href?, _ intended: [Href]) -> Bool {
    known.map(unknown.contains) ?? false || intended.contains(where: unknown.contains)
  }

  /// A UID that the remote holds twice is synced under the href that is known, or the first one.
  ///
  /// The known one need not be among those that were read: if its tag is unchanged, or if it cannot
  /// be read, it is still the one, or the sync would go back and forth between the two. One that is
  /// not even listed is only another name of it, by which the remote knew it at first.
  private mutating func choose(among states: [RemoteState], for uid: UID, read: Set<Href>) {
    // Nearly always the ledger does not know the item, or it is where the ledger knows it.
    if states.count == 1, let state = states.first {
      let known = entries[uid]?.href
      if known == nil || known == state.entry.href {
        items[uid] = state
        return
      }
    }
    let sorted = states.sorted { $0.entry.href.rawValue < $1.entry.href.rawValue }
    let known = entries[uid].map(\.href).flatMap { held.contains($0) ? nil : listed[$0]?.href }
    let knownState = sorted.first { $0.entry.href == known }
    let isElsewhere = knownState == nil && known.map { !read.contains($0) } ?? false
    if !isElsewhere { items[uid] = knownState ?? sorted.first }
    guard let chosen = isElsewhere ? known : items[uid]?.entry.href else { return }
    for other in sorted where other.entry.href != chosen {
      report(
        other.entry.href,
        "the remote holds the UID \(uid) twice; this one is left alone and \(chosen) is synced")
    }
  }

  private mutating func report(_ href: Href, _ reason: String) {
    reports.append(
      PlannedOperation(
        uid: UID(href.rawValue), title: href.rawValue, action: .skip, reason: reason,
        isFailure: true))
  }
}
