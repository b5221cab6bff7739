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
  private var details = AttendeeDetails.nothing

  /// Creates an attendee of whom nothing but the address, and perhaps the name, is known.
  public init(_ address: CalendarAddress, commonName: String? = nil) {
    self.address = address
    self.commonName = commonName
  }

  /// The groups through which the attendee is invited (RFC 5545 §3.2.11).
  public var memberships: [CalendarAddress] {
    get { details.fields.memberships }
    set { details.fields.memberships = newValue }
  }

  /// To whom the attendee handed the invitation on (RFC 5545 §3.2.5).
  public var delegatedTo: [CalendarAddress] {
    get { details.fields.delegatedTo }
    set { details.fields.delegatedTo = newValue }
  }

  /// From whom the attendee got the invitation (RFC 5545 §3.2.4).
  public var delegatedFrom: [CalendarAddress] {
    get { details.fields.delegatedFrom }
    set { details.fields.delegatedFrom = newValue }
  }

  /// Who acts for the attendee (RFC 5545 §3.2.18).
  public var sentBy: CalendarAddress? {
    get { details.fields.sentBy }
    set { details.fields.sentBy = newValue }
  }

  /// A URI of an entry in a directory (RFC 5545 §3.2.6).
  public var directory: String? {
    get { details.fields.directory }
    set { details.fields.directory = newValue }
  }

  /// The e-mail address, where the address is another one (RFC 7986 §6.2).
  public var email: String? {
    get { details.fields.email }
    set { details.fields.email = newValue }
  }

  /// Who sends the messages of scheduling (RFC 6638 §7.1).
  public var scheduleAgent: ScheduleAgent {
    get { details.fields.scheduleAgent }
    set { details.fields.scheduleAgent = newValue }
  }

  /// What became of the last message to the attendee (RFC 6638 §7.3).
  public var scheduleStatuses: [String] {
    get { details.fields.scheduleStatuses }
    set { details.fields.scheduleStatuses = newValue }
  }
}
