// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A yearly day of an offset change that a recurrence rule can express (RFC 5545 §3.3.10).
enum YearlyDay: Hashable, Sendable {
  /// The n-th weekday of a month, or the last one if `ordinal` is -1.
  case weekday(month: Int, ordinal: Int, weekday: Weekday)
  /// A date in a month.
  case date(month: Int, day: Int)
  /// The weekday within seven days of a month.
  case week(month: Int, firstDay: Int, weekday: Weekday)
  /// The weekday within seven days of the year that span two months.
  ///
  /// A negative `first` counts from the end of the year.
  case yearDays(first: Int, weekday: Weekday)

  /// Returns the yearly days that a date can represent, the most common ones first.
  static func candidates(for date: CivilDate) -> [YearlyDay] {
    let ordinal = (date.day - 1) / 7 + 1
    let isLast = date.day > CivilDate.daysInMonth(date.month, of: date.year) - 7
    var days: [YearlyDay] = []
    if isLast { days.append(.weekday(month: date.month, ordinal: -1, weekday: date.weekday)) }
    if ordinal < 5 {
      days.append(.weekday(month: date.month, ordinal: ordinal, weekday: date.weekday))
    }
    return days + [.date(month: date.month, day: date.day)]
  }

  /// Returns the day and the time of a yearly change; nil if no rule can express it.
  ///
  /// A time outside of its day, such as 24:00 on the last Thursday, is converted to a time on an
  /// adjacent day.
  static func day(of change: POSIXZone.Change) -> (day: YearlyDay, time: TimeOfDay)? {
    var shift = change.seconds / 86_400
    if change.seconds < shift * 86_400 { shift -= 1 }
    guard let time = TimeOfDay(secondOfDay: change.seconds - shift * 86_400) else { return nil }
    switch change.day {
    case .julian(let number):
      // The number never refers to 29 February, so that the date is that of a common year.
      guard shift == 0, let date = CivilDate(year: 2001, month: 1, day: 1)?.adding(days: number - 1)
      else { return nil }
      return (.date(month: date.month, day: date.day), time)
    case .zeroBased: return nil
    case .weekday(let month, let week, let weekday):
      if shift == 0 {
        return (.weekday(month: month, ordinal: week == 5 ? -1 : week, weekday: weekday), time)
      }
      return shifted(month: month, week: week, weekday: weekday, by: shift).map { ($0, time) }
    }
  }

  /// Returns the weekday in a week of a month, shifted by a number of days.
  private static func shifted(
    month: Int, week: Int, weekday: Weekday, by shift: Int
  ) -> YearlyDay? {
    let length = CivilDate.daysInMonth(month, of: 2001)
    // The last week of February has different days in leap years.
    guard month != 2 || week < 5 else { return nil }
    let first = (week == 5 ? length - 6 : week * 7 - 6) + shift
    let later = Weekday(dayNumber: CivilDate.dayNumber(year: 2001, month: 1, day: 1) + shift)
    let start = Weekday(dayNumber: CivilDate.dayNumber(year: 2001, month: 1, day: 1))
    let day = Weekday.allCases.first { $0.days(since: later) == weekday.days(since: start) }
    guard let day else { return nil }
    if first >= 1, first + 6 <= length { return .week(month: month, firstDay: first, weekday: day) }
    let ofYear =
      CivilDate.dayNumber(year: 2001, month: month, day: 1)
      - CivilDate.dayNumber(year: 2001, month: 1, day: 1) + first
    // From March on, days have the same number in every year if they are counted from the end.
    if ofYear >= 60, ofYear + 6 <= 365 { return .yearDays(first: ofYear - 366, weekday: day) }
    return ofYear >= 1 && ofYear + 6 <= 59 ? .yearDays(first: ofYear, weekday: day) : nil
  }

  /// Whether a date is this day in its year.
  func matches(_ date: CivilDate) -> Bool {
    switch self {
    case .weekday, .date: return YearlyDay.candidates(for: date).contains(self)
    case .week(let month, let firstDay, let weekday):
      return date.month == month && date.weekday == weekday
        && firstDay...firstDay + 6 ~= date.day
    case .yearDays(let first, let weekday):
      let length = CivilDate.isLeapYear(date.year) ? 366 : 365
      let place = first < 0 ? date.dayOfYear - length - 1 : date.dayOfYear
      return date.weekday == weekday && first...first + 6 ~= place
    }
  }

  /// The rule for this day in every year, without UNTIL.
  var rule: String {
    switch self {
    case .weekday(let month, let ordinal, let weekday):
      return "FREQ=YEARLY;BYMONTH=\(month);BYDAY=\(ordinal)\(weekday)"
    case .date(let month, let day): return "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(day)"
    case .week(let month, let firstDay, let weekday):
      return
        "FREQ=YEARLY;BYMONTH=\(month);BYMONTHDAY=\(Self.seven(from: firstDay));BYDAY=\(weekday)"
    case .yearDays(let first, let weekday):
      return "FREQ=YEARLY;BYYEARDAY=\(Self.seven(from: first));BYDAY=\(weekday)"
    }
  }

  private static func seven(from first: Int) -> String {
    (first...first + 6).map(String.init).joined(separator: ",")
  }
}
