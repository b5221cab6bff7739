// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What is expected of an attendee (RFC 5545 §3.2.16).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct Role: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// The attendee leads the meeting.
  public static let chair = Role(rawValue: "CHAIR")
  /// The attendee is needed; so it is where nothing is said.
  public static let required = Role(rawValue: "REQ-PARTICIPANT")
  /// The attendee need not come.
  public static let optional = Role(rawValue: "OPT-PARTICIPANT")
  /// The attendee is only told.
  public static let nonParticipant = Role(rawValue: "NON-PARTICIPANT")
}
