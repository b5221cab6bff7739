// SPDX-License-Identifier: Apache-2.0

/// What becomes of an item that is edited.
public struct EditedItem: Hashable, Sendable {
  /// The item as it is to be stored; nil if nothing of it is left, so that it is to be deleted.
  public let item: CalendarItem?
  /// The series that goes on where the item was split, under a UID of its own; nil if it was not.
  public let successor: CalendarItem?

  init(_ item: CalendarItem?, successor: CalendarItem? = nil) {
    self.item = item
    self.successor = successor
  }
}
