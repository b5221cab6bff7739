// SPDX-License-Identifier: Apache-2.0

public import CalendarFiles
public import CalendarModel
public import CalendarSync

/// The differences between two versions of calendars, by meaning.
///
/// Items are compared by UID, their occurrences and properties one by one. Order, folding,
/// escaping, stamps and equivalent definitions of time zones are ignored.
public struct CalendarComparison: Sendable {
  /// The differences between the properties of the calendars, if each version is one calendar.
  ///
  /// A folder has several calendars, one a file, so that their properties are not compared.
  public let calendar: [ItemComparison.Row]
  /// The items that differ, sorted by UID.
  public let items: [ItemDifference]

  /// Whether the versions are equivalent.
  public var isEmpty: Bool { calendar.isEmpty && items.isEmpty }

  /// Compares two versions.
  ///
  /// - Parameters:
  ///   - before: The first version.
  ///   - after: The second version.
  ///   - normalForm: The normal form, with the time zones.
  /// - Throws: `CancellationError`.
  public init(
    from before: ItemCollection, to after: ItemCollection, normalForm: NormalForm
  ) throws {
    var items: [ItemDifference] = []
    func compare(_ first: CalendarItem?, _ second: CalendarItem?) throws {
      try Task.checkCancellation()
      let difference = ItemDifference(from: first, to: second, normalForm: normalForm)
      if let difference { items.append(difference) }
    }
    for (uid, item) in before.items { try compare(item, after.items[uid]) }
    for (uid, item) in after.items where before.items[uid] == nil { try compare(nil, item) }
    // Only what differs is sorted, because most items of two versions are the same.
    self.items = items.sorted { $0.item.uid < $1.item.uid }
    if let first = before.calendar, let second = after.calendar {
      calendar = ItemComparison(calendars: [first, second], normalForm: normalForm).rows
    } else {
      calendar = []
    }
  }
}

/// The differences between two versions of an item.
public struct ItemDifference: Sendable {
  /// The kind of change.
  public enum Change: String, Hashable, Sendable, CaseIterable {
    /// The second version has the item, the first one has not.
    case added
    /// The first version has the item, the second one has not.
    case removed
    /// Both versions have the item.
    case changed
  }

  /// The item: the second version, or the first one if it was removed.
  public let item: CalendarItem
  /// The kind of change.
  public let change: Change
  /// The differing properties of a changed item.
  public let rows: [ItemComparison.Row]

  /// Compares the versions; nil if they are equivalent.
  ///
  /// - Parameters:
  ///   - before: The first version.
  ///   - after: The second version.
  ///   - normalForm: The normal form, with the time zones.
  public init?(from before: CalendarItem?, to after: CalendarItem?, normalForm: NormalForm) {
    // Most items of two versions are the same, and comparing bytes is enough to see it.
    if let before, let after, before.hasSameContents(as: after) { return nil }
    let before = before?.normalized(by: normalForm)
    let after = after?.normalized(by: normalForm)
    guard before?.fingerprint != after?.fingerprint, let item = after ?? before else { return nil }
    self.item = item
    change = before == nil ? .added : after == nil ? .removed : .changed
    rows = change == .changed ? ItemComparison([before, after], normalForm: normalForm).rows : []
    if change == .changed, rows.isEmpty { return nil }
  }
}
