// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Foundation

/// The items that a query wants, and the calendars in which it looks for them.
struct StoreQuery: Hashable, Sendable {
  /// The items that are wanted.
  enum Items: Hashable, Sendable {
    /// The events that intersect a range of time.
    case events(Range<Instant>)
    /// All reminders.
    case reminders
    /// The incomplete reminders that are due in a range of time; open on either side.
    case incomplete(from: Date?, until: Date?)
    /// The reminders that were completed in a range of time; open on either side.
    case completed(from: Date?, until: Date?)
  }

  /// The items.
  let items: Items
  /// The identifiers of the calendars; nil for all.
  let calendars: Set<String>?

  /// Whether a calendar is wanted.
  func includes(_ calendar: StoreCalendar) -> Bool {
    calendars?.contains(calendar.id) ?? true
  }
}

/// The query of a store in the form of a predicate, which only the store can use.
final class StorePredicate: NSPredicate {
  /// The query.
  let query: StoreQuery
  /// The store.
  let owner: ObjectIdentifier

  /// Creates a predicate; an empty list of calendars stands for all, as in EventKit.
  init(_ items: StoreQuery.Items, in calendars: [EKCalendar]?, of core: StoreCore) {
    let identifiers = calendars.map { Set($0.map(\.calendarIdentifier)) }
    query = StoreQuery(items: items, calendars: identifiers?.isEmpty == true ? nil : identifiers)
    owner = ObjectIdentifier(core)
    super.init(value: true)
  }

  required init?(coder: NSCoder) { nil }

  /// The same predicate, which is immutable.
  override func copy(with zone: NSZone? = nil) -> Any { self }
}
