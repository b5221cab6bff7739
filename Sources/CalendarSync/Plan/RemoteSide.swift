// SPDX-License-Identifier: Apache-2.0

import CalendarModel

/// What the remote holds, by UID, after listing and fetching.
struct RemoteSide {
  /// The items, at most one for each UID.
  private(set) var items: [UID: RemoteState] = [:]
  /// What is to be said about the rest.
  private(set) var reports: [PlannedOperation] = []
  private var unknown: Set<Href> = []
  private let entries: [UID: LedgerEntry]
  private let listed: [Href: RemoteEntry]

  init(listing: [RemoteEntry], fetched: [RemoteFetch], entries: [UID: LedgerEntry]) {
    self.entries = entries
    listed = Dictionary(listing.map { ($0.href, $0) }) { first, _ in first }
    var found: [UID: [RemoteState]] = [:]
    for result in fetched {
      switch result {
      case .item(let href, let etag, let item):
        let entry = RemoteEntry(href: href, etag: etag ?? listed[href]?.etag)
        found[item.uid, default: []].append(RemoteState(entry: entry, item: item))
      case .unreadable(let href, let reason):
        unknown.insert(href)
        report(href, "the remote item is left alone: \(reason)")
      case .missing(let href):
        unknown.insert(href)
        report(href, "the remote lists the item but does not give it; it is left alone")
      }
    }
    for (uid, states) in found { choose(among: states, for: uid) }
  }

  /// Adds the items that were not fetched, because their tags are the ones that are known.
  mutating func addUnchanged(hrefs: Set<Href>) {
    for (uid, entry) in entries where items[uid] == nil && hrefs.contains(entry.href) {
      items[uid] = listed[entry.href].map { RemoteState(entry: $0, item: nil) }
    }
  }

  /// Whether the item of an entry is on the remote but cannot be read.
  func isUnknown(_ entry: LedgerEntry?) -> Bool {
    entry.map { unknown.contains($0.href) } ?? false
  }

  /// A UID that the remote holds twice is synced under the href that is known, or the first one.
  private mutating func choose(among states: [RemoteState], for uid: UID) {
    let sorted = states.sorted { $0.entry.href.rawValue < $1.entry.href.rawValue }
    let known = sorted.first { $0.entry.href == entries[uid]?.href }
    guard let chosen = known ?? sorted.first else { return }
    items[uid] = chosen
    for other in sorted where other.entry.href != chosen.entry.href {
      report(
        other.entry.href,
        "the remote holds the UID \(uid) twice; this one is left alone and \(chosen.entry.href) is synced"
      )
    }
  }

  private mutating func report(_ href: Href, _ reason: String) {
    reports.append(
      PlannedOperation(
        uid: UID(href.rawValue), title: href.rawValue, action: .skip, reason: reason))
  }
}
