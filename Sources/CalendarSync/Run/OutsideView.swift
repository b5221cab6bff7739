// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime

/// The items that earlier runs found outside of the filter and that may not need another check.
struct OutsideView {
  private let remote: [Href: OutsideItem]
  private let hrefs: [UID: Href]
  private let local: [UID: OutsideItem]
  private let now: Instant

  /// Creates a view without items.
  init() {
    self.init([], at: Instant(secondsSinceEpoch: 0))
  }

  /// Creates a view of the stored items.
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

  /// Whether a remote entry is an unchanged item outside of the filter.
  func holds(_ entry: RemoteEntry) -> Bool {
    guard let item = remote[entry.href], !isDue(item) else { return false }
    return EntityTag(item.version) == entry.etag
  }

  /// Whether a local record is an unchanged item outside of the filter.
  func holds(_ record: LocalRecord) -> Bool {
    guard let item = local[record.uid], !isDue(item) else { return false }
    return item.version == record.fingerprint.rawValue
  }

  /// The remote items that have entered the window by now, even if they are unchanged.
  var due: [RemoteEntry] {
    remote.values.filter(isDue).map(Self.entry).sorted { $0.href.rawValue < $1.href.rawValue }
  }

  /// The places of remote items outside of the filter.
  var places: some Collection<Href> { remote.keys }

  /// The place of a remote item outside of the filter.
  func entry(of uid: UID) -> RemoteEntry? {
    hrefs[uid].flatMap { remote[$0] }.map(Self.entry)
  }

  /// The items to store after a run.
  ///
  /// - Parameters:
  ///   - view: The classification of the items at the start of the run.
  ///   - found: The items that the run found outside of the filter.
  /// - Returns: The items in a stable order.
  func items(after view: ClassifiedItems, found: [OutsideItem]) -> [OutsideItem] {
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
    // The latest result for an item replaces earlier ones.
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
