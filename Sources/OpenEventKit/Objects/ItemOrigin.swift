// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CalendarSync
import CivilTime
import Foundation
import ICalSyntax

/// The place of a saved event or reminder: its calendar, its item, and its occurrence.
struct ItemOrigin: Sendable {
  /// The identifier of the calendar.
  let calendar: String
  /// The item as it was read or written last.
  let item: CalendarItem
  /// The entry of the item's file; nil if it is unknown, as after a save.
  let base: LocalEntry?
  /// When the series has the occurrence, even if it was moved; nil for an item that does not recur.
  let occurrence: EventTime?

  /// The UID.
  var uid: UID { item.uid }
}

/// The values of an item, which are read on demand: most objects of a query are looked at briefly.
final class LazySnapshot: @unchecked Sendable {
  private var known: ItemSnapshot?
  private var read: (() -> ItemSnapshot)?

  /// Values that are known.
  init(_ snapshot: ItemSnapshot) { known = snapshot }

  /// Values that are read at the first use, under the lock of the store.
  init(_ read: @escaping () -> ItemSnapshot) { self.read = read }

  /// The values; the caller holds the lock of the store.
  var value: ItemSnapshot {
    if let known { return known }
    let snapshot = read?() ?? ItemSnapshot(new: ItemFields())
    known = snapshot
    read = nil
    return snapshot
  }
}

/// The saved state of an object.
@usableFromInline
struct ItemState {
  /// The place; nil for an item that was never saved.
  var origin: ItemOrigin?
  /// The values that were saved or read last.
  var saved: LazySnapshot
  /// The values with which the object was fetched.
  var fetched: LazySnapshot
  /// Whether the item was removed.
  var isRemoved = false
  /// Whether the event was added under write-only access, so that it cannot be changed.
  var isAppended = false

  /// Whether the object is an occurrence of an event with a component of its own.
  var isDetached: Bool { origin?.occurrence != nil && saved.value.isDetached }
}

extension ItemEditor {
  /// Reads an occurrence, or an item that does not recur.
  ///
  /// - Parameters:
  ///   - time: When the series has the occurrence; nil for the item as a whole.
  ///   - item: The item.
  /// - Returns: The occurrence, with its start and end; nil if there is none at that time.
  func reading<Content: ItemContent>(
    at time: EventTime?, of item: CalendarItem
  ) -> OccurrenceReading<Content>? {
    guard let found: (content: Content, component: Component) = occurrence(at: time, of: item)
    else { return nil }
    return OccurrenceReading(content: found.content, component: found.component)
  }
}
