// SPDX-License-Identifier: Apache-2.0

/// The time and size limits of requests and responses.
public struct HTTPLimits: Hashable, Sendable {
  /// The time limit for connecting.
  public var connect = Duration.seconds(30)
  /// The maximum time without data in either direction, in whole seconds.
  public var idle = Duration.seconds(60)
  /// The maximum total time, which only stops responses that arrive endlessly slowly.
  public var total = Duration.seconds(3600)
  /// The maximum size of a response header, in bytes.
  public var headerSize = 256 << 10
  /// The maximum size of a response body, in bytes, after decompression.
  public var bodySize = 64 << 20

  /// Creates the default limits.
  public init() {}
}
