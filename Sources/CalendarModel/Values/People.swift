// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

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

/// The rarely used fields of an attendee, stored separately so that copies are cheap without them.
indirect enum AttendeeDetails: Hashable, Sendable {
  /// The fields.
  struct Fields: Hashable, Sendable {
    var memberships: [CalendarAddress] = []
    var delegatedTo: [CalendarAddress] = []
    var delegatedFrom: [CalendarAddress] = []
    var sentBy: CalendarAddress?
    var directory: String?
    var email: String?
    var scheduleAgent: ScheduleAgent = .server
    var scheduleStatuses: [String] = []
  }

  case nothing
  case fields(Fields)

  /// The fields; all are empty in the case `nothing`.
  var fields: Fields {
    get {
      if case .fields(let fields) = self { return fields }
      return Fields()
    }
    set { self = newValue == Fields() ? .nothing : .fields(newValue) }
  }
}

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

/// The address of a calendar user: a URI, usually a `mailto:` (RFC 5545 §3.3.3).
///
/// Addresses are compared in lower case, because programs differ in the case of the same address.
public struct CalendarAddress: Hashable, Sendable, CustomStringConvertible {
  /// The URI as in the file.
  public let rawValue: String

  /// Creates an address from its URI.
  public init(_ rawValue: String) {
    self.rawValue = rawValue
  }

  /// The URI in lower case, for comparison.
  public var canonicalValue: String { rawValue.lowercased() }

  /// The e-mail address of a `mailto:` URI, or nil for any other.
  public var email: String? {
    let scheme = "mailto:"
    guard canonicalValue.hasPrefix(scheme) else { return nil }
    return String(rawValue.dropFirst(scheme.count))
  }

  /// The URI as in the file.
  public var description: String { rawValue }

  /// Whether two addresses are equal without regard to case.
  public static func == (left: CalendarAddress, right: CalendarAddress) -> Bool {
    left.canonicalValue == right.canonicalValue
  }

  /// Hashes the parts that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(canonicalValue)
  }
}

extension Attendee {
  /// The address, and the one of the EMAIL parameter if there is one (RFC 7986 §6.2).
  package var addresses: [CalendarAddress] {
    [address] + (email.map { [CalendarAddress("mailto:\($0)")] } ?? [])
  }

  /// Whether one of the addresses of the attendee is of the same person as one of the others.
  package func isAny(of addresses: Set<CalendarAddress>) -> Bool {
    self.addresses.contains { $0.isAny(of: addresses) }
  }
}

/// The type of a calendar user (RFC 5545 §3.2.3).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct CalendarUserType: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// A person; the default.
  public static let individual = CalendarUserType(rawValue: "INDIVIDUAL")
  /// A group of persons.
  public static let group = CalendarUserType(rawValue: "GROUP")
  /// A thing, such as a projector.
  public static let resource = CalendarUserType(rawValue: "RESOURCE")
  /// A room.
  public static let room = CalendarUserType(rawValue: "ROOM")
  /// An unknown type.
  public static let unknown = CalendarUserType(rawValue: "UNKNOWN")
}

/// The participation role of an attendee (RFC 5545 §3.2.16).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct Role: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// The chair of the meeting.
  public static let chair = Role(rawValue: "CHAIR")
  /// A required participant; the default.
  public static let required = Role(rawValue: "REQ-PARTICIPANT")
  /// An optional participant.
  public static let optional = Role(rawValue: "OPT-PARTICIPANT")
  /// Informed only; does not participate.
  public static let nonParticipant = Role(rawValue: "NON-PARTICIPANT")
}

/// An attendee's reply (RFC 5545 §3.2.12).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct ParticipationStatus: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// No reply yet; the default.
  public static let needsAction = ParticipationStatus(rawValue: "NEEDS-ACTION")
  /// Accepted.
  public static let accepted = ParticipationStatus(rawValue: "ACCEPTED")
  /// Declined.
  public static let declined = ParticipationStatus(rawValue: "DECLINED")
  /// Tentatively accepted.
  public static let tentative = ParticipationStatus(rawValue: "TENTATIVE")
  /// Delegated to another attendee.
  public static let delegated = ParticipationStatus(rawValue: "DELEGATED")
  /// The attendee has completed the reminder.
  public static let completed = ParticipationStatus(rawValue: "COMPLETED")
  /// The attendee is working on the reminder.
  public static let inProcess = ParticipationStatus(rawValue: "IN-PROCESS")
}

/// The agent that sends scheduling messages (RFC 6638 §7.1).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct ScheduleAgent: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// The server; the default.
  public static let server = ScheduleAgent(rawValue: "SERVER")
  /// The user's calendar program.
  public static let client = ScheduleAgent(rawValue: "CLIENT")
  /// No messages are sent.
  public static let none = ScheduleAgent(rawValue: "NONE")
}
