// SPDX-License-Identifier: Apache-2.0

import CivilTime

/// The times of day that BYHOUR, BYMINUTE and BYSECOND allow, where these limit.
struct TimeChoice: Sendable {
  /// The hours; bit 0 is hour 0.
  var hours: UInt64 = DayHours.all
  /// The minutes; bit 0 is minute 0.
  var minutes: UInt64 = DayHours.sixty
  /// The seconds; bit 0 is second 0.
  var seconds: UInt64 = DayHours.sixty

  private enum DayHours {
    static let all: UInt64 = 1 << 24 - 1
    static let sixty: UInt64 = 1 << 60 - 1
  }

  /// Whether any time is excluded.
  var isLimited: Bool {
    hours != DayHours.all || minutes != DayHours.sixty || seconds != DayHours.sixty
  }

  /// The first allowed time of day at or after a second, or nil if the day has none left.
  func first(from second: Int) -> Int? {
    guard seconds != 0, minutes != 0 else { return nil }
    var (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60)
    if hours >> UInt64(hour) & 1 == 0 { (minute, second) = (0, 0) }
    if minutes >> UInt64(minute) & 1 == 0 { second = 0 }
    // A field without a match carries over into the one before it, at most once each.
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

  /// Whether steps of a fixed length from a second on ever reach an allowed time of day.
  ///
  /// The steps reach exactly those seconds that differ from the first one by a multiple of the
  /// greatest common divisor of the step and a day.
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

/// The hours, minutes and seconds of a rule, with missing parts derived from its start.
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
    // Second 60 is for leap seconds, which wall-clock times here do not have.
    seconds = rule.bySecond.isEmpty ? [time % 60] : rule.bySecond.filter { $0 < 60 }
    written = rule.parts
  }

  /// The offsets of the instances in a day, hour or minute, in seconds.
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

  /// The times that the rule allows for strides of a frequency.
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
