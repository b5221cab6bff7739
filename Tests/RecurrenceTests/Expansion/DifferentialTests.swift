// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Foundation
import Recurrence
import TestSupport
import Testing

/// Random rules, expanded by the library and by brute force.
///
/// `EPACT_RULES=20000` in the environment tries so many, `EPACT_SEED=` replays from one seed on.
@Suite("Random rules")
struct DifferentialTests {
  private func number(_ name: String, otherwise: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? otherwise
  }

  @Test("Brute force finds the same instances")
  func bruteForce() throws {
    let first = number("EPACT_SEED", otherwise: 1)
    var instances = 0
    for seed in first..<first + number("EPACT_RULES", otherwise: 150) {
      var random = SeededGenerator(seed: UInt64(seed))
      let example = RandomRule(&random)
      let expected = BruteForce(example.rule, from: example.start)
        .instances(until: example.lastDay)
      let found = Array(
        try Expansion(of: example.rule, from: example.start)
          .prefix(while: { $0.date <= example.lastDay }))
      #expect(found == expected, "seed \(seed): \(example.rule) from \(example.start)")
      instances += expected.count
    }
    #expect(instances > 1000)
  }

  @Test("Numbers of weekdays in a year, beside each other part")
  func yearlyWeekdayNumbers() throws {
    let others = ["", ";BYMONTHDAY=1,2,3,4,5,6,7,8,9,-1,-2,-3,-4,-5", ";BYYEARDAY=1,60,120,-40,-1"]
    var random = SeededGenerator(seed: 23)
    for number in 1...53 {
      for other in others {
        for month in ["", ";BYMONTH=3", ";BYMONTH=2,11"] {
          for positions in ["", ";BYSETPOS=1,-1"] {
            let sign = random.below(2) == 0 ? "" : "-"
            let weekday = Weekday.allCases[random.below(7)]
            let rule = try RecurrenceRule(
              parsing: "FREQ=YEARLY;BYDAY=\(sign)\(number)\(weekday)\(other)\(month)\(positions)")
            let day = try #require(
              CivilDate(year: 2001, month: 1, day: 1)?.adding(days: random.below(360)))
            let start = CivilDateTime(day, .midnight)
            let last = try #require(day.adding(days: 4000))
            let expected = BruteForce(rule, from: start).instances(until: last)
            let expansion = try Expansion(of: rule, from: start)
            #expect(
              Array(expansion.prefix { $0.date <= last }) == expected, "\(rule) from \(start)")
            for instance in expected {
              #expect(expansion.first(from: instance) == instance, "\(rule) from \(start)")
            }
          }
        }
      }
    }
  }

  @Test("Seeking finds what walking finds, also with COUNT")
  func seeking() throws {
    let first = number("EPACT_SEED", otherwise: 1)
    for seed in first..<first + number("EPACT_RULES", otherwise: 1000) {
      var random = SeededGenerator(seed: UInt64(seed))
      let example = RandomRule(&random)
      let expansion = try Expansion(of: example.rule, from: example.start)
      let all = Array(expansion.prefix(300))
      guard let last = all.last else { continue }
      let indexed = expansion.indexed()
      for _ in 0..<5 {
        let length = last.wallSeconds - example.start.wallSeconds + 10
        let moment = example.start.adding(seconds: Int64(random.next() % UInt64(length)))
        // Half of them at an instance.
        let time = try #require(random.below(2) == 0 ? moment : all[random.below(all.count)])
        let expected = all.first { $0 >= time }
        guard expected != nil || all.count < 300 else { continue }
        let message: Comment = "seed \(seed): \(example.rule) from \(example.start) at \(time)"
        #expect(expansion.first(from: time) == expected, message)
        let rest = all.drop { $0 < time }
        #expect(Array(indexed.starting(at: time).prefix(rest.count)) == Array(rest), message)
        if all.count < 300 {
          #expect(Array(expansion.starting(at: time)) == Array(rest), message)
        }
      }
    }
  }
}
