// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// What earlier runs found outside of the filter, and what of it need not be looked at again.
struct OutsideView {
  private let remote: [Href: OutsideItem]
  private let hrefs: [UID: Href]
  private let local: [UID: OutsideItem]
  private let now: Instant

  /// Nothing is outside.
  init() {
    self.init([], at: Instant(secondsSinceEpoch: 0))
  }

  /// Sorts out what is remembered.
  init(_ items: [OutsideItem], at now: Instant) {
    var remote: [Href: OutsideItem] = [:]
    var hrefs: [UID: Href] = [:]
    var local: [UID: OutsideItem] = [:]
    for item in items {
      switch item.side {
      case .local: local[item.uid] = item
      case .remote:
        remote[Href(item.place)] = item
        hrefs[item.uid] = Href(item.place)
      }
    }
    (self.remote, self.hrefs, self.local, self.now) = (remote, hrefs, local, now)
  }

  /// Whether what the remote tells is still what was found outside.
  func holds(_ entry: RemoteEntry) -> Bool {
    guard let item = remote[entry.href], !isDue(item) else { return false }
    return EntityTag(item.version) == entry.etag
  }

  /// Whether what is here is still what was found outside.
  func holds(_ record: LocalRecord) -> Bool {
    guard let item = local[record.uid], !isDue(item) else { return false }
    return item.version == record.fingerprint.rawValue
  }

  /// What on the remote comes into the window by now, whether or not it is told to have changed.
  var due: [RemoteEntry] {
    remote.values.filter(isDue).map(Self.entry).sorted { $0.href.rawValue < $1.href.rawValue }
  }

  /// Where the remote had what was found outside.
  var places: some Collection<Href> { remote.keys }

  /// Where the remote had an item that was found outside.
  func entry(of uid: UID) -> RemoteEntry? {
    hrefs[uid].flatMap { remote[$0] }.map(Self.entry)
  }

  /// What is still known after a run.
  ///
  /// - Parameters:
  ///   - view: Both sides, as they were at the beginning.
  ///   - found: What the run found outside.
  /// - Returns: What to remember, in an order that does not change from run to run.
  func items(after view: SyncView, found: [OutsideItem]) -> [OutsideItem] {
    let looked = Set(view.fetches.map(\.href))
    let read = Set(view.rest)
    let kept = remote.values.filter { item in
      let href = Href(item.place)
      return !looked.contains(href) && view.places[item.uid] == nil && !view.missed.contains(href)
    }
    let stayed = local.values.filter { item in
      guard let record = view.records[item.uid], view.places[item.uid] == nil else { return false }
      return !read.contains(item.uid) && record.fingerprint.rawValue == item.version
    }
    // What was looked at last is what counts.
    var all: [String: OutsideItem] = [:]
    for item in kept + stayed + found { all["\(item.side) \(item.place)"] = item }
    return all.values.sorted {
      ($0.side.rawValue, $0.place) < ($1.side.rawValue, $1.place)
    }
  }

  private func isDue(_ item: OutsideItem) -> Bool {
    item.until.map { $0 <= now } ?? false
  }

  private static func entry(_ item: OutsideItem) -> RemoteEntry {
    RemoteEntry(href: Href(item.place), etag: EntityTag(item.version))
  }
}
