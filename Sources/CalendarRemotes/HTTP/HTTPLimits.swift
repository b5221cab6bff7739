// SPDX-License-Identifier: Apache-2.0

/// How long a request may take, and how large its answer may be.
public struct HTTPLimits: Hashable, Sendable {
  /// The time to make a connection.
  public var connect = Duration.seconds(30)
  /// The time without a single byte in either direction, in whole seconds; slow is not dead.
  public var idle = Duration.seconds(60)
  /// The time from beginning to end; so long that it ends nothing that comes on, only what drips for
  /// ever.
  public var total = Duration.seconds(3600)
  /// The size of the header of an answer, in bytes.
  public var headerSize = 256 << 10
  /// The size of the body of an answer, in bytes, after inflating.
  public var bodySize = 64 << 20

  /// Creates the default limits.
  public init() {}
}
