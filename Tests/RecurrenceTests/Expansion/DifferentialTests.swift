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
