// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
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

  /// An event, which has a number of its own in all queries.
  ///
  /// - Parameters:
  ///   - found: The event.
  ///   - calendar: The identifier of its calendar.
  ///   - viewer: The default time zone.
  ///   - query: A query with that time zone.
  /// - Returns: The prepared event.
  mutating func item(
    _ found: StoreCore.Found, in calendar: String, _ viewer: TimeZone,
    by query: inout OccurrenceQuery
  ) -> PreparedItem {
    if self.viewer != viewer || known.count > Self.limit {
      known.removeAll()
      self.viewer = viewer
    }
    let key = Key(calendar: calendar, uid: found.item.uid)
    // An uncommitted change has no revision of its own.
    let revision = found.isCommitted ? found.base?.revision : nil
    if let revision, let known = known[key], known.revision == revision { return known.item }
    nextSource += 1
    let item = query.prepare(found.item, source: nextSource)
    known[key] = revision.map { Known(revision: $0, item: item) }
    return item
  }
}
