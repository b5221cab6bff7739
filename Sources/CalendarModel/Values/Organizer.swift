// SPDX-License-Identifier: Apache-2.0

/// The organizer of a meeting (RFC 5545 §3.8.4.3).
public struct Organizer: Hashable, Sendable {
  /// The address of the organizer.
  public var address: CalendarAddress
  /// The display name (RFC 5545 §3.2.2).
  public var commonName: String?
  /// The calendar user who acts for the organizer (RFC 5545 §3.2.18).
  public var sentBy: CalendarAddress?
  /// A URI of the directory entry (RFC 5545 §3.2.6).
  public var directory: String?

  /// Creates an organizer.
  public init(_ address: CalendarAddress, commonName: String? = nil) {
    self.address = address
    self.commonName = commonName
  }
}
