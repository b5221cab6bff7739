// SPDX-License-Identifier: Apache-2.0

/// The kind of a participant.
///
/// The raw values are those of Apple's EventKit.
public enum EKParticipantType: Int, Hashable, Sendable {
  /// Unknown.
  case unknown = 0
  /// A person.
  case person = 1
  /// A room.
  case room = 2
  /// A thing, such as a projector.
  case resource = 3
  /// A group of persons.
  case group = 4
}

/// The role of a participant.
public enum EKParticipantRole: Int, Hashable, Sendable {
  /// Unknown.
  case unknown = 0
  /// A required participant.
  case required = 1
  /// An optional participant.
  case optional = 2
  /// The chair of the meeting.
  case chair = 3
  /// Informed only; does not participate.
  case nonParticipant = 4
}

/// The reply of a participant.
public enum EKParticipantStatus: Int, Hashable, Sendable {
  /// Unknown.
  case unknown = 0
  /// No reply yet.
  case pending = 1
  /// Accepted.
  case accepted = 2
  /// Declined.
  case declined = 3
  /// Tentatively accepted.
  case tentative = 4
  /// Delegated to another participant.
  case delegated = 5
  /// The participant has completed the reminder.
  case completed = 6
  /// The participant is working on the reminder.
  case inProcess = 7
}

/// The delivery of the invitation to a participant.
public enum EKParticipantScheduleStatus: Int, Hashable, Sendable {
  /// No invitation was sent.
  case none = 0
  /// The invitation is being sent.
  case pending = 1
  /// The invitation was sent; the delivery is unknown.
  case sent = 2
  /// The invitation was delivered.
  case delivered = 3
  /// The server does not know the participant.
  case recipientNotRecognized = 4
  /// The user may not invite the participant.
  case noPrivileges = 5
  /// The delivery failed for a time.
  case deliveryFailed = 6
  /// The server cannot deliver invitations to the participant.
  case cannotDeliver = 7
  /// The server does not allow the participant.
  case recipientNotAllowed = 8
}
