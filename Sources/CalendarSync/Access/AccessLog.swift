// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// Where it is kept which classes of requests were made under each grant.
public protocol AccessLog: Sendable {
  /// Adds requests to those of the same class under the same grant.
  func log(_ entries: [AccessLogEntry]) async throws

  /// Everything that was logged, in order of remote, grant and class.
  func logEntries() async throws -> [AccessLogEntry]
}

/// The requests of one class that were made under one grant.
public struct AccessLogEntry: Hashable, Sendable {
  /// The remote they were sent to.
  public let remote: RemoteIdentity
  /// The tier they were sent under.
  public let tier: AccessTier
  /// When that was granted.
  public let grantedAt: Instant
  /// What they are.
  public let request: AccessRequest
  /// How many there were.
  public var count: Int
  /// When the first was sent.
  public let firstAt: Instant
  /// When the last was sent.
  public var lastAt: Instant

  /// Creates an entry.
  public init(
    remote: RemoteIdentity, tier: AccessTier, grantedAt: Instant, request: AccessRequest,
    count: Int, firstAt: Instant, lastAt: Instant
  ) {
    self.remote = remote
    self.tier = tier
    self.grantedAt = grantedAt
    self.request = request
    self.count = count
    self.firstAt = firstAt
    self.lastAt = lastAt
  }
}
