// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// The result of a merge.
public struct MergeResult: Hashable, Sendable {
  /// The merged item; conflicting parts have the local version.
  public let item: CalendarItem
  /// The conflicts with their outcomes, in the order of the item.
  public let conflicts: [MergeConflict]

  /// Whether the user need not choose anything.
  public var isClean: Bool { !conflicts.contains(where: \.isWaiting) }
}
