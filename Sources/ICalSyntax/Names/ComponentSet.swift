// SPDX-License-Identifier: Apache-2.0

/// A set of components that the RFCs define.
public struct ComponentSet: OptionSet, Hashable, Sendable {
  /// One bit for each component, in the order of `ComponentVocabulary`.
  public let rawValue: UInt32

  /// Creates a set from its bits.
  public init(rawValue: UInt32) {
    self.rawValue = rawValue
  }

  /// Creates the set of one component; empty if no RFC defines it.
  public init(_ name: ComponentName) {
    rawValue = name.index.map { 1 << UInt32($0) } ?? 0
  }

  /// VCALENDAR.
  public static let calendar = Self(ComponentName.calendar)
  /// VEVENT.
  public static let event = Self(ComponentName.event)
  /// VTODO.
  public static let reminder = Self(ComponentName.reminder)
  /// VJOURNAL.
  public static let journal = Self(ComponentName.journal)
  /// VFREEBUSY.
  public static let freeBusy = Self(ComponentName.freeBusy)
  /// VTIMEZONE.
  public static let timeZone = Self(ComponentName.timeZone)
  /// STANDARD and DAYLIGHT.
  public static let observance = Self([Self(.standard), Self(.daylight)])
  /// VALARM.
  public static let alarm = Self(ComponentName.alarm)
  /// VAVAILABILITY.
  public static let availability = Self(ComponentName.availability)
  /// AVAILABLE.
  public static let available = Self(ComponentName.available)
  /// PARTICIPANT.
  public static let participant = Self(ComponentName.participant)
  /// VLOCATION.
  public static let location = Self(ComponentName.location)
  /// VRESOURCE.
  public static let resource = Self(ComponentName.resource)

  /// VEVENT, VTODO and VJOURNAL.
  public static let items: Self = [.event, .reminder, .journal]
  /// Every component.
  public static let all = Self(rawValue: .max)
}
