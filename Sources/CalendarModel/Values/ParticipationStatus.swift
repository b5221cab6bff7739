// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What an attendee answered (RFC 5545 §3.2.12).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct ParticipationStatus: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// There is no answer yet; so it is where nothing is said.
  public static let needsAction = ParticipationStatus(rawValue: "NEEDS-ACTION")
  /// The attendee comes.
  public static let accepted = ParticipationStatus(rawValue: "ACCEPTED")
  /// The attendee does not come.
  public static let declined = ParticipationStatus(rawValue: "DECLINED")
  /// The attendee may come.
  public static let tentative = ParticipationStatus(rawValue: "TENTATIVE")
  /// The attendee sends somebody else.
  public static let delegated = ParticipationStatus(rawValue: "DELEGATED")
  /// The attendee has done what the reminder asks for.
  public static let completed = ParticipationStatus(rawValue: "COMPLETED")
  /// The attendee is doing what the reminder asks for.
  public static let inProcess = ParticipationStatus(rawValue: "IN-PROCESS")
}
