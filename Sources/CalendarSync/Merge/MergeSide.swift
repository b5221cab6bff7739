// SPDX-License-Identifier: Apache-2.0

/// One of the two sides of a merge.
public enum MergeSide: String, Hashable, Sendable, CaseIterable {
  /// The local calendar.
  case local
  /// The remote calendar.
  case remote

  /// The other side.
  public var other: MergeSide { self == .local ? .remote : .local }
}
