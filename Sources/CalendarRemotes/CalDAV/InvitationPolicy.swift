// SPDX-License-Identifier: Apache-2.0

/// What becomes of meetings on a server that mails people about whatever is stored there (RFC 6638).
public enum InvitationPolicy: String, Hashable, Sendable, CaseIterable {
  /// Nobody is mailed: what would make the server do so is stored so that it does not, or refused.
  case hold
  /// The server does what it does: invitations, changes and cancellations are mailed.
  case send
}
