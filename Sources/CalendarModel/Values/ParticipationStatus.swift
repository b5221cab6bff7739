// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

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
