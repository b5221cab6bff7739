// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Recurrence

/// What is asked of a rule: from which start, on which clock, and over which times.
struct RuleRequest {
  /// The times of the command line, as they were typed.
  struct Times {
    let start: String
    let zone: String?
    let from: String?
    let to: String?
  }

  let rule: RecurrenceRule
  /// The start on its clock; at midnight if it is a day.
  let start: CivilDateTime
  let clock: RecurrenceClock
  /// The first time that is asked for.
  let from: CivilDateTime?
  /// The last one.
  let to: CivilDateTime?
  let options: RecurrenceOptions

  /// Understands the times of a command line.
  ///
  /// - Throws: `Failure` if one of them is none, or the zone is unknown.
  init(
    _ rule: RecurrenceRule, times: Times, options: RecurrenceOptions, in context: Context
  ) throws {
    self.rule = rule
    self.options = options
    let zone = try times.zone.map { try Self.rules(of: $0, in: context) }
    switch try Self.time("--start", times.start) {
    case .date(let date): (start, clock) = (CivilDateTime(date, .midnight), .date)
    case .local(let time): (start, clock) = (time, zone.map { .zone($0) } ?? .floating)
    case .instant(let instant):
      clock = zone.map { .zone($0) } ?? .utc
      start = try Self.local(instant, on: clock, option: "--start")
    }
    let clock = clock
    from = try times.from.map { try Self.bound("--from", $0, on: clock, isLast: false) }
    to = try times.to.map { try Self.bound("--to", $0, on: clock, isLast: true) }
  }

  /// The type of DTSTART, for what does not go with it.
  var startType: RecurrenceRuleReading.StartType {
    switch clock {
    case .date: .date
    case .floating: .floating
    case .utc: .utc
    case .zone: .zoned
    }
  }

  /// The instances from ``from`` on.
  ///
  /// - Throws: `ExpansionError` if the rule is reckoned in a calendar that is not at hand.
  func instances() throws(ExpansionError) -> RecurrenceInstances {
    var set = RecurrenceSet(start: start, clock: clock, options: options)
    set.rules = [rule]
    let all = try set.instances()
    return from.map { all.starting(at: $0) } ?? all
  }

  /// Whether it is proved that the rule has no instance at all.
  var isImpossible: Bool {
    guard
      let explanation = try? RuleExplanation(
        of: rule, from: start, clock: clock, options: options)
    else { return false }
    return explanation.isImpossible
  }

  /// A time on the clock, as it is written in iCalendar.
  func text(of time: CivilDateTime) -> String {
    clock == .date ? time.date.description : time.description
  }

  private static func rules(of name: String, in context: Context) throws -> ZoneRules {
    let resolver = context.zoneResolver
    do {
      return try resolver.rules(of: resolver.resolve(name))
    } catch {
      throw Failure(.usage, "--zone: \(String(describing: error))")
    }
  }

  /// The time that an option names.
  ///
  /// - Throws: `Failure` if it names none.
  static func time(_ option: String, _ text: String) throws -> RuleTime {
    do throws(BasicFormatError) {
      return try RuleTime(parsing: text)
    } catch {
      throw Failure(
        .usage, "\(option): \(error)",
        hint: "Dates and times are written as 19970902, 19970902T090000 or 1997-09-02T09:00:00.")
    }
  }

  private static func local(
    _ instant: Instant, on clock: RecurrenceClock, option: String
  ) throws -> CivilDateTime {
    let local: CivilDateTime?
    switch clock {
    case .zone(let rules): local = rules.civil(at: instant)
    case .utc: local = instant.civil()
    case .date, .floating:
      throw Failure(
        .usage, "\(option): expected a local time, because the start has no zone, found one in UTC")
    }
    guard let local else {
      throw Failure(.usage, "\(option): expected a time in the years 1 through 9999")
    }
    return local
  }

  private static func bound(
    _ option: String, _ text: String, on clock: RecurrenceClock, isLast: Bool
  ) throws -> CivilDateTime {
    switch try time(option, text) {
    case .date(let date):
      let start = CivilDateTime(date, .midnight)
      return isLast ? start.adding(seconds: 86_399) ?? start : start
    case .local(let time): return time
    case .instant(let instant): return try local(instant, on: clock, option: option)
    }
  }
}
