// SPDX-License-Identifier: Apache-2.0

/// What one side did with an item since the sides last agreed on it.
public enum SideState: Hashable, Sendable, CaseIterable {
  /// The side holds what it held.
  case unchanged
  /// The side holds something else.
  case changed
  /// The side is known to be without it.
  case absent
  /// The side holds something that cannot be read, or could not be asked.
  case unknown
}
