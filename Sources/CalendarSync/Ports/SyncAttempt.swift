// SPDX-License-Identifier: Apache-2.0

public import CivilTime

/// The outcome of the last attempt at a sync, even if the attempt did not start a run.
public struct SyncAttempt: Hashable, Sendable {
  /// The name of the sync.
  public let sync: String
  /// The end time.
  public let endedAt: Instant
  /// The exit status for this sync alone.
  public let status: Int
  /// The error message, if any, for display.
  public let message: String?
  /// The time of the last attempt without problems, apart from unresolved conflicts.
  public let lastSuccess: Instant?

  /// Creates the record of an attempt.
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
