// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What part somebody has in an item (RFC 9073 §6.2).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct ParticipantType: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Taking part in person.
  public static let active = ParticipantType(rawValue: "ACTIVE")
  /// Taking no part.
  public static let inactive = ParticipantType(rawValue: "INACTIVE")
  /// Paying for it.
  public static let sponsor = ParticipantType(rawValue: "SPONSOR")
  /// Answering questions.
  public static let contact = ParticipantType(rawValue: "CONTACT")
  /// Answering questions about bookings.
  public static let bookingContact = ParticipantType(rawValue: "BOOKING-CONTACT")
  /// To be called in an emergency.
  public static let emergencyContact = ParticipantType(rawValue: "EMERGENCY-CONTACT")
  /// Answering questions of the press.
  public static let publicityContact = ParticipantType(rawValue: "PUBLICITY-CONTACT")
  /// Answering questions about the plan.
  public static let plannerContact = ParticipantType(rawValue: "PLANNER-CONTACT")
  /// On the stage.
  public static let performer = ParticipantType(rawValue: "PERFORMER")
  /// Giving a talk.
  public static let speaker = ParticipantType(rawValue: "SPEAKER")
}
