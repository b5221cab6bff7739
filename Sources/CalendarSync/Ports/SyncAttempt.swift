// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// How the last try at a sync ended, whether or not it got as far as a run.
public struct SyncAttempt: Hashable, Sendable {
  /// The name of the sync.
  public let sync: String
  /// When it ended.
  public let endedAt: Instant
  /// The exit status that it would have given alone.
  public let status: Int
  /// What was wrong, for people, if anything was.
  public let message: String?
  /// When a try at the sync last ended with no complaint but conflicts that wait.
  public let lastSuccess: Instant?

  /// Creates the record of a try.
  public init(
    sync: String, endedAt: Instant, status: Int, message: String?, lastSuccess: Instant?
  ) {
    self.sync = sync
    self.endedAt = endedAt
    self.status = status
    self.message = message
    self.lastSuccess = lastSuccess
  }
}
