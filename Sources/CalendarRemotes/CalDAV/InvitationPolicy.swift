// SPDX-License-Identifier: Apache-2.0

/// The handling of meetings on a server with automatic scheduling (RFC 6638).
public enum InvitationPolicy: String, Hashable, Sendable, CaseIterable {
  /// No messages are sent: writes that would trigger messages are stored without them or refused.
  case hold
  /// The server sends invitations, updates and cancellations.
  case send
}
