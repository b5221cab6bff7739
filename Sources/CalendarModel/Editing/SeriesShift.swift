// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// A shift of a series to a new start, with its rules, dates and overrides.
struct SeriesShift<Content: ItemContent> {
  private var series: SeriesView<Content>
  /// The start before the shift, in the zone of the series.
  private let before: CivilDateTime
  private let move: StartMove
  private let after: EventTime
  /// The end that belongs to the new start.
  private let ending: EventEnd?
  /// The rules of the new start's zone.
  private let zone: ZoneRules?

  /// Creates a shift.
  ///
  /// - Parameters:
  ///   - series: The series before the shift.
  ///   - before: The old start of the series, or of the shifted part.
  ///   - after: The new start.
  ///   - ending: The end that belongs to the new start.
  init(
    _ series: SeriesView<Content>, from before: EventTime, to after: EventTime,
    ending: EventEnd?
  ) {
    var series = series
    self.before = series.wall(of: before)
    move = StartMove(from: series.time(self.before), to: after)
    self.after = after
    self.ending = ending
    var zones = series.zones
    if case .zoned(_, let zone) = CanonicalTime(after, &zones) {
      self.zone = zone.rules
    } else {
      zone = nil
    }
    self.series = series
  }

  /// Returns the shifted time of an occurrence.
  mutating func moved(_ time: EventTime) -> EventTime {
    if case .date(let date) = time, !series.start.isAllDay {
      // A date in a timed series represents all occurrences on that day.
      return .date(move.moved(date) ?? date)
    }
    let wall = series.wall(of: time)
    return move.moved(wall) ?? after.at(wall)
  }

  /// Returns the shifted UNTIL of a rule.
  private mutating func moved(
    _ until: RecurrenceRule.Until, of rule: RecurrenceRule
  ) -> RecurrenceRule.Until {
    let wall: CivilDateTime =
      switch until {
      case .date(let date) where series.start.isAllDay: CivilDateTime(date, .midnight)
      case .date(let date):
        CivilDateTime(date, .midnight).adding(seconds: 86_399) ?? CivilDateTime(date, .midnight)
      case .local(let time): time
      case .utc(let time): series.wall(of: .utc(time))
      }
    let new = move.movedUntil(wall, of: rule)?.wallTime ?? wall
    switch after {
    case .date: return .date(new.date)
    case .floating: return .local(new)
    case .utc: return .utc(new)
    case .zoned: return (zone?.instant(of: new).civil()).map { .utc($0) } ?? .local(new)
    }
  }

  /// Returns the rule for the shifted occurrences, as far as a rule can express them.
  ///
  /// The weekdays of a weekly rule are shifted by the same number of days. A single BYMONTHDAY or
  /// BYMONTH that equals the old start is replaced by that of the new start.
  mutating func moved(_ rule: RecurrenceRule) -> RecurrenceRule {
    let days = move.days
    var parts = RuleParts(rule)
    parts.until = rule.until.map { moved($0, of: rule) }
    if days != 0 {
      if rule.frequency == .weekly {
        parts.byDay = rule.byDay.map { $0.moved(by: days) }
        // Weekdays of one week stay in one week, although the shift crosses its first day. Of the
        // equivalent first days, that of the rule or a usual one is written.
        parts.weekStart = WeekdayNumber(rule.weekStart).moved(by: days).weekday
        if let moved = parts.rule,
          let usual = [rule.weekStart, .monday, .sunday].first(where: {
            moved.isSame(inWeeksFrom: parts.weekStart, as: $0)
          })
        {
          parts.weekStart = usual
        }
      }
      if rule.byMonthDay == [before.date.day] { parts.byMonthDay = [after.date.day] }
      if rule.byMonth == [MonthNumber(before.date.month)].compactMap({ $0 }) {
        parts.byMonth = [MonthNumber(after.date.month)].compactMap { $0 }
      }
    }
    return parts.rule ?? rule
  }
}

extension SeriesShift {
  /// Shifts the recurrence of a content, except parts that the edit changed explicitly.
  mutating func move(_ recurrence: inout RecurrenceProperties, since before: RecurrenceProperties) {
    if recurrence.rules == before.rules { recurrence.rules = before.rules.map { moved($0) } }
    if recurrence.exclusionRules == before.exclusionRules {
      recurrence.exclusionRules = before.exclusionRules.map { moved($0) }
    }
    if recurrence.excludedDates == before.excludedDates {
      recurrence.excludedDates = before.excludedDates.map { moved($0) }
    }
    guard recurrence.dates == before.dates else { return }
    recurrence.dates = before.dates.map { date in
      switch date {
      case .time(let time): return .time(moved(time))
      case .period(let start, let end):
        let new = moved(start)
        return .period(start: new, end: series.end(end, from: start, to: new) ?? end)
      }
    }
  }

  /// Returns the shifted RECURRENCE-ID of an override whose times the edit itself changes.
  mutating func movedID(of override: Content) -> RecurrenceID? {
    guard var id = override.recurrenceID else { return nil }
    id.time = moved(id.time)
    return id
  }

  /// Shifts the RECURRENCE-ID of an override, and its start and end if they were not moved.
  ///
  /// A time of an all-day series was moved, also one at midnight. If times become days or days
  /// times, or if the override had the length of the series, it takes the new one. If the series
  /// only gets another zone, the clock times of the override are in that zone, too.
  ///
  /// - Parameter override: The override.
  /// - Returns: The effect, if the override moves with the series and had another length.
  mutating func move(_ override: inout Content) -> OccurrenceEffect? {
    guard let id = override.recurrenceID?.time else { return nil }
    let new = moved(id)
    defer { override.recurrenceID?.time = new }
    if isOtherZone, let start = override.start, isInZone(start) {
      let moved = after.at(start.wallTime)
      switch override.ending {
      case .time(let end)? where isInZone(end): override.ending = .time(after.at(end.wallTime))
      // An end in UTC is no end in a zone of its own: the length stays.
      case .time(.utc)?: override.ending = series.end(override.ending, from: start, to: moved)
      default: break
      }
      override.start = moved
    } else if let start = override.start, start.isAllDay == series.start.isAllDay,
      series.wall(of: start) == series.wall(of: id)
    {
      let hasLength =
        override.ending == series.end(series.content.ending, from: series.start, to: start)
      let keepsLength = start.isAllDay == new.isAllDay && !hasLength
      override.ending =
        keepsLength
        ? series.end(override.ending, from: start, to: new)
        : series.end(ending, from: after, to: new)
      override.start = new
      return hasLength ? nil : keepsLength ? .shifted : .resized
    }
    return nil
  }

  /// Whether the shift changes the zone and keeps the clock time.
  private var isOtherZone: Bool {
    !series.start.isAllDay && !after.isAllDay && before == after.wallTime
      && !isInZone(after)
  }

  /// Whether a time has the zone that the series had.
  private func isInZone(_ time: EventTime) -> Bool {
    !time.isAllDay && series.start.at(time.wallTime) == time
  }
}

extension WeekdayNumber {
  /// Returns the weekday after a number of days.
  fileprivate func moved(by days: Int) -> WeekdayNumber {
    let all = Weekday.allCases
    let place = (all.firstIndex(of: weekday) ?? 0) + days % 7 + 7
    return WeekdayNumber(all[place % 7], ordinal: ordinal)
  }
}

/// The parts of a rule that edits change, for the creation of a new rule.
struct RuleParts {
  private let original: RecurrenceRule
  var until: RecurrenceRule.Until?
  var count: Int?
  var bySecond: [Int]
  var byMinute: [Int]
  var byHour: [Int]
  var byDay: [WeekdayNumber]
  var byMonthDay: [Int]
  var byMonth: [MonthNumber]
  var weekStart: Weekday

  init(_ rule: RecurrenceRule) {
    original = rule
    until = rule.until
    count = rule.count
    bySecond = rule.bySecond
    byMinute = rule.byMinute
    byHour = rule.byHour
    byDay = rule.byDay
    byMonthDay = rule.byMonthDay
    byMonth = rule.byMonth
    weekStart = rule.weekStart
  }

  /// Makes values explicit that the rule inherited from its start, if the new start implies others.
  ///
  /// See RFC 5545 §3.3.10.
  mutating func sayWhat(_ old: CivilDateTime, impliesBut new: CivilDateTime, isDay: Bool) {
    sayDay(old.date, new.date)
    guard !isDay else { return }
    let (before, after) = (old.time, new.time)
    let frequency = original.frequency
    if byHour.isEmpty, frequency != .hourly, frequency != .minutely, frequency != .secondly,
      before.hour != after.hour
    {
      byHour = [before.hour]
    }
    if byMinute.isEmpty, frequency != .minutely, frequency != .secondly,
      before.minute != after.minute
    {
      byMinute = [before.minute]
    }
    if bySecond.isEmpty, frequency != .secondly, before.second != after.second {
      bySecond = [before.second]
    }
  }

  private mutating func sayDay(_ old: CivilDate, _ new: CivilDate) {
    let weekday = WeekdayNumber(old.weekday)
    switch original.frequency {
    case .weekly:
      if byDay.isEmpty, old.weekday != new.weekday { byDay = [weekday] }
    case .monthly:
      if byDay.isEmpty, byMonthDay.isEmpty, old.day != new.day { byMonthDay = [old.day] }
    case .yearly:
      guard byDay.isEmpty, byMonthDay.isEmpty, original.byYearDay.isEmpty else { return }
      if !original.byWeekNo.isEmpty {
        if old.weekday != new.weekday { byDay = [weekday] }
      } else if old.day != new.day || byMonth.isEmpty && old.month != new.month {
        if byMonth.isEmpty { byMonth = [MonthNumber(old.month)].compactMap { $0 } }
        byMonthDay = [old.day]
      }
    default: return
    }
  }

  /// The rule with these parts, or nil if they are invalid.
  var rule: RecurrenceRule? {
    try? RecurrenceRule(
      original.frequency, until: until, count: count, interval: original.interval,
      bySecond: bySecond, byMinute: byMinute, byHour: byHour,
      byDay: byDay, byMonthDay: byMonthDay, byYearDay: original.byYearDay,
      byWeekNo: original.byWeekNo, byMonth: byMonth, bySetPos: original.bySetPos,
      weekStart: weekStart, rscale: original.rscale, skip: original.skip)
  }
}
