// SPDX-License-Identifier: Apache-2.0

/// How much a program may do with a remote calendar, as in Apple's EventKit.
public enum AccessTier: String, Hashable, Sendable, CaseIterable {
  /// The remote is never contacted.
  case none
  /// Events may be added; nothing may be read, listed, changed or deleted, not even what was added.
  case writeOnly = "write-only"
  /// Everything.
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
