// SPDX-License-Identifier: Apache-2.0

/// A configured external calendar that has not been contacted yet.
///
/// Only `AccessTier.open(_:)` turns it into something that sends requests, so that no code can reach
/// a calendar above its tier.
public protocol Remote: Sendable {
  /// What grants and the ledger are bound to.
  var identity: RemoteIdentity { get }

  /// Opens the remote for adding events and nothing else.
  ///
  /// The value that comes back must not conform to `RemoteCalendar`.
  func openAppender() async throws -> any RemoteAppender

  /// Opens the remote for reading and writing.
  func openCalendar() async throws -> any RemoteCalendar
}
