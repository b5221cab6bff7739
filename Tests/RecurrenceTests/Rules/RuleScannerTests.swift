// SPDX-License-Identifier: Apache-2.0

import CivilTime
import Recurrence
import TestSupport
import Testing

@Suite("RuleScanner")
struct RuleScannerTests {
  /// Parts that are usual and parts that are not, to be put together at random.
  private static let parts = [
    "COUNT=10", "COUNT=0", "INTERVAL=2", "INTERVAL=02", "INTERVAL=99999999999", "UNTIL=20260101",
    "UNTIL=20260101T000000Z", "UNTIL=20260101T000000", "UNTIL=2026", "BYDAY=MO", "BYDAY=SU,MO,SU",
    "BYDAY=-1FR", "BYDAY=+2TU,0WE", "BYDAY=XX", "BYDAY=", "BYMONTH=1,12,3", "BYMONTH=13",
    "BYMONTHDAY=-1,1,31", "BYMONTHDAY=1,1", "BYYEARDAY=366,-366", "BYYEARDAY=367", "BYWEEKNO=53,-1",
    "BYHOUR=23,0", "BYHOUR=24", "BYMINUTE=59", "BYMINUTE=-1", "BYSECOND=60", "BYSETPOS=-1",
    "WKST=SU",
    "WKST=XY", "SKIP=OMIT", "RSCALE=GREGORIAN", "X-PART=1", "byday=mo", "BYDAY=MO ", "COUNT=+1", "",
  ]

  @Test("The short way and the long way read the same rule, or the short way reads none")
  func sameRule() throws {
    var scanned = 0
    for seed in 0..<3000 as Range<UInt64> {
      var random = SeededGenerator(seed: seed)
      let frequency = ["SECONDLY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"].randomElement(
        using: &random)
      var text = "FREQ=\(frequency ?? "")"
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        text += ";" + (Self.parts.randomElement(using: &random) ?? "")
      }
      guard let rule = RecurrenceRule(usual: text.utf8.span) else { continue }
      scanned += 1
      let reading = try RecurrenceRule.parse(leniently: text)
      #expect(rule == reading.rule, "\(text) (seed \(seed))")
      #expect(reading.issues.allSatisfy { !$0.isViolation }, "\(text) (seed \(seed))")
    }
    #expect(scanned > 300)
  }
}
