// SPDX-License-Identifier: Apache-2.0

public import CalendarModel
import CalendarStore
public import CalendarSync
public import CivilTime

/// The items of a calendar at a point in time.
public struct LibraryContents: Sendable {
  /// The calendar.
  public let calendar: CalendarInfo
  /// The items by UID.
  public let entries: [UID: LocalEntry]
  /// The files, or the parts of the file, that are not valid items.
  public let unreadable: [UnreadableEntry]
  /// A number that differs from earlier contents of the same library if an item differs.
  public let generation: Int
  let items: ItemTable

  /// The items that may have occurrences in a range of time, in the order of their first one.
  ///
  /// All items with an occurrence in the range are among them, in every time zone of a viewer.
  /// Items without a time are not. The time is proportional to the number of items, a few
  /// nanoseconds for each.
  public func candidates(in range: Range<Instant>) -> [LocalEntry] {
    items.rows(in: range).compactMap { entries[items.uid($0)] }
  }
}
