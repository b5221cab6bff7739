// SPDX-License-Identifier: Apache-2.0

package import CalendarModel
import EpactFoundation
public import Foundation

/// A participant of an event: the organizer or an attendee.
///
/// Participants cannot be changed.
open class EKParticipant: EKObject, NSCopying, @unchecked Sendable {
  /// The values for comparing.
  struct Value: Hashable, Sendable {
    var address: CalendarAddress
    var name: String?
    var status = EKParticipantStatus.unknown
    var role = EKParticipantRole.unknown
    var type = EKParticipantType.unknown
    var isCurrentUser = false
  }

  private(set) var value: Value

  /// Creates a participant of no event, for subclasses in tests.
  ///
  /// The participants of events come from ``EKCalendarItem/attendees`` and ``EKEvent/organizer``.
  public init() {
    value = Value(address: CalendarAddress("mailto:"))
    super.init()
  }

  // The public initializer is the designated one, so that subclasses inherit it.
  convenience init(_ value: Value) {
    self.init()
    self.value = value
  }

  /// The address of the participant, usually a `mailto:` URL.
  ///
  /// An address that is not a URL in the file has the characters percent-encoded that a URL cannot
  /// have. If that makes no URL of it, it counts as a mail address.
  open var url: URL {
    let text = value.address.rawValue
    let encoded = text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
    return value.address.url ?? URL(string: text, encodingInvalidCharacters: true)
      ?? URL(string: "mailto:\(encoded)") ?? URL(filePath: "/")
  }

  /// The name of the participant; nil if the event has none.
  open var name: String? { value.name }

  /// The reply of the participant.
  open var participantStatus: EKParticipantStatus { value.status }

  /// The role of the participant.
  open var participantRole: EKParticipantRole { value.role }

  /// The kind of the participant.
  open var participantType: EKParticipantType { value.type }

  /// Whether the participant is the user of this computer.
  open var isCurrentUser: Bool { value.isCurrentUser }

  /// A predicate for the contact of the participant, which no contact satisfies.
  open var contactPredicate: NSPredicate { NSPredicate(value: false) }

  /// Whether the participant is not from a file: never.
  open override var isNew: Bool { false }

  /// The participant itself, because it does not change.
  open func copy(with zone: NSZone? = nil) -> Any { self }

  /// Whether an object is the same participant with the same reply, role and name.
  open override func isEqual(_ object: Any?) -> Bool {
    (object as? EKParticipant).map { value == $0.value } ?? false
  }

  /// A hash of the values.
  open override var hash: Int { value.hashValue }

  /// The name and the address, for debugging.
  open override var description: String {
    "EKParticipant \(value.name.map { "\($0) " } ?? "")<\(value.address)>"
  }
}

extension EKParticipant {
  /// Creates the participant for an attendee of a file.
  ///
  /// - Parameters:
  ///   - attendee: The attendee.
  ///   - users: The addresses of the user.
  package convenience init(_ attendee: Attendee, users: Set<CalendarAddress>) {
    self.init(
      Value(
        address: attendee.address, name: attendee.commonName,
        status: EKParticipantStatus(attendee.participationStatus),
        role: EKParticipantRole(attendee.role), type: EKParticipantType(attendee.userType),
        isCurrentUser: attendee.addresses.contains { users.contains($0) }))
  }

  /// Creates the participant for the organizer of a file.
  ///
  /// A file states the reply, the role and the kind of an organizer only if the organizer is an
  /// attendee too.
  ///
  /// - Parameters:
  ///   - organizer: The organizer.
  ///   - attendees: The attendees of the same event.
  ///   - users: The addresses of the user.
  package convenience init(
    _ organizer: Organizer, attendees: [Attendee], users: Set<CalendarAddress>
  ) {
    var value = Value(
      address: organizer.address, name: organizer.commonName, role: .chair, type: .person,
      isCurrentUser: users.contains(organizer.address))
    if let attendee = attendees.first(where: { $0.address == organizer.address }) {
      value.name = value.name ?? attendee.commonName
      value.status = EKParticipantStatus(attendee.participationStatus)
      value.role = EKParticipantRole(attendee.role)
      value.type = EKParticipantType(attendee.userType)
      value.isCurrentUser =
        value.isCurrentUser || attendee.addresses.contains { users.contains($0) }
    }
    self.init(value)
  }
}

extension EKParticipantStatus {
  /// The reply of an attendee; unknown for words that EventKit does not have.
  package init(_ status: ParticipationStatus) {
    switch status {
    case .needsAction: self = .pending
    case .accepted: self = .accepted
    case .declined: self = .declined
    case .tentative: self = .tentative
    case .delegated: self = .delegated
    case .completed: self = .completed
    case .inProcess: self = .inProcess
    default: self = .unknown
    }
  }
}

extension EKParticipantRole {
  /// The role of an attendee; unknown for words that EventKit does not have.
  package init(_ role: Role) {
    switch role {
    case .required: self = .required
    case .optional: self = .optional
    case .chair: self = .chair
    case .nonParticipant: self = .nonParticipant
    default: self = .unknown
    }
  }
}

extension EKParticipantType {
  /// The kind of an attendee; unknown for words that EventKit does not have.
  package init(_ type: CalendarUserType) {
    switch type {
    case .individual: self = .person
    case .group: self = .group
    case .resource: self = .resource
    case .room: self = .room
    default: self = .unknown
    }
  }
}
