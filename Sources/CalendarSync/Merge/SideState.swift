// SPDX-License-Identifier: Apache-2.0

/// The change of an item on one side since the sides last agreed.
public enum SideState: Hashable, Sendable, CaseIterable {
  /// The side holds the agreed version.
  case unchanged
  /// The side holds another version.
  case changed
  /// The side does not hold the item.
  case absent
  /// The version of the side is unreadable, or the side could not be contacted.
  case unknown
}
