// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// Which items a sync brings from one side to the other.
///
/// A filter looks only at items that one side has and the other never had: those that lie outside stay
/// where they are. What both sides hold goes on being kept in step, wherever it lies by now. Nothing is
/// ever deleted because of a filter, and what lies outside of it is not deleted at all.
///
/// ```swift
/// var filter = ItemFilter()
/// filter.past = 90
/// filter.kinds = [.event]
/// filter.text   // "past=90;components=VEVENT"
/// ```
public struct ItemFilter: Hashable, Sendable {
  /// How many days back an item may have ended; nil for any time.
  public var past: Int?
  /// How many days ahead an item may begin; nil for any time.
  public var future: Int?
  /// The kinds of items; nil for all of them.
  public var kinds: Set<ItemKind>?

  /// Creates a filter that every item is inside of.
  public init() {}

  /// Whether there are items that may be outside.
  public var isActive: Bool { self != ItemFilter() }

  /// Whether it depends on the clock what is inside.
  var hasWindow: Bool { past != nil || future != nil }

  /// The filter in a form that is stored, to tell when it changes; empty if every item is inside.
  public var text: String {
    let parts = [
      past.map { "past=\($0)" }, future.map { "future=\($0)" },
      kinds.map { "components=" + $0.sorted().map(\.rawValue).joined(separator: ",") },
    ]
    return parts.compactMap(\.self).joined(separator: ";")
  }
}
