// SPDX-License-Identifier: Apache-2.0

/// A calendar in which items are to be saved, as far as the rules have to know it.
public struct SavingPlace: Hashable, Sendable {
  /// What tells the store of the calendar from all others, such as the place of its folder.
  public var store: String
  /// Whether the calendar can only be read, as a feed that somebody else publishes.
  public var isReadOnly: Bool
  /// What the calendar holds.
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
