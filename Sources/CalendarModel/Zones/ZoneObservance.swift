// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICalSyntax
import Recurrence

/// A STANDARD or DAYLIGHT part of a time zone definition (RFC 5545 §3.6.5).
///
/// Only readable values are used.
struct ZoneObservance {
  /// The first onset, in local time with the offset before it.
  let start: CivilDateTime
  /// The local time type after each onset.
  let type: LocalTimeType
  /// The offset before each onset; nil if it is missing.
  let offsetBefore: UTCOffset?
  /// The rules of the onsets.
  let rules: [RecurrenceRule]
  private let dates: [RecurrenceMoment]

  /// Reads a part; nil if its start or offset is missing or unreadable.
  init?(_ component: Component) {
    guard let start = Self.time(of: component[.dtStart]),
      let offset = Self.offset(of: component[.tzOffsetTo])
    else { return nil }
    self.start = start
    offsetBefore = Self.offset(of: component[.tzOffsetFrom])
    type = LocalTimeType(
      offset: offset, isDaylight: component.name == .daylight,
      abbreviation: component[.tzName]?.text ?? offset.description)
    rules = component.properties(named: .rRule).compactMap { property in
      guard case .recurrence(let rule)? = property.typedValues.first else { return nil }
      return rule
    }
    dates = component.properties(named: .rDate).flatMap { Self.moments(of: $0) }
  }

  /// Whether the onsets have no end.
  var isEndless: Bool { rules.contains { $0.until == nil && $0.count == nil } }

  /// The equivalent yearly change, if the onsets follow one simple yearly rule.
  ///
  /// Such a rule names the n-th or last weekday of a month.
  var yearlyChange: POSIXZone.Change? {
    guard rules.count == 1, let rule = rules.first, rule.frequency == .yearly, rule.interval == 1,
      rule.parts.isSubset(of: [.freq, .byMonth, .byDay, .wkst]), rule.byMonth.count == 1,
      let month = rule.byMonth.first?.number, rule.byDay.count == 1, let day = rule.byDay.first,
      let ordinal = day.ordinal, (1...4).contains(ordinal) || ordinal == -1
    else { return nil }
    return POSIXZone.Change(
      day: .weekday(month: month, week: ordinal == -1 ? 5 : ordinal, weekday: day.weekday),
      seconds: start.time.secondOfDay)
  }

  /// Returns the onsets, in order.
  ///
  /// - Parameter offset: The offset before each onset.
  /// - Returns: The instants; nil if the calendar of a rule is unavailable.
  func onsets(after offset: UTCOffset) -> RecurrenceInstances? {
    let before = LocalTimeType(offset: offset, isDaylight: false, abbreviation: "")
    var options = RecurrenceOptions()
    // Exchange starts its rules on 1 January 1601, which does not match any of them. An offset
    // change on that day would not exist in reality.
    options.startOutsideRule = .omit
    options.searchLimit = 10_000
    var set = RecurrenceSet(
      start: start, clock: .zone(ZoneRules(fixed: before, name: "")), options: options)
    set.rules = rules
    set.dates = dates
    return try? set.instances()
  }

  private static func offset(of property: Property?) -> UTCOffset? {
    guard case .utcOffset(let offset)? = property?.typedValues.first else { return nil }
    return offset
  }

  /// Returns the start.
  ///
  /// Lenient: a date means its midnight, and a UTC time is read as local time.
  private static func time(of property: Property?) -> CivilDateTime? {
    switch property?.typedValues.first {
    case .dateTime(let time, _)?: time
    case .date(let date)?: CivilDateTime(date, .midnight)
    default: nil
    }
  }

  private static func moments(of property: Property) -> [RecurrenceMoment] {
    property.typedValues.values.compactMap { value in
      switch value {
      case .dateTime(let time, isUTC: true): .instant(Instant(utc: time))
      case .dateTime(let time, isUTC: false): .local(time)
      case .date(let date): .date(date)
      case .period(let period): .local(period.start)
      default: nil
      }
    }
  }
}

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
