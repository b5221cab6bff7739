// SPDX-License-Identifier: Apache-2.0

/// The access that a program has to the events or the reminders.
///
/// The raw values are those of Apple's EventKit.
public enum EKAuthorizationStatus: Int, Hashable, Sendable {
  /// The user was not asked yet.
  case notDetermined = 0
  /// A policy of the machine forbids the access, and the user cannot allow it.
  case restricted = 1
  /// The user denied the access.
  case denied = 2
  /// The program may read, add, change and delete.
  case fullAccess = 3
  /// The program may add events, and read nothing.
  case writeOnly = 4

  /// The former name of ``fullAccess``.
  @available(*, deprecated, renamed: "fullAccess")
  public static var authorized: EKAuthorizationStatus { .fullAccess }
}

/// The kind of items that a program asks for, or that a calendar holds.
public enum EKEntityType: UInt, Hashable, Sendable {
  /// Events.
  case event = 0
  /// Reminders.
  case reminder = 1
}

/// A set of kinds of items.
public struct EKEntityMask: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Creates a set from its bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Events.
  public static let event = EKEntityMask(rawValue: 1 << 0)
  /// Reminders.
  public static let reminder = EKEntityMask(rawValue: 1 << 1)
}

/// The occurrences of a series that a change applies to.
public enum EKSpan: Int, Hashable, Sendable {
  /// This occurrence only.
  case thisEvent = 0
  /// This occurrence and all later ones.
  case futureEvents = 1
}
