// SPDX-License-Identifier: Apache-2.0

import Recurrence
import Testing

@Suite struct RulePartTests {
  /// The table of RFC 5545 §3.3.10 as it is printed there.
  static let table = """
    BYMONTH    Limit  Limit  Limit  Limit  Limit  Limit  Expand
    BYWEEKNO   N/A    N/A    N/A    N/A    N/A    N/A    Expand
    BYYEARDAY  Limit  Limit  Limit  N/A    N/A    N/A    Expand
    BYMONTHDAY Limit  Limit  Limit  Limit  N/A    Expand Expand
    BYDAY      Limit  Limit  Limit  Limit  Expand Note1  Note2
    BYHOUR     Limit  Limit  Limit  Expand Expand Expand Expand
    BYMINUTE   Limit  Limit  Expand Expand Expand Expand Expand
    BYSECOND   Limit  Expand Expand Expand Expand Expand Expand
    BYSETPOS   Limit  Limit  Limit  Limit  Limit  Limit  Limit
    """

  @Test("Every part does what the RFC's table says, in the table's order")
  func wholeTable() throws {
    let rows = Self.table.split(separator: "\n").map { $0.split(separator: " ") }
    #expect(rows.map { String($0[0]) } == RulePart.applicationOrder.map(\.rawValue))
    for row in rows {
      let part = try #require(RulePart(rawValue: String(row[0])))
      for (frequency, cell) in zip(Frequency.allCases, row.dropFirst()) {
        let expected: RuleEffect =
          switch cell {
          case "Limit": .limit
          case "Expand": .expand
          case "Note1": .specialExpand(within: .monthly)
          case "Note2": .specialExpand(within: .yearly)
          default: .notApplicable
          }
        #expect(part.effect(in: frequency, with: [part]) == expected, "\(part) \(frequency)")
      }
    }
  }

  @Test(
    "What BYDAY does depends on the parts beside it",
    arguments: [
      ("FREQ=MONTHLY;BYDAY=MO", RuleEffect.specialExpand(within: .monthly)),
      ("FREQ=MONTHLY;BYDAY=MO;BYMONTHDAY=1", .limit),
      ("FREQ=MONTHLY;BYDAY=MO;BYMONTH=1", .specialExpand(within: .monthly)),
      ("FREQ=YEARLY;BYDAY=MO", .specialExpand(within: .yearly)),
      ("FREQ=YEARLY;BYDAY=MO;BYMONTH=1", .specialExpand(within: .monthly)),
      ("FREQ=YEARLY;BYDAY=MO;BYWEEKNO=1", .specialExpand(within: .weekly)),
      ("FREQ=YEARLY;BYDAY=MO;BYWEEKNO=1;BYMONTH=1", .specialExpand(within: .weekly)),
      ("FREQ=YEARLY;BYDAY=MO;BYMONTHDAY=1", .limit),
      ("FREQ=YEARLY;BYDAY=MO;BYYEARDAY=1;BYWEEKNO=1", .limit),
      ("FREQ=WEEKLY;BYDAY=MO", .expand),
      ("FREQ=DAILY;BYDAY=MO", .limit),
    ])
  func byDay(text: String, effect: RuleEffect) throws {
    #expect(try RecurrenceRule(parsing: text).effect(of: .byDay) == effect)
  }

  @Test("Parts that do not start with BY have no effect of that kind")
  func others() {
    for part in RulePart.allCases {
      #expect(part.isBy == part.rawValue.hasPrefix("BY"))
      #expect((part.effect(in: .daily, with: []) == nil) == !part.isBy)
    }
  }

  @Test("Frequencies are ordered by their period")
  func frequencies() {
    #expect(Frequency.allCases == Frequency.allCases.sorted())
    #expect(Frequency.daily < .weekly)
  }
}
