// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// Which times of a day are not taken away by BYHOUR, BYMINUTE and BYSECOND, as far as these limit.
struct TimeChoice: Sendable {
  /// The hours, from 0 in bit 0 on.
  var hours: UInt64 = DayHours.all
  /// The minutes, from 0 in bit 0 on.
  var minutes: UInt64 = DayHours.sixty
  /// The seconds, from 0 in bit 0 on.
  var seconds: UInt64 = DayHours.sixty

  private enum DayHours {
    static let all: UInt64 = 1 << 24 - 1
    static let sixty: UInt64 = 1 << 60 - 1
  }

  /// Whether any time is taken away.
  var isLimited: Bool {
    hours != DayHours.all || minutes != DayHours.sixty || seconds != DayHours.sixty
  }

  /// The first time of day from a second on that is not taken away, or nil if the day has none left.
  func first(from second: Int) -> Int? {
    guard seconds != 0, minutes != 0 else { return nil }
    var (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60)
    if hours >> UInt64(hour) & 1 == 0 { (minute, second) = (0, 0) }
    if minutes >> UInt64(minute) & 1 == 0 { second = 0 }
    // A field that finds nothing carries over into the one before it, at most once each.
    if let found = TimeChoice.first(in: seconds, from: second) {
      second = found
    } else {
      (minute, second) = (minute + 1, seconds.trailingZeroBitCount)
    }
    if let found = TimeChoice.first(in: minutes, from: minute) {
      if found != minute { second = seconds.trailingZeroBitCount }
      minute = found
    } else {
      hour += 1
      (minute, second) = (minutes.trailingZeroBitCount, seconds.trailingZeroBitCount)
    }
    guard let found = TimeChoice.first(in: hours, from: hour) else { return nil }
    if found != hour {
      (minute, second) = (minutes.trailingZeroBitCount, seconds.trailingZeroBitCount)
    }
    return found * 3600 + minute * 60 + second
  }

  /// Whether any time of day that is left can be reached by steps of some seconds from a second on.
  ///
  /// The steps reach all seconds that differ from the first by a multiple of what the step and a day
  /// have in common, and no others.
  func isReachable(from origin: Int64, step: Int64) -> Bool {
    let common = Int(RulePlan.greatestCommonDivisor(step, 86_400))
    let rest = Int((origin % Int64(common) + Int64(common)) % Int64(common))
    var second = rest
    while second < 86_400 {
      guard let found = first(from: second) else { return false }
      if found == second { return true }
      second = found + (rest - found % common + common) % common
    }
    return false
  }

  private static func first(in set: UInt64, from bit: Int) -> Int? {
    guard bit < 64 else { return nil }
    let rest = set & (UInt64.max << UInt64(bit))
    return rest == 0 ? nil : rest.trailingZeroBitCount
  }
}

extension RulePlan {
  static func greatestCommonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
    var (left, right) = (left, right)
    while right != 0 { (left, right) = (right, left % right) }
    return left
  }
}

/// The hours, minutes and seconds of a rule, with those that it leaves out taken from its start.
struct ClockParts {
  private let hours: [Int]
  private let minutes: [Int]
  private let seconds: [Int]
  private let written: Set<RulePart>

  init(_ rule: RecurrenceRule, start: Int64, isDate: Bool) {
    let time = Int(start - Int64(RulePlan.day(of: start)) * 86_400)
    guard !isDate else {
      // BYHOUR, BYMINUTE and BYSECOND "MUST be ignored" with a date (RFC 5545 §3.3.10).
      (hours, minutes, seconds, written) = ([0], [0], [0], [])
      return
    }
    hours = rule.byHour.isEmpty ? [time / 3600] : rule.byHour
    minutes = rule.byMinute.isEmpty ? [time / 60 % 60] : rule.byMinute
    // Second 60 is there for leap seconds, which no clock of ours shows.
    seconds = rule.bySecond.isEmpty ? [time % 60] : rule.bySecond.filter { $0 < 60 }
    written = rule.parts
  }

  /// The seconds from the start of a day, hour or minute that the rule makes of one.
  func offsets(in frequency: Frequency) -> [Int32] {
    let hours = frequency < .daily ? [0] : hours
    let minutes = frequency < .hourly ? [0] : minutes
    let seconds = frequency < .minutely ? [0] : seconds
    var offsets: [Int32] = []
    offsets.reserveCapacity(hours.count * minutes.count * seconds.count)
    for hour in hours {
      for minute in minutes {
        for second in seconds { offsets.append(Int32(hour * 3600 + minute * 60 + second)) }
      }
    }
    return offsets
  }

  /// The times that the rule takes away from strides of a frequency.
  func limits(in frequency: Frequency) -> TimeChoice {
    var choice = TimeChoice()
    if frequency < .daily, written.contains(.byHour) { choice.hours = ClockParts.bits(hours) }
    if frequency < .hourly, written.contains(.byMinute) {
      choice.minutes = ClockParts.bits(minutes)
    }
    if frequency < .minutely, written.contains(.bySecond) {
      choice.seconds = ClockParts.bits(seconds)
    }
    return choice
  }

  private static func bits(_ numbers: [Int]) -> UInt64 {
    numbers.reduce(0) { $0 | 1 << UInt64($1 & 63) }
  }
}
