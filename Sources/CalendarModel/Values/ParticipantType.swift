// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// The type of a participation (RFC 9073 §6.2).
///
/// Unknown words are kept. Words are compared without regard to case.
public struct ParticipantType: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from a word in any case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// Takes part.
  public static let active = ParticipantType(rawValue: "ACTIVE")
  /// Does not take part.
  public static let inactive = ParticipantType(rawValue: "INACTIVE")
  /// A sponsor.
  public static let sponsor = ParticipantType(rawValue: "SPONSOR")
  /// A contact for information.
  public static let contact = ParticipantType(rawValue: "CONTACT")
  /// A contact for bookings.
  public static let bookingContact = ParticipantType(rawValue: "BOOKING-CONTACT")
  /// A contact for emergencies.
  public static let emergencyContact = ParticipantType(rawValue: "EMERGENCY-CONTACT")
  /// A contact for the press.
  public static let publicityContact = ParticipantType(rawValue: "PUBLICITY-CONTACT")
  /// A contact for planning.
  public static let plannerContact = ParticipantType(rawValue: "PLANNER-CONTACT")
  /// A performer.
  public static let performer = ParticipantType(rawValue: "PERFORMER")
  /// A speaker.
  public static let speaker = ParticipantType(rawValue: "SPEAKER")
}
