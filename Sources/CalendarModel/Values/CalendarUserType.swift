// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

/// What kind of calendar user somebody is (RFC 5545 §3.2.3).
///
/// Other words than those named here may stand in a file and are kept; case does not count.
public struct CalendarUserType: RawRepresentable, Hashable, Sendable {
  /// The word, in upper case.
  public let rawValue: String

  /// Creates a value from its word, in whatever case.
  public init(rawValue: String) {
    self.rawValue = rawValue.asciiUppercased
  }

  /// A person; so it is where nothing is said.
  public static let individual = CalendarUserType(rawValue: "INDIVIDUAL")
  /// A group of persons.
  public static let group = CalendarUserType(rawValue: "GROUP")
  /// A thing, such as a projector.
  public static let resource = CalendarUserType(rawValue: "RESOURCE")
  /// A room.
  public static let room = CalendarUserType(rawValue: "ROOM")
  /// Nobody knows.
  public static let unknown = CalendarUserType(rawValue: "UNKNOWN")
}
