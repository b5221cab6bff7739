// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

// MARK: The year of a range

extension PhraseResolver {
  /// The maximum number of days from a start to the end whose year it shares.
  private static let sharedYear = 366

  /// The phrase with a year at its start, if only its end states one, as in `1 jun to 5 jun 2028`.
  ///
  /// The start is the latest such day on or before the end.
  ///
  /// - Throws: `DatePhraseError` if there is no such day in the year before the end, or if the start of
  ///   a repetition may be the next such day from now on, too.
  func withYearOfEnd(_ form: PhraseForm) throws(DatePhraseError) -> PhraseForm {
    guard let day = form.start.day, day.offsets.isEmpty, let base = day.base, base.lacksYear else {
      return form
    }
    var form = form
    if let end = form.end, let last = try lastDay(of: end) {
      form.start.day?.base = try latest(base, through: last, day.column)
    } else if form.sharesYear, let end = form.repetition?.until {
      guard let last = try lastDay(of: end) else { return form }
      let start = try latest(base, through: last, day.column)
      try expectOneStart(base, start, last, day.column)
      form.start.day?.base = start
    }
    return form
  }

  /// The phrase with the year that another one states for the end, if its start has none: `1 jun` beside
  /// `5 jun 2028`.
  ///
  /// - Throws: `DatePhraseError` if there is no such day in the year before the end.
  func sharingYear(
    of end: TimePhrase, _ form: PhraseForm
  ) throws(DatePhraseError) -> PhraseForm {
    guard form.end == nil else { return form }
    var (range, result) = (form, form)
    range.end = end.form.start
    result.start = try withYearOfEnd(range).start
    return result
  }

  /// The last day of a point that states a year; nil for other points.
  private func lastDay(of point: PhrasePoint) throws(DatePhraseError) -> CivilDate? {
    if let moment = point.moment { return Place.moment(moment).date(in: zone) }
    guard let day = point.day, day.base?.statesYear == true else { return nil }
    let (first, end) = try days(of: day, after: nil)
    let last = end.adding(days: -1) ?? first
    // "3 jan 1200" has a time, and no year.
    return last.year < SentenceCheck.years.lowerBound ? nil : last
  }

  /// The latest day of a base without a year, on or before a day.
  private func latest(
    _ base: PhraseDay.Base, through last: CivilDate, _ column: Int
  ) throws(DatePhraseError) -> PhraseDay.Base {
    var dates: [PhraseDay.Base] = [last.year, last.year - 1].compactMap { base.inYear($0) }
    if case .dayOfMonth(let number) = base {
      let month = last.year * 12 + last.month - 1
      dates = (0..<12).compactMap { distance in
        let (year, index) = (month - distance).quotientAndRemainder(dividingBy: 12)
        return CivilDate(year: year, month: index + 1, day: number).map { .date($0) }
      }
    }
    for date in dates {
      guard let first = try? self.date(of: date, from: last, column), first <= last,
        last.dayNumber - first.dayNumber <= Self.sharedYear
      else { continue }
      return date
    }
    throw DatePhraseError(
      .invalid, column: column, "expected a start in the year before \(MomentReading.iso(last))")
  }

  /// Rejects the start of a repetition of more than a year, or of the days before a turn of the year:
  /// `every monday from 7 dec to 30 jun 2028`.
  private func expectOneStart(
    _ base: PhraseDay.Base, _ start: PhraseDay.Base, _ last: CivilDate, _ column: Int
  ) throws(DatePhraseError) {
    let dates = [
      try date(of: base, from: today, column), try date(of: start, from: today, column),
    ]
    guard dates[0] < dates[1], dates[1].year < last.year else { return }
    let readings = dates.map(MomentReading.iso)
    throw DatePhraseError(
      .ambiguous, column: column,
      "the repetition may begin in two years: write \(readings.joined(separator: " or "))",
      readings: readings)
  }
}

extension PhraseDay.Base {
  /// Whether the day is one of each year or of each month.
  fileprivate var lacksYear: Bool {
    switch self {
    case .dateOfYear, .dayOfMonth, .month(_, year: nil),
      .weekdayOfMonth(_, ordinal: _, month: .named(_, year: nil)),
      .edgeOfMonth(.named(_, year: nil), isEnd: _):
      true
    default: false
    }
  }

  /// Whether the day is in a year that the phrase states.
  fileprivate var statesYear: Bool {
    switch self {
    case .date, .month(_, year: .some),
      .weekdayOfMonth(_, ordinal: _, month: .named(_, year: .some)),
      .edgeOfMonth(.named(_, year: .some), isEnd: _):
      true
    default: false
    }
  }

  /// The day of a year; nil if the year has no such day, and for a day of each month.
  fileprivate func inYear(_ year: Int) -> PhraseDay.Base? {
    switch self {
    case .dateOfYear(let month, let day):
      CivilDate(year: year, month: month, day: day).map { .date($0) }
    case .month(let month, year: nil): .month(month, year: year)
    case .weekdayOfMonth(let weekday, let ordinal, .named(let month, year: nil)):
      .weekdayOfMonth(weekday, ordinal: ordinal, month: .named(month, year: year))
    case .edgeOfMonth(.named(let month, year: nil), let isEnd):
      .edgeOfMonth(.named(month, year: year), isEnd: isEnd)
    default: nil
    }
  }
}
