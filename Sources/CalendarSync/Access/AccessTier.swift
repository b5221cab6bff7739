// SPDX-License-Identifier: Apache-2.0

/// The access of a program to a remote calendar, as in Apple's EventKit.
public enum AccessTier: String, Hashable, Sendable, CaseIterable {
  /// The remote is never contacted.
  case none
  /// Events may be added, but not read, listed, changed or deleted, not even own additions.
  case writeOnly = "write-only"
  /// All operations are allowed.
  case full
}

extension AccessTier: Comparable {
  /// Whether one tier allows less than another.
  public static func < (left: AccessTier, right: AccessTier) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int {
    switch self {
    case .none: 0
    case .writeOnly: 1
    case .full: 2
    }
  }
}
