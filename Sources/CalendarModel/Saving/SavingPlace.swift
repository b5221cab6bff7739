// SPDX-License-Identifier: Apache-2.0

/// The properties of a calendar that the saving rules depend on.
public struct SavingPlace: Hashable, Sendable {
  /// The identifier of the calendar's store, such as the path of its folder.
  public var store: String
  /// Whether the calendar is read-only, such as a subscribed feed.
  public var isReadOnly: Bool
  /// The kinds of items that the calendar supports.
  public var kinds: Set<ItemKind>

  /// Creates a place.
  public init(
    store: String, isReadOnly: Bool = false, kinds: Set<ItemKind> = Set(ItemKind.allCases)
  ) {
    self.store = store
    self.isReadOnly = isReadOnly
    self.kinds = kinds
  }
}
