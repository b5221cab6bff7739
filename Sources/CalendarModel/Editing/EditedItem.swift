// SPDX-License-Identifier: Apache-2.0

/// The result of an edit.
public struct EditedItem: Hashable, Sendable {
  /// The item to store; nil if nothing remains and the item is to be deleted.
  public let item: CalendarItem?
  /// The series after a split, with its own UID; nil if the item was not split.
  public let successor: CalendarItem?

  init(_ item: CalendarItem?, successor: CalendarItem? = nil) {
    self.item = item
    self.successor = successor
  }
}
