// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A rule and its start, prepared for arithmetic.
///
/// All times are in wall-clock seconds since 1970-01-01T00:00:00, or in days since then. The start
/// of period k is computed by multiplication instead of repeated addition, so that any period is
/// reached in constant time and errors do not accumulate.
struct RulePlan: Sendable {
  /// The sequence of a rule's periods.
  enum Periods: Hashable, Sendable {
    /// Periods of equal length in seconds: days, hours, minutes and seconds.
    ///
    /// All strides contain the same times, so the rule parts only include or exclude whole strides.
    case strides(unit: Int64)
    /// Weeks.
    case weeks
    /// Months of the Gregorian or another calendar.
    case months
    /// Years; with BYWEEKNO, years of whole weeks.
    case years
  }

  /// The first valid second.
  static let firstSecond: Int64 = -62_135_596_800
  /// The last valid second.
  static let lastSecond: Int64 = 253_402_300_799

  /// The sequence of periods.
  let periods: Periods
  /// Whether the start and all instances are dates.
  let isDate: Bool
  /// The INTERVAL of the rule, at least 1.
  let interval: Int
  /// The start, in wall-clock seconds.
  let start: Int64
  /// The last second that may contain an instance.
  private(set) var end: Int64
  /// The maximum number of instances, or nil.
  let count: Int?
  /// The selected days; for strides, the days that the rule allows.
  let days: DayChoice
  /// The selected Gregorian months; bit 1 is January.
  let monthBits: UInt16
  /// The allowed times for strides shorter than a day.
  let times: TimeChoice
  /// The offsets of instances from the start of a selected day or stride, in seconds, ascending.
  let offsets: [Int32]
  /// The BYSETPOS positions in a period; empty if all, or if ``offsets`` already applies them.
  let positions: [Int]
  /// The calendar, or nil for the Gregorian one.
  let calendar: (any CalendarSystem)?
  /// Whether ``calendar`` is nil; reading the optional costs as much as finding an instance.
  let isGregorian: Bool
  /// The maximum number of consecutive tries without an instance.
  let searchLimit: Int
  /// The maximum number of instances that are counted before the first requested one.
  let countLimit: Int

  /// The day of the start, since 1970-01-01.
  var startDay: Int { RulePlan.day(of: start) }
  /// Whether periods never share a day, so that the instances are in order of the periods.
  ///
  /// SKIP can put the same day into two periods.
  var isDisjoint: Bool { days.skip == .omit }

  init(
    _ rule: RecurrenceRule, start: Int64, isDate: Bool, end: Int64,
    options: RecurrenceOptions
  ) throws(ExpansionError) {
    guard let calendar = options.calendar(of: rule) else {
      throw ExpansionError.unknownCalendar(rule.rscale ?? "")
    }
    let defaults = try RuleDefaults(rule, start: start, in: calendar, options: options)
    let clock = ClockParts(rule, start: start, isDate: isDate)
    var positions = rule.bySetPos
    var offsets = clock.offsets(in: rule.frequency)
    var periods = Periods(rule.frequency)
    var interval = rule.interval
    if case .strides(let unit) = periods {
      // All strides have the same times, and therefore the same selected positions.
      if !positions.isEmpty { offsets = RulePlan.chosen(positions, of: offsets) }
      positions = []
      if isDate, unit * Int64(interval) <= 86_400 {
        // With a date as the start, several hours of one day are a single instance.
        (periods, interval) = (.strides(unit: 86_400), 1)
      }
    }
    self.periods = periods
    self.interval = interval
    self.isDate = isDate
    self.start = start
    self.end = min(end, RulePlan.lastSecond)
    count = rule.count
    days = defaults.days
    monthBits =
      days.months.isEmpty ? .max : days.months.reduce(0) { $0 | 1 << UInt16($1.number & 15) }
    times = clock.limits(in: rule.frequency)
    self.offsets = offsets
    self.positions = positions
    isGregorian = calendar is GregorianCalendar
    self.calendar = isGregorian ? nil : calendar
    searchLimit = max(options.searchLimit, 1)
    let (limit, isTooMany) = searchLimit.multipliedReportingOverflow(
      by: RecurrenceOptions.countedPerTry)
    countLimit = isTooMany ? .max : limit
  }

  /// Whether the rule provably has no instances, whatever its end.
  var isImpossible: Bool {
    var endless = self
    endless.end = RulePlan.lastSecond
    var iterator = RuleIterator(endless, from: start)
    return iterator.nextSecond() == nil && iterator.ending == .neverAgain
  }

  /// The times at the BYSETPOS positions, in order; negative positions count from the end.
  private static func chosen(_ positions: [Int], of times: [Int32]) -> [Int32] {
    let places = positions.map { $0 > 0 ? $0 - 1 : times.count + $0 }
    return Set(places.filter(times.indices.contains)).sorted().map { times[$0] }
  }

  /// The day that contains a second, since 1970-01-01.
  static func day(of second: Int64) -> Int { Int(floorDivision(second, by: 86_400)) }

  /// The quotient, rounded down.
  static func floorDivision(_ value: Int64, by divisor: Int64) -> Int64 {
    let quotient = value / divisor
    return value % divisor < 0 ? quotient - 1 : quotient
  }
}

extension RulePlan.Periods {
  init(_ frequency: Frequency) {
    self =
      switch frequency {
      case .secondly: .strides(unit: 1)
      case .minutely: .strides(unit: 60)
      case .hourly: .strides(unit: 3600)
      case .daily: .strides(unit: 86_400)
      case .weekly: .weeks
      case .monthly: .months
      case .yearly: .years
      }
  }
}

/// The day parts of a rule, with missing parts derived from its start.
///
/// "Information, not contained in the rule, necessary to determine the various recurrence instance
/// start times and dates are derived from the Start Time (DTSTART)" (RFC 5545 §3.3.10).
struct RuleDefaults {
  private(set) var days = DayChoice()

  init(
    _ rule: RecurrenceRule, start: Int64, in calendar: some CalendarSystem,
    options: RecurrenceOptions
  ) throws(ExpansionError) {
    let day = RulePlan.day(of: start)
    guard let year = calendar.year(containingDay: day) else {
      throw ExpansionError.startOutsideCalendar(calendar.name)
    }
    days.months = rule.byMonth
    for monthDay in rule.byMonthDay { days.add(monthDay: monthDay) }
    days.yearDays = rule.byYearDay
    days.weekNumbers = rule.byWeekNo
    for weekday in rule.byDay { days.add(weekday) }
    days.weekStart = Int(rule.weekStart.rawValue)
    switch rule.frequency {
    case .secondly, .minutely, .hourly, .daily: break
    case .weekly:
      if !days.hasWeekdays { addWeekday(of: day) }
    case .monthly:
      days.skip = rule.skip
      if !days.hasMonthDays, !days.hasWeekdays {
        days.add(monthDay: year.place(ofDay: day).day)
      }
    case .yearly:
      days.skip = rule.skip
      addYearlyDefaults(rule, startDay: day, in: year, options: options)
    }
  }

  private mutating func addYearlyDefaults(
    _ rule: RecurrenceRule, startDay: Int, in year: CalendarYear, options: RecurrenceOptions
  ) {
    let (month, monthDay) = year.place(ofDay: startDay)
    if rule.byYearDay.isEmpty {
      if rule.byMonth.isEmpty, rule.byWeekNo.isEmpty {
        let isAsked = days.hasMonthDays && options.yearlyMonthDays == .monthOfStart
        let isNeeded = !days.hasMonthDays && !days.hasWeekdays
        if isAsked || isNeeded { days.months = [year.months[month].number] }
      }
      if !days.hasMonthDays, !days.hasWeekdays {
        if rule.byWeekNo.isEmpty {
          days.add(monthDay: monthDay)
        } else if options.weekNumberDays == .weekdayOfStart {
          addWeekday(of: startDay)
        }
      }
    }
    // "Within the month when the BYMONTH rule part is present": the start's month does not count.
    days.numbersWeekdaysInMonth = !rule.byMonth.isEmpty
  }

  private mutating func addWeekday(of day: Int) {
    days.weekdays |= 1 << UInt8(DayBits.weekday(ofDay: day))
  }
}

extension RecurrenceRule.Until {
  /// The last wall-clock second that UNTIL allows if the start is a date.
  ///
  /// Lenient: for a date-time, the date part counts as written (RFC 5545 §3.3.10 requires a date).
  var lastSecondOfDay: Int64 {
    let date =
      switch self {
      case .date(let date): date
      case .local(let time), .utc(let time): time.date
      }
    return CivilDateTime(date, .midnight).wallSeconds + 86_399
  }

  /// The last wall-clock second that UNTIL allows if the start is a date-time.
  ///
  /// Lenient: a date means that whole day on the start's clock, and a time without `Z` is a time on
  /// that clock (RFC 5545 §3.3.10 requires UTC if the start has a zone).
  ///
  /// - Parameter zone: The zone of the start, or nil if it is floating or in UTC.
  /// - Returns: The second, since 1970-01-01T00:00:00 on that clock.
  func lastSecond(in zone: ZoneRules?) -> Int64 {
    switch self {
    case .date: return lastSecondOfDay
    case .local(let time): return time.wallSeconds
    case .utc(let time):
      guard let zone else { return time.wallSeconds }
      return zone.lastWallSecond(notAfter: Instant(utc: time))
    }
  }
}

extension ZoneRules {
  /// The last wall-clock second that is not after an instant.
  ///
  /// In the second half of a fold, all times that occur twice have passed.
  func lastWallSecond(notAfter instant: Instant) -> Int64 {
    let second = instant.secondsSinceEpoch
    guard let wall = civil(at: instant) else {
      return second < 0 ? RulePlan.firstSecond - 1 : RulePlan.lastSecond
    }
    guard case .fold(let first, let later) = resolve(wall), wall.instant(at: first) < instant else {
      return wall.wallSeconds
    }
    // The fold starts at the first moment with the later offset. From then until the clocks reach
    // the same time again, all repeated times have passed.
    var change = transitions(
      from: wall.instant(at: first), to: Instant(secondsSinceEpoch: second + 1))
    guard later < first, let back = change.next() else { return wall.wallSeconds }
    return back.instant.secondsSinceEpoch + Int64(back.before.offset.seconds) - 1
  }
}
