// SPDX-License-Identifier: Apache-2.0

package import CivilTime
import ICUServices

/// A date phrase for a new time of an item, which keeps what it does not name.
///
/// | phrase | meaning for an item at Thu 2026-12-10 10:00 |
/// |---|---|
/// | `11:30`, `14:00-16:00` | the same day at that time |
/// | `2026-12-11`, `tomorrow`, `in 3 days` | that day at 10:00 |
/// | `fri` | the first Friday from the day of the item on, at 10:00 |
/// | `+1d`, `+2h` | that much after the stored time |
/// | `11 dec` | that date at 10:00; rejected if the year is not certain |
/// | `next fri` | rejected, unless it is the same from today and from the day of the item |
/// | `2026-12-11 all day`, `all day` | that day, or the same day, without a time |
/// | `12:30 America/New_York` | the same day at that time in the zone, which the time has then |
///
/// Without a stored time, the meaning is that of the words of a new item: a time alone is the next one.
public struct TimePhrase: Hashable, Sendable, CustomStringConvertible {
  /// The text.
  public let description: String
  private(set) var form: PhraseForm
  /// Whether the phrase asks for whole days.
  package var isAllDay: Bool { form.isAllDay }
  /// The rules of the time zone that the phrase names; nil for that of the item.
  package let zone: ZoneRules?
  private let now: Instant
  private let viewer: ZoneRules
  private let firstWeekday: Weekday

  /// Parses a phrase.
  ///
  /// - Throws: `DatePhraseError` if the text is not one.
  init(_ text: String, _ phrases: DatePhrases) throws(DatePhraseError) {
    (now, viewer, firstWeekday) = (phrases.now, phrases.zone, phrases.language.firstWeekday)
    description = text
    var form = try phrases.pointForm(of: text)
    let named = form.zone
    form.zone = nil
    (self.form, zone) = (form, named?.rules)
    if let named, form.timeColumn == nil {
      throw DatePhraseError(
        .syntax, column: named.column, "expected a time of day beside a time zone, found none")
    }
    if form.repetition != nil {
      throw DatePhraseError(
        .syntax, column: 1, "expected a date, found a repetition, which has its own value")
    }
  }

  /// Whether the phrase names the end or the duration, too.
  package var namesEnd: Bool { form.end != nil || form.duration != nil }

  /// The current date of the viewer.
  package var today: CivilDate { Moment.instant(now).date(in: viewer) }

  /// Whether the phrase names a time of day.
  package var namesTime: Bool { form.timeColumn != nil }

  /// Whether the phrase is the word for midnight alone, which as an end is the next one.
  package var isMidnight: Bool {
    form.start.time?.isMidnight == true && form.start.day == nil && !namesEnd
  }

  /// Whether the phrase names a day and a month without a year.
  package var namesDayOfYear: Bool {
    if case .dateOfYear? = form.start.day?.base { true } else { false }
  }

  /// Whether the phrase names a weekday without a date, such as `fri` and `fri 12:00`.
  package var namesWeekday: Bool {
    switch form.start.day?.base {
    case .weekday(_, nil), .weekday(_, .some(0)): form.start.day?.weekday == nil
    default: false
    }
  }

  /// Whether the phrase is a distance from the stored time, such as `+1d`.
  package var isOffset: Bool {
    guard let day = form.start.day else { return false }
    return day.base == nil && !day.offsets.isEmpty && form.end == nil && form.start.time == nil
  }

  /// Whether the phrase names a day.
  package var namesDay: Bool {
    form.start.day != nil || form.start.moment != nil || form.end?.day != nil
  }

  /// The span of the phrase; what it does not name is that of the stored time.
  ///
  /// - Parameters:
  ///   - stored: The stored time; nil for none.
  ///   - zone: The zone of the stored time.
  /// - Returns: The span, whose end is nil unless the phrase names it or several days.
  /// - Throws: `DatePhraseError` if the phrase has several readings, or does not fit a time.
  package func span(from stored: Moment?, in zone: ZoneRules) throws(DatePhraseError) -> DateSpan {
    let resolver = PhraseResolver(
      now: now, viewer: viewer, zone: zone, firstWeekday: firstWeekday, isNext: stored == nil)
    guard let stored else {
      guard !form.start.isEmpty else {
        throw DatePhraseError(.syntax, column: 1, "expected a date, found none")
      }
      return try resolver.span(of: form)
    }
    try resolver.expectNoDayOfMonth(form)
    let form = try resolver.withYearOfEnd(form)
    var anchored = form
    // The stored day is that of the hour.
    if form.start.day == nil { anchored.start.isNight = false }
    // "9-10:30 fri": the day stands behind the range.
    if anchored.separator != .points, anchored.start.day == nil, anchored.start.time != nil,
      anchored.end?.time != nil
    {
      anchored.start.day = anchored.end?.day
      anchored.end?.day = nil
    }
    anchored.start = try point(anchored.start, from: stored, resolver)
    return try resolver.span(of: anchored)
  }

  /// The phrase with the year that another one states for the end, if it has none: `1 jun` beside
  /// `5 jun 2028`.
  ///
  /// - Throws: `DatePhraseError` if there is no such day in the year before the end.
  package func sharingYear(of end: TimePhrase) throws(DatePhraseError) -> TimePhrase {
    let resolver = PhraseResolver(now: now, viewer: viewer, firstWeekday: firstWeekday)
    var phrase = self
    phrase.form = try resolver.sharingYear(of: end, form)
    return phrase
  }

  // MARK: The stored time

  /// The point with the day and the time of the stored time, where it names none.
  private func point(
    _ point: PhrasePoint, from stored: Moment, _ resolver: PhraseResolver
  ) throws(DatePhraseError) -> PhrasePoint {
    guard point.moment == nil else { return point }
    var point = point
    if let day = point.day, day.isExact {
      guard day.base == nil else { return point }
      guard case .date = stored else {
        point.moment = try resolver.moment(of: day, after: stored)
        point.day = nil
        return point
      }
      throw DatePhraseError(
        .invalid, column: day.column, "expected days for an event of whole days, found a time")
    }
    let date = stored.date(in: resolver.zone)
    point.day = try day(point.day ?? PhraseDay(column: point.column), from: date, resolver)
    guard !isAllDay, point.time == nil, let time = stored.time(in: resolver.zone) else {
      return point
    }
    let days = try resolver.dates(of: form.start.day ?? point.day, from: date)
    guard days == 1, form.end == nil else {
      throw DatePhraseError(
        .invalid, column: point.column,
        "expected one day, because the time of day stays; \"all day\" removes it")
    }
    var kept = PhraseTime(column: point.column, hour: time.hour)
    (kept.minute, kept.second) = (time.minute, time.second)
    point.time = kept
    return point
  }

  /// The day with a date as its base, if it counts from the stored day.
  private func day(
    _ day: PhraseDay, from stored: CivilDate, _ resolver: PhraseResolver
  ) throws(DatePhraseError) -> PhraseDay {
    var day = day
    switch day.base {
    case nil, .weekday(_, nil), .weekday(_, .some(0)):
      day.base = .date(try resolver.date(of: day.base, from: stored, day.column))
    case .weekday(let weekday, _):
      // "next fri" is the first one after today, or after the day of the item.
      let other = PhraseDay.Base.weekday(weekday, 0)
      let isNext = day.base == .weekday(weekday, 1)
      let first = stored.adding(days: isNext ? 1 : -7) ?? stored
      let readings = [
        try resolver.date(of: day.base, from: stored, day.column),
        try resolver.date(of: other, from: first, day.column),
      ]
      try expectOne(readings, day.column)
    case .dateOfYear:
      let next = try resolver.date(of: day.base, from: resolver.today, day.column)
      let readings = [next, Self.nearest(to: stored, like: next)]
      let own = CivilDate(year: stored.year, month: next.month, day: next.day)
      // The year of the item is meant, unless the date is over by then.
      let isOver = own.map { $0 < min(stored, resolver.today) } ?? true
      try expectOne(readings + (isOver ? [] : [own].compactMap(\.self)), day.column)
      day.base = .date(next)
    case .dayOfMonth(let number):
      let next = try resolver.date(of: day.base, from: resolver.today, day.column)
      let own = CivilDate(year: stored.year, month: stored.month, day: number)
      try expectOne([next, own].compactMap(\.self), day.column)
      day.base = .date(next)
    case .weekdayOfMonth, .edgeOfMonth:
      let readings = [
        try resolver.date(of: day.base, from: resolver.today, day.column),
        try resolver.date(of: day.base, from: stored, day.column),
      ]
      try expectOne(readings, day.column)
      day.base = .date(readings[0])
    default: break
    }
    return day
  }

  /// The date of the same month and day that is the nearest one to another date.
  private static func nearest(to date: CivilDate, like other: CivilDate) -> CivilDate {
    let dates = (-1...1).compactMap { years in
      CivilDate(year: date.year + years, month: other.month, day: other.day)
    }
    return dates.min { abs($0.dayNumber - date.dayNumber) < abs($1.dayNumber - date.dayNumber) }
      ?? other
  }

  private func expectOne(_ readings: [CivilDate], _ column: Int) throws(DatePhraseError) {
    let readings = Set(readings)
    guard readings.count > 1 else { return }
    let texts = readings.sorted().map { MomentReading(zone: viewer).text(.date($0)) }
    throw DatePhraseError(
      .ambiguous, column: column,
      "the date counts from today or from the day of the item: write "
        + texts.joined(separator: " or "), readings: texts)
  }
}

extension Moment {
  /// The date in a zone.
  fileprivate func date(in zone: ZoneRules) -> CivilDate {
    switch self {
    case .date(let date): date
    case .local(let wall): wall.date
    case .instant(let instant): zone.civil(at: instant)?.date ?? .first
    }
  }

  /// The time of day in a zone; nil for a date.
  fileprivate func time(in zone: ZoneRules) -> TimeOfDay? {
    switch self {
    case .date: nil
    case .local(let wall): wall.time
    case .instant(let instant): zone.civil(at: instant)?.time
    }
  }
}
