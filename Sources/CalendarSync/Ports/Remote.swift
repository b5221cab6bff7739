// SPDX-License-Identifier: Apache-2.0

/// A configured external calendar that has not been contacted yet.
///
/// Only `AccessTier.open(_:)` turns it into a value that sends requests, so that no code can access
/// a calendar beyond its tier.
public protocol Remote: Sendable {
  /// The identity that grants and the ledger are bound to.
  var identity: RemoteIdentity { get }

  /// Opens the remote for adding events and nothing else.
  ///
  /// The returned value must not conform to `RemoteCalendar`.
  func openAppender() async throws -> any RemoteAppender

  /// Opens the remote for reading and writing.
  func openCalendar() async throws -> any RemoteCalendar
}
