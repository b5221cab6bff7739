// SPDX-License-Identifier: Apache-2.0

import ICalSyntax

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
