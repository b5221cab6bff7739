// SPDX-License-Identifier: Apache-2.0

import CivilTime
import ICUServices

/// Resolves a parsed phrase to a span, with the current time in the viewer's time zone.
struct PhraseResolver {
  /// The maximum length of a range of times that ends on the day after its start, in seconds.
  private static let nightLimit: Int64 = 12 * 3600

  let now: Instant
  /// The zone of times; days near today are the viewer's.
  let zone: ZoneRules
  let firstWeekday: Weekday
  /// Whether a time without a day, or on a weekday, is the next one from now on, as in the words of
  /// a new item.
  let isNext: Bool
  let today: CivilDate
  /// The current date in the zone of times, from which a time and its weekday count.
  let zonesToday: CivilDate

  /// Creates a resolver.
  ///
  /// - Parameters:
  ///   - now: The current time.
  ///   - viewer: The viewer's time zone.
  ///   - zone: The zone of times; nil for the viewer's.
  ///   - firstWeekday: The first day of a week.
  ///   - isNext: Whether a time without a day, or on a weekday, is the next one from now on.
  init(
    now: Instant, viewer: ZoneRules, zone: ZoneRules? = nil, firstWeekday: Weekday,
    isNext: Bool = false
  ) {
    self.now = now
    self.zone = zone ?? viewer
    self.firstWeekday = firstWeekday
    self.isNext = isNext
    today = viewer.civil(at: now)?.date ?? .first
    zonesToday = self.zone.civil(at: now)?.date ?? today
  }

  /// The days or the moment of a point.
  enum Place {
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
    try expectNoTime(besideAllDay: form)
    try expectNoDayOfMonth(form)
    let known = try withRangeOfRepetition(withKnownHours(form))
    let form = try anchored(known)
    if known.namesUnclearNight { try expectKnownNight(form) }
    let span = try plainSpan(of: form)
    guard isNext, isOver(span), var day = form.start.day, day.offsets.isEmpty else { return span }
    switch day.base {
    case .weekday(_, nil): day.offsets = [PhraseDay.Offset(count: 1, unit: .week)]
    case .day(0) where form.start.isNight: day.offsets = [PhraseDay.Offset(count: 1, unit: .day)]
    default: return span
    }
    var later = form
    later.start.day = day
    return try plainSpan(of: later)
  }

  /// Whether a time, or a range of times, is in the past.
  private func isOver(_ span: DateSpan) -> Bool {
    !span.isAllDay && (span.end ?? span.start).instant(in: zone) <= now
  }

  /// The span of a phrase; a weekday is today or later.
  func plainSpan(of form: PhraseForm) throws(DatePhraseError) -> DateSpan {
    guard let end = form.end else {
      let start = try place(of: form.start, after: nil)
      guard let duration = form.duration else { return span(of: start) }
      return try span(from: start, for: duration)
    }
    if let duration = form.duration {
      throw DatePhraseError(
        .syntax, column: duration.column, "expected an end or a duration, found both")
    }
    if form.start.hasTime, let day = end.day, end.time == nil, day.isLongPeriod {
      throw DatePhraseError(
        .syntax, column: end.column, "expected a day or a time as the end, found a month or a year")
    }
    let form = try withWeekOfEnd(form)
    let start = try place(of: form.start, after: nil)
    try checkHours(form.start, end)
    // "fri 9:00 until sun" may end with Sunday, or on it.
    if form.separator != .points, form.start.hasTime, let day = end.day, end.time == nil,
      !day.isExact
    {
      throw DatePhraseError(
        .syntax, column: end.column,
        "the start has a time of day, and the end needs one, too, such as \(Self.endExample)")
    }
    // "fri..fri" is one day.
    let last = form.separator == .points ? end : try nextWeek(end, after: start)
    let range = try place(of: last, after: start)
    try checkNight(form, start, range)
    return try span(from: start, through: range, column: end.column)
  }

  /// Rejects an hour after midnight beside a day and `night`, with both readings.
  private func expectKnownNight(_ form: PhraseForm) throws(DatePhraseError) {
    guard case .moment(.local(let wall)) = try place(of: form.start, after: nil),
      let next = wall.date.adding(days: 1)
    else { return }
    let readings = [wall, CivilDateTime(next, wall.time)].map {
      MomentReading(zone: zone).text(.local($0))
    }
    throw DatePhraseError(
      .ambiguous, column: form.start.time?.column ?? form.start.column,
      "the night may begin or end on that day: write \(readings.joined(separator: " or "))",
      readings: readings)
  }

  /// Rejects a time of day beside `all day`, with both readings.
  private func expectNoTime(besideAllDay form: PhraseForm) throws(DatePhraseError) {
    guard form.isAllDay, let column = form.timeColumn else { return }
    var timed = form
    timed.isAllDay = false
    let span = try span(of: timed)
    let date = span.start.instant(in: zone)
    let readings = [
      zone.civil(at: date).map { MomentReading(zone: zone).text(.date($0.date)) }, span.reading,
    ].compactMap(\.self)
    throw DatePhraseError(
      .ambiguous, column: column,
      "a time of day and \"all day\" exclude each other: write "
        + readings.joined(separator: " or "), readings: readings)
  }

  private static let endExample = "\"fri 9:00 until sun 18:00\""

  /// The maximum number of days to a date that a weekday with a number may be.
  private static let monthDayReach = 62

  /// Rejects a number that is a day of the month or an hour, as in `samedi 5 à 10h`, with both
  /// readings.
  func expectNoDayOfMonth(_ form: PhraseForm) throws(DatePhraseError) {
    guard form.separator == .at, let day = form.start.day, day.offsets.isEmpty,
      case .weekday(let weekday, nil) = day.base, let hour = form.start.time,
      hour.isBare, hour.isPlain, hour.isAfternoon == nil,
      let time = form.end?.time, form.end?.day == nil
    else { return }
    let number = PhraseDay(column: day.column, base: .dayOfMonth(hour.hour))
    guard let date = try? self.date(of: number.base, from: today, day.column),
      date.weekday == weekday, date.dayNumber - today.dayNumber <= Self.monthDayReach
    else { return }
    var (dated, range) = (form, form)
    (dated.start.day, dated.start.time, dated.separator, dated.end) = (number, time, nil, nil)
    range.separator = .hyphen
    let readings = [dated, range].compactMap { try? span(of: $0).reading }
    throw DatePhraseError(
      .ambiguous, column: hour.column,
      "\(hour.hour) is a day of the month or an hour: write "
        + readings.joined(separator: " or "), readings: readings)
  }

  /// Rejects two times around a day without a word or a sign of a range, as in `3:16 sunday 10:00`:
  /// one of them may belong to the title.
  private func expectOneTime(_ form: PhraseForm) throws(DatePhraseError) {
    guard form.separator == .adjacent, let first = form.start.time, form.end?.time != nil,
      let day = form.start.day ?? form.end?.day, day.column > first.column
    else { return }
    throw DatePhraseError(
      .invalid, column: first.column,
      "expected one time, or a range such as 9:00-10:00 beside the day, found two times around it")
  }

  /// The phrase with the halves of hours that another hour states, and with the day at its start.
  private func withKnownHours(_ form: PhraseForm) throws(DatePhraseError) -> PhraseForm {
    var form = form
    if let first = form.start.time, let last = form.end?.time {
      form.start.time = first.inHalf(of: last)
    }
    if let part = form.part {
      guard let time = form.start.time else {
        throw DatePhraseError(
          .syntax, column: form.start.column, "expected a time such as 7:15 beside \(part.rawValue)"
        )
      }
      guard let exact = time.inPart(part) else {
        throw DatePhraseError(
          .invalid, column: time.column, "expected an hour of the \(part.rawValue)")
      }
      form.start.time = exact
      form.start.isNight = part == .night && exact.hour < 6
    }
    if let first = form.start.time, let last = form.end?.time { form.end?.time = last.after(first) }
    try expectOneTime(form)
    try checkReadings(form.start.time, of: form.end?.time)
    // "mon..5" is no range of times.
    if form.start.hasTime || form.end?.day != nil { try checkReadings(form.end?.time, of: nil) }
    // "9-10:30 fri": the day stands behind the range.
    if form.separator == .hyphen || form.separator == .at, form.start.day == nil,
      form.start.time != nil,
      form.end?.time != nil, let day = form.end?.day
    {
      form.start.day = day
      form.end?.day = nil
    }
    // "monday 9:00-10:00 7 dec": the date stands behind the range, and the weekday is that of it.
    if case .weekday(let weekday, nil)? = form.start.day?.base, form.start.time != nil,
      let time = form.end?.time, var day = form.end?.day, day.isDate, day.column > time.column
    {
      day.weekday = weekday
      form.start.day = day
      form.end?.day = nil
    }
    return form
  }

  /// Rejects an hour that may be before noon or after it.
  func checkReadings(
    _ time: PhraseTime?, of end: PhraseTime?
  ) throws(DatePhraseError) {
    guard let time, time.isAmbiguous else { return }
    // "8-17" is on the clock of 24 hours.
    if let end, end.isAfternoon == nil, end.hour > 12 || end.hasMark { return }
    let minute = "\(time.minute < 10 ? "0" : "")\(time.minute)"
    let readings = ["\(time.hour):\(minute)", "\(time.hour + 12):\(minute)"]
    throw DatePhraseError(
      .ambiguous, column: time.column,
      "the hour \(time.hour) is ambiguous: write \(readings.joined(separator: " or "))",
      readings: readings)
  }

  /// Rejects an end before the start on the same day, unless the range is a part of a night.
  private func checkNight(
    _ form: PhraseForm, _ start: Place, _ end: Place
  ) throws(DatePhraseError) {
    guard let point = form.end, point.day == nil, point.time != nil,
      case .moment(let first) = start, case .moment(let last) = end
    else { return }
    let (from, to) = (first.instant(in: zone), last.instant(in: zone))
    let isNextDay = zone.civil(at: from)?.date != zone.civil(at: to)?.date
    let isMidnight = point.time.map { $0.secondOfDay == 86_400 || $0.isMidnight } ?? false
    let length = to.secondsSinceEpoch - from.secondsSinceEpoch
    guard isNextDay, !isMidnight else { return }
    if form.separator == .adjacent || length > Self.nightLimit { throw backwards(point.column) }
  }

  /// The span of a date, or of a single time.
  ///
  /// - Throws: `DatePhraseError` if the clocks skip the time.
  func span(at moment: Moment) throws(DatePhraseError) -> DateSpan {
    span(of: .moment(try existing(moment, 1)))
  }

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
      throw DatePhraseError(
        .syntax, column: duration.column, "expected a time before a duration in hours or minutes")
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

  func outside(_ column: Int) -> DatePhraseError {
    DatePhraseError(.invalid, column: column, "expected a date in the years 1 through 9999")
  }

  func backwards(_ column: Int) -> DatePhraseError {
    DatePhraseError(.invalid, column: column, "expected an end after the start")
  }

  // MARK: Points

  /// The place of a point; the start of the range is given if the point is its end.
  func place(
    of point: PhrasePoint, after start: Place?
  ) throws(DatePhraseError) -> Place {
    if let moment = point.moment { return .moment(try existing(moment, point.column)) }
    if let day = point.day, day.isExact, day.base == .now || day.base == nil {
      guard point.time == nil else { throw surplus(point) }
      return .moment(try exact(day, after: start))
    }
    let anchor = start?.date(in: zone) ?? (point.time == nil ? today : zonesToday)
    var (first, end) = (anchor, CivilDate?.none)
    if let day = point.day { (first, end) = try days(of: day, after: start, or: anchor) }
    guard let time = point.time else { return .days(first, end: try next(first, end, point)) }
    if let end, end.dayNumber - first.dayNumber != 1 { throw surplus(point) }
    if time.isMidnight, start == nil || point.day != nil, !isNext || point.day != nil {
      throw midnight(first, time.column)
    }
    var wall = try self.wall(first, time)
    if isNext, start == nil, point.day == nil, zone.instant(of: wall) < now,
      let tomorrow = first.adding(days: 1)
    {
      wall = try self.wall(tomorrow, time)
    }
    if let start, point.day == nil, case .moment(let moment) = start,
      zone.instant(of: wall) <= moment.instant(in: zone)
    {
      guard let next = first.adding(days: 1), !isSame(wall, moment) else {
        throw backwards(point.column)
      }
      wall = try self.wall(next, time)
    }
    return .moment(try existing(.local(wall), time.column))
  }

  /// Rejects midnight of a day, which may be its beginning or its end.
  private func midnight(_ date: CivilDate, _ column: Int) -> DatePhraseError {
    let readings = [date, date.adding(days: 1) ?? date].map { "\(MomentReading.iso($0)) 0:00" }
    return DatePhraseError(
      .ambiguous, column: column,
      "midnight is the beginning or the end of a day: write \(readings.joined(separator: " or "))",
      readings: readings)
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

  func wall(
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

  /// The time of an offset in hours or minutes from another time.
  func moment(of offset: PhraseDay, after start: Moment) throws(DatePhraseError) -> Moment {
    try exact(offset, after: .moment(start))
  }

  /// The moment of an offset in hours or minutes, in whole minutes, and of `now`, which is a whole minute
  /// in the words of an item alone.
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
    if day.base == nil || !day.offsets.isEmpty || isNext {
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

  /// The moment, whose local time exists.
  ///
  /// In a file, a time in a gap is moved by the length of the gap (RFC 5545 §3.3.5). Who types one
  /// may mean an earlier time as well.
  ///
  /// - Throws: `DatePhraseError` with the times before and after the gap.
  private func existing(_ moment: Moment, _ column: Int) throws(DatePhraseError) -> Moment {
    guard case .local(let wall) = moment, case .gap = zone.resolve(wall),
      let later = zone.civil(at: zone.instant(of: wall))
    else { return moment }
    let gap = later.wallSeconds - wall.wallSeconds
    let readings = [wall.adding(seconds: -gap), later].compactMap(\.self).map {
      "\(MomentReading.iso($0.date)) \(MomentReading.text($0.time))"
    }
    throw DatePhraseError(
      .ambiguous, column: column,
      "\(MomentReading.text(wall.time)) does not exist on \(MomentReading.iso(wall.date)) in "
        + "\(zone.name), because the clocks skip it: write \(readings.joined(separator: " or "))",
      readings: readings)
  }
}
