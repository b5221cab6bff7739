// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

/// Resolves a parsed phrase to a span, with the current time in the viewer's time zone.
struct PhraseResolver {
  let now: Instant
  let zone: ZoneRules
  let firstWeekday: Weekday
  let today: CivilDate

  /// Creates a resolver; today is the date in the zone, unless the viewer's is given.
  init(now: Instant, zone: ZoneRules, firstWeekday: Weekday, today: CivilDate? = nil) {
    self.now = now
    self.zone = zone
    self.firstWeekday = firstWeekday
    self.today = today ?? zone.civil(at: now)?.date ?? .first
  }

  /// The days or the moment of a point.
  private enum Place {
    /// The first day, and the day after the last one.
    case days(CivilDate, end: CivilDate)
    case moment(Moment)

    /// The first day of the place in a zone.
    func date(in zone: ZoneRules) -> CivilDate {
      switch self {
      case .days(let first, _): first
      case .moment(.date(let date)): date
      case .moment(.local(let wall)): wall.date
      case .moment(.instant(let instant)): zone.civil(at: instant)?.date ?? .first
      }
    }
  }

  /// Resolves a phrase.
  func span(of form: PhraseForm) throws(DatePhraseError) -> DateSpan {
    guard let end = form.end else {
      let start = try place(of: form.start, after: nil)
      guard let duration = form.duration else { return span(of: start) }
      return try span(from: start, for: duration)
    }
    var (startPoint, endPoint) = (form.start, end)
    if let first = startPoint.time, let last = endPoint.time {
      startPoint.time = first.inHalf(of: last)
    }
    // "9-10:30 fri": the day stands behind the range.
    if form.separator == .hyphen, startPoint.day == nil, startPoint.time != nil,
      endPoint.time != nil
    {
      (startPoint.day, endPoint.day) = (endPoint.day, nil)
    }
    let start = try place(of: startPoint, after: nil)
    try checkHours(startPoint, endPoint)
    let range = try place(of: endPoint, after: start)
    return try span(from: start, through: range, column: endPoint.column)
  }

  /// The span of a date, or of a single time.
  func span(at moment: Moment) -> DateSpan { span(of: .moment(normalized(moment))) }

  // MARK: Spans

  private func span(of place: Place) -> DateSpan {
    switch place {
    case .days(let first, let end): DateSpan(from: .date(first), to: .date(end), in: zone)
    case .moment(.date(let date)):
      DateSpan(from: .date(date), to: .date(date.adding(days: 1) ?? date), in: zone)
    case .moment(let moment): DateSpan(from: moment, to: nil, in: zone)
    }
  }

  private func span(
    from start: Place, for duration: PhraseDuration
  ) throws(DatePhraseError) -> DateSpan {
    let moment: Moment
    switch start {
    case .days(let first, _):
      if duration.seconds == 0 {
        guard let end = first.adding(days: duration.days) else {
          throw outside(duration.column)
        }
        return DateSpan(from: .date(first), to: .date(end), in: zone)
      }
      moment = .local(CivilDateTime(first, .midnight))
    case .moment(let start): moment = start
    }
    let first = moment.instant(in: zone)
    let wall = zone.civil(at: first)
    let days = CivilDuration(days: duration.days)
    guard let wall, let days,
      let day = duration.days == 0 ? first : zone.instant(of: wall, adding: days),
      let end = day.adding(seconds: Int64(duration.seconds)), zone.civil(at: end) != nil
    else { throw outside(duration.column) }
    return DateSpan(from: moment, to: self.moment(of: end), in: zone)
  }

  private func span(
    from start: Place, through end: Place, column: Int
  ) throws(DatePhraseError) -> DateSpan {
    let first: Moment
    switch (start, end) {
    case (.days(let first, _), .days(_, let last)):
      guard first < last else { throw backwards(column) }
      return DateSpan(from: .date(first), to: .date(last), in: zone)
    case (.days(let date, _), _): first = .local(CivilDateTime(date, .midnight))
    case (.moment(let moment), _): first = moment
    }
    let last: Moment
    switch end {
    case .days(_, let end): last = .local(CivilDateTime(end, .midnight))
    case .moment(let moment): last = moment
    }
    guard first.instant(in: zone) < last.instant(in: zone) else { throw backwards(column) }
    return DateSpan(from: first, to: last, in: zone)
  }

  /// Rejects hours alone without a day, such as `9-10`, and an hour before or after a day, such as
  /// `9-fri` and `mon..5`.
  private func checkHours(
    _ start: PhrasePoint, _ end: PhrasePoint
  ) throws(DatePhraseError) {
    let isBare = start.time.map(Self.isBareHour) ?? false
    let isAlone = isBare && start.day == nil
    let isKnown = start.time != nil || start.moment != nil
    if let hour = end.time {
      guard Self.isBareHour(hour), !isKnown || (isAlone && end.day == nil) else { return }
      throw hourWithoutDay(hour.column)
    }
    if isAlone { throw hourWithoutDay(start.column) }
  }

  private static func isBareHour(_ time: PhraseTime) -> Bool {
    time.isBare && time.isAfternoon == nil
  }

  private func hourWithoutDay(_ column: Int) -> DatePhraseError {
    DatePhraseError(
      .syntax, column: column, "expected a day with the hours, or a time such as 9:00")
  }

  private func outside(_ column: Int) -> DatePhraseError {
    DatePhraseError(.invalid, column: column, "expected a date in the years 1 through 9999")
  }

  private func backwards(_ column: Int) -> DatePhraseError {
    DatePhraseError(.invalid, column: column, "expected an end after the start")
  }

  // MARK: Points

  /// The place of a point; the start of the range is given if the point is its end.
  private func place(
    of point: PhrasePoint, after start: Place?
  ) throws(DatePhraseError) -> Place {
    if let moment = point.moment { return .moment(normalized(moment)) }
    if let day = point.day, day.isExact, day.base == .now || day.base == nil {
      guard point.time == nil else { throw surplus(point) }
      return .moment(try exact(day, after: start))
    }
    var (first, end) = (start?.date(in: zone) ?? today, CivilDate?.none)
    if let day = point.day { (first, end) = try days(of: day, after: start) }
    guard let time = point.time else { return .days(first, end: try next(first, end, point)) }
    if let end, end.dayNumber - first.dayNumber != 1 { throw surplus(point) }
    var wall = try self.wall(first, time)
    if let start, point.day == nil, case .moment(let moment) = start,
      zone.instant(of: wall) <= moment.instant(in: zone)
    {
      guard let next = first.adding(days: 1), !isSame(wall, moment) else {
        throw backwards(point.column)
      }
      wall = try self.wall(next, time)
    }
    return .moment(normalized(.local(wall)))
  }

  private func isSame(_ wall: CivilDateTime, _ moment: Moment) -> Bool {
    zone.instant(of: wall) == moment.instant(in: zone)
  }

  private func next(
    _ first: CivilDate, _ end: CivilDate?, _ point: PhrasePoint
  ) throws(DatePhraseError) -> CivilDate {
    guard let end = end ?? first.adding(days: 1) else { throw outside(point.column) }
    return end
  }

  private func surplus(_ point: PhrasePoint) -> DatePhraseError {
    DatePhraseError(
      .syntax, column: point.time?.column ?? point.column,
      "expected a single day before the time, found a period or a time")
  }

  private func wall(
    _ date: CivilDate, _ time: PhraseTime
  ) throws(DatePhraseError) -> CivilDateTime {
    if time.second == 60, let leap = TimeOfDay(hour: time.hour, minute: time.minute, second: 60) {
      return CivilDateTime(date, leap)
    }
    guard
      let wall = CivilDateTime(date, .midnight).adding(seconds: Int64(time.secondOfDay))
    else { throw outside(time.column) }
    return wall
  }

  /// The moment of an offset in hours or minutes, in whole minutes, and of `now`.
  private func exact(
    _ day: PhraseDay, after start: Place?
  ) throws(DatePhraseError) -> Moment {
    var instant = now
    if day.base == nil, let start {
      let date = CivilDateTime(start.date(in: zone), .midnight)
      instant = zone.instant(of: date)
      if case .moment(let moment) = start { instant = moment.instant(in: zone) }
    }
    for offset in day.offsets {
      let count = Int64(offset.count)
      let moved: Instant?
      switch offset.unit {
      case .minute: moved = instant.adding(seconds: count * 60)
      case .hour: moved = instant.adding(seconds: count * 3600)
      case .day, .week, .month, .year:
        let wall = zone.civil(at: instant)
        moved = wall.flatMap { wall in
          date(wall.date, adding: offset).map { zone.instant(of: CivilDateTime($0, wall.time)) }
        }
      }
      guard let moved, zone.civil(at: moved) != nil else { throw outside(day.column) }
      instant = moved
    }
    if day.base == nil || !day.offsets.isEmpty {
      let seconds = instant.secondsSinceEpoch
      instant = Instant(secondsSinceEpoch: seconds - (seconds % 60 + 60) % 60)
    }
    return moment(of: instant)
  }

  /// The local time of an instant, or the instant itself if the local time denotes another one.
  private func moment(of instant: Instant) -> Moment {
    guard let wall = zone.civil(at: instant), zone.instant(of: wall) == instant else {
      return .instant(instant)
    }
    return .local(wall)
  }

  /// The moment with a local time that exists: a time in a gap is moved by the length of the gap.
  private func normalized(_ moment: Moment) -> Moment {
    guard case .local(let wall) = moment, case .gap = zone.resolve(wall) else { return moment }
    return self.moment(of: zone.instant(of: wall))
  }
}

// MARK: Days

extension PhraseResolver {
  /// The time of an offset in hours or minutes from another time.
  func moment(of offset: PhraseDay, after start: Moment) throws(DatePhraseError) -> Moment {
    try exact(offset, after: .moment(start))
  }

  /// The number of days of a day or a period.
  func dates(of day: PhraseDay?, from anchor: CivilDate) throws(DatePhraseError) -> Int {
    guard let day else { return 1 }
    let (first, end) = try days(of: day, after: .moment(.date(anchor)))
    return end.dayNumber - first.dayNumber
  }

  /// The first day of a base that counts from a date.
  func date(
    of base: PhraseDay.Base?, from anchor: CivilDate, _ column: Int
  ) throws(DatePhraseError) -> CivilDate {
    try self.base(of: PhraseDay(column: column, base: base), from: anchor).0
  }

  /// The first day, and the day after the last one.
  private func days(
    of day: PhraseDay, after start: Place?
  ) throws(DatePhraseError) -> (CivilDate, CivilDate) {
    let anchor = start?.date(in: zone) ?? today
    var (first, end) = try base(of: day, from: anchor)
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

  /// The days before offsets are added; the end is nil for a single day.
  private func base(
    of day: PhraseDay, from anchor: CivilDate
  ) throws(DatePhraseError) -> (CivilDate, CivilDate?) {
    let first: CivilDate?
    var end: CivilDate?
    switch day.base {
    case nil: first = anchor
    case .now: first = today
    case .day(let days): first = today.adding(days: days)
    case .date(let date): first = date
    case .weekday(let weekday, let distance): first = date(of: weekday, distance, from: anchor)
    case .dateOfYear(let month, let day): first = next(month, day, from: anchor)
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
    case .some(1): today.adding(days: (weekday.days(since: today.weekday) + 6) % 7 + 1)
    case .some(-1): today.adding(days: -((today.weekday.days(since: weekday) + 6) % 7 + 1))
    default: anchor.adding(days: weekday.days(since: anchor.weekday))
    }
  }

  /// The next day of a year on or after a day.
  private func next(_ month: Int, _ day: Int, from anchor: CivilDate) -> CivilDate? {
    // There is a leap year in any nine years.
    for year in anchor.year...anchor.year + 8 {
      if let date = CivilDate(year: year, month: month, day: day), date >= anchor { return date }
    }
    return nil
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
  private func date(_ date: CivilDate, adding offset: PhraseDay.Offset) -> CivilDate? {
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
