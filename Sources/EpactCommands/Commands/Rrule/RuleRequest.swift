// SPDX-License-Identifier: Apache-2.0

import CalendarModel
import CivilTime
import Epact
import Recurrence

/// The arguments of an expansion: the rule, the start, the clock and the range.
struct RuleRequest {
  /// The times as given on the command line.
  struct Times {
    let start: String
    let zone: String?
    let from: String?
    let to: String?
  }

  let rule: RecurrenceRule
  /// The local start; midnight if the start is a date.
  let start: CivilDateTime
  let clock: RecurrenceClock
  /// The first requested time.
  let from: CivilDateTime?
  /// The last requested time.
  let to: CivilDateTime?
  let options: RecurrenceOptions

  /// Parses the times of a command line.
  ///
  /// - Throws: `Failure` if a time is invalid or the zone is unknown.
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

  /// The type of DTSTART, for the validation of the rule.
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
  /// - Throws: `ExpansionError` if the rule's calendar system is not available.
  func instances() throws(ExpansionError) -> RecurrenceInstances {
    var set = RecurrenceSet(start: start, clock: clock, options: options)
    set.rules = [rule]
    let all = try set.instances()
    return from.map { all.starting(at: $0) } ?? all
  }

  /// Whether the rule provably has no instances.
  var isImpossible: Bool {
    guard
      let explanation = try? RuleExplanation(
        of: rule, from: start, clock: clock, options: options)
    else { return false }
    return explanation.isImpossible
  }

  /// The time in iCalendar format.
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

  /// Parses the time of an option.
  ///
  /// - Throws: `Failure` if the time is invalid.
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
