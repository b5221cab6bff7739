// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

extension PhraseResolver {
  /// The phrase with the day of the first occurrence of its repetition.
  ///
  /// - Throws: `DatePhraseError` if the phrase names another day.
  func anchored(_ form: PhraseForm) throws(DatePhraseError) -> PhraseForm {
    guard let repetition = form.repetition else { return form }
    if !form.namesWeekday, let readings = repetition.readingsOfFifteenDays {
      throw repetition.unclearDays(readings)
    }
    var form = form
    if form.start.day == nil, form.start.moment == nil {
      form.start.day = try firstDay(of: repetition, at: form.start.time)
      // Between two days, "every day at midnight" has one reading.
      if repetition.frequency == .daily { form.start.time?.isMidnight = false }
    }
    let (first, days) = try statedDays(of: form)
    guard days <= repetition.period else {
      throw DatePhraseError(
        .invalid, column: form.end?.column ?? form.start.column,
        "expected a range that is shorter than its repetition; the end of a repetition follows it, "
          + "as in \"weekly until 2026-12-31\"")
    }
    guard !repetition.matches(first) else { return form }
    if form.isAnchor, form.start.moment == nil, form.end?.day == nil,
      let date = repetition.first(from: first)
    {
      form.start.day = PhraseDay(column: form.start.column, base: .date(date))
      return form
    }
    let date = MomentReading.iso(first)
    let name = EnglishDateWords.name(of: first.weekday)
    throw DatePhraseError(
      .invalid, column: repetition.column,
      "\(name) \(date) is not an occurrence of \"\(repetition.text)\"")
  }

  /// The first day, and the number of days after which an occurrence does not overlap the next one.
  private func statedDays(of form: PhraseForm) throws(DatePhraseError) -> (CivilDate, Int) {
    let start = try place(of: form.start, after: nil)
    let first = start.date(in: zone)
    var last = first
    if let end = form.end {
      let lastPoint = form.separator == .points ? end : try nextWeek(end, after: start)
      last = try place(of: lastPoint, after: start).date(in: zone)
    } else if let duration = form.duration {
      let second = (form.start.time?.secondOfDay ?? 0) + duration.seconds
      let days = form.start.hasTime ? duration.days + second / 86_400 : max(0, duration.days - 1)
      last = first.adding(days: days) ?? first
    } else if case .days(_, let end) = start {
      last = end.adding(days: -1) ?? first
    }
    // A night from 22:00 to 2:00 fits into each day.
    let isAllDay = if case .days = start { form.end?.hasTime != true } else { false }
    return (first, last.dayNumber - first.dayNumber + (isAllDay ? 1 : 0))
  }

  /// The day of the first occurrence; with a time, the first one from now on.
  func firstDay(
    of repetition: RepetitionPhrase, at time: PhraseTime?
  ) throws(DatePhraseError) -> PhraseDay {
    var date = repetition.first(from: time == nil ? today : zonesToday)
    if isNext, let time, let day = date, zone.instant(of: try wall(day, time)) < now {
      date = day.adding(days: 1).flatMap { repetition.first(from: $0) }
    }
    guard let date else { throw outside(repetition.column) }
    return PhraseDay(column: repetition.column, base: .date(date))
  }

  /// The last day or time of a repetition, after the start of an item; nil if the phrase has none.
  func until(_ form: PhraseForm, after start: Moment) throws(DatePhraseError) -> Moment? {
    guard let point = form.repetition?.until else { return nil }
    let last: Moment
    do throws(DatePhraseError) {
      last = try end(point, after: .moment(start))
    } catch {
      // A day shortly before the start may be that of this year or of the next one.
      guard error == backwards(point.column) else { throw error }
      throw DatePhraseError(
        .invalid, column: point.column,
        "expected the end of the repetition after its start; write the year of the end")
    }
    var instant = last.instant(in: zone)
    if case .date(let date) = last { instant = zone.instant(of: CivilDateTime(date, .last)) }
    guard start.instant(in: zone) <= instant else {
      throw DatePhraseError(
        .invalid, column: point.column, "expected the end of the repetition after its start")
    }
    return last
  }

  /// The last day or the time of a point after a start.
  private func end(_ point: PhrasePoint, after start: Place) throws(DatePhraseError) -> Moment {
    try checkReadings(point.time, of: nil)
    switch try place(of: nextWeek(point, after: start), after: start) {
    case .moment(let moment): return moment
    case .days(let first, let end): return .date(end.adding(days: -1) ?? first)
    }
  }
}

extension RepetitionPhrase {
  /// The error of 15 days, which are also two weeks.
  func unclearDays(_ readings: [String]) -> DatePhraseError {
    DatePhraseError(
      .ambiguous, column: column,
      "15 days may be two weeks: write " + readings.joined(separator: " or "), readings: readings)
  }
}

extension PhraseForm {
  /// Whether the start is a weekday.
  fileprivate var namesWeekday: Bool {
    switch start.day?.base {
    case .weekday, .weekdayOfWeek, .weekdayOfMonth: true
    default: start.day?.weekday != nil
    }
  }
}

extension TimeOfDay {
  /// The last second of a day.
  fileprivate static let last = TimeOfDay(hour: 23, minute: 59, second: 59) ?? .midnight
}
