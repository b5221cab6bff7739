// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarStore
import CalendarSync
import Epact
import Foundation

/// The events that queries have found, prepared for the next queries.
///
/// The content of a file decides whether what is known of its event is still right.
struct PreparedItems {
  private struct Key: Hashable {
    let calendar: String
    let uid: UID
  }

  private struct Known {
    let revision: Revision
    let item: PreparedItem
  }

  /// The number of events above which all are forgotten.
  private static let limit = 50_000

  private var known: [Key: Known] = [:]
  /// The time zone in which days and floating times were placed.
  private var viewer: TimeZone?
  private var nextSource = 0
  /// The number of events that one thread prepares at a time.
  private static let portion = 128

  /// The events of a calendar, each of which has a number of its own in all queries.
  ///
  /// Those that are not known are prepared on all cores.
  ///
  /// - Parameters:
  ///   - found: The events.
  ///   - calendar: The identifier of their calendar.
  ///   - viewer: The default time zone.
  ///   - query: A query with that time zone.
  /// - Returns: The prepared events, in the same order.
  mutating func items(
    _ found: [StoreCore.Found], in calendar: String, _ viewer: TimeZone, by query: OccurrenceQuery
  ) -> [PreparedItem] {
    if self.viewer != viewer || known.count > Self.limit {
      known.removeAll()
      self.viewer = viewer
    }
    var items = found.map { known(of: $0, in: calendar) }
    let unknown = items.indices.filter { items[$0] == nil }
    let sources = unknown.map { place in
      nextSource += 1
      return (item: found[place].item, source: nextSource)
    }
    let prepared = sources.mapPortions(of: Self.portion) { portion in
      var query = query
      return portion.map { query.prepare($0.item, source: $0.source) }
    }
    for (place, item) in zip(unknown, prepared.joined()) {
      items[place] = item
      let key = Key(calendar: calendar, uid: found[place].item.uid)
      known[key] = Self.revision(of: found[place]).map { Known(revision: $0, item: item) }
    }
    return items.compactMap(\.self)
  }

  private func known(of found: StoreCore.Found, in calendar: String) -> PreparedItem? {
    guard let revision = Self.revision(of: found),
      let known = known[Key(calendar: calendar, uid: found.item.uid)], known.revision == revision
    else { return nil }
    return known.item
  }

  /// The revision of an event; nil for an uncommitted change, which has none of its own.
  private static func revision(of found: StoreCore.Found) -> Revision? {
    found.entry?.revision
  }
}
