// SPDX-License-Identifier: Apache-2.0

public import CalendarModel

/// What a merge made of the versions of an item.
public struct MergeResult: Hashable, Sendable {
  /// The merged item; where a conflict waits, it has the local version.
  public let item: CalendarItem
  /// The conflicts and what became of each, in the order of the item.
  public let conflicts: [MergeConflict]

  /// Whether nobody has to choose anything.
  public var isClean: Bool { !conflicts.contains(where: \.isWaiting) }
}
