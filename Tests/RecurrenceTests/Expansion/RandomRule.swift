// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence
import TestSupport

/// A rule made by chance, with a start and the last day that is worth looking at.
struct RandomRule {
  let rule: RecurrenceRule
  let start: CivilDateTime
  let lastDay: CivilDate

  init(_ random: inout SeededGenerator) {
    let frequency = Frequency.allCases[random.below(7)]
    var parts = ["FREQ=\(frequency.rawValue)"]
    for part in RulePart.applicationOrder
    where random.below(100) < RandomRule.chance(part, frequency) {
      if part.effect(in: frequency, with: []) == .notApplicable { continue }
      let values = (0...random.below(random.below(3) + 1)).map { _ in
        RandomRule.value(part, frequency, &random)
      }
      parts.append("\(part.rawValue)=\(values.joined(separator: ","))")
    }
    if random.below(2) == 0 {
      parts.append("INTERVAL=\(random.below(random.below(6) == 0 ? 50 : 4) + 1)")
    }
    if random.below(4) == 0 {
      parts.append("WKST=\(Weekday.allCases[random.below(7)])")
    }
    let year = 1950 + random.below(100)
    let day = CivilDate(year: year, month: 1, day: 1)?.adding(days: random.below(366))
    let date = day ?? CivilDate.first
    start = CivilDateTime(date, TimeOfDay(secondOfDay: random.below(86_400)) ?? .midnight)
    let length: Int =
      switch frequency {
      case .secondly: 0
      case .minutely: 3
      case .hourly: 60
      case .daily: 800
      case .weekly: 1500
      case .monthly: 3000
      case .yearly: 5000
      }
    lastDay = date.adding(days: length) ?? date
    if random.below(4) == 0 {
      parts.append("COUNT=\(random.below(30) + 1)")
    } else if random.below(4) == 0,
      let until = start.adding(seconds: Int64(random.below(length * 86_400 + 4000)))
    {
      parts.append("UNTIL=\(until)")
    }
    // Reading drops what the RFC forbids, as for any file.
    let text = parts.joined(separator: ";")
    rule = (try? RecurrenceRule.parse(leniently: text).rule) ?? RecurrenceRule(.daily)
  }

  /// How often a rule has a part, in percent.
  private static func chance(_ part: RulePart, _ frequency: Frequency) -> Int {
    switch part {
    case .byWeekNo, .byYearDay: 20
    case .bySecond, .byMinute, .byHour: frequency < .daily ? 25 : 15
    case .byDay: 40
    case .bySetPos: 25
    default: 30
    }
  }

  private static func value(
    _ part: RulePart, _ frequency: Frequency, _ random: inout SeededGenerator
  ) -> String {
    func signed(_ range: ClosedRange<Int>) -> String {
      let number = range.lowerBound + random.below(range.count)
      return String(random.below(3) == 0 ? -number : number)
    }
    switch part {
    case .byMonth: return String(1 + random.below(12))
    case .byWeekNo: return signed(random.below(2) == 0 ? 1...53 : 51...53)
    case .byYearDay: return signed(random.below(2) == 0 ? 1...366 : 360...366)
    case .byMonthDay: return signed(random.below(2) == 0 ? 1...31 : 28...31)
    case .byDay:
      let weekday = Weekday.allCases[random.below(7)].description
      guard random.below(2) == 0 else { return weekday }
      return signed(frequency == .yearly && random.below(2) == 0 ? 1...53 : 1...5) + weekday
    case .byHour: return String(random.below(24))
    case .byMinute: return String(random.below(60))
    case .bySecond: return String(random.below(61))
    default: return signed(random.below(2) == 0 ? 1...4 : 1...40)
    }
  }
}

extension SeededGenerator {
  /// A number from 0 to one below a limit.
  mutating func below(_ limit: Int) -> Int { Int(next() % UInt64(Swift.max(limit, 1))) }
}
