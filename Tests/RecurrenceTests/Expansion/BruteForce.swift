// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence

/// Expands a rule in the most obvious way: it tests every day, hour, minute or second of a range
/// against every part of the rule, and then counts.
///
/// It shares no code with the library but the dates and the parsed rule. The comments are the RFC's
/// own words (RFC 5545 §3.3.10).
struct BruteForce {
  private var rule: RecurrenceRule
  private let start: CivilDateTime
  // The parts, with those that are missing taken from the start.
  private var months: [Int]
  private var monthDays: [Int]
  private var weekdays: [WeekdayNumber]

  init(_ rule: RecurrenceRule, from start: CivilDateTime) {
    self.rule = rule
    self.start = start
    months = rule.byMonth.map(\.number)
    monthDays = rule.byMonthDay
    weekdays = rule.byDay
    addMissingParts()
  }

  // "Information, not contained in the rule, necessary to determine the various recurrence instance
  // start time and dates are derived from the Start Time (DTSTART) component attribute."
  private mutating func addMissingParts() {
    let weekday = WeekdayNumber(start.date.weekday)
    switch rule.frequency {
    case .weekly:
      if weekdays.isEmpty { weekdays = [weekday] }
    case .monthly:
      if weekdays.isEmpty, monthDays.isEmpty { monthDays = [start.date.day] }
    case .yearly where rule.byYearDay.isEmpty:
      if months.isEmpty, rule.byWeekNo.isEmpty, !monthDays.isEmpty || weekdays.isEmpty {
        months = [start.date.month]
      }
      if monthDays.isEmpty, weekdays.isEmpty {
        if rule.byWeekNo.isEmpty { monthDays = [start.date.day] } else { weekdays = [weekday] }
      }
    default: break
    }
  }

  /// The instances up to a day, including it.
  func instances(until last: CivilDate) -> [CivilDateTime] {
    // Periods begin before the start and end after the last day, and positions count in all of one.
    let margin = rule.frequency <= .daily ? 0 : 400
    let first = start.date.adding(days: -margin) ?? start.date
    let end = last.adding(days: margin) ?? last
    var periods: [Int: [CivilDateTime]] = [:]
    for number in first.dayNumber...end.dayNumber {
      guard let date = CivilDate(dayNumber: number), matches(date) else { continue }
      for time in candidateTimes() where matches(time) {
        let moment = CivilDateTime(date, time)
        let distance = period(of: moment) - period(of: start)
        if distance >= 0, distance % rule.interval == 0 {
          periods[distance, default: []].append(moment)
        }
      }
    }
    var instances: [CivilDateTime] = []
    for (_, set) in periods.sorted(by: { $0.key < $1.key }) {
      let set = set.sorted()
      instances += rule.bySetPos.isEmpty ? set : positions(of: set)
    }
    instances = instances.filter { $0 >= start }
    if let count = rule.count { instances = Array(instances.prefix(count)) }
    instances = instances.filter { $0.date <= last }
    if case .local(let until)? = rule.until { instances = instances.filter { $0 <= until } }
    return instances
  }

  // "Each BYSETPOS value … corresponds to the nth occurrence within the set of recurrence instances
  // specified by the rule."
  private func positions(of set: [CivilDateTime]) -> [CivilDateTime] {
    set.indices.filter { rule.bySetPos.contains($0 + 1) || rule.bySetPos.contains($0 - set.count) }
      .map { set[$0] }
  }

  /// The number of the period of the rule that a time lies in.
  private func period(of time: CivilDateTime) -> Int {
    let date = time.date
    switch rule.frequency {
    case .yearly: return rule.byWeekNo.isEmpty ? date.year : week(of: date).year
    case .monthly: return date.year * 12 + date.month
    case .weekly:
      return (date.dayNumber - date.weekday.days(since: rule.weekStart) + 7_000_000) / 7
    case .daily: return date.dayNumber
    case .hourly: return date.dayNumber * 24 + time.time.hour
    case .minutely: return (date.dayNumber * 24 + time.time.hour) * 60 + time.time.minute
    case .secondly: return Int(time.wallSeconds)
    }
  }

  // MARK: - Days

  private func matches(_ date: CivilDate) -> Bool {
    if !months.isEmpty, !months.contains(date.month) { return false }
    if !rule.byWeekNo.isEmpty {
      let week = week(of: date)
      guard
        rule.byWeekNo.contains(week.number)
          || rule.byWeekNo.contains(week.number - week.count - 1)
      else { return false }
    }
    if !rule.byYearDay.isEmpty {
      let length = CivilDate.isLeapYear(date.year) ? 366 : 365
      guard
        rule.byYearDay.contains(date.dayOfYear)
          || rule.byYearDay.contains(date.dayOfYear - length - 1)
      else { return false }
    }
    if !monthDays.isEmpty {
      let length = CivilDate.daysInMonth(date.month, of: date.year)
      guard monthDays.contains(date.day) || monthDays.contains(date.day - length - 1) else {
        return false
      }
    }
    return weekdays.isEmpty || weekdays.contains { matches(date, $0) }
  }

  // "If an integer modifier is not present, it means all days of this type within the specified
  // frequency."
  private func matches(_ date: CivilDate, _ weekday: WeekdayNumber) -> Bool {
    guard date.weekday == weekday.weekday else { return false }
    guard let ordinal = weekday.ordinal else { return true }
    // "… corresponds to an offset within the month when the BYMONTH rule part is present, and …
    // within the year when the BYWEEKNO or BYMONTH rule parts are not present."
    let isInMonth = rule.frequency == .monthly || !rule.byMonth.isEmpty
    let place = isInMonth ? date.day : date.dayOfYear
    let length =
      isInMonth
      ? CivilDate.daysInMonth(date.month, of: date.year)
      : CivilDate.isLeapYear(date.year) ? 366 : 365
    return (place - 1) / 7 + 1 == ordinal || -((length - place) / 7 + 1) == ordinal
  }

  // "Week number one of the calendar year is the first week that contains at least four (4) days in
  // that calendar year."
  private func week(of date: CivilDate) -> (year: Int, number: Int, count: Int) {
    // The day in the middle of a week lies in the year that has four or more of its days.
    func middle(_ number: Int) -> Int {
      number - Weekday.allCases[(number % 7 + 10) % 7].days(since: rule.weekStart) + 3
    }
    func first(_ year: Int) -> Int {
      middle((CivilDate(year: year, month: 1, day: 4) ?? date).dayNumber)
    }
    let number = middle(date.dayNumber)
    let year = CivilDate(dayNumber: number)?.year ?? date.year
    return (year, (number - first(year)) / 7 + 1, (first(year + 1) - first(year)) / 7)
  }

  // MARK: - Times

  /// Every time of a day that the frequency can reach.
  private func candidateTimes() -> [TimeOfDay] {
    let frequency = rule.frequency
    let hours =
      frequency <= .hourly ? Array(0...23) : rule.byHour.isEmpty ? [start.time.hour] : rule.byHour
    let minutes =
      frequency <= .minutely
      ? Array(0...59) : rule.byMinute.isEmpty ? [start.time.minute] : rule.byMinute
    let seconds =
      frequency == .secondly
      ? Array(0...59) : rule.bySecond.isEmpty ? [start.time.second] : rule.bySecond
    return hours.flatMap { hour in
      minutes.flatMap { minute in
        seconds.compactMap { $0 > 59 ? nil : TimeOfDay(hour: hour, minute: minute, second: $0) }
      }
    }
  }

  private func matches(_ time: TimeOfDay) -> Bool {
    (rule.byHour.isEmpty || rule.byHour.contains(time.hour))
      && (rule.byMinute.isEmpty || rule.byMinute.contains(time.minute))
      && (rule.bySecond.isEmpty || rule.bySecond.contains(time.second))
  }
}
