// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

extension PhraseResolver {
  /// The maximum length of a range to a date without a year, in days.
  private static let rangeLimit = 300

  /// The first day, and the day after the last one.
  ///
  /// - Parameters:
  ///   - day: The day or period.
  ///   - start: The start of a range that the day ends; nil for another day.
  ///   - anchor: The date from which another day counts; nil for today.
  /// - Returns: The first day, and the day after the last one.
  /// - Throws: `DatePhraseError` if the phrase names another weekday, or no date of the calendar.
  func days(
    of day: PhraseDay, after start: Place?, or anchor: CivilDate? = nil
  ) throws(DatePhraseError) -> (CivilDate, CivilDate) {
    try days(of: day, from: start?.date(in: zone) ?? anchor ?? today, isEnd: start != nil)
  }

  /// The days that count from a date, which is the start of the range if they are its end.
  private func days(
    of day: PhraseDay, from anchor: CivilDate, isEnd: Bool
  ) throws(DatePhraseError) -> (CivilDate, CivilDate) {
    var (first, end) = try base(of: day, from: anchor, isEnd: isEnd)
    for offset in day.offsets {
      guard offset.unit != .minute, offset.unit != .hour else {
        throw DatePhraseError(
          .syntax, column: day.column, "expected days, weeks, months or years after a day")
      }
      guard let moved = date(first, adding: offset) else { throw outside(day.column) }
      (first, end) = (moved, moved.adding(days: 1))
    }
    if let weekday = day.weekday, first.weekday != weekday {
      throw DatePhraseError(
        .invalid, column: day.column,
        "expected \(EnglishDateWords.name(of: first.weekday)) for \(MomentReading.iso(first)), "
          + "found \(EnglishDateWords.name(of: weekday))")
    }
    guard let end = end ?? first.adding(days: 1) else { throw outside(day.column) }
    return (first, end)
  }

  /// The number of days of a day or a period.
  func dates(of day: PhraseDay?, from anchor: CivilDate) throws(DatePhraseError) -> Int {
    guard let day else { return 1 }
    let (first, end) = try days(of: day, from: anchor, isEnd: false)
    return end.dayNumber - first.dayNumber
  }

  /// The first day of a base that counts from a date.
  func date(
    of base: PhraseDay.Base?, from anchor: CivilDate, _ column: Int
  ) throws(DatePhraseError) -> CivilDate {
    try self.base(of: PhraseDay(column: column, base: base), from: anchor, isEnd: false).0
  }

  /// The days before offsets are added; the end is nil for a single day.
  private func base(
    of day: PhraseDay, from anchor: CivilDate, isEnd: Bool
  ) throws(DatePhraseError) -> (CivilDate, CivilDate?) {
    let first: CivilDate?
    var end: CivilDate?
    switch day.base {
    case nil: first = anchor
    case .now: first = today
    case .day(let days): first = today.adding(days: days)
    case .date(let date): first = date
    case .weekday(let weekday, let distance): first = date(of: weekday, distance, from: anchor)
    case .weekdayOfWeek(let weekday, let distance):
      first = begin(of: .week).flatMap { start in
        start.adding(days: distance * 7 + weekday.days(since: firstWeekday))
      }
    case .weekdayOfMonth(let weekday, let ordinal, let month):
      first = self.weekday(weekday, ordinal, in: month, from: anchor)
    case .edgeOfMonth(let month, let isEnd):
      first = edge(of: month, isEnd: isEnd, from: anchor)
    case .dayOfMonth(let day): first = next(day, from: anchor)
    case .weekend(let distance):
      first = saturday(distance)
      end = first?.adding(days: 2)
    case .dateOfYear(let month, let number):
      first = next(month, number, from: anchor)
      // "25 dec to 21 dec" is no range of a year.
      if isEnd, let first, first.dayNumber - anchor.dayNumber > Self.rangeLimit {
        throw backwards(day.column)
      }
    case .month(let month, let year):
      let isOver = month < anchor.month
      first = CivilDate(year: year ?? anchor.year + (isOver ? 1 : 0), month: month, day: 1)
      end = first.flatMap { date($0, adding: PhraseDay.Offset(count: 1, unit: .month)) }
    case .period(let unit, let count):
      let start = begin(of: unit)
      let offset = PhraseDay.Offset(count: count, unit: unit)
      first = start.flatMap { date($0, adding: offset) }
      end = first.flatMap { date($0, adding: PhraseDay.Offset(count: 1, unit: unit)) }
    }
    guard let first else { throw outside(day.column) }
    return (first, end)
  }

  /// A weekday on or after a day (nil or 0), after today (1), or before today (-1).
  private func date(of weekday: Weekday, _ distance: Int?, from anchor: CivilDate) -> CivilDate? {
    switch distance {
    case .some(2): date(of: weekday, 1, from: anchor)?.adding(days: 7)
    case .some(1): today.adding(days: (weekday.days(since: today.weekday) + 6) % 7 + 1)
    case .some(-1): today.adding(days: -((today.weekday.days(since: weekday) + 6) % 7 + 1))
    default: anchor.adding(days: weekday.days(since: anchor.weekday))
    }
  }

  /// The first day of a weekend: of this one or the coming one (0), or of the first one that begins
  /// after today (1), as for weekdays.
  private func saturday(_ distance: Int) -> CivilDate? {
    guard distance < 1 else {
      return date(of: .saturday, 1, from: today)?.adding(days: 7 * (distance - 1))
    }
    let day = today.weekday == .sunday ? today.adding(days: -1) : today
    return day.flatMap { date(of: .saturday, nil, from: $0)?.adding(days: 7 * distance) }
  }

  /// The next day of a year on or after a day.
  private func next(_ month: Int, _ day: Int, from anchor: CivilDate) -> CivilDate? {
    // There is a leap year in any nine years.
    for year in anchor.year...anchor.year + 8 {
      if let date = CivilDate(year: year, month: month, day: day), date >= anchor { return date }
    }
    return nil
  }

  /// The next day with a number in its month.
  private func next(_ day: Int, from anchor: CivilDate) -> CivilDate? {
    for offset in 0...12 {
      let month = anchor.year * 12 + anchor.month - 1 + offset
      if let date = CivilDate(year: month / 12, month: month % 12 + 1, day: day), date >= anchor {
        return date
      }
    }
    return nil
  }

  /// A weekday of a month, counted from its first day, or from its last one if negative.
  private func weekday(
    _ weekday: Weekday, _ ordinal: Int, in month: PhraseDay.Month, from anchor: CivilDate
  ) -> CivilDate? {
    switch month {
    case .named(let month, let year?):
      return Self.weekday(weekday, ordinal, year: year, month: month)
    case .named(let month, nil):
      for year in anchor.year...anchor.year + 1 {
        if let date = Self.weekday(weekday, ordinal, year: year, month: month), date >= anchor {
          return date
        }
      }
      return nil
    case .near(let distance):
      let index = today.year * 12 + today.month - 1 + distance
      return Self.weekday(weekday, ordinal, year: index / 12, month: index % 12 + 1)
    case .coming:
      let index = anchor.year * 12 + anchor.month - 1
      return (index...index + 12).lazy.compactMap {
        Self.weekday(weekday, ordinal, year: $0 / 12, month: $0 % 12 + 1)
      }.first { $0 >= anchor }
    }
  }

  /// The first or the last day of a month; without a year, the next one.
  private func edge(
    of month: PhraseDay.Month, isEnd: Bool, from anchor: CivilDate
  ) -> CivilDate? {
    func day(_ year: Int, _ month: Int) -> CivilDate? {
      CivilDate(
        year: year, month: month, day: isEnd ? CivilDate.daysInMonth(month, of: year) : 1)
    }
    switch month {
    case .named(let month, let year?): return day(year, month)
    case .named(let month, nil):
      return [day(anchor.year, month), day(anchor.year + 1, month)].compactMap(\.self)
        .first { $0 >= anchor }
    case .near(let distance):
      let index = anchor.year * 12 + anchor.month - 1 + distance
      return day(index / 12, index % 12 + 1)
    case .coming:
      let index = anchor.year * 12 + anchor.month - 1
      return [index, index + 1].compactMap { day($0 / 12, $0 % 12 + 1) }.first { $0 >= anchor }
    }
  }

  private static func weekday(
    _ weekday: Weekday, _ ordinal: Int, year: Int, month: Int
  ) -> CivilDate? {
    let length = CivilDate.daysInMonth(month, of: year)
    guard let first = CivilDate(year: year, month: month, day: 1),
      let last = CivilDate(year: year, month: month, day: length)
    else { return nil }
    let day =
      ordinal > 0
      ? 1 + weekday.days(since: first.weekday) + (ordinal - 1) * 7
      : length - last.weekday.days(since: weekday) + (ordinal + 1) * 7
    return CivilDate(year: year, month: month, day: day)
  }

  /// The first day of the current period.
  private func begin(of unit: DateWords.Unit) -> CivilDate? {
    switch unit {
    case .minute, .hour, .day: today
    case .week: today.adding(days: -today.weekday.days(since: firstWeekday))
    case .month: CivilDate(year: today.year, month: today.month, day: 1)
    case .year: CivilDate(year: today.year, month: 1, day: 1)
    }
  }

  /// The date some units later; the day is at most the last one of its month.
  func date(_ date: CivilDate, adding offset: PhraseDay.Offset) -> CivilDate? {
    switch offset.unit {
    case .minute, .hour: return date
    case .day: return date.adding(days: offset.count)
    case .week: return date.adding(days: offset.count * 7)
    case .month, .year:
      // Numbers of a phrase have at most nine digits.
      let months = date.year * 12 + date.month - 1 + offset.count * (offset.unit == .year ? 12 : 1)
      guard months >= 12 else { return nil }
      let (year, month) = (months / 12, months % 12 + 1)
      return CivilDate(
        year: year, month: month, day: min(date.day, CivilDate.daysInMonth(month, of: year)))
    }
  }
}
