// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The log of request classes under each grant.
public protocol AccessLog: Sendable {
  /// Adds requests to the entries of the same class and grant.
  func log(_ entries: [AccessLogEntry]) async throws

  /// All entries, in order of remote, grant and class.
  func logEntries() async throws -> [AccessLogEntry]
}

/// The requests of one class that were made under one grant.
public struct AccessLogEntry: Hashable, Sendable {
  /// The remote that received the requests.
  public let remote: RemoteIdentity
  /// The tier at the time of the requests.
  public let tier: AccessTier
  /// The time of the grant.
  public let grantedAt: Instant
  /// The class of the requests.
  public let request: AccessRequest
  /// The number of requests.
  public var count: Int
  /// The time of the first request.
  public let firstAt: Instant
  /// The time of the last request.
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
