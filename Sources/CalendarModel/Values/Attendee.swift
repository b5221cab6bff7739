// SPDX-License-Identifier: Apache-2.0

/// Somebody or something that takes part in a meeting, or receives an alarm (RFC 5545 §3.8.4.1).
///
/// An attendee is known by its address; everything else about it may change.
public struct Attendee: Hashable, Sendable {
  /// The address of the attendee.
  public var address: CalendarAddress
  /// The name, for people (RFC 5545 §3.2.2).
  public var commonName: String?
  /// What kind of attendee it is (RFC 5545 §3.2.3).
  public var userType: CalendarUserType = .individual
  /// What is expected of the attendee (RFC 5545 §3.2.16).
  public var role: Role = .required
  /// What the attendee answered (RFC 5545 §3.2.12).
  public var participationStatus: ParticipationStatus = .needsAction
  /// Whether an answer is wanted (RFC 5545 §3.2.17).
  public var expectsReply = false
  /// The groups through which the attendee is invited (RFC 5545 §3.2.11).
  public var memberships: [CalendarAddress] = []
  /// To whom the attendee handed the invitation on (RFC 5545 §3.2.5).
  public var delegatedTo: [CalendarAddress] = []
  /// From whom the attendee got the invitation (RFC 5545 §3.2.4).
  public var delegatedFrom: [CalendarAddress] = []
  /// Who acts for the attendee (RFC 5545 §3.2.18).
  public var sentBy: CalendarAddress?
  /// A URI of an entry in a directory (RFC 5545 §3.2.6).
  public var directory: String?

  /// Creates an attendee of whom nothing but the address, and perhaps the name, is known.
  public init(_ address: CalendarAddress, commonName: String? = nil) {
    self.address = address
    self.commonName = commonName
  }
}
