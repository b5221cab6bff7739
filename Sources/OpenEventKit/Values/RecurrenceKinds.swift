// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A day of the week, counted from Sunday.
///
/// The raw values are those of Apple's EventKit.
public enum EKWeekday: Int, Hashable, Sendable {
  /// Sunday.
  case sunday = 1
  /// Monday.
  case monday = 2
  /// Tuesday.
  case tuesday = 3
  /// Wednesday.
  case wednesday = 4
  /// Thursday.
  case thursday = 5
  /// Friday.
  case friday = 6
  /// Saturday.
  case saturday = 7
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension EKWeekday {
  /// The former name of ``sunday``.
  @available(*, deprecated, renamed: "sunday")
  public static var EKSunday: EKWeekday { .sunday }
  /// The former name of ``monday``.
  @available(*, deprecated, renamed: "monday")
  public static var EKMonday: EKWeekday { .monday }
  /// The former name of ``tuesday``.
  @available(*, deprecated, renamed: "tuesday")
  public static var EKTuesday: EKWeekday { .tuesday }
  /// The former name of ``wednesday``.
  @available(*, deprecated, renamed: "wednesday")
  public static var EKWednesday: EKWeekday { .wednesday }
  /// The former name of ``thursday``.
  @available(*, deprecated, renamed: "thursday")
  public static var EKThursday: EKWeekday { .thursday }
  /// The former name of ``friday``.
  @available(*, deprecated, renamed: "friday")
  public static var EKFriday: EKWeekday { .friday }
  /// The former name of ``saturday``.
  @available(*, deprecated, renamed: "saturday")
  public static var EKSaturday: EKWeekday { .saturday }
}

extension EKWeekday {
  /// The day of a rule in a file.
  init(_ weekday: Weekday) {
    self =
      switch weekday {
      case .monday: .monday
      case .tuesday: .tuesday
      case .wednesday: .wednesday
      case .thursday: .thursday
      case .friday: .friday
      case .saturday: .saturday
      case .sunday: .sunday
      }
  }

  /// The day for a rule in a file.
  var weekday: Weekday {
    switch self {
    case .sunday: .sunday
    case .monday: .monday
    case .tuesday: .tuesday
    case .wednesday: .wednesday
    case .thursday: .thursday
    case .friday: .friday
    case .saturday: .saturday
    }
  }
}

/// The period of a recurrence rule.
public enum EKRecurrenceFrequency: Int, Hashable, Sendable {
  /// Days.
  case daily = 0
  /// Weeks.
  case weekly = 1
  /// Months.
  case monthly = 2
  /// Years.
  case yearly = 3
}
