// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices
import Recurrence

// MARK: Weekdays at the end of a range

extension PhraseResolver {
  /// The end of a range whose weekday is that of the start, in the week after it: `sat to sat` and
  /// `fri 18:00 to next fri 18:00` are a week.
  ///
  /// A later time on the day of the start is one on that day: `fri 9:00 to fri 17:00`.
  func nextWeek(_ end: PhrasePoint, after start: Place) throws(DatePhraseError) -> PhrasePoint {
    guard let day = end.day, day.offsets.isEmpty, day.weekday == nil,
      case .weekday(let weekday, let distance) = day.base, distance == nil || distance == 1
    else { return end }
    let first = start.date(in: zone)
    let last = try date(of: day.base, from: first, day.column)
    guard distance == nil ? last == first : last <= first else { return end }
    if distance == nil, end.time != nil,
      case .moment(let moment) = try place(of: end, after: start)
    {
      let begin = if case .moment(let begin) = start { begin } else { Moment.date(first) }
      if moment.instant(in: zone) > begin.instant(in: zone) { return end }
    }
    let days = (weekday.days(since: first.weekday) + 6) % 7 + 1
    guard let next = first.adding(days: days) else { throw outside(day.column) }
    var end = end
    end.day?.base = .date(next)
    return end
  }

  /// The range of two weekdays before a week, whose start is in the week before if its weekday is a
  /// later one: `fri to mon next week` begins this Friday.
  ///
  /// - Throws: `DatePhraseError` with both readings of `sat to sat next week`.
  func withWeekOfEnd(_ form: PhraseForm) throws(DatePhraseError) -> PhraseForm {
    guard form.sharesWeek, let end = form.end?.day,
      case .weekdayOfWeek(let weekday, _)? = form.start.day?.base,
      case .weekdayOfWeek(let last, _) = end.base,
      weekday.days(since: firstWeekday) >= last.days(since: firstWeekday)
    else { return form }
    var nearest = form
    nearest.sharesWeek = false
    nearest.start.day?.base = .weekday(weekday, nil)
    // The last day of a weekend begins a week in some countries.
    guard weekday == last else { return last == firstWeekday && last == .sunday ? form : nearest }
    var later = form
    later.sharesWeek = false
    later.end?.day?.offsets.append(PhraseDay.Offset(count: 1, unit: .week))
    let readings = try [plainSpan(of: nearest).reading, plainSpan(of: later).reading]
    throw DatePhraseError(
      .ambiguous, column: end.column,
      "the week may be that of one day or of both: write \(readings.joined(separator: " or "))",
      readings: readings)
  }
}

// MARK: Ranges that repeat

extension PhraseResolver {
  /// The phrase with the year of its end, in which the days after `every week` are those of each
  /// occurrence: `every week from mon to thu`.
  ///
  /// As the end of the repetition, the last day would leave a single occurrence.
  ///
  /// - Throws: `DatePhraseError` if the days are not those of an occurrence either.
  func withRangeOfRepetition(_ form: PhraseForm) throws(DatePhraseError) -> PhraseForm {
    var form = try withYearOfEnd(form)
    guard form.isBeforeEnd, let rule = form.repetition, let until = rule.until, form.end == nil,
      form.duration == nil
    else { return form }
    guard rule.days.isEmpty, rule.monthDays.isEmpty else { return try withNight(form, rule, until) }
    guard form.start.day != nil || form.start.moment != nil else { return form }
    let first = try place(of: form.start, after: nil)
    let last = try place(of: nextWeek(until, after: first), after: first)
    let days = last.date(in: zone).dayNumber - first.date(in: zone).dayNumber
    // "every week from sat to sat" is a range that is too long.
    let isWeek = until.isWeekday && form.start.isWeekday && days == 7 && rule.frequency == .weekly
    guard 0..<rule.period ~= days || isWeek else { return form }
    guard rule.frequency != .daily, form.start.hasTime == until.hasTime else {
      throw DatePhraseError(
        .invalid, column: until.column,
        "the repetition ends before its second occurrence: write a later end, or the range of each "
          + "occurrence before the repetition")
    }
    (form.end, form.separator, form.isBeforeEnd) = (until, .hyphen, false)
    form.repetition?.until = nil
    return form
  }

  /// The phrase with the range of each occurrence in `every friday 22:00 to saturday 2:00`.
  private func withNight(
    _ form: PhraseForm, _ rule: RepetitionPhrase, _ until: PhrasePoint
  ) throws(DatePhraseError) -> PhraseForm {
    guard form.start.day == nil, form.start.time != nil, until.time != nil, until.isWeekday else {
      return form
    }
    var form = form
    form.start.day = try firstDay(of: rule, at: form.start.time)
    let first = try place(of: form.start, after: nil)
    let last = try place(of: nextWeek(until, after: first), after: first)
    let days = last.date(in: zone).dayNumber - first.date(in: zone).dayNumber
    form.start.day = nil
    guard 0..<rule.period ~= days else { return form }
    (form.end, form.separator, form.isBeforeEnd) = (until, .points, false)
    form.repetition?.until = nil
    return form
  }
}

extension PhrasePoint {
  /// Whether the day is a weekday without a date.
  fileprivate var isWeekday: Bool { if case .weekday? = day?.base { true } else { false } }
}
