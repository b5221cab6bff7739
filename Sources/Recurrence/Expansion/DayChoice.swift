// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The parts of a rule that select days, BYMONTH through BYDAY, prepared for arithmetic.
///
/// A day is selected if all present parts allow it, in the order of RFC 5545 §3.3.10. The frequency
/// changes the meaning of a part only through ``numbersWeekdaysInMonth``.
struct DayChoice: Sendable {
  /// The selected months of a year; all if empty.
  var months: [MonthNumber] = []
  /// The days of a month from its start; bit 1 is the first day.
  var monthDays: UInt64 = 0
  /// The days of a month from its end; 1 is the last day.
  var monthDaysFromEnd: [Int] = []
  /// The days of a year; negative numbers count from the end.
  var yearDays: [Int] = []
  /// The weeks of a year; negative numbers count from the end.
  var weekNumbers: [Int] = []
  /// The weekdays without ordinals; bit 0 is Monday.
  var weekdays: UInt8 = 0
  /// The weekdays with ordinals.
  var numberedWeekdays: [(weekday: Int, number: Int)] = []
  /// Whether ordinals count in a month instead of a year.
  var numbersWeekdaysInMonth = true
  /// The first weekday of a week; 0 is Monday.
  var weekStart = 0
  /// The replacement for dates that do not exist (RFC 7529 §4.1).
  var skip = RecurrenceRule.Skip.omit

  var hasMonthDays: Bool { monthDays != 0 || !monthDaysFromEnd.isEmpty }
  var hasWeekdays: Bool { weekdays != 0 || !numberedWeekdays.isEmpty }
  /// Whether the parts exclude any days.
  var isLimited: Bool {
    !months.isEmpty || hasMonthDays || !yearDays.isEmpty || !weekNumbers.isEmpty || hasWeekdays
  }
  mutating func add(monthDay day: Int) {
    if day > 0 { monthDays |= 1 << UInt64(day & 63) } else { monthDaysFromEnd.append(-day) }
  }

  mutating func add(_ weekday: WeekdayNumber) {
    if let number = weekday.ordinal {
      numberedWeekdays.append((Int(weekday.weekday.rawValue), number))
    } else {
      weekdays |= 1 << weekday.weekday.rawValue
    }
  }

  /// The days of one month that BYMONTHDAY and BYDAY select.
  ///
  /// - Parameters:
  ///   - firstDay: The first day of the month, since 1970-01-01.
  ///   - length: The number of days in the month.
  /// - Returns: A bit mask whose bit 0 is the day before the month. That day and the day after the
  ///   month can be set only because of SKIP.
  func days(ofMonthFrom firstDay: Int, length: Int) -> UInt64 {
    let all = UInt64(2) << UInt64(length) - 2
    var days = hasMonthDays ? monthDays(length: length) : all
    if hasWeekdays { days &= weekdays(from: firstDay, length: length) }
    return days
  }

  /// The days of a month that BYMONTHDAY and SKIP select; bit 0 is the day before the month.
  func monthDays(length: Int) -> UInt64 {
    let all = UInt64(2) << UInt64(length) - 2
    var days = monthDays & all
    if skip != .omit, monthDays & ~all != 0 {
      days |= 1 << UInt64(skip == .forward ? length + 1 : length)
    }
    for day in monthDaysFromEnd {
      if day <= length {
        days |= 1 << UInt64(length + 1 - day)
      } else if skip != .omit {
        days |= skip == .forward ? 2 : 1
      }
    }
    return days
  }

  /// The days of a month that BYDAY selects; bit 0 is the day before the month.
  private func weekdays(from firstDay: Int, length: Int) -> UInt64 {
    var days: UInt64 = 0
    if weekdays != 0 {
      days = DayBits.pattern(weekdays: weekdays, from: DayBits.weekday(ofDay: firstDay - 1))
    }
    guard !numberedWeekdays.isEmpty else { return days }
    for (weekday, number) in numberedWeekdays {
      if let place = DayChoice.place(of: weekday, number, from: firstDay, length: length) {
        days |= 1 << UInt64(place + 1)
      }
    }
    return days
  }

  /// The zero-based index of the n-th weekday in a range of days, or nil if it does not exist.
  static func place(of weekday: Int, _ number: Int, from firstDay: Int, length: Int) -> Int? {
    let first = (weekday - DayBits.weekday(ofDay: firstDay) + 7) % 7
    let place =
      number > 0 ? first + 7 * (number - 1) : first + 7 * ((length - 1 - first) / 7 + number + 1)
    return 0..<length ~= place && first < length ? place : nil
  }
}
