// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// A filter that selects the items that a sync copies from one side to the other.
///
/// A filter applies only to items that exist on one side and never existed on the other. Excluded
/// items stay where they are. Items on both sides remain synchronized, even if they are outside of
/// the filter by now. A filter never causes deletions, and items outside of it are not deleted.
///
/// ```swift
/// var filter = ItemFilter()
/// filter.past = 90
/// filter.kinds = [.event]
/// filter.text   // "past=90;components=VEVENT"
/// ```
public struct ItemFilter: Hashable, Sendable {
  /// The maximum number of days since the end of an item; nil for no limit.
  public var past: Int?
  /// The maximum number of days until the start of an item; nil for no limit.
  public var future: Int?
  /// The kinds of items; nil for all kinds.
  public var kinds: Set<ItemKind>?

  /// Creates a filter that includes all items.
  public init() {}

  /// Whether the filter can exclude items.
  public var isActive: Bool { self != ItemFilter() }

  /// Whether the result depends on the current time.
  var hasWindow: Bool { past != nil || future != nil }

  /// The stored form of the filter, for detecting changes; empty if it includes all items.
  public var text: String {
    let parts = [
      past.map { "past=\($0)" }, future.map { "future=\($0)" },
      kinds.map { "components=" + $0.sorted().map(\.rawValue).joined(separator: ",") },
    ]
    return parts.compactMap(\.self).joined(separator: ";")
  }
}
