// SPDX-License-Identifier: Apache-2.0

/// A participant of a meeting, or a recipient of an alarm (RFC 5545 §3.8.4.1).
///
/// The address identifies an attendee; all other fields may change.
public struct Attendee: Hashable, Sendable {
  /// The address of the attendee.
  public var address: CalendarAddress
  /// The display name (RFC 5545 §3.2.2).
  public var commonName: String?
  /// The type of calendar user (RFC 5545 §3.2.3).
  public var userType: CalendarUserType = .individual
  /// The participation role (RFC 5545 §3.2.16).
  public var role: Role = .required
  /// The attendee's reply (RFC 5545 §3.2.12).
  public var participationStatus: ParticipationStatus = .needsAction
  /// Whether a reply is requested (RFC 5545 §3.2.17).
  public var expectsReply = false
  private var details = AttendeeDetails.nothing

  /// Creates an attendee with an address and optionally a name.
  public init(_ address: CalendarAddress, commonName: String? = nil) {
    self.address = address
    self.commonName = commonName
  }

  /// The groups through which the attendee is invited (RFC 5545 §3.2.11).
  public var memberships: [CalendarAddress] {
    get { details.fields.memberships }
    set { details.fields.memberships = newValue }
  }

  /// The calendar users to whom the attendee delegated (RFC 5545 §3.2.5).
  public var delegatedTo: [CalendarAddress] {
    get { details.fields.delegatedTo }
    set { details.fields.delegatedTo = newValue }
  }

  /// The calendar users who delegated to the attendee (RFC 5545 §3.2.4).
  public var delegatedFrom: [CalendarAddress] {
    get { details.fields.delegatedFrom }
    set { details.fields.delegatedFrom = newValue }
  }

  /// The calendar user who acts for the attendee (RFC 5545 §3.2.18).
  public var sentBy: CalendarAddress? {
    get { details.fields.sentBy }
    set { details.fields.sentBy = newValue }
  }

  /// A URI of the directory entry (RFC 5545 §3.2.6).
  public var directory: String? {
    get { details.fields.directory }
    set { details.fields.directory = newValue }
  }

  /// The e-mail address, if it differs from the address (RFC 7986 §6.2).
  public var email: String? {
    get { details.fields.email }
    set { details.fields.email = newValue }
  }

  /// The agent that sends scheduling messages (RFC 6638 §7.1).
  public var scheduleAgent: ScheduleAgent {
    get { details.fields.scheduleAgent }
    set { details.fields.scheduleAgent = newValue }
  }

  /// The delivery status of the last message to the attendee (RFC 6638 §7.3).
  public var scheduleStatuses: [String] {
    get { details.fields.scheduleStatuses }
    set { details.fields.scheduleStatuses = newValue }
  }
}
