// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// A rule and its start, made ready for arithmetic.
///
/// Everything is in seconds on the wall clock since 1970-01-01T00:00:00, or in days since then. Period
/// number k is found from k by a multiplication and never by repeated addition, so that any period can
/// be reached at once and nothing drifts.
struct RulePlan: Sendable {
  /// How the periods of a rule follow each other.
  enum Periods: Hashable, Sendable {
    /// Stretches of equal length, in seconds: days, hours, minutes and seconds.
    ///
    /// What is chosen in one of them is the same in all, so that parts only take whole ones away.
    case strides(unit: Int64)
    /// Weeks.
    case weeks
    /// Months of the Gregorian calendar, or of another one.
    case months
    /// Years, or years of whole weeks if the rule has BYWEEKNO.
    case years
  }

  /// The first second that can be written.
  static let firstSecond: Int64 = -62_135_596_800
  /// The last second that can be written.
  static let lastSecond: Int64 = 253_402_300_799

  /// How periods follow each other.
  let periods: Periods
  /// Whether the start is a date, and all instances with it.
  let isDate: Bool
  /// Every how many periods the rule repeats, at least 1.
  let interval: Int
  /// The start, in wall seconds.
  let start: Int64
  /// The last second in which there may be an instance.
  private(set) var end: Int64
  /// How many instances there are at most, or nil.
  let count: Int?
  /// The days that are chosen; with strides these are the days that are not taken away.
  let days: DayChoice
  /// The months of the Gregorian calendar that are chosen, from 1 in bit 1 on.
  let monthBits: UInt16
  /// The times that are not taken away from strides of less than a day.
  let times: TimeChoice
  /// The seconds from the start of a chosen day or stride at which there is an instance, ascending.
  let offsets: [Int32]
  /// Which of the times in a period are meant (BYSETPOS); empty if all, or if ``offsets`` says it.
  let positions: [Int]
  /// The calendar, or nil for the Gregorian one.
  let calendar: (any CalendarSystem)?
  /// Whether there is no ``calendar``; asking for that itself costs as much as an instance.
  let isGregorian: Bool
  /// How many places are tried in a row without an instance.
  let searchLimit: Int
  /// How many instances are counted before the first that is asked for.
  let countLimit: Int

  /// The day of the start, since 1970-01-01.
  var startDay: Int { RulePlan.day(of: start) }
  /// Whether every instance can be found in the order of the periods: SKIP can put the same day into
  /// two of them.
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
      // The times of all strides are the same, and so are the chosen ones.
      if !positions.isEmpty { offsets = RulePlan.chosen(positions, of: offsets) }
      positions = []
      if isDate, unit * Int64(interval) <= 86_400 {
        // Several hours of one day are one date.
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

  /// Whether it is proved that there is no instance, wherever the rule ends.
  var isImpossible: Bool {
    var endless = self
    endless.end = RulePlan.lastSecond
    var iterator = RuleIterator(endless, from: start)
    return iterator.nextSecond() == nil && iterator.ending == .neverAgain
  }

  /// The times at some positions, negative ones from the end, in order (BYSETPOS).
  private static func chosen(_ positions: [Int], of times: [Int32]) -> [Int32] {
    let places = positions.map { $0 > 0 ? $0 - 1 : times.count + $0 }
    return Set(places.filter(times.indices.contains)).sorted().map { times[$0] }
  }

  /// The day that a second lies in, since 1970-01-01.
  static func day(of second: Int64) -> Int { Int(floorDivision(second, by: 86_400)) }

  /// The quotient that is not greater than the true one.
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
