// SPDX-License-Identifier: Apache-2.0

/// The kind of a calendar.
///
/// The raw values are those of Apple's EventKit; their order differs from ``EKSourceType``.
public enum EKCalendarType: Int, Hashable, Sendable {
  /// A calendar on this computer only.
  case local = 0
  /// A calendar that is synchronised with a CalDAV server.
  case calDAV = 1
  /// A calendar of an Exchange server.
  case exchange = 2
  /// A feed, which is read-only.
  case subscription = 3
  /// The birthdays of contacts.
  case birthday = 4
}

/// The kind of an account.
public enum EKSourceType: Int, Hashable, Sendable {
  /// This computer.
  case local = 0
  /// An Exchange server.
  case exchange = 1
  /// A CalDAV server.
  case calDAV = 2
  /// An account of MobileMe.
  case mobileMe = 3
  /// The feeds.
  case subscribed = 4
  /// The birthdays of contacts.
  case birthdays = 5
}

/// The availabilities that the events of a calendar can have.
public struct EKCalendarEventAvailabilityMask: OptionSet, Hashable, Sendable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Creates a set from its bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// Busy.
  public static let busy = EKCalendarEventAvailabilityMask(rawValue: 1 << 0)
  /// Free.
  public static let free = EKCalendarEventAvailabilityMask(rawValue: 1 << 1)
  /// Tentative.
  public static let tentative = EKCalendarEventAvailabilityMask(rawValue: 1 << 2)
  /// Unavailable, such as out of office.
  public static let unavailable = EKCalendarEventAvailabilityMask(rawValue: 1 << 3)
}

/// Whether the time of an event counts as free.
public enum EKEventAvailability: Int, Hashable, Sendable {
  /// The calendar of the event has no availabilities.
  case notSupported = -1
  /// Busy.
  case busy = 0
  /// Free.
  case free = 1
  /// Tentative.
  case tentative = 2
  /// Unavailable, such as out of office.
  case unavailable = 3
}

/// The status of an event.
public enum EKEventStatus: Int, Hashable, Sendable {
  /// The event has no status.
  case none = 0
  /// The event takes place.
  case confirmed = 1
  /// The event may take place.
  case tentative = 2
  /// The event is cancelled.
  case canceled = 3
}

/// The priority of a reminder, as programs offer it; 1 through 4 are high, and 6 through 9 low.
public enum EKReminderPriority: UInt, Hashable, Sendable {
  /// No priority.
  case none = 0
  /// High.
  case high = 1
  /// Medium.
  case medium = 5
  /// Low.
  case low = 9
}
