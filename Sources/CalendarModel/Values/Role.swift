// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

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
