// SPDX-License-Identifier: Apache-2.0

import CalendarLanguage
import CalendarModel
import CivilTime
import Recurrence

/// The start and the end of an event; see ``DetailsWriter/writeTimes(of:)`` for reminders.
///
/// A new start keeps the length, unless an end is named, and a phrase keeps the day or the time of
/// day that it does not name.
extension DetailsWriter {
  /// Writes the times that are set.
  ///
  /// - Throws: `EpactError` if a time does not fit the item.
  func writeTimes<Content: EditableContent>(to content: inout Content) throws(EpactError) {
    guard details.changesTimes else { return }
    let before = alarmAnchor(of: content)
    if let reminder = content as? Reminder {
      var changed = reminder
      try writeTimes(of: &changed)
      if let result = changed as? Content { content = result }
    } else {
      try writeTimes(ofEvent: &content)
    }
    if let zone = details.zone, zone != TimeWriting.floating,
      alarmAnchor(of: content)?.isAllDay == true
    {
      throw EpactError(
        .argument, "a whole day has no time zone: name a time, or leave out the zone \"\(zone)\"",
        subject: zone)
    }
    guard let before, let after = alarmAnchor(of: content) else { return }
    for place in content.alarms.indices {
      guard case .absolute(let instant)? = content.alarms[place].trigger,
        content.alarms[place].snoozedAlarm == nil,
        let moved = times.clocks.moved(instant, from: before, to: after)
      else { continue }
      content.alarms[place].trigger = .absolute(moved)
    }
  }

  /// The time with which alarms at a fixed time move: the due time of a reminder, or else the start.
  private func alarmAnchor<Content: EditableContent>(of content: Content) -> EventTime? {
    (content as? Reminder).flatMap { times.dueTime(of: $0) } ?? content.start
  }

  // MARK: Events

  private func writeTimes<Content: EditableContent>(
    ofEvent content: inout Content
  ) throws(EpactError) {
    let old = content.start
    var named: Moment?
    let start: EventTime
    if let new = details.start {
      let span = try span(new, from: old)
      start = try time(span.start, like: old, in: content, by: times(for: new))
      named = span.end
      try expectOneDay(new, span, for: content)
    } else if let old {
      start = try times.rezoned(old)
    } else {
      throw Self.missingStart
    }
    try expectOneEnd(besides: named)
    let ending: EventEnd?
    let isRecurring = content.recurrenceID != nil || content.recurrence.isRecurring
    if let end = details.end {
      let kept = try old.map { old throws(EpactError) -> EventEnd? in
        // An offset counts from the end that the event has, also beside a new start.
        if case .phrase(let phrase) = end, phrase.isOffset, details.start != nil,
          let last = times.time(of: content.ending, from: old)
        {
          return EventEnd.time(last)
        }
        return try keptEnd(content.ending, from: old, to: start, isExact: isRecurring)
      }
      ending = try self.ending(end, from: start, kept: kept ?? nil)
    } else if let duration = details.duration {
      try expect(duration, from: start)
      ending = try inZone(
        of: old.flatMap { times.foreignZone(of: content.ending, from: $0) },
        times.end(after: duration, from: start), from: start)
    } else if let named {
      ending = try end(named, from: start, besides: content.ending, old)
    } else if let old {
      ending = try keptEnd(content.ending, from: old, to: start, isExact: isRecurring)
      try expectLength(of: content.ending, from: old, to: start)
    } else {
      ending = start.isAllDay ? nil : try times.end(after: Self.hour, from: start)
    }
    content.start = start
    content.ending = ending
  }

  /// The end that the value of the start names, in the zone in which the event ended.
  private func end(
    _ named: Moment, from start: EventTime, besides ending: EventEnd?, _ old: EventTime?
  ) throws(EpactError) -> EventEnd {
    guard case .phrase(let phrase)? = details.start, phrase.zone == nil, !start.isAllDay,
      let tzID = old.flatMap({ times.foreignZone(of: ending, from: $0) })
    else {
      let own = details.start.map { times(for: $0) } ?? times
      return try own.end(named, from: start)
    }
    let own = times.inZone(tzID)
    guard named.instant(in: try own.rules(for: start)) > times.instant(of: start) else {
      throw endBeforeStart(start, named)
    }
    return .time(try own.time(named, like: nil))
  }

  /// An end in a zone of its own; nil for that of the start.
  private func inZone(
    of tzID: String?, _ end: EventEnd, from start: EventTime
  ) throws(EpactError) -> EventEnd {
    guard let tzID, !start.isAllDay else { return end }
    let instant = times.instant(of: end, from: start)
    return .time(try times.inZone(tzID).time(at: instant))
  }

  /// Rejects two values that both name the end.
  private func expectOneEnd(besides named: Moment?) throws(EpactError) {
    let ends = [details.end != nil, details.duration != nil, named != nil].count(where: \.self)
    guard ends > 1, details.end != nil || named != nil, details.duration != nil || named != nil
    else { return }
    throw EpactError(.argument, "expected one end or one duration, found \(ends)")
  }

  /// Rejects a duration without a length, and one in hours for whole days.
  private func expect(_ duration: CivilDuration, from start: EventTime) throws(EpactError) {
    guard duration != .zero else {
      throw EpactError(.argument, "expected a duration longer than 0")
    }
    guard !start.isAllDay || duration.exactSeconds % 86_400 == 0 else {
      throw EpactError(
        .argument,
        "the event has whole days, and its duration is in days; one in hours needs a start at a "
          + "time of day")
    }
  }

  /// Rejects several days, or a range of times, for a journal entry.
  private func expectOneDay(
    _ new: NewTime, _ span: (start: Moment, end: Moment?), for content: some EditableContent
  ) throws(EpactError) {
    guard content is Journal, case .phrase(let phrase) = new, let end = span.end else { return }
    var isRange = phrase.namesEnd
    if case .date(let first) = span.start, case .date(let last) = end {
      isRange = last.dayNumber - first.dayNumber > 1
    }
    guard isRange else { return }
    throw EpactError(.argument, "a journal entry has one date and no end (RFC 5545 §3.6.3)")
  }

  private static let hour = CivilDuration(hours: 1) ?? .zero

  /// The error of an event without a start.
  static let missingStart = EpactError(
    .argument, "an event needs a start, such as \"tomorrow 12:30\"")

  /// The moments of a new time; the end is nil if it is not named.
  func span(
    _ new: NewTime, from stored: EventTime?
  ) throws(EpactError) -> (start: Moment, end: Moment?) {
    switch new {
    case .moment(let moment): return (moment, nil)
    case .removed: throw Self.missingStart
    case .phrase(let phrase):
      let span = try resolved(phrase, from: stored.map(moment))
      // A single day leaves the end to another value, or to the length of the item.
      let hasEnd = stored != nil || details.end != nil || details.duration != nil
      let isEnd = phrase.namesEnd || span.isSeveralDays || !hasEnd
      return (span.start, isEnd ? span.end : nil)
    }
  }

  func resolved(
    _ phrase: TimePhrase, from stored: Moment?, of time: EventTime? = nil
  ) throws(EpactError) -> DateSpan {
    let zone = try times(for: .phrase(phrase)).rules(for: time)
    return try DateReading.describing { () throws(DatePhraseError) in
      try phrase.span(from: stored, in: zone)
    }
  }

  /// The conversion of the moments of a new time, in the zone that it names.
  func times(for new: NewTime) -> TimeWriting {
    guard case .phrase(let phrase) = new, let zone = phrase.zone else { return times }
    return times.inZone(zone.name)
  }

  /// The conversion of a new end, which keeps the zone of the end if that is not the one of the start.
  private func times(
    for new: NewTime, keepingZoneOf end: EventTime?, from start: EventTime
  ) -> TimeWriting {
    let named = times(for: new)
    guard named.zone == nil, let tzID = end?.tzID, let other = start.tzID, tzID != other else {
      return named
    }
    return times.inZone(tzID)
  }

  /// The moment of a time, which is local in the zone of the item.
  func moment(_ time: EventTime) -> Moment { WhenText(viewer: times.viewer).moment(time) }

  /// The end with the length of the event before its start moved.
  ///
  /// Whole days that become times last an hour; times that become whole days last all days that
  /// they touched. The length of an occurrence is exact (RFC 5545 §3.8.5.3), also of one in a night
  /// in which the clocks change.
  private func keptEnd(
    _ ending: EventEnd?, from old: EventTime, to start: EventTime, isExact: Bool
  ) throws(EpactError) -> EventEnd? {
    guard old.isAllDay != start.isAllDay else {
      let changed = isExact ? times.zoneOfClockChange(before: ending, from: old) : nil
      guard !start.isAllDay, let tzID = times.foreignZone(of: ending, from: old) ?? changed else {
        return times.moved(ending, from: old, to: start)
      }
      // The clocks of two zones may change on different days, so that the length is an exact one.
      let instants = (times.instant(of: ending, from: old), times.instant(of: old))
      let length = instants.0.secondsSinceEpoch - instants.1.secondsSinceEpoch
      guard let end = times.instant(of: start).adding(seconds: length) else {
        return times.moved(ending, from: old, to: start)
      }
      return .time(try times.inZone(tzID).time(at: end))
    }
    guard start.isAllDay else { return try times.end(after: Self.hour, from: start) }
    guard let last = times.time(of: ending, from: old)?.wallTime else { return nil }
    let touched = last.time == .midnight ? last.date : last.date.adding(days: 1) ?? last.date
    let days = max(1, touched.dayNumber - old.date.dayNumber)
    return start.date.adding(days: days).map { .time(.date($0)) }
  }

  /// Rejects a time for several whole days, whose length is unknown then.
  private func expectLength(
    of ending: EventEnd?, from old: EventTime, to start: EventTime
  ) throws(EpactError) {
    guard old.isAllDay, !start.isAllDay, let end = times.time(of: ending, from: old) else { return }
    let days = end.date.dayNumber - old.date.dayNumber
    guard days > 1 else { return }
    throw EpactError(
      .argument,
      "the event lasts \(days) whole days, and its length at a time of day is not known; "
        + "name the end or the duration, too")
  }

  /// The end that is named.
  ///
  /// - Parameters:
  ///   - new: The end.
  ///   - start: The new start.
  ///   - kept: The end that the event has without it; nil for a new event.
  /// - Returns: The end, which is after the start.
  /// - Throws: `EpactError` if it is not, or does not fit the start.
  private func ending(
    _ new: NewTime, from start: EventTime, kept: EventEnd?
  ) throws(EpactError) -> EventEnd {
    let end: Moment
    switch new {
    case .moment(let moment): end = moment
    case .removed: throw EpactError(.argument, "an event needs an end or a duration")
    case .phrase(let phrase): end = try self.end(phrase, from: start, kept: kept)
    }
    let isDay = if case .date = end { true } else { false }
    let own = times(for: new, keepingZoneOf: times.time(of: kept, from: start), from: start)
    guard isDay == start.isAllDay,
      end.instant(in: try own.rules(for: start)) > times.instant(of: start)
    else {
      throw endBeforeStart(start, end)
    }
    // An end in a zone of its own has it, whatever the zone of the start is.
    return own.zone == times.zone
      ? try times.end(end, from: start) : .time(try own.time(end, like: nil))
  }

  private func endBeforeStart(_ start: EventTime, _ end: Moment) -> EpactError {
    let text = WhenText(viewer: times.viewer)
    return EpactError(
      .argument,
      "expected an end after the start, \(text.text(moment(start))), found "
        + text.text(inclusive(end)))
  }

  /// The last day for an exclusive date.
  private func inclusive(_ end: Moment) -> Moment {
    if case .date(let date) = end { .date(date.adding(days: -1) ?? date) } else { end }
  }

  /// The exclusive end of a phrase.
  private func end(
    _ phrase: TimePhrase, from start: EventTime, kept: EventEnd?
  ) throws(EpactError) -> Moment {
    let last = times.time(of: kept, from: start)
    if start.isAllDay {
      guard !phrase.namesTime else {
        throw EpactError(
          .argument, "the event has whole days; an end at a time of day needs a start at one")
      }
      let day = inclusive(.date((last ?? start).date))
      let isStart = last == nil || phrase.namesWeekday
      return try end(phrase, near: isStart ? moment(start) : day, after: start).lastDayEnd
    }
    if phrase.isMidnight, let next = start.date.adding(days: 1) {
      return .local(CivilDateTime(next, .midnight))
    }
    // A time alone is that of the day on which the event ends, or ended if it was a single night.
    if !phrase.namesDay, phrase.namesTime, !isSeveralDays(from: start, to: last) {
      let end = try resolved(phrase, from: moment(start), of: start).start
      guard
        end.instant(in: try times(for: .phrase(phrase)).rules(for: start))
          <= times.instant(of: start)
      else { return end }
      if isOvernight(from: start, to: last) {
        return try resolved(phrase, from: last.map(moment), of: start).start
      }
      return nextMorning(end, after: start) ?? end
    }
    if last == nil, !phrase.namesTime {
      throw EpactError(
        .argument, "the event has a time of day, and its end needs one, too")
    }
    let near = anchor(of: phrase, from: start, to: last) ?? moment(start)
    return try end(phrase, near: near, after: start).start
  }

  /// The time from which an end or a due time counts: the earlier one, and for a weekday the day of the
  /// start at the earlier time of day, so that `fri` is the first Friday from the start on.
  ///
  /// - Parameters:
  ///   - phrase: The end.
  ///   - start: The start; nil for a reminder without one.
  ///   - end: The earlier end; nil for none.
  /// - Returns: The time; nil without a start and an end.
  func anchor(of phrase: TimePhrase, from start: EventTime?, to end: EventTime?) -> Moment? {
    guard phrase.namesWeekday, let start else { return end.map(moment) }
    func local(_ time: EventTime) -> CivilDateTime {
      guard case .instant(let instant) = moment(time) else { return time.wallTime }
      return times.viewer.civil(at: instant) ?? time.wallTime
    }
    let date = local(start).date
    guard let end, !end.isAllDay else { return .date(date) }
    return .local(CivilDateTime(date, local(end).time))
  }

  /// The span of an end, which counts from the earlier end, or from the start if that leaves
  /// several readings: the year of `31 dec`.
  private func end(
    _ phrase: TimePhrase, near stored: Moment, after start: EventTime
  ) throws(EpactError) -> DateSpan {
    do {
      return try resolved(phrase, from: stored, of: start)
    } catch {
      guard let span = try? resolved(phrase, from: moment(start), of: start) else { throw error }
      return span
    }
  }

  /// A time in the night after a start in the evening, on the next day: 1:00 after 22:00.
  private func nextMorning(_ end: Moment, after start: EventTime) -> Moment? {
    guard case .local(let time) = end, start.wallTime.time.hour >= Self.evening,
      time.time.hour <= Self.morning
    else { return nil }
    return time.date.adding(days: 1).map { .local(CivilDateTime($0, time.time)) }
  }

  /// The first hour of an evening and the last hour of a night.
  private static let (evening, morning) = (19, 5)

  /// Whether an event lasts a day or longer.
  private func isSeveralDays(from start: EventTime, to end: EventTime?) -> Bool {
    guard let end else { return false }
    return end.wallTime.wallSeconds - start.wallTime.wallSeconds >= 86_400
  }

  private func isOvernight(from start: EventTime, to end: EventTime?) -> Bool {
    end.map { $0.date > start.date } ?? false
  }

  /// The time of a moment, in the form of another time of the content.
  ///
  /// A local time in an hour that the clock repeats is the first of two (RFC 5545 §3.3.5). The
  /// second one is written in UTC, except in a series, whose occurrences follow the clock.
  func time(
    _ moment: Moment, like other: EventTime?, in content: some EditableContent,
    by times: TimeWriting
  ) throws(EpactError) -> EventTime {
    let recurs = details.repetition.map { !$0.isNone } ?? content.recurrence.isRecurring
    let time = try times.time(moment, like: other)
    return try recurs ? time : times.instantForm(of: time, at: moment)
  }
}

extension DateSpan {
  /// The exclusive end of a single day or of several ones.
  fileprivate var lastDayEnd: Moment {
    guard case .date(let date) = start else { return start }
    return end ?? date.adding(days: 1).map { .date($0) } ?? start
  }
}
