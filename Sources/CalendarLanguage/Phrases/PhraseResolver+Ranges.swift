// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

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
