// SPDX-License-Identifier: Apache-2.0

/// A point in time, as seconds since 1970-01-01T00:00:00Z without leap seconds.
public struct Instant: Hashable, Sendable, Comparable {
  /// The seconds since the epoch; negative before 1970.
  public let secondsSinceEpoch: Int64

  /// Creates an instant from seconds since the epoch.
  public init(secondsSinceEpoch: Int64) {
    self.secondsSinceEpoch = secondsSinceEpoch
  }

  /// Whether the left instant is the earlier one.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.secondsSinceEpoch < right.secondsSinceEpoch
  }
}
