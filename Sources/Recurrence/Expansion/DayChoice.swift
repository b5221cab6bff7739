// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Which days a rule chooses: its parts from BYMONTH through BYDAY, made ready for arithmetic.
///
/// A day is chosen if every part that is there agrees, in the order of RFC 5545 §3.3.10; what a part
/// means depends on the frequency only through ``numbersWeekdaysInMonth``.
struct DayChoice: Sendable {
  /// The months of a year; all if empty.
  var months: [MonthNumber] = []
  /// The days of a month from its start: bit 1 is the first.
  var monthDays: UInt64 = 0
  /// The days of a month from its end: 1 is the last.
  var monthDaysFromEnd: [Int] = []
  /// The days of a year, negative from its end.
  var yearDays: [Int] = []
  /// The weeks of a year, negative from its end.
  var weekNumbers: [Int] = []
  /// The weekdays without a number: bit 0 is Monday.
  var weekdays: UInt8 = 0
  /// The weekdays with one.
  var numberedWeekdays: [(weekday: Int, number: Int)] = []
  /// Whether the numbers of weekdays count in a month, and not in a year.
  var numbersWeekdaysInMonth = true
  /// The weekday on which weeks start, from 0 for Monday.
  var weekStart = 0
  /// What becomes of days that do not exist (RFC 7529 §4.1).
  var skip = RecurrenceRule.Skip.omit

  var hasMonthDays: Bool { monthDays != 0 || !monthDaysFromEnd.isEmpty }
  var hasWeekdays: Bool { weekdays != 0 || !numberedWeekdays.isEmpty }
  /// Whether not all days are chosen.
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

  /// The days of one month by BYMONTHDAY and BYDAY.
  ///
  /// - Parameters:
  ///   - firstDay: The first day of the month, since 1970-01-01.
  ///   - length: The number of its days.
  /// - Returns: Bits from the day before the month in bit 0 on; that day and the one after the month
  ///   are there only because of SKIP.
  func days(ofMonthFrom firstDay: Int, length: Int) -> UInt64 {
    let all = UInt64(2) << UInt64(length) - 2
    var days = hasMonthDays ? monthDays(length: length) : all
    if hasWeekdays { days &= weekdays(from: firstDay, length: length) }
    return days
  }

  /// The days of a month by BYMONTHDAY and SKIP, from the day before it in bit 0 on.
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

  /// The days of a month by BYDAY, from the day before it in bit 0 on.
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

  /// The place of the n-th weekday in a stretch of days, from 0; nil if it has none.
  static func place(of weekday: Int, _ number: Int, from firstDay: Int, length: Int) -> Int? {
    let first = (weekday - DayBits.weekday(ofDay: firstDay) + 7) % 7
    let place =
      number > 0 ? first + 7 * (number - 1) : first + 7 * ((length - 1 - first) / 7 + number + 1)
    return 0..<length ~= place && first < length ? place : nil
  }
}
